import Testing

@testable import DelimitedText

struct PassOverTests {
  @Test(arguments: [
    ("a,b\n1,\"x\"y,z\n2,3\n", ["1,\"x\"y,z"]), ("1,\"x\ny\"z\r\n2,3\r4,\0\r5", ["1,\"x\ny\"z", "4,\0"]),
    ("1,\"x\ny", ["1,\"x"]), ("\"a\"b\"", ["\"a\"b\""]), ("\"a\"b\r\n\"c\"d\r\n", ["\"a\"b", "\"c\"d"]),
  ])
  func `a record that can't be read is given as it stands, however the bytes are cut`(
    text: String, passedOver: [String]
  ) {
    let bytes = Array(text.utf8)
    for size in 1...bytes.count {
      var reader = DelimitedReader()
      var offset = 0
      func more(_ reader: inout DelimitedReader) {
        guard offset < bytes.count else { return reader.finish() }
        let end = min(offset + size, bytes.count)
        bytes[offset..<end].withUnsafeBytes { reader.feed($0) }
        offset = end
      }
      var found: [String] = []
      var isAtEnd = false
      while !isAtEnd {
        do throws(DelimitedFault) {
          switch try reader.next() {
          case .record: break
          case .needsBytes: more(&reader)
          case .end: isAtEnd = true
          }
        } catch {
          var text: [UInt8] = []
          while reader.passOver(into: &text) { more(&reader) }
          found.append(String(decoding: text, as: UTF8.self))
        }
      }
      #expect(found == passedOver, "pieces of \(size)")
    }
  }
}
