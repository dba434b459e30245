import Testing

@testable import JSONText

@Suite struct JSONWriterTests {
  private static func text(of buffer: borrowing ByteBuffer) -> String {
    String(decoding: buffer.bytes, as: UTF8.self)
  }

  private static func sample(_ form: JSONWriter.Form) -> String {
    var writer = JSONWriter(form: form)
    writer.object { writer in
      writer.field("name", "x\"y")
      writer.field("count", -12)
      writer.field("on", true)
      writer.key("none")
      writer.null()
      writer.key(escaping: "a\nb")
      writer.array { writer in
        writer.integer(1)
        writer.object { _ in }
        writer.array { _ in }
        writer.object { $0.field("z", false) }
      }
      writer.key("raw")
      Array("[1,2]".utf8).withUnsafeBytes { writer.encoded($0) }
    }
    writer.endLine()
    return text(of: writer.buffer)
  }

  @Test func `the compact form has nothing between the tokens`() {
    let expected =
      #"{"name":"x\"y","count":-12,"on":true,"none":null,"a\nb":[1,{},[],{"z":false}],"raw":[1,2]}"# + "\n"
    #expect(Self.sample(.compact) == expected)
  }

  @Test func `the pretty form indents by two spaces`() {
    let expected = #"""
      {
        "name": "x\"y",
        "count": -12,
        "on": true,
        "none": null,
        "a\nb": [
          1,
          {},
          [],
          {
            "z": false
          }
        ],
        "raw": [1,2]
      }

      """#
    #expect(Self.sample(.pretty) == expected)
  }

  @Test func `records stand on lines of their own`() {
    var writer = JSONWriter()
    for number in 1...3 {
      writer.object { $0.field("n", number) }
      writer.endLine()
    }
    writer.array { _ in }
    let text = Self.text(of: writer.buffer)
    #expect(text == "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n[]")
  }

  @Test(arguments: [
    ("", #""""#), ("plain", #""plain""#), ("a\"b\\c/", #""a\"b\\c/""#),
    ("\u{8}\u{9}\u{A}\u{C}\u{D}", #""\b\t\n\f\r""#), ("\u{0}\u{1F}\u{7F}\u{80}", "\"\\u0000\\u001f\u{7F}\u{80}\""),
    ("\r\n", #""\r\n""#), ("名字 é \u{1F600}\u{2028}", "\"名字 é \u{1F600}\\u2028\""),
    ("12345678\"2345678\\", #""12345678\"2345678\\""#), ("!#!#!#!#!#[]!#", #""!#!#!#!#!#[]!#""#),
  ])
  func `strings are escaped as little as possible`(text: String, expected: String) {
    var buffer = ByteBuffer()
    buffer.append(jsonString: text)
    var copy = text
    copy.withUTF8 { buffer.append(jsonString: UnsafeRawBufferPointer($0)) }
    let bytes = buffer.bytes
    #expect(bytes == Array((expected + expected).utf8))
  }

  @Test func `each byte is escaped right at each position of a word`() {
    for value in UInt8(0)..<0x80 {
      for position in 0..<20 {
        var bytes = Array(repeating: UInt8(ascii: "x"), count: 20)
        bytes[position] = value
        var alone = ByteBuffer()
        [value].withUnsafeBytes { alone.append(jsonString: $0) }
        var whole = ByteBuffer()
        bytes.withUnsafeBytes { whole.append(jsonString: $0) }
        let rest = Array(repeating: UInt8(ascii: "x"), count: 19)
        let escaped = Array(alone.bytes.dropFirst().dropLast())
        let expected: [UInt8] = [0x22] + Array(rest[..<position]) + escaped + Array(rest[position...]) + [0x22]
        let written = whole.bytes
        #expect(written == expected)
        #expect((escaped.count == 1) == (value >= 0x20 && value != 0x22 && value != 0x5C))
      }
    }
  }

  @Test func `long strings are escaped over the parts`() {
    var buffer = ByteBuffer(capacity: 1)
    buffer.append(jsonString: String(repeating: "ab\"", count: 10_000))
    let text = Self.text(of: buffer)
    #expect(text == "\"" + String(repeating: "ab\\\"", count: 10_000) + "\"")
  }

  @Test func `what nobody sees is escaped, what words and emoji need is not`() {
    var buffer = ByteBuffer()
    let long = String(repeating: "中", count: 1365)
    buffer.append(jsonString: "a\u{202E}\u{AD}中\u{FEFF}\u{E0041}👩\u{200D}🔧")
    buffer.append(jsonString: long + "\u{200F}")
    #expect(
      buffer.bytes.elementsEqual(
        "\"a\\u202e\\u00ad中\\ufeff\\udb40\\udc41👩\u{200D}🔧\"\"\(long)\\u200f\"".utf8))
  }
}
