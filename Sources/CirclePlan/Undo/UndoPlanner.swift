import CircleModel
import Diagnostics

/// One undo in the making: the steps of a run in their order, each decided on the state that its predecessors left.
struct UndoPlanner {
  let effect: RunEffect
  /// The state as it is.
  let actual: Snapshot
  var plan: Plan
  var stale: [StaleValue] = []
  var remarks: [UndoRemark] = []
  /// By the handle that they have up to the renames, from then on by the one that they get.
  var servers: [UndoneServer] = []
  var users: [UndoneUser] = []

  var names: UserNames { actual.names }

  init(_ effect: RunEffect, _ actual: Snapshot, _ plan: Plan) {
    self.effect = effect
    self.actual = actual
    self.plan = plan
  }

  mutating func run(_ options: PlanOptions) {
    compareLimits()
    compareUsers()
    compareServers()
    guard stale.isEmpty else { return }
    servers.sort { $0.handleNow < $1.handleNow }
    takeBackUsers()
    for position in servers.indices { withdraw(position) }
    for position in servers.indices where servers[position].fate == .goes { destroy(position) }
    for position in servers.indices { remove(position) }
    for position in servers.indices { demote(position) }
    for position in servers.indices { removeTags(position) }
    renameAndAdopt()
    servers.sort { $0.handle < $1.handle }
    for position in servers.indices where servers[position].fate == .comes { create(position) }
    for position in servers.indices { setAttributes(position) }
    for position in servers.indices { addTags(position) }
    for position in servers.indices { bringIn(position) }
    for position in servers.indices { promote(position) }
    for position in servers.indices where servers[position].fate != .goes { settle(position) }
    markUsers()
    plan.guardSets(from: actual, options)
  }

  mutating func note(_ message: String) {
    stale.append(StaleValue(message: message, place: .none))
  }

  mutating func remark(_ message: String, server: Text? = nil, user: UserIndex? = nil) {
    remarks.append(UndoRemark(server: server, user: user.map { Text(names[$0]) }, message: message))
  }

  // MARK: Comparing

  private mutating func compareLimits() {
    let kinds: [(LimitKind, KeyPath<Limits, Int>)] = [(.created, \.created), (.joined, \.joined)]
    for (kind, path) in kinds {
      let (old, new, now) = (
        effect.before.limits[keyPath: path], effect.after.limits[keyPath: path], actual.limits[keyPath: path]
      )
      switch UndoneValue(before: old, after: new, now: now) {
      case .nothing: break
      case .back: _ = plan.perform(.setLimit(kind, old), .command, for: nil, on: .none)
      case .stale: note("the limit '\(kind.word)' is \(now) now")
      }
    }
  }

  private mutating func compareUsers() {
    let names = names
    var kept: [UserIndex] = []
    for user in effect.users {
      if effect.after.isRegistered(user), !effect.before.isRegistered(user) {
        kept.append(user)
      } else {
        users.append(UndoneUser(user, effect, actual) { note($0) })
      }
    }
    users.sort { names.precedes($0.user, $1.user) }
    guard !kept.isEmpty else { return }
    if kept.count <= 3 {
      for user in kept.sorted(by: { names.precedes($0, $1) }) {
        remark("stays registered: users are never deleted", user: user)
      }
    } else {
      remark("\(counted(kept.count, "user")) stay: users are never deleted")
    }
  }

  private mutating func compareServers() {
    for index in effect.servers {
      let isOld = index.position < effect.before.servers.count && !effect.before[index].isDestroyed
      let isNew = !effect.after[index].isDestroyed
      let after = effect.after[index]
      let found = actual.serverIDs[after.id].flatMap { $0 == .none || actual[$0].isDestroyed ? nil : $0 }
      switch (isOld, isNew, found) {
      case (false, true, let server?): compareCreated(after, at: server)
      case (true, false, nil): servers.append(.coming(effect.before[index], by: names))
      case (true, true, let server?):
        servers.append(
          .staying(effect.before[index], after, actual[server], at: server, by: names) { note($0) })
      case (true, true, nil): note("there is no server '\(after.handle)' any more")
      default: break
      }
    }
  }

  /// All that goes with a server must be as the run left it.
  private mutating func compareCreated(_ after: Server, at server: ServerIndex) {
    let now = actual[server]
    if now.memberCount != after.memberCount {
      note("'\(now.handle)', which is to be destroyed, has \(counted(now.memberCount, "member")) now")
    } else if now.contentDigest(by: names) != after.contentDigest(by: effect.after.names) {
      note("'\(now.handle)', which is to be destroyed, has changed")
    } else {
      servers.append(.going(server, after: after, handle: now.handle))
    }
  }
}
