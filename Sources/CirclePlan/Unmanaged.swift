import CircleModel
import Diagnostics

extension Planner {
  /// Notes what is in the state and no manifest of this stack names: servers one by one, users and members as counts.
  mutating func noteUnmanaged(_ unclaimed: [ServerIndex]) {
    if !options.prune {
      for server in unclaimed.ofStack(options.stack, in: actual) {
        guard chooses(.delete, server) else { continue }
        addUnmanaged(server)
        plan.notes.append(PlanNote(kind: .notPruned, server: server, user: .none, place: .none))
      }
    }
    for server in unclaimed.ofStack(nil, in: actual) where chooses(.delete, server) { addUnmanaged(server) }
    for diff in diffs where !diff.membership.unmanaged.isEmpty {
      plan.counts.unmanagedMembers += diff.membership.unmanaged.count
      guard let server = diff.server else { continue }
      plan.unmanagedMembers.append(UnmanagedMembers(server: server, users: diff.membership.unmanaged))
    }
    let named = actual.users.prefix(desired.names.count).count { $0.isRegistered }
    plan.counts.unmanagedUsers = max(actual.totals.users - named, 0)
  }

  private mutating func addUnmanaged(_ server: ServerIndex) {
    var change = Change(.update, .server, .unmanaged, server: server, at: .none)
    change.text = Int32(truncatingIfNeeded: plan.texts.count)
    plan.texts.append(ChangeText(before: actual[server].handle, after: actual[server].handle))
    plan.counts.unmanaged += 1
    plan.changes.append(change)
  }
}
