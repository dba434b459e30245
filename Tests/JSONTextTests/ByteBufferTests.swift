import Glibc
import Testing

@testable import JSONText

@Suite struct ByteBufferTests {
  @Test(arguments: [
    0, 1, 9, 10, 99, 100, 12_345, -1, -10, Int.max, Int.min, 999_999_999_999_999_999, 1_000_000_000_000_000_000,
  ])
  func `numbers are written in decimal`(number: Int) {
    var buffer = ByteBuffer()
    buffer.append(decimal: number)
    let bytes = buffer.bytes
    #expect(bytes == Array(String(number).utf8))
  }

  @Test(arguments: [UInt64.max, 10_000_000_000_000_000_000, 9_999_999_999_999_999_999])
  func `large unsigned numbers are written in decimal`(number: UInt64) {
    var buffer = ByteBuffer()
    buffer.append(decimal: number)
    let bytes = buffer.bytes
    #expect(bytes == Array(String(number).utf8))
  }

  @Test func `it grows with what is appended`() {
    var buffer = ByteBuffer(capacity: 0)
    var expected: [UInt8] = []
    for number in 0..<1000 {
      buffer.append("static ")
      buffer.append(utf8: "text \(number)")
      buffer.append(utf8: "sub>")
      buffer.append(bytes: [1, 2, 3])
      buffer.append(UInt8(ascii: "\n"))
      expected += Array("static text \(number)sub>".utf8) + [1, 2, 3, 0x0A]
    }
    var copy = ByteBuffer()
    copy.append(bytes: buffer)
    let bytes = buffer.bytes
    #expect(bytes == expected)
    let copied = copy.bytes
    #expect(copied == expected)
    let lent = copy.withBytes { $0.count }
    #expect(lent == expected.count)
    buffer.removeAll()
    let isEmpty = buffer.isEmpty
    #expect(isEmpty)
  }

  @Test func `a sink gets pieces and what it refuses stays`() throws {
    struct Refusal: Error {}
    var buffer = ByteBuffer()
    var taken: [Int] = []
    for _ in 0..<100 {
      buffer.append(bytes: Array(repeating: 7, count: 10_000))
      buffer.drain { taken.append($0.count) }
    }
    #expect(taken.allSatisfy { $0 >= ByteBuffer.piece && $0 < ByteBuffer.piece + 10_000 })
    let left = buffer.count
    var isRefused = false
    do {
      try buffer.drain(atLeast: 1) { _ throws(Refusal) in throw Refusal() }
    } catch {
      isRefused = true
    }
    #expect(isRefused)
    let kept = buffer.count
    #expect(kept == left)
    buffer.drain(atLeast: 1) { taken.append($0.count) }
    buffer.drain(atLeast: 0) { _ in Issue.record("an empty buffer has nothing to give") }
    #expect(taken.reduce(0, +) == 1_000_000)
  }

  @Test func `a descriptor gets all bytes, and a failure tells the system's number`() throws {
    let path = "/proc/self/fd"
    let wrong = open(path, O_RDONLY | O_DIRECTORY)
    defer { close(wrong) }
    #expect(throws: DescriptorSink.Failure(number: EBADF)) {
      try [UInt8(1)].withUnsafeBytes { try DescriptorSink(descriptor: wrong).write($0) }
    }
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0)
    try Array("hello".utf8).withUnsafeBytes { try DescriptorSink(descriptor: ends[1]).write($0) }
    close(ends[1])
    var got = Array(repeating: UInt8(0), count: 16)
    #expect(read(ends[0], &got, 16) == 5)
    #expect(got.starts(with: Array("hello".utf8)))
    close(ends[0])
  }
}
