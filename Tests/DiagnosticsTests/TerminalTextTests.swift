import Testing

@testable import Diagnostics

@Suite struct TerminalTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("名字 — “x” … 👨‍👩", "名字 — “x” … 👨‍👩"), ("\u{1B}[31m", "\\u{1b}[31m"), ("a\u{0}b", "a\\u{0}b"),
    ("a\nb\tc\rd", "a\\nb\\tc\\rd"), ("\u{7F}", "\\u{7f}"), ("\u{9B}31m", "\\u{9b}31m"), ("\u{A0}", "\u{A0}"),
    ("\u{202E}abc\u{202C}", "\\u{202e}abc\\u{202c}"), ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
    ("a\r\nb", "a\\r\\nb"), ("x\u{2028}y", "x\\u{2028}y"),
    ("\u{2027}\u{202F}\u{2065}\u{206A}", "\u{2027}\u{202F}\u{2065}\u{206A}"),
    ("e\u{202A}", "e\\u{202a}"),
  ])
  func `what steers a terminal becomes visible`(text: String, expected: String) {
    #expect(Array(terminalSafe(text).utf8) == Array(expected.utf8))
  }

  @Test func `line breaks and tabs stay in text of several lines`() {
    #expect(terminalSafe("a\n\tb\u{7}", singleLine: false) == "a\n\tb\\u{7}")
  }

  @Test func `the byte-wise check agrees with the scalars`() {
    for value in (0...0x3000 as ClosedRange<UInt32>) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for singleLine in [false, true] {
        let expected = visibleForm(of: scalar, singleLine: singleLine) ?? String(scalar)
        #expect(Array(terminalSafe(String(scalar), singleLine: singleLine).utf8) == Array(expected.utf8))
      }
    }
  }
}
