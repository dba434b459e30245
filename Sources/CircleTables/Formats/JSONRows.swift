import DelimitedText
import Diagnostics
import Glibc
import JSONText

/// The objects of an NDJSON file, or of one big JSON array, read as they come.
final class JSONRows: RowSource {
  enum Form {
    case lines
    case array
    /// Only the lines of the type `user`, and of these what a user has here too, or somebody asks for.
    case mattermost
  }

  private let feed: TextFeed
  private let form: Form
  private var window: [UInt8] = []
  /// Where what was not read yet begins in the window.
  private var start = 0
  private var isAtEnd = false
  private var isBegun = false
  /// The current row in the window.
  private var row = 0..<0
  private(set) var line = 1
  /// The line on which `start` stands, and how far the column on it has come.
  private var position = (line: 1, column: 1)
  private(set) var column = 1
  private var keyed = KeyedCells()
  private var plain = PlainObject()
  /// Of a line of Mattermost, the columns beside the usual ones that are wanted.
  private let mapped: [String]
  /// Which keys of such lines are columns, of the first ones that were met.
  private var isColumn: [[UInt8]: Bool] = [:]
  private static let mostKeys = 256

  init(_ feed: TextFeed, form: Form, mapped: [String] = []) {
    self.feed = feed
    self.form = form
    self.mapped = mapped
  }

  var columns: [String] { keyed.columns }

  func next() throws(TableStop) -> RowStep {
    while true {
      keyed.clear()
      if !isBegun {
        isBegun = true
        try skipMark()
        if form == .array { try openArray() }
      }
      let step = form == .array ? try nextElement() : try nextLine()
      guard case .row = step else { return step }
      if let step = take() { return step }
    }
  }

  // MARK: Where rows begin and end

  private func nextLine() throws(TableStop) -> RowStep {
    var searched = start
    while true {
      let found: Int? = window.withUnsafeBytes { window in
        guard let base = window.baseAddress, searched < window.count,
          let place = memchr(base + searched, 0x0A, window.count - searched)
        else { return nil }
        return UnsafeRawPointer(place) - base
      }
      if let found {
        let range = start..<found
        line = position.line
        column = 1
        position = (line + 1, 1)
        start = found + 1
        if let step = checked(range) { return step }
        searched = start
        continue
      }
      if isAtEnd {
        guard start < window.count else { return try endOfLines() }
        line = position.line
        column = 1
        let range = start..<window.count
        start = window.count
        if let step = checked(range) { return step }
        return try endOfLines()
      }
      if window.count - start > longestRow { return .fault(skipLongLine()) }
      let length = window.count - start
      try more()
      searched = start + length
    }
  }

  /// Whether there was a line that is not empty.
  private var hasLine = false

  private func endOfLines() throws(TableStop) -> RowStep {
    guard hasLine else { throw feed.isEmpty("no row") }
    return .end
  }

  /// nil for a line of nothing but blanks.
  private func checked(_ range: Range<Int>) -> RowStep? {
    row = range
    let isBlank = window[range].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    if isBlank { return nil }
    hasLine = true
    if range.count > longestRow { return .fault(tooLong()) }
    return .row
  }

  private func skipLongLine() -> RowFault {
    row = start..<window.count
    line = position.line
    start = window.count
    hasLine = true
    isSkipping = true
    return tooLong()
  }

  /// Whether what is left of a line that was too long is still to be passed over.
  private var isSkipping = false

  private func tooLong() -> RowFault {
    RowFault(code: .syntax, message: "the row is longer than 1 MiB", line: line, column: 1)
  }

  private func openArray() throws(TableStop) {
    guard let first = try token() else { throw feed.isEmpty("no array") }
    guard first == UInt8(ascii: "[") else { throw stop(.format, "the file is no JSON array of objects") }
    take(1)
  }

  /// That no more can be read here, where no row stands.
  private func stop(_ code: TableFault, _ message: String) -> TableStop {
    let place = Place(file: feed.file, line: position.line, column: position.column)
    (line, column) = position
    row = start..<(window[start...].firstIndex(of: 0x0A) ?? window.count)
    var fault = code.error(message, at: place)
    // At the end of the file nothing is left in the window, but the line may be read again.
    if !row.isEmpty { fault.quote = quote(line: line, column: column) }
    return .fault(fault)
  }

  private func neverClosed() -> TableStop { stop(.syntax, "the array is never closed: the file is cut off") }

  private var isFirstElement = true
  private var isClosed = false

