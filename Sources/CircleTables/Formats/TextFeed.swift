import Diagnostics

/// The text of one table for the readers of its rows, with the faults of the text in words.
final class TextFeed {
  private let source: TextSource
  let file: FileIndex
  /// The first piece, which was looked at to find out the format.
  private var head: [UInt8]?

  init(_ source: TextSource, file: FileIndex) {
    self.source = source
    self.file = file
  }

  /// The first piece of text; it will be fed all the same.
  func peek() throws(TableStop) -> [UInt8] {
    if let head { return head }
    var first: [UInt8] = []
    switch source.next({ first.append(contentsOf: $0) }) {
    case .text, .end: break
    case .fault(let fault): throw stop(fault, line: 1, column: 1)
    }
    head = first
    return first
  }

  private var wasHeadFed = false

  /// Lends the next piece to `body`.
  /// - Parameter place: where the text ends that was lent so far.
  /// - Returns: false at the end.
  func next(
    place: () -> (line: Int, column: Int), _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(TableStop) -> Bool {
    if let head, !wasHeadFed {
      wasHeadFed = true
      self.head = []
      if !head.isEmpty {
        head.withUnsafeBytes { body($0) }
        return true
      }
    }
    switch source.next(body) {
    case .text: return true
    case .end: return false
    case .fault(let fault):
      let place = place()
      throw stop(fault, line: place.line, column: place.column)
    }
  }

  /// How bytes are told that are no text in the file's encoding.
  var badBytes: (message: String, help: String) {
    (
      "the bytes from here on are no \(source.encoding?.name ?? TableEncoding.utf8.name)",
      source.guesses && source.encoding.map { $0 != .utf8 } == true
        ? "the encoding was guessed; --encoding names another" : "--encoding names the encoding of the file"
    )
  }

  /// A file that has nothing in it.
  ///
  /// - Parameter what: what is missing.
  func isEmpty(_ what: String) -> TableStop {
    .fault(
      TableFault.unreadable.error("the file is empty: it has \(what)", at: Place(file: file, line: 0, column: 0)))
  }

  private func stop(_ fault: TextSource.TextFault, line: Int, column: Int) -> TableStop {
    let place = Place(file: file, line: line, column: column)
    let start = Place(file: file, line: 0, column: 0)
    switch fault {
    case .interrupted(let signal): return .interrupted(signal)
    case .system(let sentence):
      return .fault(TableFault.unreadable.error("the file cannot be read: \(sentence)", at: start))
    case .truncatedGzip:
      return .fault(
        TableFault.gzip.error(
          "the gzip data ends too early: the file is cut off", at: start, help: "copy or download it again"))
    case .damagedGzip(let sentence):
      return .fault(TableFault.gzip.error("the gzip data is damaged: \(sentence)", at: start))
    case .tightGzip:
      return .fault(
        TableFault.gzip.error(
          "the gzip data unpacks to more than \(TextSource.tightest) times its size", at: start,
          help: "no table does; if this one is all right, unpack it first"))
    case .undecided:
      return .fault(
        TableFault.encoding.error(
          "the bytes from here on are neither UTF-8 nor GB18030; no more of the file is read", at: place,
          help:
            "--encoding names the encoding, such as big5, shift_jis or windows-1252; UTF-16 without a byte order mark needs --encoding utf-16le or utf-16be"
        ))
    case .unknownEncoding(let name):
      return .fault(
        TableFault.encoding.error(
          "the system knows no encoding '\(name)'", at: start, help: "'iconv -l' lists those that it knows"))
    }
  }
}
