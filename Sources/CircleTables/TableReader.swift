import DelimitedText
package import Diagnostics

/// One file of a table, or standard input.
package struct TableInput: Sendable {
  package enum Origin: Sendable {
    case file(String)
    case descriptor(CInt)
  }

  /// As people know it.
  package var name: String
  package var origin: Origin

  package init(name: String, origin: Origin) {
    self.name = name
    self.origin = origin
  }
}

/// Reads the rows of one table, whatever its format, encoding and packing, and says where each cell stands.
package final class TableReader {
  package struct Options: Sendable {
    /// nil to find it out.
    package var format: TableFormat?
    /// nil to find it out.
    package var delimiter: UInt8?
    /// nil to find it out.
    package var encoding: TableEncoding?

    package init(format: TableFormat? = nil, delimiter: UInt8? = nil, encoding: TableEncoding? = nil) {
      self.format = format
      self.delimiter = delimiter
      self.encoding = encoding
    }
  }

  package enum Step {
    /// `lend` gives it.
    case row
    /// The row can't be read; the next one can. What could be read of it is lent all the same.
    case fault(Diagnostic)
    case end
  }

  package let file: FileIndex
  package let format: TableFormat
  private let source: TextSource
  private let rows: any RowSource
  /// What was wrong with the current row as it is written.
  private var fault: RowFault?

  /// Opens the table and reads its header where it has one.
  ///
  /// - Parameters:
  ///   - file: for places.
  ///   - mapped: columns that somebody asks for, beside the usual ones of a format that holds more than a table.
  ///   - interrupted: the signal that has come, or 0.
  package init(
    _ input: TableInput, file: FileIndex, options: Options, mapped: [String] = [],
    interrupted: @escaping () -> Int32
  ) throws(TableStop) {
    self.file = file
    let bytes = try Self.open(input, file: file, interrupted: interrupted)
    source = TextSource(bytes, encoding: options.encoding)
    let feed = TextFeed(source, file: file)
    let head = try feed.peek()
    let start = Place(file: file, line: 0, column: 0)
    if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      throw .fault(
        TableFault.format.error(
          "the file is a spreadsheet or an archive, not a table of text", at: start,
          help: "save it as CSV in the spreadsheet program"))
    }
    let (format, delimiter) = head.withUnsafeBufferPointer { head in
      (
        options.format ?? TableFormat(path: input.name, head: head),
        options.delimiter ?? TableFormat.delimiter(of: head)
      )
    }
    self.format = format
    switch format {
    case .csv: rows = try DelimitedRows(feed, delimiter: delimiter, file: file)
    case .tsv: rows = try DelimitedRows(feed, delimiter: options.delimiter ?? 0x09, file: file)
    case .json: rows = JSONRows(feed, form: .array)
    case .ndjson: rows = JSONRows(feed, form: .lines)
    case .mattermost: rows = JSONRows(feed, form: .mattermost, mapped: mapped)
    case .yaml: rows = try YAMLRows(feed)
    }
  }

  private static func open(
    _ input: TableInput, file: FileIndex, interrupted: @escaping () -> Int32
  ) throws(TableStop) -> ByteInput {
    switch input.origin {
    case .descriptor(let descriptor): return ByteInput(descriptor: descriptor, interrupted: interrupted)
    case .file(let path):
      do throws(ByteInput.Failure) {
        return try ByteInput(path: path, interrupted: interrupted)
      } catch {
        switch error {
        case .interrupted(let signal): throw .interrupted(signal)
        case .system(let sentence):
          throw .fault(
            TableFault.unreadable.error(
              "the file cannot be read: \(sentence)", at: Place(file: file, line: 0, column: 0)))
        }
      }
    }
  }

  /// As written, in the order in which they were met; they only grow.
  package var columns: [String] { rows.columns }
  /// Whether all columns are known from the beginning: of a header, not of objects.
  package var hasHeader: Bool { format == .csv || format == .tsv }
  /// The line on which the current row begins, from 1.
  package var line: Int { rows.line }
  /// The encoding that was found where nobody told it and it is not plain UTF-8.
  package var foundEncoding: String? {
    guard source.guesses, let encoding = source.encoding, encoding != .utf8 else { return nil }
    return encoding.name
  }
  /// How far the file has been read, in 1024ths; nil for a stream.
  package var progress: Int? { source.progress }

  package func next() throws(TableStop) -> Step {
    fault = nil
    switch try rows.next() {
    case .row: return .row
    case .end: return .end
    case .fault(let fault):
      self.fault = fault
      let place = Place(file: file, line: fault.line, column: fault.column)
      return .fault(fault.code.error(fault.message, at: place, help: fault.help))
    }
  }

  /// Lends the current row.
  package func lend(_ body: (TableRow) -> Void) { rows.lend(body) }

  /// What `body` makes of the current row.
  package func withRow<R>(_ body: (TableRow) -> R, otherwise: @autoclosure () -> R) -> R {
    var result: R?
    rows.lend { result = body($0) }
    return result ?? otherwise()
  }

  /// Where the row begins.
  package var place: Place { Place(file: file, line: rows.line, column: rows.column) }

  /// Where the cell begins, which may be a later line than the row's; the column is 0 where it is not known.
  package func place(of cell: Int) -> Place {
    let place = rows.place(of: cell)
    return Place(file: file, line: place.line, column: place.column)
  }

  /// Where a column is named: in the header, or in the row that has it first.
  package func place(ofColumn column: Int) -> Place {
    let place = rows.place(ofColumn: column)
    return Place(file: file, line: place.line, column: place.column)
  }

  /// The line that names a column, for the source line below a fault.
  func quote(ofColumnAt place: Place) -> Quote {
    if let header = (rows as? DelimitedRows)?.headerExcerpt { return Quote(line: header, column: place.column) }
    return rows.quote(line: place.line, column: place.column)
  }

  /// Where the current row can't be read; nil where that is not in the row.
  var quoteOfFault: Quote? {
    guard let fault, fault.line >= rows.line else { return nil }
    return rows.quote(line: fault.line, column: fault.column)
  }

  /// Where what can't be read in the current row began, if that is an earlier line.
  var notesOfFault: [Diagnostic.Note] { fault.map { rows.notes(of: $0, in: file) } ?? [] }

  /// The line of a cell of the current row, or of its begin for -1.
  func quote(of cell: Int) -> Quote {
    let place = cell < 0 ? (line: rows.line, column: rows.column) : rows.place(of: cell)
    return rows.quote(line: place.line, column: place.column)
  }

  /// What of the current row can't be cells.
  var problems: [CellProblem] { rows.problems }

  /// The current row as it stands in the file, with bytes that are no text as `\xHH`.
  /// - Returns: also whether it is no more than the beginning.
  func text() -> (text: [UInt8], isCutOff: Bool) {
    let bytes = rows.rowText()
    let isConverted = source.encoding.map { $0 != .utf8 } ?? false
    var text: [UInt8] = []
    bytes.withUnsafeBufferPointer { bytes in
      var offset = 0
      while offset < bytes.count {
        let invalid = firstInvalidUTF8(in: bytes, offset..<bytes.count) ?? bytes.count
        for byte in bytes[offset..<invalid] {
          if byte == 0 { text += "\\x00".utf8 } else { text.append(byte) }
        }
        // The mark of a conversion has its digits behind it.
        if invalid < bytes.count, !isConverted || bytes[invalid] != TextSource.mark {
          text += "\\x\(hexadecimal(bytes[invalid]))".utf8
        }
        offset = invalid + 1
      }
    }
    return (text, bytes.count > longestRow)
  }

  /// Whether the lines of the file can be read again as they are: it is a file, and of UTF-8.
  var isPlainFile: Bool { !source.isGzip && source.encoding.map { $0 == .utf8 } ?? true }
}
