import CYAML

/// Reads a YAML text as libyaml's events, one after the other, with their places.
///
/// The accessors tell of the event that the last `next()` gave; what they lend or point to ends with the following
/// `next()`. Lines and columns count from 1; a line ends as in an editor, with LF, CR LF or CR; columns are code points
/// and leave out a byte order mark at the beginning. UTF-8 and UTF-16 are read.
package struct YAMLEventReader: ~Copyable {
  package enum Kind: UInt8, Sendable {
    case streamStart = 1
    case streamEnd, documentStart, documentEnd
    case alias, scalar, sequenceStart, sequenceEnd, mappingStart, mappingEnd
  }

  package enum ScalarStyle: UInt8, Sendable {
    case plain = 1
    case singleQuoted, doubleQuoted, literal, folded
  }

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let event: UnsafeMutablePointer<yaml_event_t>
  private let input: InputBytes
  private let encoding: TextEncoding
  private let lines: LineCorrections
  /// Whether libyaml's lines are an editor's, the end of the text aside.
  private let isExact: Bool
  private let maximumDepth: Int
  private var failure: YAMLFault?

  /// The kind of the current event; `streamStart` before the first `next()`.
  package private(set) var kind = Kind.streamStart
  /// How many collections are open after the current event.
  package private(set) var depth = 0

  /// Reads bytes of its own.
  /// - Parameter maximumDepth: How many collections may stand within each other: one more is a fault.
  package init(bytes: [UInt8], maximumDepth: Int = 64) {
    self.init(InputBytes(owning: bytes), maximumDepth: maximumDepth)
  }

  /// Reads bytes that the caller keeps valid and unchanged as long as the reader lives.
  package init(borrowing bytes: UnsafeRawBufferPointer, maximumDepth: Int = 64) {
    self.init(InputBytes(borrowing: bytes), maximumDepth: maximumDepth)
  }

  private init(_ input: InputBytes, maximumDepth: Int) {
    self.input = input
    self.maximumDepth = maximumDepth
    let encoding = input.withBytes { TextEncoding(of: $0) }
    self.encoding = encoding
    lines = input.withBytes { LineCorrections($0, encoding: encoding) }
    isExact = lines.isEmpty
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    event = .allocate(capacity: 1)
    event.initialize(to: yaml_event_t())

    guard yaml_parser_initialize(parser) == 1 else {
      failure = YAMLFault(.memory, "there is not enough memory to read the text", line: 1, column: 1)
      return
    }
    if let offset = lines.excessDirective {
      let place = input.withBytes { LineCorrections.place(ofByte: offset, in: $0, encoding: encoding) }
      let message = "there are more than \(LineCorrections.maximumDirectives) directives"
      failure = YAMLFault(.directives, message, line: place.line, column: place.column)
    }
    // libyaml finds UTF-16 by its byte order mark alone, and skips the mark only where it finds the encoding itself.
    if encoding != .utf8, input.withBytes({ encoding.markLength(in: $0) }) == 0 {
      yaml_parser_set_encoding(parser, encoding == .utf16le ? YAML_UTF16LE_ENCODING : YAML_UTF16BE_ENCODING)
    }
    yaml_parser_set_input(
      parser,
      { input, target, room, count in
        guard let input, let target, let count else { return 0 }
        count.pointee = Unmanaged<InputBytes>.fromOpaque(input).takeUnretainedValue().read(into: target, room: room)
        return 1
      }, Unmanaged.passUnretained(input).toOpaque())
  }

  deinit {
    yaml_event_delete(event)
    yaml_parser_delete(parser)
    event.deallocate()
    parser.deallocate()
  }

  /// Goes on to the next event. After `streamEnd` it gives `streamEnd` again, after a fault the same fault.
  package mutating func next() throws(YAMLFault) -> Kind {
    if let failure { throw failure }
    if kind == .streamEnd { return kind }
    yaml_event_delete(event)
    guard yaml_parser_parse(parser, event) == 1, let next = Kind(rawValue: UInt8(event.pointee.type.rawValue)) else {
      throw fail(parserFault())
    }
    kind = next
    switch next {
    case .sequenceStart, .mappingStart:
      depth += 1
      if depth > maximumDepth {
        throw fail(YAMLFault(.nesting, "the nesting is deeper than \(maximumDepth) levels", line: line, column: column))
      }
    case .sequenceEnd, .mappingEnd: depth -= 1
    default: break
    }
    return next
  }

  private mutating func fail(_ fault: YAMLFault) -> YAMLFault {
    failure = fault
    return fault
  }
}

// MARK: The current event

extension YAMLEventReader {
  /// Where the event begins: with its anchor or tag, if it has one. An empty value begins where it could
  /// stand, and the end of a block collection where the text after it does.
  package var start: (line: Int, column: Int) { place(event.pointee.start_mark) }
  package var line: Int { start.line }
  package var column: Int { start.column }
  /// The place after the event's last character.
  package var end: (line: Int, column: Int) { place(event.pointee.end_mark) }
  package var endLine: Int { end.line }
  package var endColumn: Int { end.column }

  /// The scalar's text in UTF-8, which may hold zero bytes; empty for other events. Valid until the following `next()`.
  package var scalarBytes: UnsafeBufferPointer<UInt8> {
    guard kind == .scalar, event.pointee.type == YAML_SCALAR_EVENT else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    let scalar = event.pointee.data.scalar
    return UnsafeBufferPointer(start: scalar.value, count: scalar.length)
  }

