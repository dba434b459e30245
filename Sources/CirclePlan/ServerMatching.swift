import CircleModel
import Diagnostics

/// Which server of the state an entry of `servers` stands for.
struct ServerMatch {
  /// In `DesiredState.servers`.
  let position: Int
  /// nil: there is none, so it is created.
  let actual: ServerIndex?
  /// What led to it: `.manifest` for the handle itself.
  let rule: Rule
  let place: Place
  let isAdopted: Bool
}

/// Finds for each server of the manifests the one of the state: by `serverId`, by handle, then by `renamedFrom`.
struct ServerMatching {
  private let desired: DesiredState
  private let actual: Snapshot
  private let stack: Text
  /// By the handle before the plan.
  private(set) var matches = ContiguousArray<ServerMatch>()
  private(set) var faults: [Diagnostic] = []
  /// By `ServerIndex`: the entry that names it, or -1.
  private(set) var claimants: ContiguousArray<Int32>

  init(_ desired: DesiredState, _ actual: Snapshot, stack: Text) {
    self.desired = desired
    self.actual = actual
    self.stack = stack
    claimants = ContiguousArray(repeating: -1, count: actual.servers.count)
    matches.reserveCapacity(desired.servers.count)
    // Ids first: the handle of a server that is claimed by its id is about to become free.
    for position in desired.servers.indices { claimByID(position) }
    for position in desired.servers.indices where desired.servers[position].serverID == nil {
      claimByHandle(position)
    }
    for position in desired.servers.indices where desired.servers[position].serverID == nil {
      claimByOldHandleOrCreate(position)
    }
    sortByHandle()
  }

  private mutating func sortByHandle() {
    let handles = matches.map { match in
      match.actual.map { actual[$0].handle } ?? desired.servers[match.position].handle
    }
    let order = matches.indices.sorted {
      handles[$0] == handles[$1] ? matches[$0].position < matches[$1].position : handles[$0] < handles[$1]
    }
    matches = ContiguousArray(order.map { matches[$0] })
  }

  private func existing(_ server: ServerIndex?) -> ServerIndex? {
    server.flatMap { $0 == .none || actual[$0].isDestroyed ? nil : $0 }
  }

  private mutating func claimByID(_ position: Int) {
    guard let id = desired.servers[position].serverID else { return }
    guard let server = existing(actual.serverIDs[id.value]) else {
      faults.append(
        PlanFault.unknownServerID.error(
          "no server has the id '\(id.value)'", at: id.place,
          help: "'circlectl events list -o ndjson' tells the ids; leave 'serverId' out to create a server"))
      return
    }
    claim(server, position, rule: .adoption, at: id.place)
  }

  private mutating func claimByHandle(_ position: Int) {
    let entry = desired.servers[position]
    guard let server = existing(actual.handles[entry.handle]) else { return }
    // Claimed by its id under another handle: this one becomes free, and is created anew.
    guard claimants[server.position] < 0 else { return }
    claim(server, position, rule: .manifest, at: entry.place)
  }

  private mutating func claimByOldHandleOrCreate(_ position: Int) {
    let entry = desired.servers[position]
    let holder = existing(actual.handles[entry.handle])
    if let holder, claimants[holder.position] == Int32(position) || actual[holder].stack.map({ $0 != stack }) ?? false {
      return
    }
    if holder == nil, !entry.renamedFrom.isEmpty {
      let old = entry.renamedFrom.compactMap { old in
        existing(actual.handles[old.value]).map { (server: $0, old: old) }
      }.filter { actual[$0.server].stack == stack }
      if old.count > 1 {
        faults.append(
          PlanFault.twoOldHandles.error(
            "'\(old[0].old.value)' and '\(old[1].old.value)' are both servers of this stack: "
              + "'\(entry.handle)' can be only one of them renamed",
            at: old[1].old.place, help: "leave one of them in 'renamedFrom'"))
        return
      }
      if let old = old.first {
        claim(old.server, position, rule: .renamedFrom, at: old.old.place)
        return
      }
    }
    create(position)
  }

  private mutating func create(_ position: Int) {
    let entry = desired.servers[position]
    let required = [
      (PlanFault.missingName, "name", entry.attribute(.name)?.value == nil),
      (PlanFault.missingOwner, "owner", entry.owner == nil),
    ]
    for (fault, key, isMissing) in required where isMissing {
      faults.append(
        fault.error(
          "server '\(entry.handle)' is not in the state and can't be created without '\(key)'", at: entry.place,
          help: "'serverId' or 'renamedFrom' find one that has another handle"))
    }
    matches.append(
      ServerMatch(position: position, actual: nil, rule: .manifest, place: entry.place, isAdopted: false))
  }

  private mutating func claim(_ server: ServerIndex, _ position: Int, rule: Rule, at place: Place) {
    let entry = desired.servers[position]
    let row = actual[server]
    if let owner = row.stack, owner != stack {
      faults.append(
        PlanFault.otherStack.error(
          "server '\(row.handle)' belongs to the stack '\(owner)', not to '\(stack)'", at: place,
          help: "'circlectl server release \(row.handle)' takes it out of that stack"))
      claimants[server.position] = Int32(truncatingIfNeeded: position)
      return
    }
    let claimant = Int(claimants[server.position])
    guard claimant < 0 else {
      faults.append(twoClaimants(of: row.handle, desired.servers[claimant], entry, at: place))
      return
    }
    claimants[server.position] = Int32(truncatingIfNeeded: position)
    if entry.absent.contains(where: { $0.user == row.owner }) {
      faults.append(ownerIsAbsent(entry, row))
    }
    matches.append(
      ServerMatch(
        position: position, actual: server, rule: rule, place: place, isAdopted: row.stack == nil))
  }

  private func twoClaimants(
    of handle: Text, _ first: DesiredServer, _ second: DesiredServer, at place: Place
  ) -> Diagnostic {
    PlanFault.twoClaimants.error(
      "'\(first.handle)' and '\(second.handle)' both stand for the server '\(handle)'", at: place,
      notes: first.place.isKnown ? [.init("the other one is here", at: first.place)] : [])
  }

  private func ownerIsAbsent(_ entry: DesiredServer, _ row: Server) -> Diagnostic {
    let place = entry.absent.first { $0.user == row.owner }?.place ?? entry.place
    return PlanFault.ownerAbsent.error(
      "'\(actual.names[row.owner])' owns '\(entry.handle)' and can't be absent from it", at: place)
  }
}
