import Testing

@testable import CircleReport

struct EscapingTests {
  struct Case: Sendable {
    var text: String
    var expected: String

    init(_ text: String, _ expected: String) {
      self.text = text
      self.expected = expected
    }
  }

  @Test(arguments: [
    Case("plain", "plain"),
    Case("<script>alert(\"1\")</script>", "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;"),
    Case("it's & \u{1B}[31m", "it&#39;s &amp; \\u{1b}[31m"),
    Case("a\nb\u{202E}c", "a\\nb\\u{202e}c"),
    Case("]]>", "]]&gt;"),
    Case("\u{FFFE}\u{FFFF}\u{0}", "\\u{fffe}\\u{ffff}\\u{0}"),
    Case("社区 😀", "社区 😀"),
  ])
  func `HTML and XML escape what is put into them`(_ example: Case) {
    #expect(("<p>\(example.text)</p>" as HTML).text == "<p>\(example.expected)</p>")
    #expect(("<p a=\"\(example.text)\"/>" as XML).text == "<p a=\"\(example.expected)\"/>")
    #expect(("\(given: example.text)" as HTML).text == "<bdi>\(example.expected)</bdi>")
  }

  @Test(arguments: [
    Case("plain words, and 'more'.", "plain words, and 'more'."),
    Case("<b>|`*_[x](y)", "&#60;b&#62;&#124;&#96;&#42;&#95;&#91;x&#93;(y)"),
    Case("- item", "&#45; item"),
    Case("1. item", "&#49;. item"),
    Case("    code", "&#32;   code"),
    Case("hi @all, #12", "hi &#64;\u{2060}all, &#35;\u{2060}12"),
    Case("https://x.example", "https:&#47;/x.example"),
    Case("www.x.example", "www&#46;x.example"),
    Case("a\nb\u{202E}", "a&#92;nb&#92;u&#123;202e&#125;"),
  ])
  func `a sentence is no Markdown`(_ example: Case) {
    #expect(("\(example.text)" as Markdown).text == example.expected)
  }

  @Test(arguments: [
    Case("plain", "`plain`"),
    Case("", "(empty)"),
    Case("a`b", "``a`b``"),
    Case("`a``b`", "``` `a``b` ```"),
    Case(" a", "`  a `"),
    Case("a|b", "`a\\|b`"),
    Case("a\\|b", "`a\\\\u{7c}b`"),
    Case("a\nb", "`a\\nb`"),
  ])
  func `a value in a cell is code`(_ example: Case) {
    #expect(("\(cell: example.text)" as Markdown).text == example.expected)
  }

  @Test func `a value outside tables keeps its bars`() {
    #expect(("\(code: "a|b")" as Markdown).text == "`a|b`")
  }

  @Test func `a workflow command is one line whatever is put into it`() {
    let command = WorkflowCommand(
      name: "error", properties: [("file", "a,b:c%.yaml"), ("title", "x\n::set-output name=a::b")],
      message: ["100% sure", "::stop-commands::x\r\n"])
    #expect(
      command.text
        == "::error file=a%2Cb%3Ac%25.yaml,title=x\\n%3A%3Aset-output name=a%3A%3Ab"
        + "::100%25 sure%0A::stop-commands::x\\r\\n")
  }

  @Test(arguments: [
    Case("manifests/a.yaml", "manifests/a.yaml"),
    Case("/tmp/社 a.yaml", "file:///tmp/%E7%A4%BE%20a.yaml"),
    Case("c:x?y#z", "c%3Ax%3Fy%23z"),
  ])
  func `a path as a URI reference`(_ example: Case) {
    #expect(fileReference(example.text) == example.expected)
  }

  @Test(arguments: [
    Case("", ""), Case("f", "Zg=="), Case("fo", "Zm8="), Case("foo", "Zm9v"), Case("foob", "Zm9vYg=="),
    Case("\u{7F}ÿ", "f8O/"),
  ])
  func `Base64 as RFC 4648 has it`(_ example: Case) {
    #expect(base64(Array(example.text.utf8)) == example.expected)
  }
}
