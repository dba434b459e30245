package import CircleModel
import JSONText

/// Writes the rows of a table in one of the formats that `TableReader` reads.
package struct TableWriter: ~Copyable {
  package enum Format: String, CaseIterable, Sendable {
    case csv, tsv, ndjson, yaml

    /// For help, without a full stop.
    package var summary: String {
      switch self {
      case .csv: "a table as comma-separated values"
      case .tsv: "a table as tab-separated values"
      case .ndjson: "a table as one JSON object a line"
      case .yaml: "a table as a list of mappings"
      }
    }
  }

  private let format: Format
  private let columns: [String]
  private let isFormulaSafe: Bool
  private var delimited: DelimitedWriter
  /// What is written in other formats.
  private var buffer = ByteBuffer(capacity: ByteBuffer.piece + (64 << 10))
  private var column = 0
  private var isFirst = true

  /// - Parameter isFormulaSafe: puts an apostrophe before what a spreadsheet program would take for a formula.
  package init(_ format: Format, columns: [String], isFormulaSafe: Bool) {
    self.format = format
    self.columns = columns
    self.isFormulaSafe = isFormulaSafe
    delimited = DelimitedWriter(
      delimiter: format == .tsv ? 0x09 : UInt8(ascii: ","), isFormulaSafe: isFormulaSafe)
    guard format == .csv || format == .tsv else { return }
    for column in columns { delimited.cell(column) }
    delimited.endRow()
  }

  /// Writes the next cell of the row; what is empty is left out where cells have names.
  package mutating func cell(_ text: UnsafeBufferPointer<UInt8>) {
    if isDelimited {
      delimited.cell(UnsafeRawBufferPointer(text))
    } else if !text.isEmpty {
      beginValue()
      if isFormulaSafe, FormulaGuard.needsApostrophe(UnsafeRawBufferPointer(text)) {
        let guarded = [0x27] + Array(text)
        guarded.withUnsafeBytes { buffer.append(jsonString: $0) }
      } else {
        buffer.append(jsonString: UnsafeRawBufferPointer(text))
      }
      endValue()
    }
    column += 1
  }

  package mutating func cell(_ text: Text) {
    var text = text.string
    text.withUTF8 { cell($0) }
  }

  /// Writes a cell that holds a list.
  package mutating func cell(_ items: [Text]) {
    if isDelimited {
      cell(Text(items.isEmpty ? "" : ListCell.cell(items.map(\.string))))
      return
    }
    if !items.isEmpty {
      beginValue()
      buffer.append(utf8: ListCell.text(items.map(\.string)))
      endValue()
    }
    column += 1
  }

  private var isDelimited: Bool { format == .csv || format == .tsv }

  private mutating func beginValue() {
    if format == .ndjson {
      buffer.append(isFirst ? "{\"" : ",\"")
      buffer.append(utf8: columns[column])
      buffer.append("\":")
    } else {
      buffer.append(isFirst ? "- " : "  ")
      buffer.append(utf8: columns[column])
      buffer.append(": ")
    }
    isFirst = false
  }

  private mutating func endValue() {
    if format == .yaml { buffer.append(UInt8(ascii: "\n")) }
  }

  package mutating func endRow() {
    if isDelimited {
      delimited.endRow()
    } else if format == .ndjson {
      buffer.append(isFirst ? "{}\n" : "}\n")
    }
    column = 0
    isFirst = true
  }

  /// Hands the bytes that wait to the sink once there are so many.
  package mutating func drain<Failure: Error>(
    atLeast least: Int = ByteBuffer.piece, into sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    if isDelimited {
      try delimited.buffer.drain(atLeast: least, into: sink)
    } else {
      try buffer.drain(atLeast: least, into: sink)
    }
  }
}
