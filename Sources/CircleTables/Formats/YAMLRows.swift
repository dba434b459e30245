import Diagnostics
import Glibc
import YAMLEvents

/// The mappings of a YAML list. The text is read as a whole, since libyaml reads it so; for millions of rows there is
/// NDJSON.
final class YAMLRows: RowSource {
  private static let largest = 1 << 30

  private let feed: TextFeed
  private var events: YAMLEventStream
  private let text: [UInt8]
  private(set) var line = 1
  /// The line on which the last text of the row ends.
  private var lastLine = 1
  private var keyed = KeyedCells()
  private var places: [(line: Int, column: Int)] = []
  private var state = State.before

  private enum State { case before, inside, after }

  init(_ feed: TextFeed) throws(TableStop) {
    self.feed = feed
    var text: [UInt8] = []
    while try feed.next(place: { Self.end(of: text) }, { text.append(contentsOf: $0) }) {
      guard text.count <= Self.largest else {
        throw .fault(TableFault.unreadable.error("a YAML table of more than 1 GiB can't be read; NDJSON can"))
      }
    }
    self.text = text
    events = YAMLEventStream(bytes: text)
  }

  private static func end(of text: [UInt8]) -> (line: Int, column: Int) {
    let lines = text.count { $0 == 0x0A }
    let last = text.lastIndex(of: 0x0A).map { text[($0 + 1)...] } ?? text[...]
    return (lines + 1, last.count { $0 & 0xC0 != 0x80 } + 1)
  }

  var columns: [String] { keyed.columns }

  func next() throws(TableStop) -> RowStep {
    keyed.clear()
    places.removeAll(keepingCapacity: true)
    do throws(YAMLFault) {
      let isBegin = state == .before
      let step = try step()
      if !isBegin || hasList { return step }
      guard case .end = step else { return step }
    } catch {
      state = .after
      keyed.clear()
      (line, lastLine) = (error.line, error.line)
      return .fault(
        RowFault(
          code: error.reason == .encoding ? .encoding : .syntax, message: "\(error.message); what follows is not read",
          line: error.line, column: error.column))
    }
    throw feed.isEmpty("no list")
  }

  private var hasList = false

  private func step() throws(YAMLFault) -> RowStep {
    if state == .after { return .end }
    if state == .before {
      while true {
        let kind = try events.next()
        if kind == .streamEnd {
          state = .after
          return .end
        }
        if kind == .sequenceStart { break }
        if kind != .streamStart, kind != .documentStart { return stop("the file is no list of mappings") }
      }
      state = .inside
      hasList = true
    }
    let kind = try events.next()
    switch kind {
    case .mappingStart: return try mapping()
    case .sequenceEnd:
      state = .after
      while true {
        switch try events.next() {
        case .streamEnd: return .end
        case .documentStart: return stop("another document begins here, and one list is the whole table")
        default: break
        }
      }
    default: return try noMapping(kind)
    }
  }

  /// Goes over an element that is no row.
  private func noMapping(_ kind: YAMLEventReader.Kind) throws(YAMLFault) -> RowStep {
    (line, lastLine) = (events.line, events.endLine)
    let fault = RowFault(
      code: .syntax,
      message: kind == .alias
        ? "the row is an alias, which is not read in a table; write the mapping out"
        : "something else than a mapping stands in the list",
      line: events.line, column: events.column)
    try skip(kind)
    return .fault(fault)
  }

  private func stop(_ message: String) -> RowStep {
    state = .after
    (line, lastLine) = (events.line, events.line)
    return .fault(
      RowFault(
        code: .format, message: "\(message); what follows is not read", line: events.line, column: events.column))
  }

  private func mapping() throws(YAMLFault) -> RowStep {
    (line, lastLine) = (events.line, events.line)
    var problem: RowFault?
    try members(prefix: "", &problem)
    return problem.map { .fault($0) } ?? .row
  }

