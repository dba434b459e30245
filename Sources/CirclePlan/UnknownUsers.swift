import CircleModel
import Diagnostics

/// The users that manifests name and nobody registers.
struct UnknownUsers {
  /// By user index.
  private(set) var users: ContiguousArray<UserIndex> = []
  private let desired: DesiredState
  private let actual: Snapshot

  init(_ desired: DesiredState, _ actual: Snapshot) {
    self.desired = desired
    self.actual = actual
    var isListed = ContiguousArray<Bool>(repeating: false, count: desired.names.count)
    for entry in desired.users { isListed[entry.user.position] = true }
    for (position, place) in desired.mentions.enumerated()
    where place.isKnown && !isListed[position] && !actual.users[position].isRegistered {
      users.append(UserIndex(position))
    }
  }

  /// A fault each, in the order of the manifest lines; the first hundred with the nearest known spelling.
  func faults() -> [Diagnostic] {
    guard !users.isEmpty else { return [] }
    let known = knownNames()
    let ordered = users.sorted { desired.mentions[$0.position] < desired.mentions[$1.position] }
    return ordered.enumerated().map { position, user in
      let name = desired.names[user]
      let near = position < 100 ? nearestName(to: name, among: known) : nil
      let place = desired.mentions[user.position]
      return PlanFault.unknownUser.error(
        "user '\(name)' is not registered" + (near.map { "; did you mean '\($0)'?" } ?? ""),
        at: place, end: place.column + name.utf8.count,
        help: "add the user to 'users', or use --register to register all users that the manifests name")
    }
  }

  private func knownNames() -> [String] {
    var isKnown = actual.users.map(\.isRegistered)
    for entry in desired.users { isKnown[entry.user.position] = true }
    return isKnown.indices.lazy.filter { isKnown[$0] }.map { actual.names[UserIndex($0)] }
  }
}
