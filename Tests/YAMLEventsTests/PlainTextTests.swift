import Testing

@testable import YAMLEvents

struct PlainTextTests {
  private func holds(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes(PlainText.holds) }

  @Test func `each byte of ASCII is judged alike, wherever it stands`() {
    for byte in UInt8(0)...127 {
      let isPlain = byte == 0x0A || (0x20...0x7E).contains(byte)
      for place in 0..<11 {
        var bytes = [UInt8](repeating: 0x61, count: 11)
        bytes[place] = byte
        if holds(bytes) != isPlain { Issue.record("\(byte) at \(place)") }
      }
    }
  }

  @Test func `characters are held that libyaml reads, line breaks and byte order marks aside`() {
    let edges: [UInt32] = [0x80, 0x85, 0xA0, 0x7FF, 0x800, 0x2028, 0xD7FF, 0xE000, 0xFEFF, 0xFFFD, 0xFFFF, 0x10000]
    for edge in edges + [0x1FFFE, 0x20000, 0x10FFFF] {
      for value in edge - 3...edge + 3 {
        guard value >= 0x80, let character = Unicode.Scalar(value) else { continue }
        let bytes = Array("a: \(character)b".utf8)
        let isBreakOrMark = [0x85, 0x2028, 0x2029, 0xFEFF].contains(value)
        if holds(bytes) != (fault(bytes) == nil && !isBreakOrMark) { Issue.record("\(value)") }
      }
    }
  }

  @Test func `bytes that are no UTF-8 are not held`() {
    for lead in UInt8(0x80)...0xFF {
      for next in UInt8(0)...0xFF {
        for rest in [[], [0x80], [0xBF], [0x80, 0x80], [0xBF, 0xBF], [0x61, 0x61]] as [[UInt8]] {
          let bytes = [0x61, lead, next] + rest
          guard holds(bytes) else { continue }
          if String(validating: bytes, as: UTF8.self) == nil { Issue.record("\(bytes)") }
        }
      }
    }
  }
}
