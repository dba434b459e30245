import Testing
import Testkit

@testable import CircleModel

struct FieldListTests {
  @Test func `fields are set, changed and unset in any order, and lie by their numbers`() {
    var expected: [UInt8: Text] = [:]
    var list = FieldList()
    var random = SplitMix(seed: 7)
    for step in 0..<3000 {
      let key = UInt8.random(in: 0..<12, using: &random)
      let length = [0, 1, 5, 127, 128, 20_000].randomElement(using: &random) ?? 0
      let isSet = Int.random(in: 0..<4, using: &random) > 0
      let value = isSet ? Text(String(repeating: step % 2 == 0 ? "a" : "字", count: length)) : nil
      list[key] = value
      expected[key] = value
      #expect(list[key] == value && list.holds(value, at: key))
      #expect(!list.holds("another", at: key) && list.holds(nil, at: key) == (value == nil))
    }
    #expect(list.count == expected.count && list.isEmpty == expected.isEmpty)
    #expect(list.entries == expected.sorted { $0.key < $1.key }.map { FieldEntry(key: $0.key, value: $0.value) })
    for (key, _) in expected { list[key] = nil }
    #expect(list == FieldList() && list.isEmpty && list.count == 0)
  }

  @Test func `lists with the same fields are equal, however they were made`() {
    var appended = FieldList()
    appended.append(2, "b")
    appended.append(7, "")
    var set = FieldList()
    set[7] = ""
    set[3] = "gone"
    set[2] = "b"
    set[3] = nil
    #expect(appended == set)
    #expect(set.without([FieldMask(rawValue: 1 << 2), FieldMask(rawValue: 1 << 7)]) == FieldList())
    #expect(set.without(FieldMask(rawValue: 1 << 7)).entries == [FieldEntry(key: 2, value: "b")])
    #expect(set.holds("", at: 7) && !set.holds(nil, at: 7) && set.holds(nil, at: 3))
  }

  @Test(arguments: [0, 3, 16, 17, 300])
  func `distinct texts are told, few or many`(count: Int) {
    var texts = DistinctTexts(more: count)
    let all = (0..<count).map { Text("t\($0)") }
    for text in all {
      let isNew = texts.insert(text)
      #expect(isNew)
    }
    for text in all {
      let isNew = texts.insert(text)
      #expect(!isNew)
    }
    #expect(texts.count == count)
    #expect(DistinctTexts(["e\u{301}", "\u{E9}"]).count == 2)
  }
}
