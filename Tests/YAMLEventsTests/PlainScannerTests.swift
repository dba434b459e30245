import Glibc
import Testing

@testable import YAMLEvents

struct PlainScannerTests {
  /// How many random texts are compared; the environment can ask for more.
  private static let texts = getenv("YAML_RANDOM_TEXTS").flatMap { Int(String(cString: $0)) } ?? 30_000

  @Test(arguments: 0..<2)
  func `random texts give the events, places and faults of libyaml`(half: Int) {
    var texts = PlainTexts(seed: 20_261_130 + UInt64(half))
    var (plain, differing) = (0, 0)
    for number in 0..<Self.texts / 2 {
      let bytes = texts.next()
      let depth = number % 16 == 0 ? 3 : 64
      var count = 0
      let found = EventRecords.stream(bytes, maximumDepth: depth, plain: &count)
      if found.fault == nil, count == found.events.count { plain += 1 }
      if found != EventRecords.reader(bytes, maximumDepth: depth) {
        differing += 1
        if differing < 5 { Issue.record("\(String(reflecting: String(decoding: bytes, as: UTF8.self)))") }
      }
    }
    #expect(differing == 0)
    // Were it few, the comparison would compare libyaml with itself.
    #expect(plain > Self.texts / 10)
  }

  @Test(arguments: [
    "a: b", "a: b\n", "a:\n", "a:", "- a\n- b\n", "-", "- \n-\n", "a:\n- b\n- c\nd: e\n", "a:\n  - b\n",
    "- - a\n  - b\n",
    "- a: b\n  c: d\n-\n  e: f\n", "\"a\" : 'b'  # c\n# d\n\n", "  a: b\n  c:\n\n    d: [x, 'y z', \"社\"]\n",
    "a: []\nb: {}\nc: {d: e, 'f': \"g\" , }\n", "昵称: 社区 👩‍💻 # x\nurl: http://x:8/?a#b\n", "a:\n# b\n", "a:\n   ",
    "-\n- a:\n  - b\n-",
  ])
  func `plain texts are read without libyaml`(text: String) {
    let bytes = Array(text.utf8)
    var plain = 0
    let found = EventRecords.stream(bytes, plain: &plain)
    #expect(found == EventRecords.reader(bytes))
    #expect(plain == found.events.count)
  }

  @Test(arguments: [
    "", "# a\n", "a", "[a]", "a: |\n  b\n", "a: &x b\nc: *x\n", "a: !t b\n", "? a\n", "a: b\n  c\n", "a:\n  b\n",
    "a: \"\\n\"\n",
    "a: 'b''c'\n", "a: 'b\n  c'\n", "a:\tb\n", "a: b\r\n", "\u{FEFF}a: b\n", "---\na: b\n", "a: b\n...\n", "a: [[b]]\n",
    "a: \u{85}\n",
  ])
  func `what is not plain is read by libyaml`(text: String) {
    let bytes = Array(text.utf8)
    var plain = 0
    let found = EventRecords.stream(bytes, plain: &plain)
    #expect(found == EventRecords.reader(bytes))
    #expect(plain < found.events.count)
  }

  @Test(arguments: [1, 2, 7])
  func `it does not matter where batches end`(size: Int) {
    var texts = PlainTexts(seed: 7)
    for _ in 0..<2000 {
      let bytes = texts.next()
      let whole = events(of: PlainScanner(bytes, maximumDepth: 64))
      let parts = events(of: PlainScanner(bytes, maximumDepth: 64, batchSize: size))
      if parts != whole { Issue.record("\(String(reflecting: String(decoding: bytes, as: UTF8.self)))") }
    }
  }

  @Test(arguments: ["", "- a\n", "- &a b\n"])
  func `a line with more events than a batch holds is read`(end: String) {
    let list = "- [" + String(repeating: "a,", count: 20_000) + "]\n"
    let bytes = Array((list + list + end).utf8)
    var plain = 0
    let found = EventRecords.stream(bytes, plain: &plain)
    #expect(found == EventRecords.reader(bytes))
    #expect(plain > 20_000)
  }

  private func events(of scanner: PlainScanner) -> [EventBatch.Event] {
    var scanner = scanner
    var all: [EventBatch.Event] = []
    var batch = ContiguousArray<EventBatch.Event>()
    while scanner.state == .reading {
      scanner.fill(&batch)
      all += batch
    }
    #expect(scanner.given == all.count)
    return all
  }

  @Test(arguments: ["", "    - \"a\\n\"\n", "    - a: b: c\n", "  - x\n", "    - \u{FF}\n", "\0", "%a\n"])
  func `a big text gives the same events in batches, whatever stands at its end`(end: String) {
    var text = "# users\n"
    for number in 0..<3000 {
      text += """
          s\(number):
            name: "Community \(number)"
            desc: 社区 \(number)
            tags: [a, b-\(number)]
            members:
            - u\(number)
            - u1

        """
    }
    let bytes = Array(text.utf8) + Array(end.utf8)
    var plain = 0
    let found = EventRecords.stream(bytes, plain: &plain)
    #expect(found == EventRecords.reader(bytes))
    if end.isEmpty { #expect(plain == found.events.count) }
  }
}
