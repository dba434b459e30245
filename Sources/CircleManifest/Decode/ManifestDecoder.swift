import CircleModel
import Diagnostics
import YAMLEvents

/// Reads one file into the draft of the set: straight from events, with no tree of nodes between.
///
/// A function that reads a value is called with the source at the value's first event and leaves it at the last. Faults
/// are reported and reading goes on; only text that is no YAML ends it.
struct ManifestDecoder: ~Copyable {
  /// What the keys and values being read belong to, for messages.
  enum Owner {
    case file
    case defaults
    case server(Text)
    case user(UserIndex)
    case group(Text)
  }

  private let bytes: [UInt8]
  var source: NodeSource
  var draft: ManifestDraft
  /// Where relative paths in the file begin.
  let folder: String
  let root: PathRoot
  var owner = Owner.file
  var pending = PendingIDs()

  /// The servers of this file begin here.
  let firstServer: Int
  /// For each server of this file the keys that it has, null ones included.
  var serverKeys = ContiguousArray<SeenKeys>()
  var defaults = FileDefaults()
  private let firstEntry: Int
  private var mergeDepth = 0
  /// The faults of nodes that aliases may bring in again, by place and kind.
  private var reported: Set<UInt64> = []

  static let maximumMergeDepth = 64
  private static let maximumReported = 10_000

  init(
    _ bytes: [UInt8], file: FileIndex, folder: String, root: PathRoot, draft: consuming ManifestDraft
  ) {
    self.bytes = bytes
    source = NodeSource(bytes, file: file)
    firstServer = draft.servers.count
    firstEntry = draft.entries
    self.draft = draft
    self.folder = folder
    self.root = root
  }

  /// Reads the whole file and gives the draft back.
  consuming func decode() -> ManifestDraft {
    var isWhole = true
    do throws(YAMLFault) {
      try decodeDocuments()
    } catch {
      isWhole = false
      report(error)
    }
    reportFlaws()
    fillDefaults()
    if isWhole, draft.entries == firstEntry {
      draft.warn(
        .emptyFile, "the file names no server, no group and no user", at: Place(file: source.file, line: 1, column: 1))
    }
    return draft
  }

  // MARK: Documents

  private mutating func decodeDocuments() throws(YAMLFault) {
    var isFirst = true
    var topKeys = SeenKeys()
    while source.kind != .streamEnd {
      try source.advance()
      guard source.kind == .documentStart else { continue }
      try source.advance()
      if isNull { continue }
      owner = .file
      guard source.kind == .mappingStart else {
        reportWrongType("a document", "a mapping with keys like 'servers'")
        try source.skip()
        continue
      }
      let place = source.place
      topKeys = SeenKeys()
      try eachKey(TopKey.self, &topKeys) { (decoder, key, _) throws(YAMLFault) in
        switch key {
        case .version: try decoder.decodeVersion()
        case .groups: try decoder.decodeGroups()
        case .users: try decoder.decodeUsers()
        case .servers: try decoder.decodeServers()
        case .defaults: try decoder.decodeDefaults()
        }
      }
      if isFirst, !topKeys.contains(TopKey.version) {
        report(.version, "the first document of a manifest needs 'version: 1'", at: place)
      }
      isFirst = false
    }
  }

  private mutating func decodeVersion() throws(YAMLFault) {
    let isKnown = source.kind == .scalar && source.withText { $0.elementsEqual("1".utf8) }
    if !isKnown {
      let (place, end) = (source.place, source.end)
      report(.version, "'version' must be 1, the only one there is", at: place, end: end)
    }
    try source.skip()
  }

  // MARK: Mappings

  /// Calls `body` at the key of each entry of the mapping at whose start the source is; `body` leaves the source at the
  /// end of the entry's value. Entries that merge keys bring in come after those of the mapping itself.
  mutating func eachEntry(
    _ body: (inout ManifestDecoder, _ isMerged: Bool) throws(YAMLFault) -> Void
  ) throws(YAMLFault) {
    try eachEntry(isMerged: false, body)
  }

  private mutating func eachEntry(
    isMerged: Bool, _ body: (inout ManifestDecoder, _ isMerged: Bool) throws(YAMLFault) -> Void
  ) throws(YAMLFault) {
    var merges: [Int]?
    try source.advance()
    while source.kind != .mappingEnd {
      if source.kind != .scalar {
        report(.wrongType, "a key must be text", at: source.place)
        try source.skip()
        try skipNext()
      } else if isMergeKey {
        let (place, end) = (source.place, source.end)
        let found = try readMerge(at: place, end: end)
        if merges != nil, !isMerged {
          report(.duplicateKey, "the merge key '<<' is given twice; write a list of aliases", at: place, end: end)
        }
        merges = (merges ?? []) + found
      } else {
        try body(&self, isMerged)
      }
      try source.advance()
    }
    guard let merges, !merges.isEmpty else { return }
    mergeDepth += 1
    defer { mergeDepth -= 1 }
    if mergeDepth > Self.maximumMergeDepth {
      let place = source.place
      throw YAMLFault(
        .nesting, "merge keys bring in one another more than \(Self.maximumMergeDepth) levels deep", line: place.line,
        column: place.column)
    }
    for mapping in merges {
      try source.replay(mapping)
      try eachEntry(isMerged: true, body)
    }
  }

  private var isMergeKey: Bool {
    source.isPlain && source.withText { $0.count == 2 && $0[0] == UInt8(ascii: "<") && $0[1] == UInt8(ascii: "<") }
  }

  private mutating func readMerge(at place: Place, end: Int?) throws(YAMLFault) -> [Int] {
    guard let node = try source.recordNext() else { return [] }
    if let mappings = source.mappings(mergedBy: node) { return mappings }
    report(.mergeKey, "'<<' takes a mapping, an alias of one, or a list of such aliases", at: place, end: end)
    return []
  }

  /// Calls `body` at the value of each known key; reports keys that are unknown or given twice.
  mutating func eachKey<Key: ManifestKey>(
    _ type: Key.Type, _ seen: inout SeenKeys,
    _ body: (inout ManifestDecoder, Key, _ keyPlace: Place) throws(YAMLFault) -> Void
  ) throws(YAMLFault) {
    try eachEntry { (decoder, isMerged) throws(YAMLFault) in
      guard let key = decoder.source.withText({ Key.find($0) }) else {
        decoder.reportUnknownKey(among: Key.words)
        return try decoder.skipNext()
      }
      let place = decoder.source.place
      if seen.contains(key) {
        if !isMerged { decoder.reportDuplicateKey(key.word.description, first: seen.place(of: key)) }
        return try decoder.skipNext()
      }
      seen.insert(key, at: place)
      try decoder.source.advance()
      try body(&decoder, key, place)
    }
  }

  /// Passes over the node that follows the current event.
  mutating func skipNext() throws(YAMLFault) {
    try source.advance()
    try source.skip()
  }

  // MARK: Reports

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

  private mutating func reportUnknownKey(among words: [String]) {
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
