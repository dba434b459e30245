import Testing

@testable import Diagnostics

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("名字", 4), ("ｆｕｌｌ", 8), ("ﾊﾝｶｸ", 4), ("カタカナ", 8),
    ("か\u{3099}", 2), ("한글", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("\u{1F600}", 2), ("\u{1F44D}\u{1F3FD}", 2),
    ("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", 2), ("\u{2764}\u{FE0F}", 2), ("\u{2764}", 1),
    ("\u{1F1E9}\u{1F1EA}", 2), ("a\u{200B}b", 2), ("a\u{AD}b", 2), ("\u{FEFF}a", 1), ("\u{20000}", 2), ("…", 1),
    ("—", 1), ("«»", 2), ("कि", 2), ("ไทย", 3), ("ที่", 1), ("\u{1B}[1m", 3), ("🀄", 2), ("，。", 4), ("\u{3000}", 2),
    ("٣", 1), ("⌚", 2), ("1\u{FE0F}\u{20E3}", 1), ("\u{2602}\u{FE0F}x", 3),
  ])
  func `width in cells`(text: String, width: Int) {
    #expect(displayWidth(text) == width)
    #expect(displayWidth(Substring("<" + text + ">")) == width + 2)
  }

  @Test(arguments: [
    ("ab", 5, Alignment.left, "ab   "), ("ab", 5, .right, "   ab"), ("ab", 5, .centre, " ab  "),
    ("名字", 5, .left, "名字 "), ("名字", 3, .left, "名字"), ("", 2, .right, "  "), ("a", -1, .left, "a"),
  ])
  func `padding counts cells`(text: String, width: Int, alignment: Alignment, expected: String) {
    #expect(padded(text, to: width, alignment) == expected)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""), ("名字很长", 8, "名字很长"),
    ("名字很长", 7, "名字很…"), ("名字很长", 6, "名字…"), ("名字", 2, "…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ("\u{1F468}\u{200D}\u{1F469}abc", 4, "\u{1F468}\u{200D}\u{1F469}a…"),
  ])
  func `cutting counts cells and halves nothing`(text: String, width: Int, expected: String) {
    let cut = truncated(text, to: width)
    #expect(Array(cut.utf8) == Array(expected.utf8))
    #expect(displayWidth(cut) <= max(width, 0))
  }
}
