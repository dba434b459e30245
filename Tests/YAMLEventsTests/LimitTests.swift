import Testing
import Testkit
import YAMLEvents

struct LimitTests {
  @Test func `nesting is read up to the limit and refused past it`() {
    let text = "- [{a: b}]"
    #expect(fault(Array(text.utf8), maximumDepth: 3) == nil)
    #expect(
      fault(Array(text.utf8), maximumDepth: 2)
        == YAMLFault(.nesting, "the nesting is deeper than 2 levels", line: 1, column: 4))
    #expect(fault([UInt8](repeating: 0x5B, count: 64) + [UInt8](repeating: 0x5D, count: 64)) == nil)
  }

  @Test func `collections side by side do not add up`() {
    #expect(fault(Array(String(repeating: "- [[]]\n", count: 200).utf8), maximumDepth: 3) == nil)
  }

  @Test(arguments: ["[", "{", "- ", "? ", "[? ", "{[", "- - ? ", "[\n", "{\n ", "&a [", "!t {a: "])
  func `a megabyte of nesting ends at the limit`(pattern: String) {
    let found = fault(Array(String(repeating: pattern, count: 1_000_000 / pattern.utf8.count).utf8))
    #expect(found?.message == "the nesting is deeper than 64 levels")
  }

  @Test func `directives without end are refused where one is too many`() {
    let directives = (1...80_000).map { "%TAG !e\($0)! x\n" }.joined()
    let expected = YAMLFault(.directives, "there are more than 1000 directives", line: 1001, column: 1)
    #expect(fault(Array((directives + "---\na").utf8)) == expected)
    #expect(fault(utf16("\u{FEFF}" + directives, littleEndian: true)) == expected)
  }

  @Test func `percent signs in a text are no directives`() {
    #expect(fault(Array("a: |\n".utf8) + Array(String(repeating: "  %\n", count: 5000).utf8)) == nil)
  }

  @Test func `random texts end, with events or a fault`() {
    var random = SplitMix(seed: 20_261_130)
    let pieces = [
      "a", "b: ", "- ", "? ", ": ", "[", "]", "{", "}", ",", "\n", "\n  ", "\t", "\r\n", "\r", "&x ", "*x ", "!t ",
      "!<", "|",
      ">", "'", "\"", "\\", "%YAML 1.1\n", "%TAG ! x\n", "---\n", "...\n", "#", "@", "社", "👩", "\u{85}", "\u{2028}",
      "\u{FEFF}", "\0", "<<: ", "~",
    ].map { Array($0.utf8) }
    for _ in 0..<20_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...24, using: &random) {
        if Int.random(in: 0..<12, using: &random) == 0 {
          bytes.append(UInt8.random(in: 0...255, using: &random))
        } else if let piece = pieces.randomElement(using: &random) {
          bytes += piece
        }
      }
      var reader = YAMLEventReader(bytes: bytes, maximumDepth: 8)
      var events = 0
      let lines = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
      do throws(YAMLFault) {
        while try reader.next() != .streamEnd, events <= 1000 {
          events += 1
          if reader.line > lines || reader.column < 1 || reader.depth > 8 { Issue.record("\(bytes)") }
        }
      } catch {
        if error.line > lines || error.column < 1 { Issue.record("\(bytes): \(error)") }
      }
      if events > 1000 { Issue.record("no end: \(bytes)") }
      for number in 0...3 { _ = bytes.withUnsafeBytes { sourceLine(number, of: $0) } }
    }
  }
}
