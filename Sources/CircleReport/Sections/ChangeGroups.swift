import CircleModel
import CirclePlan

/// The changes of a plan by server: the users' first, then each server's by handle.
struct ChangeGroups {
  struct Group {
    /// nil: what concerns users only.
    var handle: Text?
    var tally = PlanTally()
  }

  /// In order.
  private(set) var groups: [Group]
  /// For each change the group it belongs to.
  private(set) var membership: ContiguousArray<UInt32>

  init(_ plan: Plan) {
    var groups: [Group] = [Group(handle: nil)]
    var ofServer = ContiguousArray<UInt32>(repeating: 0, count: plan.result.servers.count)
    // A server whose creation is refused has no index: its handle is that of the refusal.
    var ofRefusal = ContiguousArray<UInt32>(repeating: 0, count: plan.refusals.count)
    var ofHandle: [Text: UInt32] = [:]
    membership = []
    membership.reserveCapacity(plan.changes.count)
    func group(_ handle: Text) -> UInt32 {
      if let known = ofHandle[handle] { return known }
      let next = UInt32(groups.count)
      groups.append(Group(handle: handle))
      ofHandle[handle] = next
      return next
    }
    for change in plan.changes {
      let server = change.server.position
      let refusal = Int(change.refusal)
      var found: UInt32 = 0
      if server < ofServer.count {
        if ofServer[server] == 0 { ofServer[server] = group(plan.result.servers[server].handle) }
        found = ofServer[server]
      } else if refusal >= 0, refusal < ofRefusal.count, let handle = plan.refusals[refusal].handle {
        if ofRefusal[refusal] == 0 { ofRefusal[refusal] = group(handle) }
        found = ofRefusal[refusal]
      }
      groups[Int(found)].tally.add(change)
      membership.append(found)
    }
    self.groups = groups
    sortByHandle()
  }

  private mutating func sortByHandle() {
    let order = groups.indices.dropFirst().sorted { left, right in
      guard let a = groups[left].handle, let b = groups[right].handle else { return false }
      return a < b
    }
    var rank = ContiguousArray<UInt32>(repeating: 0, count: groups.count)
    for (position, group) in order.enumerated() { rank[group] = UInt32(position + 1) }
    groups = [groups[0]] + order.map { groups[$0] }
    for position in membership.indices { membership[position] = rank[Int(membership[position])] }
  }

  /// The indices of the changes sorted by part, then by group, else as in the plan.
  ///
  /// - Parameter part: for each change the part it belongs to, below `parts`.
  /// - Returns: all indices, and where the slice of each part and group begins: `part * groups.count + group`.
  func sorted(
    _ changes: ContiguousArray<Change>, parts: Int, by part: (Change) -> Int
  ) -> (order: ContiguousArray<UInt32>, starts: [Int]) {
    var starts = [Int](repeating: 0, count: parts * groups.count + 1)
    for (position, change) in changes.enumerated() {
      starts[part(change) * groups.count + Int(membership[position]) + 1] += 1
    }
    for slot in 1..<starts.count { starts[slot] += starts[slot - 1] }
    var next = starts
    var order = ContiguousArray<UInt32>(repeating: 0, count: changes.count)
    for (position, change) in changes.enumerated() {
      let slot = part(change) * groups.count + Int(membership[position])
      order[next[slot]] = UInt32(position)
      next[slot] += 1
    }
    return (order, starts)
  }
}
