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
  private let writer = UserRecordWriter()
  private var id = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// By field, devices last, what the row says of it; an empty text clears it.
  private let texts: UnsafeMutableBufferPointer<UnsafeBufferPointer<UInt8>?>

  package init(_ options: Options, interrupted: @escaping () -> Int32) {
    self.options = options
    scan = TableScan(.users, options.scan, keepsRefused: options.keepsRefused, interrupted: interrupted)
    spool = UserSpool(folder: options.scan.folder)
    rules = UserField.allCases.map { TextRule.of($0) }
    texts = .allocate(capacity: rules.count + 1)
    texts.initialize(repeating: nil)
  }

  deinit { texts.deallocate() }

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
      let faults = check(row, cellOf)
      if unreadable.isEmpty, faults.isEmpty {
        try spool.add(record(UserRecord.Row(place: reader.place, raw: kept)))
        return []
      }
      return unreadable.and(faults)
    }
  }

  /// What is wrong with the cells of a row, whose texts wait in `id` and `texts` for as long as the row is lent.
  private func check(_ row: TableRow, _ cellOf: [Int]) -> [CellFault] {
    var faults: [CellFault] = []
    id = scan.value(row, cellOf[0])
    if let violation = TextRule.userID.check(id) {
      faults.append(fault(id.isEmpty ? .missingKey : .value, violation, at: cellOf[0], id))
    }
    for field in texts.indices {
      texts[field] = nil
      let cell = cellOf[field + 1]
      guard cell >= 0 else { continue }
      var text = scan.value(row, cell)
      if TextRule.isBlank(text) {
        if options.clearsEmpty { texts[field] = UnsafeBufferPointer(rebasing: text[..<0]) }
        continue
      }
      if field == Self.gender, let word = GenderWord.canonical(text) { text = word }
      texts[field] = text
      if field == rules.count {
        checkDevices(text, at: cell, &faults)
      } else if let violation = rules[field].check(text) {
        faults.append(fault(.value, violation, at: cell, text))
      }
    }
    return faults
  }

  /// The row in which `check` found nothing wrong.
  private func record(_ origin: UserRecord.Row) -> UserRecord {
    writer.begin(origin, id: id)
    for field in texts.indices {
      if let text = texts[field] { writer.add(field, text) }
    }
    return writer.end()
  }

  private static let gender = Int(UserField.gender.rawValue)

  private func checkDevices(_ text: UnsafeBufferPointer<UInt8>, at cell: Int, _ faults: inout [CellFault]) {
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
