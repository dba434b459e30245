import Glibc
import Testing
import Testkit

/// A file of the repository that tells, in whole or in part, what the program says of itself.
struct Document {
  /// The folder of the package.
  static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")

  /// From the folder of the package on.
  let name: String
  let text: String

  /// - Parameter isMade: whether all of it is made, so that it may not be there yet.
  init(_ name: String, isMade: Bool = false) throws {
    self.name = name
    if isMade, access("\(Self.root)/\(name)", F_OK) != 0 {
      text = ""
      return
    }
    guard let file = fopen("\(Self.root)/\(name)", "r") else {
      throw TemporaryFolder.Failure(description: "can't read \(name)")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte >= 0 { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    text = String(decoding: bytes, as: UTF8.self)
  }

  var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

  /// What stands in its fenced blocks of a language, in order.
  func blocks(of language: String) -> [String] {
    var blocks: [String] = []
    var block: String?
    for line in lines {
      if block == nil {
        if line == "```\(language)" { block = "" }
      } else if line == "```" {
        blocks.append(block ?? "")
        block = nil
      } else {
        block? += "\(line)\n"
      }
    }
    return blocks
  }

  /// Compares the file with what it would be if it were made now; with `CIRCLE_RECORD=1` in the environment it is
  /// made now.
  func expect(_ fresh: String) throws {
    if text.utf8.elementsEqual(fresh.utf8) { return }
    if getenv("CIRCLE_RECORD").map({ String(cString: $0) }) == "1" { return try write(fresh) }
    let freshLines = fresh.split(separator: "\n", omittingEmptySubsequences: false)
    let same = zip(lines, freshLines).prefix { $0.utf8.elementsEqual($1.utf8) }.count
    func line(_ lines: [Substring]) -> Substring { same < lines.count ? lines[same] : "(the end)" }
    Issue.record(
      """
      \(name):\(same + 1) is stale; 'make generate' mends it.
        it says: \(line(lines))
        and not: \(line(freshLines))
      """)
  }

  private func write(_ fresh: String) throws {
    guard let file = fopen("\(Self.root)/\(name)", "w") else {
      throw TemporaryFolder.Failure(description: "can't write \(name)")
    }
    defer { fclose(file) }
    let bytes = Array(fresh.utf8)
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw TemporaryFolder.Failure(description: "can't write \(name)")
    }
  }
}

/// Rows of a Markdown table, which stands under a heading.
struct DocumentTable {
  let heading: String
  let rows: [[String]]

  /// The text with these rows instead of those that the first table under the heading has.
  func replacingRows(in text: String) throws -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let place = try #require(lines.firstIndex { $0 == heading }, "no heading '\(heading)'")
    let rule = try #require(lines[place...].firstIndex { $0.hasPrefix("| ---") }, "no table under '\(heading)'")
    let end = lines[(rule + 1)...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
    let fresh = rows.map { Substring("| \($0.joined(separator: " | ")) |") }
    return (lines[...rule] + fresh + lines[end...]).joined(separator: "\n")
  }
}
