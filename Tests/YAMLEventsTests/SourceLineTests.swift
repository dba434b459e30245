import Testing
import YAMLEvents

struct SourceLineTests {
  static let text = "\u{FEFF}a: 社\r\nb\u{2028}: 👩\r\rc\n"
  static let lines = ["a: 社", "b\u{2028}: 👩", "", "c", ""]

  @Test(arguments: [
    Array(text.utf8), utf16(text, littleEndian: true), utf16(text, littleEndian: false),
    Array(text.utf8.dropFirst(3)), Array(utf16(text, littleEndian: true).dropFirst(2)),
    Array(utf16(text, littleEndian: false).dropFirst(2)),
  ])
  func `lines are found as an editor shows them`(bytes: [UInt8]) {
    let found = (0...7).map { number in bytes.withUnsafeBytes { sourceLine(number, of: $0) } }
    #expect(found == [nil] + Self.lines + [nil, nil])
  }

  @Test func `several lines are found in any order, each once`() {
    let found = Array(Self.text.utf8).withUnsafeBytes { sourceLines([4, 99, 1, 4, 0], of: $0) }
    #expect(found == [1: "a: 社", 4: "c"])
  }

  @Test func `an empty text has one empty line`() {
    #expect([UInt8]().withUnsafeBytes { sourceLine(1, of: $0) } == "")
    #expect([UInt8]().withUnsafeBytes { sourceLine(2, of: $0) } == nil)
  }

  @Test(
    arguments: [
      ([0x61, 0xFF, 0x62], "a\u{FFFD}b"), ([0xFF, 0xFE, 0x61, 0x00, 0x62], "a\u{FFFD}"),
      ([0xFE, 0xFF, 0xD8, 0x00, 0x00, 0x61], "\u{FFFD}a"),
    ] as [([UInt8], String)])
  func `invalid bytes are repaired`(bytes: [UInt8], expected: String) {
    #expect(bytes.withUnsafeBytes { sourceLine(1, of: $0) } == expected)
  }

  @Test(
    arguments: [
      ([], .utf8), ([0x61], .utf8), ([0xFF, 0xFE], .utf16le), ([0xFE, 0xFF], .utf16be), ([0x61, 0], .utf16le),
      ([0, 0x61], .utf16be), ([0, 0], .utf8), ([0xEF, 0xBB, 0xBF], .utf8), ([0x61, 0x62], .utf8),
    ] as [([UInt8], TextEncoding)])
  func `the encoding is told by the first bytes`(bytes: [UInt8], encoding: TextEncoding) {
    #expect(bytes.withUnsafeBytes { TextEncoding(of: $0) } == encoding)
  }
}
