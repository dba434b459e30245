/// The value in the canonical form of RFC 8785: no white space, keys sorted by UTF-16 code units, numbers as ECMAScript
/// writes them (integers beyond 2^53 as the nearest double), the fewest escapes. Equal values give equal bytes.
///
/// Of a key given twice the last one counts. A number that is not finite becomes `null`.
package func canonicalJSON(_ value: JSONValue) -> [UInt8] {
  var buffer = ByteBuffer()
  buffer.append(canonical: value)
  return buffer.bytes
}

extension ByteBuffer {
  /// Appends the value as `canonicalJSON` gives it.
  package mutating func append(canonical value: JSONValue) {
    switch value {
    case .null: append("null")
    case .boolean(let value): append(value ? "true" : "false")
    case .integer(let number) where number.magnitude <= 1 << 53: append(decimal: number)
    case .integer(let number): append(canonical: Double(number))
    case .number(let number): append(canonical: number)
    case .string(let text): append(canonicalJSONString: text)
    case .array(let elements):
      append(UInt8(ascii: "["))
      for index in elements.indices {
        if index > 0 { append(UInt8(ascii: ",")) }
        append(canonical: elements[index])
      }
      append(UInt8(ascii: "]"))
    case .object(let members):
      append(canonical: members)
    }
  }

  private mutating func append(canonical members: [JSONValue.Member]) {
    let sorted = members.enumerated().sorted { left, right in
      switch compareUTF16(left.element.key, right.element.key) {
      case 0: left.offset < right.offset
      case let order: order < 0
      }
    }
    append(UInt8(ascii: "{"))
    var isFirst = true
    for (index, member) in sorted.enumerated() {
      let key = member.element.key
      if index + 1 < sorted.count, compareUTF16(key, sorted[index + 1].element.key) == 0 { continue }
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      append(canonicalJSONString: key)
      append(UInt8(ascii: ":"))
      append(canonical: member.element.value)
    }
    append(UInt8(ascii: "}"))
  }

  /// The shortest digits that give the same double again, laid out as ECMAScript's Number::toString does.
  private mutating func append(canonical number: Double) {
    guard number.isFinite else { return append("null") }
    if number == 0 { return append(UInt8(ascii: "0")) }
    if number < 0 { append(UInt8(ascii: "-")) }
    let (digits, point) = decimal(of: number.magnitude)
    let zero = UInt8(ascii: "0")
    switch point {
    case 1...21 where point >= digits.count:
      append(bytes: digits + Array(repeating: zero, count: point - digits.count))
    case 1...21:
      append(bytes: digits[..<point] + [UInt8(ascii: ".")] + digits[point...])
    case -5...0:
      append("0.")
      append(bytes: Array(repeating: zero, count: -point) + digits)
    default:
      append(digits[0])
      if digits.count > 1 {
        append(UInt8(ascii: "."))
        append(bytes: Array(digits[1...]))
      }
      append(point > 0 ? "e+" : "e-")
      append(decimal: abs(point - 1))
    }
  }
}

/// The shortest digits of a positive number and where the decimal point stands: 0.d₁d₂d₃… times ten to the power of
/// `point`.
private func decimal(of number: Double) -> (digits: [UInt8], point: Int) {
  let parts = number.description.utf8.split(separator: UInt8(ascii: "e"))
  let mantissa = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  let exponent = parts.count > 1 ? Int(Substring(parts[1])) ?? 0 : 0
  let whole = Array(mantissa[0])
  let all = whole + (mantissa.count > 1 ? Array(mantissa[1]) : [])
  let zero = UInt8(ascii: "0")
  let leading = all.prefix { $0 == zero }.count
  let digits = all.dropFirst(leading).reversed().drop { $0 == zero }.reversed()
  return (Array(digits), whole.count + exponent - leading)
}

/// Orders two texts by their UTF-16 code units: negative, zero or positive. In UTF-8 that is the order of the bytes,
/// except that characters beyond U+FFFF (F0 and up) are surrogates and so come before U+E000 to U+FFFF (EE and EF).
private func compareUTF16(_ left: String, _ right: String) -> Int {
  var others = right.utf8.makeIterator()
  for byte in left.utf8 {
    guard let other = others.next() else { return 1 }
    if byte == other { continue }
    if byte >= 0xEE, other >= 0xEE, (byte >= 0xF0) != (other >= 0xF0) { return byte >= 0xF0 ? -1 : 1 }
    return byte < other ? -1 : 1
  }
  return others.next() == nil ? 0 : -1
}