  private func members(prefix: String, _ problem: inout RowFault?) throws(YAMLFault) {
    while true {
      let kind = try events.next()
      if kind == .mappingEnd { return }
      lastLine = events.endLine
      guard kind == .scalar else {
        note(&problem, "a key is no text")
        try skip(kind)
        try skip(try events.next())
        continue
      }
      let name = prefix + events.withScalar { String(decoding: $0, as: UTF8.self) }
      if events.isPlain, events.withScalar({ $0.elementsEqual("<<".utf8) }) {
        note(&problem, "a merge key '<<' is not read in a table; write its keys out")
        try skip(try events.next())
        continue
      }
      let value = try events.next()
      if value == .mappingStart, prefix.isEmpty {
        try members(prefix: name + ".", &problem)
        continue
      }
      let column = Array(name.utf8).withUnsafeBytes { keyed.column($0) }
      if keyed.has(column) { note(&problem, "the key '\(name)' stands twice") }
      switch value {
      case .scalar: add(column)
      case .sequenceStart: try list(column)
      default:
        places.append((events.line, events.column))
        keyed.add(column, problem: value == .alias ? Self.alias : KeyedCells.tooDeep)
        try skip(value)
      }
    }
  }

  private static let alias = "is an alias, which is not read in a table; write the value out"

  private func add(_ column: Int) {
    places.append((events.line, events.column))
    lastLine = events.endLine
    let isPlain = events.isPlain
    events.withScalar { bytes in
      let isNull =
        isPlain && (bytes.isEmpty || ["~", "null", "Null", "NULL"].contains { bytes.elementsEqual($0.utf8) })
      keyed.add(column, UnsafeRawBufferPointer(isNull ? UnsafeBufferPointer(rebasing: bytes[..<0]) : bytes))
    }
  }

  private func list(_ column: Int) throws(YAMLFault) {
    places.append((events.line, events.column))
    var items: [String] = []
    var isOfTexts = true
    while true {
      let kind = try events.next()
      if kind == .sequenceEnd { break }
      lastLine = events.endLine
      if kind == .scalar {
        items.append(events.withScalar { String(decoding: $0, as: UTF8.self) })
      } else {
        isOfTexts = false
        try skip(kind)
      }
    }
    if isOfTexts {
      keyed.add(column, ListCell.text(items))
    } else {
      keyed.add(column, problem: KeyedCells.mixedList)
    }
  }

  /// Goes over the rest of a value whose first event was given.
  private func skip(_ first: YAMLEventReader.Kind) throws(YAMLFault) {
    var depth = 0
    var kind = first
    while true {
      switch kind {
      case .mappingStart, .sequenceStart: depth += 1
      case .mappingEnd, .sequenceEnd: depth -= 1
      case .streamEnd: return
      default: lastLine = events.endLine
      }
      if depth <= 0 { return }
      kind = try events.next()
    }
  }

  private func note(_ problem: inout RowFault?, _ message: String) {
    if problem == nil {
      problem = RowFault(code: .value, message: message, line: events.line, column: events.column)
    }
  }

  func lend(_ body: (TableRow) -> Void) { keyed.lend(body) }

  func place(of cell: Int) -> (line: Int, column: Int) { cell < places.count ? places[cell] : (line, 0) }

  func place(ofColumn column: Int) -> (line: Int, column: Int) { (line, 0) }

  var problems: [CellProblem] { keyed.problems }

  func rowText() -> [UInt8] {
    var end = begin(of: max(line, lastLine) + 1)
    let begin = begin(of: line)
    while end > begin, text[end - 1] == 0x0A || text[end - 1] == 0x0D { end -= 1 }
    return Array(text[begin..<end].prefix(longestRow + 1))
  }

  /// Where a line of the text begins; the end of the text for a line that there is not.
  private func begin(of number: Int) -> Int {
    var begin = 0
    var current = 1
    while current < number {
      guard let found = text[begin...].firstIndex(of: 0x0A) else { return text.count }
      begin = found + 1
      current += 1
    }
    return begin
  }

  func quote(line: Int, column: Int) -> Quote { Quote(line: excerpt(of: line), column: column) }

  /// A line of the text.
  private func excerpt(of number: Int) -> String {
    let begin = begin(of: number)
    let end = text[begin...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.endIndex
    return text[begin..<end].withUnsafeBufferPointer { quoted($0) }
  }
}
