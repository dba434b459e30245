import Diagnostics
import JSONText
import Testing

@testable import CircleReport

struct AlignedLinesTests {
  private func lines(_ rows: [[String]]) -> String {
    var lines = AlignedLines([.left, .right, .left], indent: 1, style: TextStyle())
    var buffer = ByteBuffer()
    for row in rows { lines.append(row.map { .init($0) }, to: &buffer) }
    lines.flush(to: &buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  @Test func `columns stand under each other by display width`() {
    #expect(
      lines([["中文", "1", "a"], ["b", "100", ""], ["", "", ""], ["e\u{301}", "", "c"]]) == """
         中文    1  a
         b     100

         e\u{301}          c

        """)
  }

  @Test func `a column in which nothing stands takes no room`() {
    #expect(lines([["a", "", "x"], ["bb", "", "y"]]) == " a   x\n bb  y\n")
  }

  @Test func `a cell that is too wide pushes its own line only`() {
    let long = String(repeating: "x", count: 65)
    #expect(lines([[long, "1", "a"], ["b", "1", "a"]]) == " \(long)  1  a\n b  1  a\n")
  }

  @Test func `many lines go out in batches, and columns only grow`() {
    let rows = (0..<300).map { [$0 < 256 ? "wide" : "b", "1", "a"] }
    let text = lines(rows).split(separator: "\n")
    #expect(text.count == 300)
    #expect(text.last == " b     1  a")
  }
}
