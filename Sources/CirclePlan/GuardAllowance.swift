package import CircleModel

/// The sets that a guard watches.
package enum GuardKind: UInt8, CaseIterable, Sendable {
  /// A server's members, moderators among them, without the owner.
  case member
  /// A server's moderators.
  case moderator
  /// The stack's servers.
  case server

  package var word: String {
    switch self {
    case .member: "member"
    case .moderator: "moderator"
    case .server: "server"
    }
  }
}

/// `--allow`: a ceiling on removals, for one kind and one server only.
package struct GuardAllowance: Equatable, Sendable {
  package var kind: GuardKind
  /// The handle that the server has after the plan; nil for the stack's servers.
  package var handle: Text?
  package var ceiling: Int

  package init(_ kind: GuardKind, handle: Text?, ceiling: Int) {
    self.kind = kind
    self.handle = handle
    self.ceiling = ceiling
  }

  /// Why a text is no allowance: wrong usage, with a sentence for a person.
  package struct Malformed: Error, Equatable, Sendable {
    package var message: String
  }

  /// Reads `remove:member@HANDLE<=N`, `remove:moderator@HANDLE<=N` or `remove:server<=N`.
  package init(parsing text: String) throws(Malformed) {
    let forms = "'remove:member@HANDLE<=N', 'remove:moderator@HANDLE<=N' or 'remove:server<=N'"
    guard text.hasPrefix("remove:") else { throw Malformed(message: "'\(text)' is none of \(forms)") }
    let rest = text.dropFirst("remove:".count)
    guard let sign = rest.firstIndex(of: "<"), rest[sign...].hasPrefix("<=") else {
      throw Malformed(message: "'\(text)' names no ceiling: write \(forms)")
    }
    guard let ceiling = decimal(rest[sign...].dropFirst(2)) else {
      throw Malformed(message: "the ceiling in '\(text)' must be a number from 0 to 999999999")
    }
    let parts = rest[..<sign].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let handle = parts.count == 2 ? parts[1] : nil
    guard let kind = GuardKind.allCases.first(where: { $0.word == parts[0] }) else {
      throw Malformed(message: "'\(parts[0])' in '\(text)' is no kind of removal: write \(forms)")
    }
    if kind == .server, handle != nil {
      throw Malformed(
        message: "'\(text)' must name no server: destroying is counted for the whole stack, 'remove:server<=\(ceiling)'"
      )
    }
    if kind != .server, handle?.isEmpty ?? true {
      throw Malformed(message: "'\(text)' must name the server by its handle: 'remove:\(kind.word)@HANDLE<=\(ceiling)'")
    }
    self.init(kind, handle: handle.map { Text(String($0)) }, ceiling: ceiling)
  }

  /// As it is written on the command line, and kept in the history.
  package var text: String {
    "remove:\(kind.word)\(handle.map { "@\($0)" } ?? "")<=\(ceiling)"
  }
}
