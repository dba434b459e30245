import Testing
import Testkit

@testable import JSONText

struct PlainObjectTests {
  private static func members(_ text: String) -> [String]? {
    var plain = PlainObject()
    let bytes = Array(text.utf8)
    guard bytes.withUnsafeBytes({ plain.read($0) }) else { return nil }
    return plain.members.map {
      "\(String(decoding: bytes[$0.key], as: UTF8.self))=\(String(decoding: bytes[$0.value], as: UTF8.self))"
    }
  }

  @Test(arguments: [
    ("{}", []), (" { } \r", []), (#"{"a":"b"}"#, ["a=b"]),
    ("{\"a\" :\t\"中文 with more than eight\" }", ["a=中文 with more than eight"]),
    (#"{"a":null,"b":true,"c":false,"d":-12,"":"","e":0}"#, ["a=", "b=true", "c=false", "d=-12", "=", "e=0"]),
    (#"{"a":"1","a":"2"}"#, ["a=1", "a=2"]),
  ])
  func `a plain object is read`(text: String, members: [String]) {
    #expect(Self.members(text) == members)
  }

  @Test(arguments: [
    "", "{", "{}x", "[]", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a":"b\n"}"#, #"{"a\u0041":1}"#,
    #"{"a":{}}"#, #"{"a":[]}"#, #"{"a":1.5}"#, #"{"a":1e3}"#, #"{"a":-0}"#, #"{"a":007}"#, #"{"a":-}"#, #"{"a":nul}"#,
    #"{"a":truex}"#, #"{"a":1234567890123456789}"#, "{\"a\":\"b\u{01}\"}", "{\"a\":\"eight or more\u{01}\"}",
    #"{"a":"b"#, #"{"a":"b"} {}"#, #"{'a':'b'}"#, "{\"a\":\"\u{00}\"}",
  ])
  func `all else is not plain`(text: String) {
    #expect(Self.members(text) == nil)
  }

  @Test func `whether there is more than ASCII is told`() {
    var plain = PlainObject()
    for (text, isASCII) in [(#"{"a":"bcdefghijk"}"#, true), (#"{"a":"bcdefghijké"}"#, false), (#"{"é":1}"#, false)] {
      #expect(Array(text.utf8).withUnsafeBytes { plain.read($0) })
      #expect(plain.isASCII == isASCII)
    }
  }

  @Test func `what is plain is what libjansson reads, on random texts`() throws {
    var random = SplitMix(seed: 7)
    let pieces = [
      "{", "}", "\"", "\"", "\"", ":", ",", " ", "a", "bcdefghij", "\\", "\\n", "null", "true", "1", "-", "0", "é",
      "\u{7F}",
      "[", "]", "\n", "\"k\":", "\"v\"", "\"\":", ",\"m\":", "{\"a\":", "\"}", "12.5",
    ]
    var plain = PlainObject()
    var plainOnes = 0
    for _ in 0..<60_000 {
      var text = Bool.random(using: &random) ? "{\"q\":" : ""
      for _ in 0..<Int.random(in: 0...8, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
      if Bool.random(using: &random) { text += "}" }
      var bytes = Array(text.utf8)
      if !bytes.isEmpty, Int.random(in: 0..<8, using: &random) == 0 {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard bytes.withUnsafeBytes({ plain.read($0) }) else { continue }
      let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
      if plain.isASCII { #expect(isUTF8) }
      let keys = plain.members.map { Array(bytes[$0.key]) }
      guard isUTF8, Set(keys).count == keys.count else { continue }
      plainOnes += 1
      let document = try JSONDocument(bytes)
      var read: [String] = []
      document.root.forEachMember { key, value in
        let text: String =
          switch value.kind {
          case .null: ""
          case .boolean: value.boolean == true ? "true" : "false"
          case .integer: String(value.integer ?? 0)
          default: value.string ?? "?"
          }
        read.append("\(String(decoding: key, as: UTF8.self))=\(text)")
      }
      #expect(
        read
          == plain.members.map {
            "\(String(decoding: bytes[$0.key], as: UTF8.self))=\(String(decoding: bytes[$0.value], as: UTF8.self))"
          })
    }
    #expect(plainOnes > 300)
  }
}
