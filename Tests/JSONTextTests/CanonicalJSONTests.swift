import Testing

@testable import JSONText

@Suite struct CanonicalJSONTests {
  private static func text(_ value: JSONValue) -> String {
    String(decoding: canonicalJSON(value), as: UTF8.self)
  }

  /// The bits of doubles and their text, as RFC 8785 lists them, and the borders between the layouts.
  static let numbers: [(bits: UInt64, text: String)] = [
    (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
    (0x8000_0000_0000_0001, "-5e-324"), (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
    (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"), (0x4340_0000_0000_0000, "9007199254740992"),
    (0xC340_0000_0000_0000, "-9007199254740992"), (0x4430_0000_0000_0000, "295147905179352830000"),
    (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"), (0x44B5_2D02_C7E1_4AF6, "1e+23"),
    (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"), (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
    (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"), (0x444B_1AE4_D6E2_EF50, "1e+21"),
    (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"), (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
    (0x41B3_DE43_5555_5553, "333333333.3333332"), (0x41B3_DE43_5555_5554, "333333333.33333325"),
    (0x41B3_DE43_5555_5555, "333333333.3333333"), (0x41B3_DE43_5555_5556, "333333333.3333334"),
    (0x41B3_DE43_5555_5557, "333333333.33333343"), (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
    (0x4314_3FF3_C1CB_0959, "1424953923781206.2"), (Double(1).bitPattern, "1"), (Double(-1.5).bitPattern, "-1.5"),
    (Double(100).bitPattern, "100"), (Double(0.1).bitPattern, "0.1"), (Double(12.034).bitPattern, "12.034"),
    (Double(1e20).bitPattern, "100000000000000000000"), (Double(1.5e-7).bitPattern, "1.5e-7"),
    (Double(4.5).bitPattern, "4.5"), (Double.nan.bitPattern, "null"), (Double.infinity.bitPattern, "null"),
  ]

  @Test(arguments: numbers)
  func `numbers are written as ECMAScript writes them`(bits: UInt64, text: String) {
    #expect(Self.text(.number(Double(bitPattern: bits))) == text)
  }

  @Test(arguments: [
    (0, "0"), (-7, "-7"), (1 << 53, "9007199254740992"), (-(1 << 53), "-9007199254740992"),
    ((1 << 53) + 1, "9007199254740992"), (Int.max, "9223372036854776000"), (Int.min, "-9223372036854776000"),
  ])
  func `integers are exact up to two to the power of 53`(number: Int, text: String) {
    #expect(Self.text(.integer(number)) == text)
  }

  @Test func `keys are sorted by UTF-16 code units`() {
    let keys = [
      "\u{20AC}", "\r", "\u{FB33}", "1", "\u{1F600}", "\u{80}", "\u{F6}", "", "a", "aa", "\u{FFFD}", "\u{D7FF}",
    ]
    let value = JSONValue.object(keys.map { JSONValue.Member($0, .null) })
    let sorted = keys.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }
    let expected = sorted.map { ($0 == "\r" ? "\"\\r\"" : "\"\($0)\"") + ":null" }.joined(separator: ",")
    #expect(Self.text(value) == "{\(expected)}")
    #expect(sorted.firstIndex(of: "\u{1F600}") ?? 0 < sorted.firstIndex(of: "\u{FB33}") ?? 0)
  }

  @Test func `values nest, without white space, and the last of equal keys counts`() {
    let value = JSONValue.object([
      .init("b", .array([.null, .boolean(true), .boolean(false), .array([]), .object([])])),
      .init("a", .integer(1)), .init("a", .string("\u{20AC}$\u{F}\nA'B\"\\\\\"/")), .init("e\u{301}", .null),
      .init("\u{E9}", .null),
    ])
    #expect(
      canonicalJSON(value)
        == Array(
          ("{\"a\":\"\u{20AC}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\",\"b\":[null,true,false,[],{}],"
            + "\"e\u{301}\":null,\"\u{E9}\":null}").utf8))
  }
}
