import Testing
import YAMLEvents

struct YAMLFaultTests {
  static let tab = "a tab can't be used for indentation; use spaces"

  @Test(arguments: [
    ("\ta: b", 1, 1), ("a:\n\tb: c\n", 2, 1), ("a: b\n\tc: d\n", 2, 1), ("a:\n  - b\n \t- c\n", 3, 2),
    ("a: |\n\tb\n", 2, 1), ("社:\n  - 社\n\t- c\n", 3, 1), ("a: b\n\t\n", 2, 1),
  ])
  func `a tab in the indentation is a fault at the tab`(text: String, line: Int, column: Int) {
    let found = fault(Array(text.utf8))
    #expect(found?.reason == .tab)
    #expect(found?.message == Self.tab)
    #expect(found?.line == line)
    #expect(found?.column == column)
  }

  @Test(arguments: ["a:\tb\n", "a: b\t# c\n", "[a,\n\tb]\n"])
  func `a tab elsewhere is none`(text: String) {
    #expect(fault(Array(text.utf8)) == nil)
  }

  @Test(
    arguments: [
      ("a: @core", "1:4: “@” can't begin a value; put the text in quotes", nil),
      ("a: `x", "1:4: “`” can't begin a value; put the text in quotes", nil),
      ("a: \"b\n\nc: d", "1:4: the quotation mark that begins this text has no closing one", nil),
      ("a: [b, c\nd: e\n", "2:2: a “,” or the closing “]” is missing before this", "1:4: the list begins here"),
      ("a: {b: c\nd: e\n", "2:2: a “,” or the closing “}” is missing before this", "1:4: the mapping begins here"),
      ("a: 1\nb\nc: 2\n", "2:1: a “:” is missing after this key", nil),
      ("a: b: c", "1:5: a “:” can't stand here; check the indentation, or put text that holds “: ” in quotes", nil),
      (
        "a: 1\n  b: 2", "2:4: a “:” can't stand here; check the indentation, or put text that holds “: ” in quotes", nil
      ),
      ("a: - b", "1:4: a list can't begin here; put its “-” at the beginning of a line", nil),
      (
        "a: \"b\" c\n",
        "1:8: a key, or the end of the mapping, is expected here; check the indentation and the quotes before it",
        nil
      ),
      (
        "- a\nb: c\n", "2:1: a “-”, or the end of the list, is expected here; check the indentation",
        "1:1: the list begins here"
      ),
      ("a: [b", "1:6: a “,” or the closing “]” is missing before this", nil),
      ("a: [b\n", "2:1: a “,” or the closing “]” is missing before this", "1:4: the list begins here"),
      ("a: [b\u{2028}c", "1:8: a “,” or the closing “]” is missing before this", nil),
      ("社: 1\na: {", "2:5: a value is missing here", nil),
      ("a: ]", "1:4: a value is missing before this, or “]” can't begin one; put text that begins so in quotes", nil),
      ("[a, b] c", "1:8: the document ended before this; check the indentation, or begin another one with “---”", nil),
      (
        "\"\\q\"",
        "1:2: in double quotes “\\” begins an escape, and this one is unknown; write “\\\\” for the character itself",
        nil
      ),
      ("\"\\ud800\"", "1:4: this escape names no Unicode character", nil),
      ("!x!y z", "1:1: no %TAG directive defines the handle of this tag", nil),
      ("!<x y", "1:4: this tag is not well formed", nil),
      ("a: &\n", "1:5: an anchor is “&” and a name of ASCII letters, digits, “-” and “_”, then a space", nil),
      ("a: *社\n", "1:5: an alias is “*” and a name of ASCII letters, digits, “-” and “_”, then a space", nil),
      ("%YAML 1.3\n---\na", "1:1: the text is for another version of YAML; 1.1 and 1.2 are read", nil),
      ("%YAML 1.1\n%YAML 1.1\n---\na", "2:1: the document has a second %YAML directive", nil),
      ("%TAG !e! x\n%TAG !e! y\n---\na", "2:1: the document has a second %TAG directive for this handle", nil),
      ("%FOO x\n---\na", "1:5: only the directives %YAML and %TAG are known", nil),
      (
        "a: |0\n b\n",
        "1:5: after “|” or “>” only an indentation from 1 to 9, “+” or “-”, and a comment can stand in the line",
        nil
      ),
      ("# \u{2028}a: @b", "1:7: “@” can't begin a value; put the text in quotes", nil),
    ] as [(String, String, String?)])
  func `a fault in the syntax is told in plain words at its place`(text: String, expected: String, context: String?) {
    let found = fault(Array(text.utf8))
    #expect(found.map { "\($0)" } == expected)
    #expect(found?.context.map { "\($0.line):\($0.column): \($0.message)" } == context)
  }

  @Test(
    arguments: [
      ([0xFF], "2:4: the text is not valid UTF-8 from here"),
      ([0xE7, 0xA4], "2:4: the text is not valid UTF-8 from here"),
      ([0xED, 0xA0, 0x80], "2:4: the text is not valid UTF-8 from here"),
      ([0xC0, 0x80], "2:4: the text is not valid UTF-8 from here"),
      ([0], "2:4: a NUL character can't stand in YAML"),
      (
        [0x1B],
        "2:4: the character U+001B can't stand in YAML as it is; in double quotes it can be written as an escape"
      ),
    ] as [([UInt8], String)])
  func `bytes that are no text are a fault where they begin`(bytes: [UInt8], expected: String) {
    #expect(fault(Array("社: \n社: ".utf8) + bytes).map { "\($0)" } == expected)
    #expect(fault(Array("\u{FEFF}社: \r\n社: ".utf8) + bytes).map { "\($0)" } == expected)
    #expect(fault(Array("社: \n社: ".utf8) + bytes + Array("\nb: c\n".utf8)).map { "\($0)" } == expected)
  }

  @Test(
    arguments: [
      ("a: @", .syntax), ("\ta", .tab), ("\0a\0", .encoding), ("aaa\0", .character), ("[[[", .nesting),
    ] as [(String, YAMLFault.Reason)])
  func `faults are told apart by their reason`(text: String, reason: YAMLFault.Reason) {
    #expect(fault(Array(text.utf8), maximumDepth: 2)?.reason == reason)
  }

  @Test(arguments: [true, false])
  func `half a character of UTF-16 is a fault where it begins`(littleEndian: Bool) {
    let start = utf16("\u{FEFF}a: \nb: 👩", littleEndian: littleEndian)
    let surrogate: [UInt8] = littleEndian ? [0x3D, 0xD8] : [0xD8, 0x3D]
    #expect(fault(start + surrogate).map { "\($0)" } == "2:5: the text is not valid UTF-16 from here")
    #expect(
      fault(start + surrogate + utf16("a", littleEndian: littleEndian)).map { "\($0)" }
        == "2:5: the text is not valid UTF-16 from here")
    #expect(fault(start + [0x61]).map { "\($0)" } == "2:5: the text is not valid UTF-16 from here")
  }
}
