import Diagnostics
import YAMLEvents

/// The nodes of one file as events, with aliases replaced by what they name.
///
/// The accessors tell of the event that the last `advance()` gave. A function that reads a node is called at the node's
/// first event and leaves the source at its last.
struct NodeSource: ~Copyable {
  /// The kinds of event, as `YAMLEventReader` numbers them.
  enum Kind: UInt8 {
    case streamStart = 1
    case streamEnd, documentStart, documentEnd
    case alias, scalar, sequenceStart, sequenceEnd, mappingStart, mappingEnd
  }

  /// Something wrong with a node that does not keep the rest from being read.
  struct Flaw {
    enum Reason {
      case tag(String)
      case misplacedTag(String)
      case unknownAlias(String)
      case circularAlias(String)
    }
    var reason: Reason
    var place: Place
    var end: Int?
  }

  /// A recorded node that is being read again.
  private struct Replay {
    var position: Int
    let end: Int
  }

  static let maximumDepth = 64
  /// How many scalars, and how many collections, the aliases of one file may bring in.
  private let maximumAliased: Int
  private static let maximumFlaws = 1000

  let file: FileIndex
  private(set) var kind = Kind.streamStart
  /// What the source met since this was last emptied.
  var flaws: [Flaw] = []

  private var reader: YAMLEventStream
  private var tape = NodeTape()
  private var anchors: [String: Int] = [:]
  private var replays: [Replay] = []
  /// The current event on the tape; -1 when it is the reader's.
  private var current = -1
  private var depth = 0
  private var aliasedScalars = 0
  private var aliasedCollections = 0
  /// What a tag, or an alias that names nothing, says of the event just read.
  private var plainRead: Bool?
  private var isBrokenRead = false
  /// The node that the alias just read names; nil after one that names nothing.
  private var aliasTarget: Int?

  init(_ bytes: [UInt8], file: FileIndex, maximumAliased: Int = 1_000_000) {
    self.maximumAliased = maximumAliased
    reader = YAMLEventStream(bytes: bytes, maximumDepth: Self.maximumDepth)
    self.file = file
  }

  // MARK: The current event

  /// Whether the scalar stands without quotes and without a tag that makes it text.
  var isPlain: Bool { current < 0 ? plainRead ?? reader.isPlain : tape[current].isPlain }
  /// Whether the scalar stands for something that is wrong and was told of already.
  var isBroken: Bool { current < 0 ? isBrokenRead : tape[current].isBroken }
  var isReplaying: Bool { current >= 0 }

  var place: Place {
    current < 0 ? Place(file: file, line: reader.line, column: reader.column) : tape[current].place
  }

  /// The column after the event when it ends on the line on which it begins.
  var end: Int? {
    if current >= 0 { return tape[current].endColumn == 0 ? nil : Int(tape[current].endColumn) }
    return reader.endLine == reader.line ? reader.endColumn : nil
  }

