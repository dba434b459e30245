import CircleModel
import Diagnostics
import YAMLEvents

extension ManifestDecoder {
  /// Reports a fault, once even where aliases bring its place in many times.
  mutating func report(
    _ fault: ManifestFault, _ message: String, at place: Place, end: Int? = nil, notes: [Diagnostic.Note] = [],
    help: String? = nil
  ) {
    if reported.count < Self.maximumReported {
      let kind = UInt64(ManifestFault.allCases.firstIndex(of: fault) ?? 0)
      guard reported.insert(place.packed << 6 ^ kind).inserted else { return }
    }
    draft.report(fault, message, at: place, end: end, notes: notes, help: help)
  }

  mutating func reportUnknownKey(among words: [String]) {
    let key = source.withText { String(decoding: $0.prefix(200), as: UTF8.self) }
    let (place, end) = (source.place, source.end)
    report(
      .unknownKey,
      "unknown key '\(excerpt(key))'\(ownerPhrase)" + suggestion(nearestName(to: key, among: words)), at: place,
      end: end, help: "known here: \(words.joined(separator: ", "))")
  }

  mutating func reportDuplicateKey(_ key: String, first: Place) {
    let (place, end) = (source.place, source.end)
    report(
      .duplicateKey, "'\(key)'\(ownerPhrase) is given twice", at: place, end: end,
      notes: [Diagnostic.Note("first given here", at: first)])
  }

  /// Reports that the node at hand is of another kind than the one that is expected.
  mutating func reportWrongType(_ subject: String, _ expected: String, help: String? = nil) {
    let found =
      switch source.kind {
      case .sequenceStart: "a list"
      case .mappingStart: "a mapping"
      default: "'\(source.withText { excerpt(String(decoding: $0.prefix(200), as: UTF8.self)) })'"
      }
    let (place, end) = (source.place, source.kind == .scalar ? source.end : nil)
    report(
      .wrongType, "\(subject)\(ownerPhrase) must be \(expected), not \(found)", at: place, end: end, help: help)
  }

  /// " in server 'x'", for instance.
  var ownerPhrase: String {
    switch owner {
    case .file: ""
    case .defaults: " in defaults"
    case .server(let handle): " in server '\(excerpt(handle.string))'"
    case .user(let user): " of user '\(draft.names[user])'"
    case .group(let name): " in group '\(excerpt(name.string))'"
    }
  }

  mutating func reportFlaws() {
    for flaw in source.flaws {
      switch flaw.reason {
      case .tag(let tag):
        report(.tag, "the tag '\(excerpt(tag))' is refused", at: flaw.place, help: "write the value without a tag")
      case .misplacedTag(let tag):
        report(.tag, "the tag '!!\(excerpt(tag))' does not fit its value", at: flaw.place)
      case .unknownAlias(let name):
        report(.alias, "no anchor '&\(excerpt(name))' stands before this alias", at: flaw.place, end: flaw.end)
      case .circularAlias(let name):
        report(.alias, "the alias '*\(excerpt(name))' stands within the value it names", at: flaw.place, end: flaw.end)
      }
    }
    source.flaws = []
  }

  mutating func report(_ fault: YAMLFault) {
    let place = Place(file: source.file, line: fault.line, column: fault.column)
    if let group = bareGroup(at: fault) {
      draft.report(
        .bareGroup, "a group in a list is written in quotes: \"\(excerpt(group))\"", at: place,
        end: fault.column + group.unicodeScalars.count)
      return
    }
    let code: ManifestFault =
      switch fault.reason {
      case .tab: .tab
      case .encoding, .character: .encoding
      case .nesting, .directives: .limit
      case .syntax, .memory: .syntax
      }
    let notes = fault.context.map {
      [Diagnostic.Note($0.message, at: Place(file: source.file, line: $0.line, column: $0.column))]
    }
    draft.report(code, fault.message, at: place, notes: notes ?? [])
  }

  /// The word with its "@" when that is what YAML can't read.
  private func bareGroup(at fault: YAMLFault) -> String? {
    guard fault.reason == .syntax, let line = bytes.withUnsafeBytes({ sourceLine(fault.line, of: $0) }) else {
      return nil
    }
    let rest = line.unicodeScalars.dropFirst(fault.column - 1)
    guard rest.first == "@" else { return nil }
    let word = rest.prefix { !$0.properties.isWhitespace && $0 != "," && $0 != "]" && $0 != "#" }
    return word.count > 1 ? String(String.UnicodeScalarView(word)) : nil
  }
}

/// "; did you mean 'x'?", or nothing.
func suggestion(_ name: String?) -> String {
  name.map { "; did you mean '\($0)'?" } ?? ""
}

/// The text, cut where it is too long for a message.
func excerpt(_ text: String) -> String {
  guard text.utf8.count > 60 else { return text }
  let scalars = text.unicodeScalars
  return scalars.count > 60 ? String(String.UnicodeScalarView(scalars.prefix(59))) + "…" : text
}
