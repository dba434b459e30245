package import CircleModel
package import Diagnostics

/// What can be asked of a manifest set that is checked without a state.
package enum StandaloneCheck {
  /// Reports servers that could not be created and users whom no manifest registers.
  ///
  /// A server needs a name and an owner unless it takes up one that is there, by `serverId` or `renamedFrom`: else an
  /// error. A user who is named outside `absent` should have an entry in `users`: else one warning for each.
  ///
  /// Where the reading has found faults, only what they can't be the cause of is reported: nothing when a file was not read
  /// to its end, and no server that has a fault of its own.
  package static func check(_ state: DesiredState, into diagnostics: inout DiagnosticCollector) {
    let faults = diagnostics.errors
    let unread: [ManifestFault] = [.unreadableFile, .outsideRoot, .syntax, .tab, .encoding, .limit, .alias]
    guard diagnostics.errorCount == faults.count,
      !faults.contains(where: { fault in unread.contains { $0.rawValue == fault.code } })
    else { return }
    let places = faults.isEmpty ? [] : state.servers.map(\.place).sorted()
    for server in state.servers where server.serverID == nil && server.renamedFrom.isEmpty {
      let next = first(after: server.place, in: places) ?? Place(file: server.place.file, line: .max, column: 0)
      if faults.contains(where: { $0.place >= server.place && $0.place < next }) { continue }
      check(server, &diagnostics)
    }
    warnOfUnregistered(state, &diagnostics)
  }

  private static func first(after place: Place, in places: [Place]) -> Place? {
    var range = places.startIndex..<places.endIndex
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = places[middle] > place ? range.lowerBound..<middle : (middle + 1)..<range.upperBound
    }
    return range.lowerBound < places.endIndex ? places[range.lowerBound] : nil
  }

  private static func check(_ server: DesiredServer, _ diagnostics: inout DiagnosticCollector) {
    let missing: String
    switch (server.attribute(.name), server.owner) {
    case (nil, nil): missing = "no name and no owner"
    case (nil, _): missing = "no name"
    case (_, nil): missing = "no owner"
    default: return
    }
    diagnostics.append(
      .error(
        ManifestFault.incompleteServer.rawValue, "server '\(server.handle)' has \(missing)", at: server.place,
        end: server.place.column + server.handle.string.utf8.count,
        help: "a new server needs both; for one that is there already give 'serverId' or 'renamedFrom'"))
  }

  private static func warnOfUnregistered(_ state: DesiredState, _ diagnostics: inout DiagnosticCollector) {
    var isRegistered = Array(repeating: false, count: state.names.count)
    for user in state.users { isRegistered[user.user.position] = true }
    let missing = state.mentions.indices.filter { state.mentions[$0].isKnown && !isRegistered[$0] }
      .sorted { state.mentions[$0] < state.mentions[$1] }
    // A suggestion costs a look at all users, so only warnings that are shown have one.
    let shown = max(diagnostics.limit - diagnostics.warningCount, 0)
    let registered = missing.isEmpty || shown == 0 ? [] : state.users.map { state.names[$0.user] }
    for position in missing.prefix(shown) {
      let id = state.names[UserIndex(position)]
      diagnostics.append(
        unregistered(
          "no manifest registers user '\(id)'" + suggestion(nearestName(to: id, among: registered)),
          at: state.mentions[position], length: id.utf8.count))
    }
    // The others are counted only.
    for position in missing.dropFirst(shown) {
      diagnostics.append(unregistered("", at: state.mentions[position], length: 0))
    }
  }

  private static func unregistered(_ message: String, at place: Place, length: Int) -> Diagnostic {
    .warning(ManifestFault.unregisteredUser.rawValue, message, at: place, end: place.column + length)
  }
}