  /// Calls `body` with the scalar's text in UTF-8.
  func withText<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    current < 0 ? reader.withScalar(body) : tape.withText(of: current, body)
  }

  // MARK: Moving

  mutating func advance() throws(YAMLFault) {
    if current >= 0, try advanceInReplay() { return }
    try take()
    if kind == .alias { try enterAlias() }
  }

  /// Goes to the last event of the node at whose first event the source is.
  mutating func skip() throws(YAMLFault) {
    guard kind == .sequenceStart || kind == .mappingStart else { return }
    if current >= 0 {
      let end = tape.end(of: current)
      replays[replays.count - 1].position = end
      current = end
      kind = tape[end].kind
      depth -= 1
      return
    }
    let outside = depth - 1
    while depth > outside { try take() }
  }

  /// Goes to the last event of the next node and answers where it is recorded, an alias as the node that it names; nil
  /// for an alias that names nothing.
  mutating func recordNext() throws(YAMLFault) -> Int? {
    if current >= 0 {
      let next = replays[replays.count - 1].position + 1
      let end = tape.end(of: next)
      replays[replays.count - 1].position = end
      current = end
      kind = .scalar
      return tape[next].kind == .alias ? Int(tape[next].link) : next
    }
    let first = tape.entries.count
    try take(recording: true)
    if kind == .alias {
      kind = .scalar
      return aliasTarget
    }
    try skip()
    return first
  }

  /// The mappings that a merge key brings in, by what is recorded as its value; nil when that is something else.
  func mappings(mergedBy node: Int) -> [Int]? {
    switch tape[node].kind {
    case .mappingStart: return [node]
    case .sequenceStart:
      let elements = tape.elements(of: node)
      return elements.allSatisfy { tape[$0].kind == .mappingStart } ? elements : nil
    default: return nil
    }
  }

  /// Makes the first event of a recorded node the current one; what follows the node is what follows the event now
  /// current.
  mutating func replay(_ node: Int) throws(YAMLFault) {
    replays.append(Replay(position: node, end: tape.end(of: node)))
    try show(node)
  }

  private mutating func advanceInReplay() throws(YAMLFault) -> Bool {
    while let last = replays.indices.last {
      if replays[last].position == replays[last].end {
        replays.removeLast()
        continue
      }
      replays[last].position += 1
      let position = replays[last].position
      if tape[position].kind == .alias {
        try replay(Int(tape[position].link))
      } else {
        try show(position)
      }
      return true
    }
    current = -1
    return false
  }

  private mutating func enterAlias() throws(YAMLFault) {
    if let aliasTarget {
      try replay(aliasTarget)
    } else {
      kind = .scalar
    }
  }

  /// Makes a recorded event the current one.
  private mutating func show(_ index: Int) throws(YAMLFault) {
    current = index
    kind = tape[index].kind
    switch kind {
    case .scalar:
      aliasedScalars += 1
    case .sequenceStart, .mappingStart:
      aliasedCollections += 1
      depth += 1
      if depth > Self.maximumDepth {
        throw YAMLFault(
          .nesting, "the nesting is deeper than \(Self.maximumDepth) levels with what aliases bring in",
          line: reader.line,
          column: reader.column)
      }
    case .sequenceEnd, .mappingEnd:
      depth -= 1
    default:
      break
    }
    if aliasedScalars > maximumAliased || aliasedCollections > maximumAliased {
      throw YAMLFault(
        .nesting, "aliases bring in more than \(maximumAliased) values", line: reader.line, column: reader.column)
    }
  }

  // MARK: Reading

  /// Takes the next event from the reader.
  private mutating func take(recording: Bool = false) throws(YAMLFault) {
    current = -1
    kind = Kind(rawValue: try reader.next().rawValue) ?? .streamEnd
    plainRead = nil
    isBrokenRead = false
    if recording || tape.isRecording || kind == .alias || reader.hasAnchor || reader.hasTag { note(recording) }
    switch kind {
    case .sequenceStart, .mappingStart: depth += 1
    case .sequenceEnd, .mappingEnd: depth -= 1
    case .documentStart:
      anchors.removeAll()
      tape.removeAll()
    default: break
    }
  }

  /// Sees to the tag and the anchor of the event just read, and records it where that is due.
  private mutating func note(_ recording: Bool) {
    if kind == .alias {
      findAlias()
    } else if reader.hasTag, let tag = reader.tag {
      check(tag)
    }
    let anchor = kind == .alias ? nil : reader.anchor
    guard recording || tape.isRecording || anchor != nil else { return }
    var entry = NodeTape.Entry(
      kind: kind, isPlain: isPlain, isBroken: isBrokenRead, link: 0, offset: 0, length: 0,
      endColumn: UInt32(clamping: end ?? 0), place: place)
    if kind == .alias {
      // Outside a node that is being recorded the alias itself is not kept.
      guard tape.isRecording else { return }
      if let aliasTarget {
        entry.link = UInt32(aliasTarget)
      } else {
        entry.kind = .scalar
      }
    }
    let index = reader.withScalar { tape.append(entry, text: $0) }
    if let anchor { anchors[anchor] = index }
  }

  private mutating func findAlias() {
    let name = reader.anchor ?? ""
    aliasTarget = anchors[name]
    if let target = aliasTarget, !tape.isOpen(target) { return }
    addFlaw(aliasTarget == nil ? .unknownAlias(name) : .circularAlias(name))
    aliasTarget = nil
    plainRead = true
    isBrokenRead = true
  }

  private mutating func addFlaw(_ reason: Flaw.Reason) {
    if flaws.count < Self.maximumFlaws { flaws.append(Flaw(reason: reason, place: place, end: end)) }
  }

  /// Accepts the tags of the core schema where they fit the node and lets them say how a scalar is meant.
  private mutating func check(_ tag: String) {
    let core = "tag:yaml.org,2002:"
    let name = tag.utf8.starts(with: core.utf8) ? String(tag.utf8.dropFirst(core.utf8.count)) : nil
    switch (kind, name) {
    case (.scalar, "str"?): plainRead = false
    case (.scalar, "null"?), (.scalar, "bool"?), (.scalar, "int"?), (.scalar, "float"?): plainRead = true
    case (.mappingStart, "map"?), (.sequenceStart, "seq"?): break
    case (_, nil) where tag == "!": plainRead = false
    case (_, "str"?), (_, "null"?), (_, "bool"?), (_, "int"?), (_, "float"?), (_, "map"?), (_, "seq"?):
      addFlaw(.misplacedTag(name ?? tag))
    default:
      addFlaw(.tag(name.map { "!!" + $0 } ?? tag))
    }
  }
}
