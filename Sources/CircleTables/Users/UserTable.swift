import CircleModel
import Diagnostics

/// Reads tables of users: checks each cell against the rule of its field, and keeps what is right as packed records.
///
/// No cell becomes a `String`: a table of a million users is read in the room of a few megabytes.
package final class UserTable {
  package struct Options: Sendable {
    package var scan = TableScan.Options()
    /// Whether an empty cell clears its field rather than leaves it.
    package var clearsEmpty = false
    /// Whether refused rows are to be given back.
    package var keepsRefused = false
    /// Whether rows that are right may be refused later, and are then to be given back.
    package var keepsAll = false

    package init() {}
  }

  package let scan: TableScan
  package let spool: UserSpool
  private let options: Options
  private let rules: [TextRule]

  package init(_ options: Options, interrupted: @escaping () -> Int32) {
    self.options = options
    scan = TableScan(.users, options.scan, keepsRefused: options.keepsRefused, interrupted: interrupted)
    spool = UserSpool(folder: options.scan.folder)
    rules = UserField.allCases.map { TextRule.of($0) }
  }

  /// Reads a table to its end.
  ///
  /// - Parameter progress: hears of rows so far, and how far the file has been read in 1024ths, nil for a stream.
  package func read(_ input: TableInput, progress: (Int, Int?) -> Void) throws(TableStop) {
    try scan.read(input, progress: progress) { (reader, row, cellOf, unreadable) throws(TableStop) in
      guard cellOf[0] >= 0 else {
        return unreadable + [CellFault(cell: -1, code: .missingKey, reason: "the row has no user id")]
      }
      var kept: Int?
      if options.keepsAll, let refused = scan.refused { kept = try refused.keep(reader) }
      let id = scan.value(row, cellOf[0])
      let place = reader.place
      var faults: [CellFault] = []
      try spool.add(id) { bytes in
        faults = unreadable.and(check(row, cellOf, id, place, kept, &bytes))
        return faults.isEmpty
      }
      return faults
    }
  }

  /// Checks the cells of a row and appends them to the bytes as a record.
  private func check(
    _ row: TableRow, _ cellOf: [Int], _ id: UnsafeBufferPointer<UInt8>, _ place: Place, _ kept: Int?,
    _ bytes: inout [UInt8]
  ) -> [CellFault] {
    var faults: [CellFault] = []
    if let violation = TextRule.userID.check(id) {
      let code: TableFault = id.isEmpty ? .missingKey : .value
      faults.append(fault(code, violation, at: cellOf[0], id))
    }
    var writer = UserRecordWriter()
    writer.begin(&bytes, UserRecord.Row(place: place, raw: kept), id: id)
    for field in rules.indices where cellOf[field + 1] >= 0 {
      var text = scan.value(row, cellOf[field + 1])
      if TextRule.isBlank(text) {
        if options.clearsEmpty { writer.add(field, UnsafeBufferPointer(rebasing: text[..<0]), to: &bytes) }
        continue
      }
      if field == Self.gender, let word = GenderWord.canonical(text) { text = word }
      if let violation = rules[field].check(text) {
        faults.append(fault(.value, violation, at: cellOf[field + 1], text))
      } else {
        writer.add(field, text, to: &bytes)
      }
    }
    let devices = cellOf[rules.count + 1]
    if devices >= 0 { checkDevices(scan.value(row, devices), at: devices, &faults, &writer, &bytes) }
    writer.end(&bytes)
    return faults
  }

  private static let gender = Int(UserField.gender.rawValue)

  private func checkDevices(
    _ text: UnsafeBufferPointer<UInt8>, at cell: Int, _ faults: inout [CellFault], _ writer: inout UserRecordWriter,
    _ bytes: inout [UInt8]
  ) {
    let number = rules.count
    if TextRule.isBlank(text) {
      if options.clearsEmpty { writer.add(number, UnsafeBufferPointer(rebasing: text[..<0]), to: &bytes) }
      return
    }
    if ListCell.isBroken(text) {
      faults.append(CellFault(cell: cell, code: .value, reason: ListCell.broken))
      return
    }
    var seen: Set<Text> = []
    for device in UserRecord.devices(text) {
      if let violation = TextRule.device.check(device) {
        faults.append(CellFault(cell: cell, code: .value, reason: violation.reason))
      } else if !seen.insert(device).inserted {
        faults.append(CellFault(cell: cell, code: .value, reason: "the device '\(device)' is given twice"))
      }
    }
    writer.add(number, text, to: &bytes)
  }

  private func fault(
    _ code: TableFault, _ violation: RuleViolation, at cell: Int, _ text: UnsafeBufferPointer<UInt8>
  ) -> CellFault {
    CellFault(cell: cell, code: code, reason: violation.reason, help: SpreadsheetTrace.help(for: text))
  }
}

/// The words that a table may have for a gender.
enum GenderWord {
  /// `unknown`, `male` or `female`; nil for what is none of the words.
  static func canonical(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    let word: StaticString
    switch text.count {
    case 1:
      switch text[0] | 0x20 {
      case UInt8(ascii: "m"): word = "male"
      case UInt8(ascii: "f"): word = "female"
      case UInt8(ascii: "0"): word = "unknown"
      case UInt8(ascii: "1"): word = "male"
      case UInt8(ascii: "2"): word = "female"
      default: return nil
      }
    case 3 where text.elementsEqual("男".utf8): word = "male"
    case 3 where text.elementsEqual("女".utf8): word = "female"
    case 6 where text.elementsEqual("未知".utf8): word = "unknown"
    case 4 where equals(text, "male"): word = "male"
    case 6 where equals(text, "female"): word = "female"
    case 7 where equals(text, "unknown"): word = "unknown"
    default: return nil
    }
    return UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
  }

  private static func equals(_ text: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    for position in 0..<text.count where text[position] | 0x20 != word.utf8Start[position] { return false }
    return true
  }
}

/// What a spreadsheet program does to values, told where a value breaks its rule: nothing is guessed.
enum SpreadsheetTrace {
  static func help(for text: UnsafeBufferPointer<UInt8>) -> String? {
    if text.first == 0x27 { return "the apostrophe comes from a spreadsheet program; --formula-safe strips it" }
    if isScientific(text) {
      return "a spreadsheet program has shortened the number; format the column as text there and fill it anew"
    }
    return nil
  }

  /// Such as `1.38E+10`.
  private static func isScientific(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let mark = text.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }), mark > 0, mark + 1 < text.count
    else { return false }
    let isNumber = text[..<mark].allSatisfy { $0 &- 48 < 10 || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
    let rest = text[(mark + 1)...].drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    return isNumber && !rest.isEmpty && rest.allSatisfy { $0 &- 48 < 10 }
  }
}
