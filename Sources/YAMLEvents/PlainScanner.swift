import Glibc

/// Reads the plain part of YAML, in which nearly all manifests are written, many times faster than libyaml.
///
/// It gives the events that `YAMLEventReader` gives, with the same places, or stops: it never reports a fault and never
/// guesses. Where it stops, libyaml reads the text again from the beginning. The plain part is
///
/// - text of printable characters in UTF-8 without byte order mark, LF at the end of lines, no tabs (`PlainText`);
/// - one document without `---`, `...` and directives, whose root is a block mapping or a block list;
/// - block mappings, whose keys are scalars of at most `maximumKeyLength` bytes, each with its value in the same line or
///   with a block collection, or nothing, as its value; block lists likewise, also at the indentation of their key, and
///   with several `-`, or a `-` and a key, in one line;
/// - scalars that end in the line in which they begin: plain, or in quotes without escapes;
/// - lists `[ ]` and mappings `{ }` of such scalars, within a line and as a value;
/// - comments and empty lines.
///
/// So anchors, aliases, tags, `|`, `>`, `?`, escapes, text over several lines, brackets within brackets and all that is
/// not well formed are libyaml's, as is nesting that is too deep.
struct PlainScanner {
  private enum Kind { case mapping, list, listAtKey }

  /// A block collection that is open.
  private struct Collection {
    var kind: Kind
    /// The column of its keys or of its `-`, from 1.
    var column: UInt32
  }

  /// libyaml takes a longer one for no key, from 1024 characters on.
  static let maximumKeyLength = 1000
  /// A longer list or mapping in brackets is left to libyaml, as all its events would go into one batch.
  static let maximumFlowLength = 1 << 16

  /// What came of the text so far.
  enum State { case reading, stopped, finished }

  private(set) var state = State.reading
  /// How many events were given.
  private(set) var given = 0

  private let bytes: [UInt8]
  private let maximumDepth: Int
  private let batchSize: Int
  /// Where the next line begins, and its number from 1.
  private var offset = 0
  private var lineNumber: UInt32 = 1
  private var open: ContiguousArray<Collection> = []
  /// The place after the `:` or `-` whose value has not come yet.
  private var awaited: (line: UInt32, column: UInt32)?

  private var events = ContiguousArray<EventBatch.Event>()
  /// The events of the last line. They wait for the next one, at whose first token libyaml looks before it gives them:
  /// so the events before a fault are the same, too.
  private var held = ContiguousArray<EventBatch.Event>()

  /// - Parameter batchSize: About how many events `fill` gives: it ends with a line.
  init(_ bytes: [UInt8], maximumDepth: Int, batchSize: Int = EventBatch.capacity) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    self.batchSize = batchSize
    if !bytes.withUnsafeBytes(PlainText.holds) { state = .stopped }
  }

  /// Replaces events by the next ones, whose scalars are at their offsets in the text; perhaps by none.
  mutating func fill(_ target: inout ContiguousArray<EventBatch.Event>) {
    swap(&events, &target)
    defer { swap(&events, &target) }
    events.removeAll(keepingCapacity: true)
    guard state == .reading else { return }
    events.append(contentsOf: held)
    let bytes = bytes
    bytes.withUnsafeBufferPointer { text in
      if let base = text.baseAddress { scan(base, count: text.count) } else { state = .stopped }
    }
    given += events.count
  }

  private mutating func scan(_ base: UnsafePointer<UInt8>, count: Int) {
    // Those held from before do not count, or a line with many events would keep the next one from being read.
    let enough = events.count + batchSize
    var settled = 0
    var lineStart = 0
    do throws(Doubt) {
      while events.count < enough {
        settled = lineStart
        lineStart = events.count
        guard var line = nextLine(base, count: count) else {
          try finish(base, count: count)
          state = .finished
          return
        }
        try scan(&line, base)
      }
      held.removeAll(keepingCapacity: true)
      held.append(contentsOf: events[lineStart...])
      events.removeSubrange(lineStart...)
    } catch {
      state = .stopped
      events.removeSubrange(settled...)
    }
  }

  /// The next line that has more than spaces and a comment; nil at the end of the text.
  private mutating func nextLine(_ base: UnsafePointer<UInt8>, count: Int) -> PlainLine? {
    while offset < count {
      let start = base + offset
      let end = memchr(start, 0x0A, count - offset).map { UnsafePointer($0.assumingMemoryBound(to: UInt8.self)) }
      let line = PlainLine(number: lineNumber, start: start, end: end ?? base + count)
      offset = end.map { $0 - base + 1 } ?? count
      if end != nil { lineNumber += 1 }
      if !line.isDone { return line }
    }
    return nil
  }
}

// MARK: Block collections

extension PlainScanner {
  private mutating func scan(_ line: inout PlainLine, _ base: UnsafePointer<UInt8>) throws(Doubt) {
    if line.mayBeDocumentMark { throw Doubt() }
    var isInside = try enter(line)
    var follows = false
    while line.isAtEntry {
      if !isInside { try begin(.list, line) }
      awaited = (line.number, line.column + 1)
      line.skip()
      line.skipSpaces()
      if line.isDone { return }
      isInside = false
      follows = true
    }
    if follows, try scanFlow(&line, base) { return }

    let start = line.cursor
    let scalar = try line.scalar()
    guard line.isAtColon else {
      // A value that has a line to itself is left to libyaml.
      guard follows, line.isDone else { throw Doubt() }
      append(scalar, line, base)
      return awaited = nil
    }
    guard line.cursor - start <= Self.maximumKeyLength else { throw Doubt() }
    if !isInside { try begin(.mapping, line, column: scalar.column) }
    append(scalar, line, base)
    awaited = (line.number, line.column + 1)
    line.skip()
    line.skipSpaces()
    if line.isDone { return }
    if try scanFlow(&line, base) { return }
    append(try line.scalar(), line, base)
    guard line.isDone else { throw Doubt() }
    awaited = nil
  }

