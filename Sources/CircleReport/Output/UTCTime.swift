/// Times of the kind `2025-01-02T03:04:05.678Z`, read and written as Unix milliseconds, by the Gregorian calendar in
/// years 0000 to 9999.
package enum UTCTime {
  /// 0000-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z.
  package static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

  /// How many bytes a time takes.
  static let length = 24

  /// Reads a date and a time with `Z` or an offset such as `+08:00`; seconds may carry up to three decimals.
  /// - Returns: nil for anything else, for days and hours that don't exist, and outside `range`.
  package static func milliseconds(parsing text: some StringProtocol) -> Int64? {
    var scanner = Scanner(bytes: Array(text.utf8))
    guard let year = scanner.number(digits: 4), scanner.skip("-"),
      let month = scanner.number(digits: 2), scanner.skip("-"), let day = scanner.number(digits: 2),
      (1...12).contains(month), (1...days(in: month, of: year)).contains(day), scanner.skip("T") || scanner.skip("t"),
      let hour = scanner.number(digits: 2), scanner.skip(":"), let minute = scanner.number(digits: 2),
      scanner.skip(":"), let second = scanner.number(digits: 2), hour < 24, minute < 60, second < 60,
      let fraction = scanner.fraction(), let offset = scanner.offset(), scanner.isAtEnd
    else { return nil }
    let seconds = (daysSince1970(year, month, day) * 24 + hour) * 3600 + (minute - offset) * 60 + second
    let milliseconds = Int64(seconds * 1000 + fraction)
    return range.contains(milliseconds) ? milliseconds : nil
  }

  /// The time in 24 characters; what lies outside `range` is held at its nearer end.
  package static func text(_ milliseconds: Int64) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { bytes in
      guard let start = bytes.baseAddress else { return "" }
      write(milliseconds, to: start)
      return String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
    }
  }

  /// Writes the 24 bytes of `text`.
  static func write(_ milliseconds: Int64, to target: UnsafeMutablePointer<UInt8>) {
    let time = Int(min(max(milliseconds, range.lowerBound), range.upperBound))
    let day = time.floored(by: 86_400_000)
    let rest = time - day * 86_400_000
    let date = civil(day)
    var position = 0
    func digits(_ value: Int, _ count: Int, then mark: Unicode.Scalar) {
      var value = value
      for place in (position..<(position + count)).reversed() {
        target[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
        value /= 10
      }
      target[position + count] = UInt8(ascii: mark)
      position += count + 1
    }
    digits(date.year, 4, then: "-")
    digits(date.month, 2, then: "-")
    digits(date.day, 2, then: "T")
    digits(rest / 3_600_000, 2, then: ":")
    digits(rest / 60_000 % 60, 2, then: ":")
    digits(rest / 1000 % 60, 2, then: ".")
    digits(rest % 1000, 3, then: "Z")
  }

  // Both ways count years from March, so that the leap day is the last of its year, and eras of 400 years.

  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted.floored(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(_ daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
    let days = daysSince1970 + 719_468
    let era = days.floored(by: 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Walks over the bytes of a time.
  private struct Scanner {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func number(digits: Int) -> Int? {
      guard bytes.count - position >= digits else { return nil }
      var value = 0
      for byte in bytes[position..<(position + digits)] {
        guard 0x30...0x39 ~= byte else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      position += digits
      return value
    }

    mutating func skip(_ mark: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: mark) else { return false }
      position += 1
      return true
    }

    /// Milliseconds; 0 where there is no fraction.
    mutating func fraction() -> Int? {
      guard skip(".") else { return 0 }
      let count = bytes[position...].prefix { 0x30...0x39 ~= $0 }.count
      guard (1...3).contains(count), let value = number(digits: count) else { return nil }
      return value * [100, 10, 1][count - 1]
    }

    /// Minutes east of UTC.
    mutating func offset() -> Int? {
      if skip("Z") || skip("z") { return 0 }
      let isEast = skip("+")
      guard isEast || skip("-"), let hours = number(digits: 2), skip(":"), let minutes = number(digits: 2), hours < 24,
        minutes < 60
      else { return nil }
      return (isEast ? 1 : -1) * (hours * 60 + minutes)
    }
  }
}

extension Int {
  /// The quotient rounded towards minus infinity.
  fileprivate func floored(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
  }
}
