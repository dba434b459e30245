import Digest
import Testing

struct SHA256Tests {
  static let vectors: [(text: String, hex: String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ]

  @Test(arguments: vectors)
  func `gives the digests that NIST publishes`(vector: (text: String, hex: String)) {
    #expect(SHA256.digest(of: vector.text).hex == vector.hex)
    #expect(SHA256.digest(of: Array(vector.text.utf8)).hex == vector.hex)
  }

  @Test(arguments: [1, 3, 63, 64, 65, 1000])
  func `the pieces in which the bytes come do not matter`(size: Int) {
    let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var hash = SHA256()
    for start in stride(from: 0, to: bytes.count, by: size) {
      hash.update(Array(bytes[start..<min(start + size, bytes.count)]))
      hash.update([])
    }
    #expect(hash.finish() == SHA256.digest(of: bytes))
  }

  @Test func `a copy continues on its own`() {
    var one = SHA256()
    one.update("ab")
    var other = one
    one.update("c")
    other.update("d")
    #expect(one.finish() == SHA256.digest(of: "abc"))
    #expect(other.finish() == SHA256.digest(of: "abd"))
  }

  @Test func `a part of a text is hashed as its bytes`() {
    #expect(SHA256.digest(of: "在abc社".dropFirst().dropLast()) == SHA256.digest(of: "abc"))
  }

  @Test func `a digest goes to bytes and to hex and back`() {
    let digest = SHA256.digest(of: "abc")
    #expect(digest.bytes.count == 32)
    #expect(digest.bytes.first == 0xBA)
    #expect(SHA256.Digest(bytes: digest.bytes) == digest)
    #expect(digest.withBytes { SHA256.Digest(bytes: $0) } == digest)
    #expect(SHA256.Digest(hex: digest.hex) == digest)
    #expect(SHA256.Digest(hex: digest.hex.uppercased()) == digest)
    #expect("\(digest)" == digest.hex)
    #expect(SHA256.Digest.zero.bytes == [UInt8](repeating: 0, count: 32))
  }

  @Test(arguments: [
    "", "ba", "b", String(repeating: "g", count: 64), String(repeating: "a", count: 63),
    String(repeating: "a", count: 65), String(repeating: "a", count: 66), String(repeating: "é", count: 32),
  ])
  func `what is not 64 hexadecimal digits is no digest`(hex: String) {
    #expect(SHA256.Digest(hex: hex) == nil)
    #expect(SHA256.Digest(bytes: Array(hex.utf8.prefix(31))) == nil)
  }
}
