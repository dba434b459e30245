import Glibc
import Testing
import Testkit

@testable import CircleCLI

struct ProgressDisplayTests {
  private func shown(for milliseconds: UInt32, isOnTerminal: Bool, columns: Int? = nil) throws -> String {
    let folder = try TemporaryFolder()
    try folder.write("", to: "errors")
    let descriptor = open(folder.path("errors"), O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let console = Console(output: -1, errors: descriptor)
    let stopwatch = Stopwatch()
    let display = ProgressDisplay(
      console: console, stopwatch: stopwatch, isOnTerminal: isOnTerminal, columns: { columns })
    stopwatch.begin(.planning)
    stopwatch.count(1234)
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

  @Test func `elsewhere a plain line comes now and then`() throws {
    #expect(try shown(for: 2300, isOnTerminal: false) == "circlectl: planning, 1,234, 2 s\n")
  }
}
