import Testing

@testable import CommandTree

struct ProseTests {
  @Test(arguments: [
    ("", 10, []),
    ("   ", 10, []),
    ("one two three", 7, ["one two", "three"]),
    ("one two three", 8, ["one two", "three"]),
    ("onetwothree four", 5, ["onetw", "othre", "e", "four"]),
    ("onetwo x", 5, ["onetw", "o x"]),
    ("中文字 x", 4, ["中文", "字 x"]),
    ("中文字", 1, ["中", "文", "字"]),
    ("one two", 0, ["o", "n", "e", "t", "w", "o"]),
  ])
  func `text is wrapped by display width`(text: String, width: Int, lines: [String]) {
    #expect(wrapped(text, to: width) == lines)
  }

  @Test
  func `paragraphs are joined and indented lines kept`() {
    #expect(
      Prose("a\nb\n\nc\n  x  y\n    z\nd\n\n\n").blocks
        == [.paragraph("a b"), .paragraph("c"), .verbatim(["x  y", "  z"]), .paragraph("d")])
  }

  @Test(
    arguments: [
      ("a  b", ["a", "b"]),
      ("a 'b c'd \"e 'f\" ''", ["a", "b cd", "e 'f", ""]),
      (#"a\ b "c\"d""#, ["a b", "c\"d"]),
      ("a b|c", ["a", "b"]),
      ("a#b #c", ["a#b"]),
      ("a 'b", nil),
      ("a \\", nil),
    ] as [(String, [String]?)])
  func `a shell line is split into words`(line: String, words: [String]?) {
    #expect(shellWords(line) == words)
  }
}
