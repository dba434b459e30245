package import CircleModel

/// The part of a state that was loaded, and how far the state had come: what a transaction must still find.
package struct Loaded: Sendable {
  package var snapshot: Snapshot
  package let head: Head
  /// What the rows of a server beside its own say: to see afterwards which of them changed. Only where there are any.
  let sideRows: [ServerIndex: SideRows]

  struct SideRows: Sendable {
    var invitations: Invitations
    var refusals: [UserIndex: Refusal]
    var absentees: [UserIndex: Listing]
  }

  /// An empty state.
  package init(names: UserNames = UserNames()) {
    snapshot = Snapshot()
    snapshot.adopt(names)
    head = Head()
    sideRows = [:]
  }

  init(snapshot: Snapshot, head: Head) {
    self.snapshot = snapshot
    self.head = head
    var sideRows: [ServerIndex: SideRows] = [:]
    let servers = snapshot.servers
    for position in servers.indices where servers[position].hasSideRows {
      sideRows[ServerIndex(position)] = SideRows(
        invitations: servers[position].invitations, refusals: servers[position].refusals,
        absentees: servers[position].base.absentees)
    }
    self.sideRows = sideRows
  }
}
