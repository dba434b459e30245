import Glibc
import Testing
import Testkit

@testable import CircleCLI

struct ProgressDisplayTests {
  private func shown(
    for milliseconds: UInt32, isOnTerminal: Bool, columns: Int? = nil, rows: Int = 1234, share: Int? = nil
  ) throws -> String {
    let folder = try TemporaryFolder()
    try folder.write("", to: "errors")
    let descriptor = open(folder.path("errors"), O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let console = Console(output: -1, errors: descriptor)
    let stopwatch = Stopwatch()
    let display = ProgressDisplay(
      console: console, stopwatch: stopwatch, isOnTerminal: isOnTerminal, columns: { columns })
    stopwatch.begin(.planning)
    stopwatch.count(rows, share: share)
    usleep(milliseconds * 1000)
    display?.stop()
    return try folder.read("errors")
  }

  @Test func `what takes less than half a second shows nothing`() throws {
    #expect(try shown(for: 20, isOnTerminal: true) == "")
    #expect(try shown(for: 20, isOnTerminal: false) == "")
  }

  @Test func `a terminal has one line that is wiped at the end`() throws {
    let text = try shown(for: 900, isOnTerminal: true)
    #expect(text.contains("circlectl: planning, 1,234, 0."))
    #expect(!text.contains("\n"))
    #expect(text.utf8.suffix(4).elementsEqual("\r\u{1B}[K".utf8))
  }

  @Test func `a line that the terminal would break is cut`() throws {
    let text = try shown(for: 900, isOnTerminal: true, columns: 20)
    #expect(text.contains("\r\u{1B}[Kcirclectl: plannin…"))
    #expect(!text.contains("planning"))
  }

  @Test func `elsewhere a plain line comes after half a second, and then each second`() throws {
    let lines = try shown(for: 1800, isOnTerminal: false).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix("circlectl: planning, 1,234, ") && $0.hasSuffix(" s") })
  }

  @Test(arguments: [(80, true), (90, true), (72, false), (66, false), (200, true)])
  func `a line that is too long has a shorter bar, or none, and all of its numbers`(columns: Int, hasBar: Bool) throws {
    let text = try shown(for: 700, isOnTerminal: true, columns: columns, rows: 24_576, share: 410)
    let line = try #require(text.split(separator: "\u{1B}[K").first { $0.contains("circlectl") })
    #expect(line.utf8.count { $0 != 0x0D } < columns)
    #expect(line.contains("40%, 24,576 rows, ") && line.contains(" a second, ") && line.contains(" s left"))
    #expect(line.contains("[##") == hasBar)
    #expect(line.contains("[########............]") == (columns == 200))
  }
}
