import Testing

@testable import JSONText

struct JSONMemberReaderTests {
  private func steps(_ text: String) -> [String] {
    var reader = JSONMemberReader(Array(text.utf8), lists: ["long"])
    var found: [String] = []
    do throws(JSONFault) {
      while let step = try reader.next() {
        let value = reader.value.map { String(decoding: canonicalJSON($0.value), as: UTF8.self) } ?? "-"
        found.append("\(reader.line):\(reader.column) \(step) \(reader.key) \(value)")
      }
    } catch {
      found.append("\(error.line):\(error.column) \(error.kind)")
    }
    return found
  }

  @Test
  func `members come one by one, and the elements of the lists named`() {
    #expect(
      steps("\u{FEFF}{\"a\": [1, 2],\n \"long\" : [ {\"b\":1},\n\"x\"\n], \"c\":null }\n") == [
        "1:7 member a [1,2]", "2:11 member long -", "2:13 element long {\"b\":1}", "3:1 element long \"x\"",
        "4:8 member c null",
      ])
    #expect(steps("{}") == [])
    #expect(steps("{\"long\":[]}") == ["1:9 member long -"])
  }

  @Test(arguments: [
    ("", "1:1 unexpectedEnd"), ("[1]", "1:1 syntax"), ("{", "1:2 unexpectedEnd"), ("{\"a\"}", "1:5 syntax"),
    ("{\"a\":1,}", "1:8 syntax"), ("{\"a\":1 \"b\":2}", "1:8 syntax"), ("{\"a\":1}x", "1:8 textAfterValue"),
    ("{\"a\":1,\"a\":2}", "1:8 duplicateKey"), ("{\"long\":[1,]}", "1:12 syntax"),
    ("{\"long\":[1", "1:11 unexpectedEnd"),
    ("{\"a\":\"\\u0000\"}", "1:6 nulCharacter"), ("{\"a\":12345678901234567890}", "1:6 numberTooBig"),
    ("{1:2}", "1:2 syntax"),
  ])
  func `what is no object is told with its place`(text: String, fault: String) {
    #expect(steps(text).last == fault)
  }
}
