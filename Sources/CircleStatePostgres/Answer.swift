import CircleState

/// What the server answered to a command: rows of binary columns. Rows and columns count from 0.
final class Answer {
  private let library: LibPQ
  private let pointer: OpaquePointer
  let rowCount: Int

  init(_ pointer: OpaquePointer, _ library: LibPQ) {
    self.pointer = pointer
    self.library = library
    rowCount = Int(library.rowCount(pointer))
  }

  deinit {
    library.clear(pointer)
  }

  var status: Int32 { library.resultStatus(pointer) }

  /// What was done, such as `COMMIT`.
  var command: String { library.commandStatus(pointer).map { String(cString: $0) } ?? "" }

  /// The code of an error, five characters; empty where libpq itself failed.
  var errorCode: String { field("C") }

  /// One sentence of the server about an error, without values of rows.
  var errorSentence: String { field("M") }

  private func field(_ name: Unicode.Scalar) -> String {
    library.resultErrorField(pointer, Int32(UInt8(ascii: name))).map { String(cString: $0) } ?? ""
  }

  /// Valid as long as this answer.
  func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: library.value(pointer, Int32(row), Int32(column)),
      count: Int(library.length(pointer, Int32(row), Int32(column))))
  }

  func isNull(_ row: Int, _ column: Int) -> Bool {
    library.isNull(pointer, Int32(row), Int32(column)) != 0
  }

  /// A whole number of two, four or eight bytes.
  func integer(_ row: Int, _ column: Int) -> Int64 {
    let bytes = bytes(row, column)
    guard let first = bytes.first else { return 0 }
    return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
  }

  /// A whole number written in digits, as answers to commands without parameters come.
  func digits(_ row: Int, _ column: Int) -> Int? {
    Int(String(decoding: bytes(row, column), as: UTF8.self))
  }
}