  private func nextElement() throws(TableStop) -> RowStep {
    if isClosed { return .end }
    guard let byte = try token() else { throw neverClosed() }
    if byte == UInt8(ascii: "]") {
      take(1)
      isClosed = true
      guard try token() == nil else { throw stop(.syntax, "more text follows the array") }
      return .end
    }
    if !isFirstElement {
      guard byte == UInt8(ascii: ",") else { return close(fault(.syntax, "a comma is missing between two objects")) }
      take(1)
    }
    isFirstElement = false
    let noObject = fault(.syntax, "something else than an object stands in the array")
    guard let first = try token() else { throw neverClosed() }
    guard first != UInt8(ascii: ","), first != UInt8(ascii: "]"), first != UInt8(ascii: "}") else {
      return close(noObject)
    }
    let step = try element()
    if case .row = step, first != UInt8(ascii: "{") {
      var other = noObject
      (other.line, other.column) = (line, column)
      return .fault(other)
    }
    return step
  }

  /// Nothing more can be read; what stands here is the row at fault.
  private func close(_ fault: RowFault, isEnd: Bool = false) -> RowStep {
    isClosed = true
    (line, column) = position
    row = start..<(window[start...].firstIndex(of: 0x0A) ?? window.count)
    var fault = fault
    if !isEnd { fault.message += "; what follows is not read" }
    return .fault(fault)
  }

