import Glibc
import JSONText
import Testing

@testable import CircleReport

struct ByteSinkTests {
  @Test func `a full device is told`() {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(throws: OutputError.noSpace) { try fill(descriptor, pieces: 1) }
  }

  @Test func `a reader who has gone is told`() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    #expect(throws: OutputError.brokenPipe) { try fill(ends[1], pieces: 1) }
  }

  @Test func `a descriptor that is not open is told with the system's number`() {
    #expect(throws: OutputError.failed(number: EBADF)) { try fill(-1, pieces: 1) }
    #expect(OutputError.failed(number: EBADF).message == "Bad file descriptor")
  }

  @Test func `a report that fails half-way says why`() {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let events = Array(repeating: SampleEvent.all, count: 500).flatMap { $0 }
    for format in OutputFormat.allCases {
      var sink = ByteSink(descriptor: descriptor)
      #expect(throws: RenderError.output(.noSpace)) {
        try Report(
          command: "events list", result: .done, sections: [.events(SampleEvent.section(.listing, events))]
        ).write(as: format, to: &sink)
      }
    }
  }

  @Test(arguments: [0, 1, 8192, 8193, 16_384, 40_001])
  func `a list that is put together on two threads is whole and in order`(count: Int) throws {
    var sink = ByteSink()
    sink.buffer.append("before\n")
    try sink.append(count) { range, buffer in
      for number in range {
        buffer.append(decimal: number)
        buffer.append("\n")
      }
    }
    sink.buffer.append("after\n")
    let text = String(decoding: sink.bytes, as: UTF8.self)
    #expect(text == "before\n" + (0..<count).map { "\($0)\n" }.joined() + "after\n")
  }

  @Test func `all bytes reach a file in order`() throws {
    var path = Array("/tmp/circle-report-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    try #require(descriptor >= 0)
    unlink(path)
    defer { close(descriptor) }
    try fill(descriptor, pieces: 3)
    var bytes = [UInt8](repeating: 0, count: 4 * ByteBuffer.piece)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    #expect(count == 3 * ByteBuffer.piece)
    #expect(bytes[..<max(count, 0)].indices.allSatisfy { bytes[$0] == UInt8(truncatingIfNeeded: $0) })
  }

  private func fill(_ descriptor: Int32, pieces: Int) throws(OutputError) {
    var sink = ByteSink(descriptor: descriptor)
    for number in 0..<(pieces * ByteBuffer.piece) {
      sink.buffer.append(UInt8(truncatingIfNeeded: number))
      try sink.drain()
    }
    try sink.flush()
  }
}
