package import CircleModel

/// `--only` and `--exclude`: which changes of a plan are meant. All its terms have to fit.
package struct Selector: Equatable, Sendable {
  package enum Term: Equatable, Sendable {
    /// A handle, or with `*` and `?` a glob of handles.
    case handle(Text)
    /// Servers that have the tag, before the plan or by their manifest.
    case tag(Text)
    case kind(Kind)
    case action(Change.Action)
  }

  /// What a change is about.
  package enum Kind: String, CaseIterable, Sendable {
    case server, tag, moderator, member, user
  }

  /// Why a text is no selector: wrong usage, with a sentence for a person.
  package struct Malformed: Error, Equatable, Sendable {
    package var message: String
  }

  package private(set) var terms: [Term]
  /// As it is written on the command line.
  package let text: String

  /// Reads terms that are joined by commas.
  package init(parsing text: String) throws(Malformed) {
    self.text = text
    terms = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      terms.append(try Self.term(String(part), of: text))
    }
  }

  private static func term(_ part: String, of text: String) throws(Malformed) -> Term {
    let forms = "a handle, a glob of handles, 'tag=NAME', 'kind=KIND' or 'action=ACTION'"
    guard !part.isEmpty else { throw Malformed(message: "'\(text)' has an empty term: each is \(forms)") }
    guard let sign = part.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      let isGlob = part.utf8.allSatisfy { byte in
        byte &- 0x61 < 26 || byte &- 0x30 < 10
          || [UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "?")].contains(byte)
      }
      guard isGlob else { throw Malformed(message: "'\(part)' is no handle: a term is \(forms)") }
      return .handle(Text(part))
    }
    let value = String(part[part.utf8.index(after: sign)...])
    switch String(part[..<sign]) {
    case "tag" where !value.isEmpty: return .tag(Text(value))
    case "kind":
      guard let kind = Kind(rawValue: value) else {
        let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw Malformed(message: "'\(value)' is no kind: there are \(kinds)")
      }
      return .kind(kind)
    case "action":
      guard let action = Change.Action.allCases.first(where: { $0.word == value }) else {
        let actions = Change.Action.allCases.map(\.word).joined(separator: ", ")
        throw Malformed(message: "'\(value)' is no action: there are \(actions)")
      }
      return .action(action)
    default: throw Malformed(message: "'\(part)' is no term of a selector: it is \(forms)")
    }
  }

  /// The handles that it names in full.
  package var handles: [Text] {
    terms.compactMap { term in
      guard case .handle(let text) = term, !text.string.utf8.contains(where: { $0 == 0x2A || $0 == 0x3F }) else {
        return nil
      }
      return text
    }
  }
}

/// What `--only` and `--exclude` say together: chosen is what fits any of `only`, or there is none, and none of
/// `exclude`.
package struct Selection: Equatable, Sendable {
  package var only: [Selector] = []
  package var exclude: [Selector] = []

  package init(only: [Selector] = [], exclude: [Selector] = []) {
    self.only = only
    self.exclude = exclude
  }

  package var isEverything: Bool { only.isEmpty && exclude.isEmpty }

  /// - Parameter server: nil for what concerns users only.
  func chooses(_ action: Change.Action, _ kind: Selector.Kind, on server: SelectedServer?) -> Bool {
    if isEverything { return true }
    let fits = { (selector: Selector) in selector.fits(action, kind, server) }
    return (only.isEmpty || only.contains(where: fits)) && !exclude.contains(where: fits)
  }
}

/// What a selector looks at of a server.
struct SelectedServer {
  /// Before and after the plan.
  var handles: [Text]
  var tags: Set<Text>
}

extension Selector {
  /// Whether a server has what the terms about servers ask for.
  func fits(_ server: SelectedServer) -> Bool { terms.allSatisfy { $0.fits(server) ?? true } }

  /// Whether any of the terms is about servers.
  var namesServers: Bool { terms.contains { $0.fits(nil) != nil } }

  fileprivate func fits(_ action: Change.Action, _ kind: Kind, _ server: SelectedServer?) -> Bool {
    terms.allSatisfy { term in
      switch term {
      case .handle, .tag: term.fits(server) ?? false
      case .kind(let wanted): wanted == kind
      case .action(let wanted): wanted == action
      }
    }
  }
}

extension Selector.Term {
  /// Whether the server, or none, has what is asked for; nil for a term that is not about servers.
  fileprivate func fits(_ server: SelectedServer?) -> Bool? {
    switch self {
    case .handle(let glob): server?.handles.contains { glob.matches($0) } ?? false
    case .tag(let name): server?.tags.contains(name) ?? false
    case .kind, .action: nil
    }
  }
}

extension Text {
  /// Whether the handle fits this glob: `*` stands for any letters, `?` for one.
  fileprivate func matches(_ handle: Text) -> Bool {
    let (glob, name) = (Array(string.utf8), Array(handle.string.utf8))
    var (g, n) = (0, 0)
    var star: (glob: Int, name: Int)?
    while n < name.count {
      if g < glob.count, glob[g] == UInt8(ascii: "*") {
        star = (g, n)
        g += 1
      } else if g < glob.count, glob[g] == UInt8(ascii: "?") || glob[g] == name[n] {
        g += 1
        n += 1
      } else if let last = star {
        g = last.glob + 1
        n = last.name + 1
        star = (last.glob, n)
      } else {
        return false
      }
    }
    return glob[g...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
