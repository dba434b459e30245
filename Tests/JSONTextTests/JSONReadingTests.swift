import Testing

@testable import JSONText

struct JSONReadingTests {
  private func fault(_ text: String) -> JSONFault? { fault(Array(text.utf8)) }

  private func fault(_ bytes: [UInt8]) -> JSONFault? {
    do throws(JSONFault) {
      _ = try JSONDocument(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    (#"{"b":1,"a":[true,false,null,"x",-1.5]}"#, #"{"a":[true,false,null,"x",-1.5],"b":1}"#),
    (" 7 ", "7"), (#""é\u00e9\ud83d\ude00""#, "\"éé😀\""), ("[]", "[]"), ("9223372036854775807", "9223372036854775807"),
  ])
  func `a value is read as it stands`(text: String, canonical: String) throws {
    let document = try JSONDocument(Array(text.utf8))
    if case .integer(let number) = document.root.value {
      #expect("\(number)" == canonical)
    } else {
      #expect(String(decoding: canonicalJSON(document.root.value), as: UTF8.self) == canonical)
    }
  }

  @Test(arguments: [
    ("{\"a\": 1,\n  \"a\": 2}", JSONFault(.duplicateKey, line: 2, column: 3)),
    ("{\"a\": 1,\n  \"é\": tru}", JSONFault(.syntax, line: 2, column: 8)),
    ("[1, 2,]", JSONFault(.syntax, line: 1, column: 7)),
    ("[1 2]", JSONFault(.syntax, line: 1, column: 4)),
    ("{\"a\"}", JSONFault(.syntax, line: 1, column: 5)),
    ("[1] x", JSONFault(.textAfterValue, line: 1, column: 5)),
    ("{\"a\": [1", JSONFault(.unexpectedEnd, line: 1, column: 9)),
    ("", JSONFault(.unexpectedEnd, line: 1, column: 1)),
    ("[99999999999999999999]", JSONFault(.numberTooBig, line: 1, column: 2)),
    ("[1e999]", JSONFault(.numberTooBig, line: 1, column: 2)),
    ("[\"a\\u0000b\"]", JSONFault(.nulCharacter, line: 1, column: 2)),
    ("{\"a\\u0000b\": 1}", JSONFault(.nulCharacter, line: 1, column: 2)),
    ("[1,\u{0}]", JSONFault(.nulCharacter, line: 1, column: 4)),
    ("[1]\u{0}[", JSONFault(.nulCharacter, line: 1, column: 4)),
    ("['a']", JSONFault(.syntax, line: 1, column: 2)),
    ("[NaN]", JSONFault(.syntax, line: 1, column: 2)),
    ("[01]", JSONFault(.syntax, line: 1, column: 2)),
    ("[\"\\ud800\"]", JSONFault(.syntax, line: 1, column: 2)),
    ("[\"a\nb\"]", JSONFault(.syntax, line: 1, column: 2)),
  ])
  func `a fault has its kind and its place`(text: String, expected: JSONFault) {
    #expect(fault(text) == expected)
  }

  @Test func `bytes that are no UTF-8 are refused where they stand`() {
    #expect(fault(Array("[\"é".utf8) + [0xFF] + Array("\"]".utf8)) == JSONFault(.invalidUTF8, line: 1, column: 4))
    #expect(fault([0xC0, 0x80])?.kind == .invalidUTF8)
  }

  @Test func `64 levels are read, and the bracket of the 65th is refused`() {
    let deep = { (levels: Int) in
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    #expect(fault(deep(64)) == nil)
    #expect(fault(deep(65)) == JSONFault(.tooDeep, line: 1, column: 65))
    #expect(fault(deep(100_000))?.kind == .tooDeep)
    #expect(fault(String(repeating: "{\"a\":", count: 100_000))?.kind == .tooDeep)
    let brackets = String(repeating: "[", count: 100)
    #expect(fault("\"\(brackets)\\\"\(brackets)\"") == nil, "brackets in a text open nothing")
  }

  @Test func `members and elements are lent in the order written`() throws {
    let document = try JSONDocument(Array(#"{"b":"x","a":[1,true],"c":null}"#.utf8))
    var keys: [String] = []
    document.root.forEachMember { key, _ in keys.append(String(decoding: key, as: UTF8.self)) }
    #expect(keys == ["b", "a", "c"])
    #expect(document.root["b"]?.string == "x")
    #expect(document.root["b"]?.integer == nil)
    #expect(document.root["a"]?.count == 2)
    var numbers: [Int?] = []
    document.root["a"]?.forEachElement { numbers.append($0.integer) }
    #expect(numbers == [1, nil])
    #expect(document.root["c"]?.kind == .null)
    #expect(document.root["d"] == nil)
    #expect(document.root["b"]?["x"] == nil)
  }
}
