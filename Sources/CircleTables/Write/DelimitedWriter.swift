package import JSONText

/// Writes rows of CSV or TSV (RFC 4180): a cell stands in quotation marks only where it has to.
package struct DelimitedWriter: ~Copyable {
  /// What was written and not drained yet.
  package var buffer = ByteBuffer(capacity: ByteBuffer.piece + (64 << 10))
  private let delimiter: UInt8
  private let isFormulaSafe: Bool
  private var follows = false
  /// Whether all of the row so far is empty: a row of one empty cell is written `""`, else it would be no row.
  private var isEmpty = true
  private var cells = 0

  /// - Parameter isFormulaSafe: puts an apostrophe before what a spreadsheet program would take for a formula.
  package init(delimiter: UInt8 = UInt8(ascii: ","), isFormulaSafe: Bool = false) {
    self.delimiter = delimiter
    self.isFormulaSafe = isFormulaSafe
  }

  package mutating func cell(_ text: String) {
    var text = text
    text.withUTF8 { cell(UnsafeRawBufferPointer($0)) }
  }

  package mutating func cell(_ text: UnsafeRawBufferPointer) {
    if follows { buffer.append(delimiter) }
    follows = true
    cells += 1
    if text.isEmpty { return }
    isEmpty = false
    let guarded = isFormulaSafe && FormulaGuard.needsApostrophe(text)
    let isQuoted = text.contains { $0 == delimiter || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
    if isQuoted { buffer.append(0x22) }
    if guarded { buffer.append(0x27) }
    if isQuoted {
      for byte in text {
        if byte == 0x22 { buffer.append(0x22) }
        buffer.append(byte)
      }
      buffer.append(0x22)
    } else {
      buffer.append(bytes: text)
    }
  }

  package mutating func endRow() {
    if isEmpty, cells == 1 { buffer.append("\"\"") }
    buffer.append(UInt8(ascii: "\n"))
    follows = false
    isEmpty = true
    cells = 0
  }
}

/// The apostrophe that keeps a spreadsheet program from taking a text for a formula.
///
/// A text that begins with `=`, `+`, `-` or `@`, after apostrophes or none, gets one in front and loses one again, so
/// that every text comes back as it was.
package enum FormulaGuard {
  package static func needsApostrophe(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let first = text.first(where: { $0 != 0x27 }) else { return false }
    return first == UInt8(ascii: "=") || first == UInt8(ascii: "+") || first == UInt8(ascii: "-")
      || first == UInt8(ascii: "@")
  }

  /// The text without the apostrophe in front that guards it.
  package static func stripped(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard text.first == 0x27, needsApostrophe(UnsafeRawBufferPointer(text)) else { return text }
    return UnsafeBufferPointer(rebasing: text[1...])
  }
}
