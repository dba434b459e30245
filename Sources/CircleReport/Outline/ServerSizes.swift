import CircleModel
import CirclePlan

/// How many members a server has before and after a plan, the owner included.
struct ServerSize: Equatable {
  var handle: Text
  var before: Int
  var after: Int

  /// Of the servers whose number of members changes, those that change most first, then by handle.
  ///
  /// What a guard refuses counts as if it ran, since that is what it refuses; what a rule refuses does not.
  static func changed(by plan: Plan) -> [ServerSize] {
    let servers = plan.result.servers
    var gained = [Int](repeating: 0, count: servers.count)
    var isCreated = [Bool](repeating: false, count: servers.count)
    var isTouched = isCreated
    for change in plan.changes where change.server.position < servers.count && runs(change, in: plan) {
      let server = change.server.position
      switch (change.object, change.action) {
      case (.membership, .create): gained[server] += 1
      case (.membership, .delete): gained[server] -= 1
      case (.server, .create): isCreated[server] = true
      case (.server, .delete): break
      default: continue
      }
      isTouched[server] = true
    }
    var sizes: [ServerSize] = []
    for (position, server) in servers.enumerated() where isTouched[position] {
      let after = server.isDestroyed ? 0 : server.memberCount
      let before = isCreated[position] ? 0 : server.memberCount - gained[position]
      if before != after { sizes.append(ServerSize(handle: server.handle, before: before, after: after)) }
    }
    return sizes.sorted {
      let (left, right) = (abs($0.after - $0.before), abs($1.after - $1.before))
      return left != right ? left > right : $0.handle < $1.handle
    }
  }

  private static func runs(_ change: Change, in plan: Plan) -> Bool {
    switch change.kind {
    case .pending, .drift: return true
    case .unmanaged: return false
    case .blocked:
      if case .guard = plan.refusal(of: change)?.cause { return true }
      return false
    }
  }
}