  /// The object that begins here, up to its closing brace, or another value up to its end.
  private func element() throws(TableStop) -> RowStep {
    (line, column) = position
    let isNested = window[start] == UInt8(ascii: "{") || window[start] == UInt8(ascii: "[")
    var offset = start
    var depth = 0
    var isText = false
    while true {
      while offset < window.count {
        let byte = window[offset]
        offset += 1
        if isText {
          if byte == UInt8(ascii: "\\") {
            offset += 1
          } else if byte == UInt8(ascii: "\"") {
            isText = false
          }
          continue
        }
        if !isNested, Self.endsPlainValue(byte) {
          row = start..<offset - 1
          take(offset - 1 - start)
          return .row
        }
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          depth -= 1
          if depth == 0 {
            row = start..<offset
            take(offset - start)
            return .row
          }
        default: break
        }
      }
      if offset - start > longestRow { return close(tooLong()) }
      guard !isAtEnd else {
        return close(
          fault(.syntax, isNested ? "the object that begins here is never closed" : "the array is never closed"),
          isEnd: true)
      }
      let read = offset - start
      try more()
      offset = start + read
    }
  }

  private static func endsPlainValue(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0x20, 0x09, 0x0A, 0x0D: true
    default: false
    }
  }

  /// The next byte that is no white space; nil at the end.
  private func token() throws(TableStop) -> UInt8? {
    while true {
      while start < window.count {
        let byte = window[start]
        if byte != 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { return byte }
        take(1)
      }
      if isAtEnd { return nil }
      try more()
    }
  }

  /// Goes over bytes and counts lines and columns.
  private func take(_ count: Int) {
    position = Self.place(after: window[start..<min(start + count, window.count)], from: position)
    start += count
  }

  private static func place(
    after bytes: ArraySlice<UInt8>, from begin: (line: Int, column: Int)
  ) -> (line: Int, column: Int) {
    bytes.withUnsafeBytes { jsonPlace(of: $0.count, in: $0, firstLine: begin.line, firstColumn: begin.column) }
  }

  private func fault(_ code: TableFault, _ message: String) -> RowFault {
    RowFault(code: code, message: message, line: position.line, column: position.column)
  }

  private func skipMark() throws(TableStop) {
    while window.count < 3, !isAtEnd { try more() }
    if window.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
  }

  private func more() throws(TableStop) {
    window.removeFirst(start)
    row = 0..<0
    start = 0
    let got = try feed.next(place: { self.end }) { window.append(contentsOf: $0) }
    if !got { isAtEnd = true }
    if isSkipping {
      if let found = window.firstIndex(of: 0x0A) {
        start = found + 1
        position = (position.line + 1, 1)
        isSkipping = false
      } else {
        start = window.count
      }
    }
  }

  private var end: (line: Int, column: Int) { Self.place(after: window[start...], from: position) }

  // MARK: Cells

  /// Reads the row's object; nil for a line that is no row.
  private func take() -> RowStep? {
    let (line, column) = (self.line, self.column)
    return window.withUnsafeBytes { window -> RowStep? in
      let bytes = UnsafeRawBufferPointer(rebasing: window[row])
      if form != .mattermost, takePlain(bytes) { return .row }
      do throws(JSONFault) {
        let document = try JSONDocument(bytes, line: line, column: column)
        guard document.root.kind == .object else {
          return .fault(RowFault(code: .syntax, message: "the row is no JSON object", line: line, column: column))
        }
        if form == .mattermost {
          guard let step = takeMattermost(document.root) else { return nil }
          guard case .row = step else { return step }
        } else {
          keyed.take(document.root)
        }
        return keyed.double.map { .fault(standsTwice($0)) } ?? .row
      } catch {
        let code: TableFault = error.kind == .invalidUTF8 || error.kind == .nulCharacter ? .encoding : .syntax
        var fault = RowFault(code: code, message: error.sentence, line: error.line, column: error.column)
        if error.kind == .invalidUTF8 { (fault.message, fault.help) = feed.badBytes }
        return .fault(fault)
      }
    }
  }

  private func standsTwice(_ cell: Int) -> RowFault {
    let place = place(of: cell)
    let name = columns[Int(keyed.cells[cell].column)]
    return RowFault(code: .value, message: "the key '\(name)' stands twice", line: place.line, column: place.column)
  }

  /// - Returns: false, and nothing is taken, where libjansson has to read the object.
  private func takePlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard plain.read(bytes) else { return false }
    let text = bytes.assumingMemoryBound(to: UInt8.self)
    if !plain.isASCII, firstInvalidUTF8(in: text, text.indices) != nil { return false }
    return keyed.take(plain.members, of: bytes, at: row.lowerBound)
  }

  private func takeMattermost(_ line: JSONNode) -> RowStep? {
    guard line["type"]?.string == "user" else { return nil }
    guard let user = line["user"], user.kind == .object else {
      return .fault(
        RowFault(
          code: .syntax, message: "the line is one of a user, and has no object 'user'", line: self.line,
          column: self.column))
    }
    keyed.take(user) { key in
      let key = Array(key)
      if let known = isColumn[key] { return known }
      let name = String(decoding: key, as: UTF8.self)
      let isOne = (["username", "nickname", "email"] + mapped).contains { TableSchema.isSame($0, name) }
      if isColumn.count < Self.mostKeys { isColumn[key] = isOne }
      return isOne
    }
    return .row
  }

  func lend(_ body: (TableRow) -> Void) {
    window.withUnsafeBufferPointer { keyed.lend(text: $0, body) }
  }

  /// The value's begin, found by its key; the row's line where the text spells the key otherwise.
  func place(of cell: Int) -> (line: Int, column: Int) {
    guard cell < keyed.cells.count else { return (line, 0) }
    let name = columns[Int(keyed.cells[cell].column)]
    let nested = name.split(separator: ".", maxSplits: 1).map { Array($0.utf8) }
    let paths = form == .mattermost ? [[Array("user".utf8), Array(name.utf8)]] : [[Array(name.utf8)], nested]
    let text = window[row]
    guard let value = paths.lazy.compactMap({ JSONKeys.value(at: $0, in: text) }).first else { return (line, 0) }
    return Self.place(after: text[..<value], from: (line, column))
  }

  func place(ofColumn column: Int) -> (line: Int, column: Int) { (line, 0) }

  /// The part of the line around the place: all rows may stand in one line, of which the window has only a part.
  func quote(line: Int, column: Int) -> Quote {
    var place = (self.line, self.column)
    var offset = row.lowerBound
    while offset < row.upperBound, place < (line, column) {
      place = window[offset] == 0x0A ? (place.0 + 1, 1) : (place.0, place.1 + 1)
      offset = codePoint(after: offset)
    }
    var (begin, lead) = (offset, 0)
    while column > 0, begin > 0, window[begin - 1] != 0x0A, lead < Quote.reach {
      begin -= 1
      if window[begin] & 0xC0 != 0x80 { lead += 1 }
    }
    var (end, length) = (offset, 0)
    while !isLineEnd(end), length < Quote.reach {
      end = codePoint(after: end)
      length += 1
    }
    return Quote(
      String(decoding: window[begin..<end], as: UTF8.self), lead: lead, column: column, goesOn: !isLineEnd(end))
  }

  private func codePoint(after offset: Int) -> Int {
    var next = offset + 1
    while next < window.count, window[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }

  private func isLineEnd(_ offset: Int) -> Bool {
    offset >= window.count || window[offset] == 0x0A || window[offset] == 0x0D
  }

  var problems: [CellProblem] { keyed.problems }

  func rowText() -> [UInt8] { Array(window[row].prefix(longestRow + 1)) }
}