  package func withScalar<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    try body(scalarBytes)
  }

  package var scalar: String { String(decoding: scalarBytes, as: UTF8.self) }

  /// How the scalar is written; nil for other events.
  package var style: ScalarStyle? {
    guard kind == .scalar else { return nil }
    return ScalarStyle(rawValue: UInt8(event.pointee.data.scalar.style.rawValue))
  }

  /// Whether the event is a scalar without quotes, `|` and `>`.
  package var isPlain: Bool { style == .plain }

  /// Whether the event begins a collection in brackets.
  package var isFlow: Bool {
    switch event.pointee.type {
    case YAML_SEQUENCE_START_EVENT: event.pointee.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
    case YAML_MAPPING_START_EVENT: event.pointee.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
    default: false
    }
  }

  package var hasAnchor: Bool { anchorStart != nil }
  package var hasTag: Bool { tagStart != nil }

  /// The name after `&` or, for an alias, after `*`: ASCII letters, digits, `-` and `_`.
  package var anchor: String? { anchorStart.map { String(cString: $0) } }

  /// The tag with its handle resolved, as `tag:yaml.org,2002:str` for `!!str`.
  package var tag: String? { tagStart.map { String(cString: $0) } }

  private var anchorStart: UnsafePointer<UInt8>? {
    switch event.pointee.type {
    case YAML_ALIAS_EVENT: UnsafePointer(event.pointee.data.alias.anchor)
    case YAML_SCALAR_EVENT: UnsafePointer(event.pointee.data.scalar.anchor)
    case YAML_SEQUENCE_START_EVENT: UnsafePointer(event.pointee.data.sequence_start.anchor)
    case YAML_MAPPING_START_EVENT: UnsafePointer(event.pointee.data.mapping_start.anchor)
    default: nil
    }
  }

  private var tagStart: UnsafePointer<UInt8>? {
    switch event.pointee.type {
    case YAML_SCALAR_EVENT: UnsafePointer(event.pointee.data.scalar.tag)
    case YAML_SEQUENCE_START_EVENT: UnsafePointer(event.pointee.data.sequence_start.tag)
    case YAML_MAPPING_START_EVENT: UnsafePointer(event.pointee.data.mapping_start.tag)
    default: nil
    }
  }

  private func place(_ mark: yaml_mark_t) -> (line: Int, column: Int) {
    if isExact, mark.column > 0 { return (mark.line + 1, mark.column + 1) }
    return correctedPlace(mark)
  }

  private func correctedPlace(_ mark: yaml_mark_t) -> (line: Int, column: Int) {
    // At its end libyaml closes a last line that has no line break, and goes to a next one that does not exist.
    if mark.column == 0, mark.line > 0, mark.index == parser.pointee.mark.index, isAtEnd,
      let column = input.withBytes({ LineCorrections.columnAfterOpenLine(of: $0, encoding: encoding) })
    {
      return (lines.place(yamlLine: mark.line - 1, column: 0).line, column)
    }
    return lines.place(yamlLine: mark.line, column: mark.column)
  }

  /// Whether libyaml has come to the zero byte that it puts after the text; none stands within.
  private var isAtEnd: Bool {
    let buffer = parser.pointee.buffer
    return parser.pointee.eof != 0 && buffer.pointer < buffer.last && buffer.pointer.pointee == 0
  }
}

// MARK: Faults

extension YAMLEventReader {
  /// What stopped libyaml, in words for a person.
  private func parserFault() -> YAMLFault {
    switch parser.pointee.error {
    case YAML_READER_ERROR:
      let wording = FaultWording(
        unreadable: problem, value: Int(parser.pointee.problem_value), encoding: encoding)
      let place = input.withBytes { LineCorrections.place(ofByte: unreadableOffset($0), in: $0, encoding: encoding) }
      return YAMLFault(wording.reason, wording.message, line: place.line, column: place.column)
    case YAML_SCANNER_ERROR, YAML_PARSER_ERROR:
      return syntaxFault()
    default:
      let place = place(parser.pointee.mark)
      return YAMLFault(.memory, "there is not enough memory to read the text", line: place.line, column: place.column)
    }
  }

  /// The byte at which the character begins that libyaml can't decode: it gives the byte that does not fit to those
  /// before.
  private func unreadableOffset(_ bytes: UnsafeRawBufferPointer) -> Int {
    let offset = min(parser.pointee.problem_offset, bytes.count)
    switch problem {
    case "invalid trailing UTF-8 octet": return bytes[..<offset].lastIndex { $0 >= 0xC0 } ?? offset
    case "expected low surrogate area": return max(offset - 2, 0)
    default: return offset
    }
  }

  /// libyaml's words for what it found.
  private var problem: String { parser.pointee.problem.map { String(cString: $0) } ?? "" }

  private func syntaxFault() -> YAMLFault {
    let context = parser.pointee.context.map { String(cString: $0) } ?? ""
    let wording = FaultWording(problem: problem, context: context, character: characterAtProblem)
    let found = place(parser.pointee.problem_mark)
    let beginning = place(parser.pointee.context_mark)
    if wording.focus == .beginning {
      return YAMLFault(wording.reason, wording.message, line: beginning.line, column: beginning.column)
    }
    let note = found.line == beginning.line ? nil : FaultWording.beginning(context)
    return YAMLFault(
      wording.reason, wording.message, line: found.line, column: found.column,
      context: note.map { YAMLFault.Context(message: $0, line: beginning.line, column: beginning.column) })
  }

  /// The character that stands at the problem's place, nil at the end of the text.
  private var characterAtProblem: Unicode.Scalar? {
    input.withBytes { bytes in
      var points = CodePoints(bytes, encoding: encoding)
      for _ in 0..<parser.pointee.problem_mark.index where points.next() == nil { return nil }
      return points.next().flatMap(Unicode.Scalar.init)
    }
  }
}
