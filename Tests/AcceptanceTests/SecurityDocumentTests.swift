import Testing
import Testkit

/// `docs/security.md` names tests for what it says; they have to be there.
struct SecurityDocumentTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()

  private static func swiftFiles(below folder: String) -> [String] {
    TemporaryFolder.names(in: folder).flatMap { name in
      name.hasSuffix(".swift")
        ? ["\(folder)/\(name)"] : name.contains(".") ? [] : swiftFiles(below: "\(folder)/\(name)")
    }
  }

  private static func text(_ path: String) throws -> String {
    String(decoding: try #require(TemporaryFolder.bytes(of: path), "\(path)"), as: UTF8.self)
  }

  @Test func `each test that the page on security names is there, in the suite that it names`() throws {
    let page = try Self.text("\(Self.root)/docs/security.md")
    var suites: [String: String] = [:]
    for path in Self.swiftFiles(below: "\(Self.root)/Tests") {
      let name = path.split(separator: "/").last.map { String($0.dropLast(6)) } ?? ""
      suites[name, default: ""] += try Self.text(path)
    }
    var named = 0
    for line in page.split(separator: "\n") where line.hasPrefix("- `") {
      let span = line.dropFirst(3).prefix { $0 != "`" }
      let dot = try #require(span.firstIndex(of: "."), "\(line)")
      let (suite, sentence) = (String(span[..<dot]), span[span.index(after: dot)...])
      let source = try #require(suites[suite], "no suite \(suite)")
      #expect(source.contains("func `\(sentence)`("), "\(suite) has no test '\(sentence)'")
      named += 1
    }
    #expect(named > 40)
    for page in ["README.md", "docs/architecture.md", "docs/ci.md"] {
      #expect(try Self.text("\(Self.root)/\(page)").contains("security.md)"), "\(page) does not lead there")
    }
  }
}
