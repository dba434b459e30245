import Testing

@testable import Diagnostics

@Suite struct TerminalTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("名字 — “x” … 👨‍👩", "名字 — “x” … 👨‍👩"), ("\u{1B}[31m", "\\u{1b}[31m"), ("a\u{0}b", "a\\u{0}b"),
    ("a\nb\tc\rd", "a\\nb\\tc\\rd"), ("\u{7F}", "\\u{7f}"), ("\u{9B}31m", "\\u{9b}31m"), ("\u{A0}", "\u{A0}"),
    ("\u{202E}abc\u{202C}", "\\u{202e}abc\\u{202c}"), ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
    ("a\r\nb", "a\\r\\nb"), ("x\u{2028}y", "x\\u{2028}y"),
    ("\u{2027}\u{202F}\u{2065}\u{206A}", "\u{2027}\u{202F}\\u{2065}\\u{206a}"),
    ("a\u{200F}\u{FEFF}b\u{E0041}", "a\\u{200f}\\u{feff}b\\u{e0041}"), ("a\u{AD}\u{3164}", "a\\u{ad}\\u{3164}"),
    ("👩🏽\u{200D}🔧 ❤\u{FE0F}\u{200D}🔥", "👩🏽\u{200D}🔧 ❤\u{FE0F}\u{200D}🔥"),
    ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("a\u{200D}b\u{200C}", "a\\u{200d}b\\u{200c}"),
    ("👩\u{200D}\u{200D}🔧", "👩\\u{200d}\\u{200d}🔧"),
    ("e\u{202A}", "e\\u{202a}"),
  ])
  func `what steers a terminal becomes visible`(text: String, expected: String) {
    #expect(Array(terminalSafe(text).utf8) == Array(expected.utf8))
  }

  @Test func `line breaks and tabs stay in text of several lines`() {
    #expect(terminalSafe("a\n\tb\u{7}", singleLine: false) == "a\n\tb\\u{7}")
  }

  @Test func `the byte-wise check agrees with the scalars`() {
    let ranges: [ClosedRange<UInt32>] = [0...0xFFFF, 0x1BC00...0x1D200, 0xE0000...0xE1010]
    for scalar in ranges.joined().compactMap(Unicode.Scalar.init) {
      for singleLine in [false, true] {
        var expected = ""
        forEachVisible(in: CollectionOfOne(scalar), singleLine: singleLine) { expected += $1 ?? String($0) }
        let text = terminalSafe(String(scalar), singleLine: singleLine)
        if !text.utf8.elementsEqual(expected.utf8) { Issue.record("U+\(String(scalar.value, radix: 16))") }
      }
    }
  }
}
