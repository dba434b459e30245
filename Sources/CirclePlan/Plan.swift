package import CircleModel
package import Diagnostics

/// Something that a plan says beside its changes; never counted.
package struct PlanNote: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// A server of no stack comes under this one.
    case adoption
    /// A server of this stack that no manifest names any more; only `--prune` destroys it.
    case notPruned
    /// A listed user who declined, or left after accepting, and is not invited again.
    case notInvitedAgain(Refusal)
    /// A setting of a server that is not as last applied; the values in the words of manifests, nil for unset.
    case setting(ServerSetting, before: Text?, after: Text?)
    /// A server that is created looks like one that is destroyed: same owner, and most of the members.
    case looksRenamed(from: ServerIndex, shared: Int, of: Int)
  }

  package var kind: Kind
  package var server: ServerIndex
  package var user: UserIndex
  package var place: Place

  /// The other server that the note speaks of; `.none` where there is none.
  package var lookalike: ServerIndex {
    if case .looksRenamed(let server, _, _) = kind { return server }
    return .none
  }
}

/// Members of one server of the stack whom no list names and nobody removes.
package struct UnmanagedMembers: Sendable {
  package var server: ServerIndex
  /// By index.
  package var users: ContiguousArray<UserIndex>
}

/// How many differences of each kind there are.
package struct ChangeCounts: Equatable, Sendable {
  package var pending = 0
  package var drift = 0
  /// Servers, one by one; users and members are counted apart.
  package var unmanaged = 0
  package var blocked = 0
  /// Registered users whom no manifest names.
  package var unmanagedUsers = 0
  /// Members of this stack's servers whom no list names and nobody removes.
  package var unmanagedMembers = 0
  /// Changes that `--only` and `--exclude` leave out, in none of the above.
  package var leftOut = 0
  /// Of these, those that were chosen, but depend on one that was not.
  package var dependent = 0

  package init() {}
}

/// What an apply would do, decided to the end: the same records that it commits, and the differences that they mend.
package struct Plan: Sendable {
  package var stack: Text
  /// All that is decided, in the order in which it runs.
  package var outcome = Outcome()
  /// With the ids used.
  package var context: RunContext
  /// The state after the plan.
  package var result: Snapshot
  /// In the order of the operations, then the unmanaged servers by handle.
  package var changes = ContiguousArray<Change>()
  package var texts = ContiguousArray<ChangeText>()
  package var notes: [PlanNote] = []
  /// By the handle before the plan; none that is empty.
  package var unmanagedMembers: [UnmanagedMembers] = []
  package var refusals: [PlanRefusal] = []
  /// What the manifests have wrong; a plan with any has neither changes nor records.
  package var faults: [Diagnostic] = []
  package var counts = ChangeCounts()

  init(stack: Text, context: RunContext, result: Snapshot) {
    self.stack = stack
    self.context = context
    self.result = result
  }

  /// Whether a rule or a guard refuses it, so that nothing of it may run.
  package var isBlocked: Bool { !refusals.isEmpty }
  /// Whether nothing would be written, not even marks.
  package var isEmpty: Bool { outcome.records.isEmpty && refusals.isEmpty && faults.isEmpty }
  /// Whether only marks, settings and adoptions would be written: no change, no prompt, one history entry.
  package var isBookkeepingOnly: Bool {
    !isEmpty && refusals.isEmpty && faults.isEmpty && counts.pending == 0 && counts.drift == 0
  }

  package func text(of change: Change) -> ChangeText? {
    change.text < 0 ? nil : texts[Int(change.text)]
  }

  package func refusal(of change: Change) -> PlanRefusal? {
    change.refusal < 0 ? nil : refusals[Int(change.refusal)]
  }

  package func record(of change: Change) -> Record? {
    change.record < 0 ? nil : outcome.records[Int(change.record)]
  }
}
