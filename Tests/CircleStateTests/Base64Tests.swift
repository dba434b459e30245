import JSONText
import Testing

@testable import CircleState

struct Base64Tests {
  private func encoded(_ bytes: [UInt8]) -> String {
    var buffer = ByteBuffer()
    bytes.withUnsafeBytes { Base64.append($0, to: &buffer) }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  private func decoded(_ text: String) -> [UInt8]? {
    Array(text.utf8).withUnsafeBytes { Base64.decode($0) }
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func `the examples of the standard`(plain: String, text: String) {
    #expect(encoded(Array(plain.utf8)) == text)
    #expect(decoded(text) == Array(plain.utf8))
  }

  @Test func `all bytes come back`() {
    for count in 0..<300 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
      #expect(decoded(encoded(bytes)) == bytes)
    }
  }

  @Test(arguments: ["A", "AA", "AAA", "A===", "====", "AA=A", "Zh==", "Zm9=", "Zm9v*===", "Zm 9", "Zg==Zg==", "é==="])
  func `what is never written is refused`(text: String) {
    #expect(decoded(text) == nil)
  }
}
