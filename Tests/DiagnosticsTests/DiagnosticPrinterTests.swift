import Testing

@testable import Diagnostics

@Suite struct DiagnosticPrinterTests {
  private func printed(
    _ source: String, line: Int = 1, column: Int, end: Int? = nil, path: String = "a.yaml", colour: Bool = false
  ) -> String {
    var files = SourceFiles()
    let file = files.add(path: path, bytes: Array(source.utf8))
    let place = Place(file: file, line: line, column: column)
    return DiagnosticPrinter(files: files, colour: colour)
      .text(of: .error("test.fault", "wrong", at: place, end: end))
  }

  @Test func `an error is shown with its line and a caret as wide as the key`() {
    var files = SourceFiles()
    let file = files.add(path: "manifests/a.yaml", bytes: Array("x:\n    moderator: [bob]\n".utf8))
    let text = DiagnosticPrinter(files: files).text(
      of: .error(
        "manifest.unknown-key", "unknown key 'moderator' in server 'x'; did you mean 'moderators'?",
        at: Place(file: file, line: 2, column: 5), end: 14))
    #expect(
      text == """
        manifests/a.yaml:2:5: error: unknown key 'moderator' in server 'x'; did you mean 'moderators'? \
        [manifest.unknown-key]
          2 |     moderator: [bob]
            |     ^~~~~~~~~

        """)
  }

  @Test(arguments: [
    (0, 5, "abcdefgh", "    ^~"), (4, 5, "abcdefgh", "    ^~"), (2, 50, "…abcdefgh", "   ^~"),
  ])
  func `what was kept of a line is quoted instead of the line`(
    lead: Int, column: Int, text: String, caret: String
  ) throws {
    var files = SourceFiles()
    let place = Place(file: files.add(path: "a", bytes: Array("another line".utf8)), line: 1, column: column)
    var fault = Diagnostic.error("test.fault", "wrong", at: place, end: column + 2)
    fault.quote =
      lead == 0
      ? Quote(line: "abcdefgh", column: column) : Quote("abcdefgh", lead: lead, column: column, goesOn: false)
    #expect(
      DiagnosticPrinter(files: files).text(of: fault)
        == "a:1:\(column): error: wrong [test.fault]\n  1 | \(text)\n    | \(caret)\n")
  }

  @Test func `of a long line the part around the column is kept`() {
    let line = String(repeating: "周", count: 1000) + "x" + String(repeating: "y", count: 1000)
    let quote = Quote(line: line, column: 1001)
    #expect(quote.text.unicodeScalars.count == 2 * Quote.reach + 2)
    #expect(quote.text.unicodeScalars.dropFirst(quote.column - 1).first == "x")
    #expect(quote.text.hasPrefix("…周") && quote.text.hasSuffix("y…"))
    #expect(Quote(line: line, column: 0) == Quote(String(line.prefix(Quote.reach)), lead: 0, column: 0, goesOn: true))
    #expect(Quote(line: "ab", column: 9).column > 2)
  }

  @Test func `notes and help follow in the same form`() {
    var files = SourceFiles()
    let file = files.add(path: "a.yaml", bytes: Array("a: 1\nb: 2\n".utf8))
    let text = DiagnosticPrinter(files: files).text(
      of: .warning(
        "test.twice", "given twice", at: Place(file: file, line: 2, column: 1), end: 2,
        notes: [.init("first given here", at: Place(file: file, line: 1, column: 1))], help: "take one out"))
    #expect(
      text == """
        a.yaml:2:1: warning: given twice [test.twice]
          2 | b: 2
            | ^
            = help: take one out
        a.yaml:1:1: note: first given here
          1 | a: 1
            | ^

        """)
  }

  @Test(arguments: [
    ("名字: x", 5, 6, "  1 | 名字: x\n    |       ^\n"),
    ("名字: x", 1, 3, "  1 | 名字: x\n    | ^~~~\n"),
    ("\te\u{301}b", 4, nil, "  1 | \te\u{301}b\n    | \t ^\n"),
    ("ab", 9, nil, "  1 | ab\n    |   ^\n"),
    ("ab", 2, 50, "  1 | ab\n    |  ^\n"),
    ("a\u{1B}[31mb", 7, nil, "  1 | a\\u{1b}[31mb\n    |            ^\n"),
    ("", 1, nil, "  1 | \n    | ^\n"),
  ])
  func `the caret stands under the column in cells`(source: String, column: Int, end: Int?, expected: String) {
    #expect(printed(source, column: column, end: end) == "a.yaml:1:\(column): error: wrong [test.fault]\n" + expected)
  }

  @Test(arguments: [1, 30, 100, 500, 991, 1000])
  func `a long line is cut to a window around the caret`(column: Int) throws {
    var line = Array(repeating: Character("x"), count: 1000)
    line[column - 1] = "O"
    let rows = printed(String(line), column: column).split(separator: "\n")
    #expect(rows.count == 3)
    #expect(displayWidth(rows[1]) <= 170)
    let shown = Array(rows[1])
    let caret = try #require(Array(rows[2]).firstIndex(of: "^"))
    #expect(shown[caret] == "O")
    #expect((shown.last == "…") == (column < 900))
    #expect(shown.contains("…"))
  }

  @Test func `a place without a column or a line or a file is shown without what is missing`() {
    var files = SourceFiles()
    let file = files.add(path: "a.yaml", bytes: Array("a\nb\n".utf8))
    let missing = files.add(path: "/nowhere/b.yaml")
    let printer = DiagnosticPrinter(files: files)
    func text(_ place: Place) -> String { printer.text(of: .error("test.fault", "wrong", at: place, help: "mend it")) }
    #expect(
      text(Place(file: file, line: 2, column: 0)) == """
        a.yaml:2: error: wrong [test.fault]
          2 | b
            = help: mend it

        """)
    #expect(text(Place(file: file, line: 0, column: 0)) == "a.yaml: error: wrong [test.fault]\n  = help: mend it\n")
    #expect(text(.none) == "error: wrong [test.fault]\n  = help: mend it\n")
    #expect(
      text(Place(file: missing, line: 3, column: 4)) == "/nowhere/b.yaml:3:4: error: wrong [test.fault]\n"
        + "  = help: mend it\n")
  }

  @Test func `colour marks the place, the severity and the caret`() {
    #expect(
      printed("ab", column: 1, colour: true)
        == "\u{1B}[1ma.yaml:1:1:\u{1B}[0m \u{1B}[1;31merror:\u{1B}[0m \u{1B}[1mwrong [test.fault]\u{1B}[0m\n"
        + "  1 | ab\n    | \u{1B}[1;31m^\u{1B}[0m\n")
  }

  @Test func `a path with a line break can't forge a diagnostic`() {
    #expect(printed("ab", column: 0, path: "x\ny\u{202E}").hasPrefix("x\\ny\\u{202e}:1: error: wrong"))
  }

  @Test(arguments: [(101, "… and 1 more error\n"), (350, "… and 250 more errors\n")])
  func `what was not kept is counted at the end`(count: Int, last: String) {
    var collector = DiagnosticCollector()
    for number in 0..<count { collector.append(.error("test.fault", "wrong \(number)")) }
    let text = DiagnosticPrinter(files: SourceFiles()).text(of: collector)
    #expect(text.hasPrefix("error: wrong 0 [test.fault]\nerror: wrong 1 [test.fault]\n"))
    #expect(text.hasSuffix("error: wrong 99 [test.fault]\n" + last))
  }
}
