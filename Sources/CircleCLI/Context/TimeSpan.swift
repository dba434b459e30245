/// A length of time as options write it: `10s`, `500ms`, `2m`, `1h`, `30d`, `2w`, `1.5s`; a number alone counts seconds.
struct TimeSpan: Equatable {
  var milliseconds: Int

  init(milliseconds: Int) {
    self.milliseconds = milliseconds
  }

  /// - Parameter atMostDays: 30 days are milliseconds that still fit what a system call takes.
  init?(_ text: String, atMostDays: Double = 30) {
    let units: [(suffix: String, milliseconds: Double)] = [
      ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
      ("w", 604_800_000), ("", 1000),
    ]
    guard let unit = units.first(where: { text.utf8.suffix($0.suffix.utf8.count).elementsEqual($0.suffix.utf8) }) else {
      return nil
    }
    let digits = text.utf8.dropLast(unit.suffix.utf8.count)
    let isNumber = digits.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
    guard isNumber, digits.count <= 12, let first = digits.first, first != UInt8(ascii: "."),
      let value = Double(String(decoding: digits, as: UTF8.self))
    else { return nil }
    let whole = value * unit.milliseconds
    guard whole <= atMostDays * 86_400_000 else { return nil }
    milliseconds = Int(whole.rounded())
  }
}
