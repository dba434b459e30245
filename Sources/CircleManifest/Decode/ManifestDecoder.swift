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

  let bytes: [UInt8]
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
  var reported: Set<UInt64> = []

  static let maximumMergeDepth = 64
  static let maximumReported = 10_000

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
    let errorsBefore = draft.diagnostics.errorCount
    do throws(YAMLFault) {
      try decodeDocuments()
    } catch {
      report(error)
    }
    reportFlaws()
    fillDefaults()
    // With a fault in it nobody knows what the file was to name.
    if draft.entries == firstEntry, draft.diagnostics.errorCount == errorsBefore {
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
}
