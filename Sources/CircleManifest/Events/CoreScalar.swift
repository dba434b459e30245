import Glibc
import JSONText

/// What a plain scalar means by the core schema of YAML 1.2, where something else than text can be meant.
enum CoreScalar {
  /// Nothing, `~`, `null`, `Null` or `NULL`.
  static func isNull(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch text.count {
    case 0: true
    case 1: text[0] == UInt8(ascii: "~")
    case 4: `is`(text, "null", "Null", "NULL")
    default: false
    }
  }

  /// `true` or `false`, so and not otherwise.
  static func boolean(_ text: UnsafeBufferPointer<UInt8>) -> Bool? {
    if `is`(text, "true") { return true }
    return `is`(text, "false") ? false : nil
  }

  /// Why a plain scalar is no JSON value.
  enum Refusal: Error {
    case notFinite
    case notExact
  }

  static func json(_ text: UnsafeBufferPointer<UInt8>) throws(Refusal) -> JSONValue {
    if isNull(text) { return .null }
    if `is`(text, "true", "True", "TRUE") { return .boolean(true) }
    if `is`(text, "false", "False", "FALSE") { return .boolean(false) }
    if let number = try number(text) { return number }
    return .string(String(decoding: text, as: UTF8.self))
  }

  private static func number(_ text: UnsafeBufferPointer<UInt8>) throws(Refusal) -> JSONValue? {
    let digits = UnsafeBufferPointer(rebasing: text.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") })
    let signs = text.count - digits.count
    guard signs <= 1 else { return nil }
    if `is`(digits, ".inf", ".Inf", ".INF") { throw .notFinite }
    if signs == 0, `is`(digits, ".nan", ".NaN", ".NAN") { throw .notFinite }
    if signs == 0, digits.count > 2, digits[0] == UInt8(ascii: "0"), let radix = radix(of: digits[1]),
      digits.dropFirst(2).allSatisfy({ value(of: $0) < radix })
    {
      let number = Int(String(decoding: digits.dropFirst(2), as: UTF8.self), radix: radix)
      return try exact(number)
    }
    guard !digits.isEmpty else { return nil }
    if digits.allSatisfy({ value(of: $0) < 10 }) {
      let spelling = String(decoding: digits, as: UTF8.self)
      return try exact(Int(text[0] == UInt8(ascii: "-") ? "-" + spelling : spelling))
    }
    guard isFloat(digits), let number = Double(String(decoding: text, as: UTF8.self)) ?? loose(text) else { return nil }
    guard number.isFinite else { throw .notFinite }
    return .number(number)
  }

  /// JSON keeps integers exactly up to 2^53 only.
  private static func exact(_ number: Int?) throws(Refusal) -> JSONValue {
    guard let number, number.magnitude <= 1 << 53 else { throw .notExact }
    return .integer(number)
  }

  private static func loose(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    strtod(String(decoding: text, as: UTF8.self), nil)
  }

  /// `(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
  private static func isFloat(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let whole = text.prefix { value(of: $0) < 10 }
    var rest = text[whole.endIndex...]
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix { value(of: $0) < 10 }
      if whole.isEmpty && fraction.isEmpty { return false }
      rest = rest[fraction.endIndex...]
    } else if whole.isEmpty {
      return false
    }
    guard let mark = rest.first else { return true }
    guard mark | 0x20 == UInt8(ascii: "e") else { return false }
    rest = rest.dropFirst()
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    return !rest.isEmpty && rest.allSatisfy { value(of: $0) < 10 }
  }

  private static func radix(of letter: UInt8) -> Int? {
    switch letter {
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "x"): 16
    default: nil
    }
  }

  private static func value(of digit: UInt8) -> Int {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit) - 48
    case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(digit) - 55
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(digit) - 87
    default: 255
    }
  }

  private static func `is`(_ text: some Collection<UInt8>, _ words: StaticString...) -> Bool {
    words.contains { word in
      text.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
  }
}