  /// Closes what a line that begins at this column closes, and tells whether the line goes on with the collection that
  /// is then the innermost; else it begins one. A list at its key is begun here.
  private mutating func enter(_ line: PlainLine) throws(Doubt) -> Bool {
    let column = line.column
    guard let innermost = open.last else {
      append(.streamStart, line: 1, column: 1)
      append(.documentStart, line: line.number, column: column)
      return false
    }
    if let place = awaited {
      if column > innermost.column { return false }
      if column == innermost.column, innermost.kind == .mapping, line.isAtEntry {
        try begin(.listAtKey, line)
        return true
      }
      append(.scalar, line: place.line, column: place.column, isPlain: true)
      awaited = nil
    }
    let isEntry = line.isAtEntry
    while let last = open.last, last.column > column || last.column == column && last.kind == .listAtKey && !isEntry {
      close(last, line: line.number, column: column)
    }
    guard let last = open.last, last.column == column, (last.kind == .mapping) != isEntry else { throw Doubt() }
    return true
  }

  private mutating func begin(_ kind: Kind, _ line: PlainLine, column: UInt32? = nil) throws(Doubt) {
    guard open.count < maximumDepth else { throw Doubt() }
    let column = column ?? line.column
    // libyaml gives a list at its key the width of its first “-”.
    append(
      kind == .mapping ? .mappingStart : .sequenceStart, line: line.number, column: column,
      endColumn: kind == .listAtKey ? column + 1 : column)
    open.append(Collection(kind: kind, column: column))
  }

  private mutating func close(_ collection: Collection, line: UInt32, column: UInt32) {
    open.removeLast()
    append(collection.kind == .mapping ? .mappingEnd : .sequenceEnd, line: line, column: column)
  }

  /// Closes all at the end of the text: after its last line break or, without one, after its last character.
  private mutating func finish(_ base: UnsafePointer<UInt8>, count: Int) throws(Doubt) {
    if open.isEmpty { throw Doubt() }
    if let place = awaited { append(.scalar, line: place.line, column: place.column, isPlain: true) }
    var column: UInt32 = 1
    var next = count
    while next > 0, base[next - 1] != 0x0A {
      next -= 1
      if base[next] & 0xC0 != 0x80 { column += 1 }
    }
    while let last = open.last { close(last, line: lineNumber, column: column) }
    append(.documentEnd, line: lineNumber, column: column)
    append(.streamEnd, line: lineNumber, column: column)
  }
}

// MARK: Brackets

extension PlainScanner {
  /// Takes the list or mapping in brackets that is the rest of the line, or tells that there is none.
  private mutating func scanFlow(_ line: inout PlainLine, _ base: UnsafePointer<UInt8>) throws(Doubt) -> Bool {
    let isList = line.sees("[")
    guard isList || line.sees("{") else { return false }
    guard open.count < maximumDepth, line.end - line.cursor <= Self.maximumFlowLength else { throw Doubt() }
    appendBracket(isList ? .sequenceStart : .mappingStart, &line)
    let closing: Unicode.Scalar = isList ? "]" : "}"
    while !line.sees(closing) {
      let start = line.cursor
      append(try line.scalar(inFlow: true), line, base)
      if !isList {
        guard line.isAtColon, line.cursor - start <= Self.maximumKeyLength else { throw Doubt() }
        line.skip()
        line.skipSpaces()
        append(try line.scalar(inFlow: true), line, base)
      }
      if line.sees(closing) { break }
      guard line.sees(",") else { throw Doubt() }
      line.skip()
      line.skipSpaces()
    }
    appendBracket(isList ? .sequenceEnd : .mappingEnd, &line)
    guard line.isDone else { throw Doubt() }
    awaited = nil
    return true
  }

  private mutating func appendBracket(_ kind: YAMLEventReader.Kind, _ line: inout PlainLine) {
    append(kind, line: line.number, column: line.column, endColumn: line.column + 1)
    line.skip()
    line.skipSpaces()
  }
}

// MARK: Events

extension PlainScanner {
  @inline(__always)
  private mutating func append(_ scalar: PlainLine.Scalar, _ line: PlainLine, _ base: UnsafePointer<UInt8>) {
    append(
      .scalar, line: line.number, column: scalar.column, endColumn: scalar.endColumn, isPlain: scalar.isPlain,
      offset: scalar.start - base, length: scalar.length)
  }

  @inline(__always)
  private mutating func append(
    _ kind: YAMLEventReader.Kind, line: UInt32, column: UInt32, endColumn: UInt32? = nil, isPlain: Bool = false,
    offset: Int = 0, length: Int = 0
  ) {
    events.append(
      EventBatch.Event(
        kind: kind, isPlain: isPlain, hasAnchor: false, hasTag: false, line: line, column: column, endLine: line,
        endColumn: endColumn ?? column, offset: UInt32(truncatingIfNeeded: offset),
        length: UInt32(truncatingIfNeeded: length), names: 0))
  }
}
