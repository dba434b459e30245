import Testing
import YAMLEvents

struct YAMLEventReaderTests {
  @Test func `every kind of event comes with its place`() throws {
    let text = """
      --- # one
      name: &n Core
      list: [a, *n]
      ...
      ---
      - b
      """
    #expect(
      try log(text) == [
        "documentStart 1:1", "mappingStart 2:1", "scalar 2:1-2:5 [name]", "scalar 2:7-2:14 [Core] &n",
        "scalar 3:1-3:5 [list]", "sequenceStart 3:7", "scalar 3:8-3:9 [a]", "alias 3:11 &n", "sequenceEnd 3:13",
        "mappingEnd 4:1", "documentEnd 4:1", "documentStart 5:1", "sequenceStart 6:1", "scalar 6:3-6:4 [b]",
        "sequenceEnd 6:4", "documentEnd 6:4",
      ])
  }

  @Test func `anchors and tags are told of scalars and collections`() throws {
    let text = """
      %TAG !e! tag:example.com,2000:
      ---
      &m !!map
      a: !!str 1
      b: &s !e!seq [x]
      c: !<verbatim> y
      """
    #expect(
      try log(text) == [
        "documentStart 1:1", "mappingStart 3:1 &m !tag:yaml.org,2002:map", "scalar 4:1-4:2 [a]",
        "scalar 4:4-4:11 [1] !tag:yaml.org,2002:str", "scalar 5:1-5:2 [b]",
        "sequenceStart 5:4 &s !tag:example.com,2000:seq", "scalar 5:15-5:16 [x]", "sequenceEnd 5:16",
        "scalar 6:1-6:2 [c]", "scalar 6:4-6:17 [y] !verbatim", "mappingEnd 6:17", "documentEnd 6:17",
      ])
  }

  @Test func `the style of a scalar is told`() throws {
    var reader = YAMLEventReader(bytes: Array("[a, 'b', \"c\\0\"]\n--- |\n d\n--- >\n e\n".utf8))
    var styles: [YAMLEventReader.ScalarStyle] = []
    while try reader.next() != .streamEnd {
      if let style = reader.style { styles.append(style) }
      if reader.style == .doubleQuoted { #expect(reader.withScalar { Array($0) } == [0x63, 0]) }
      if reader.kind != .scalar { #expect(reader.scalarBytes.isEmpty && !reader.isPlain && !reader.hasTag) }
    }
    #expect(styles == [.plain, .singleQuoted, .doubleQuoted, .literal, .folded])
  }

  @Test func `a value left out is an empty plain scalar after the colon`() throws {
    #expect(
      try scalars(Array("a:\nb: \"\"\n".utf8)) == ["1:1-1:2 [a]", "1:3-1:3 []", "2:1-2:2 [b]", "2:4-2:6 quoted []"])
  }

  @Test(arguments: [
    ("社区: 名", ["1:1-1:3 [社区]", "1:5-1:6 [名]"]),
    ("[👩‍🚀, x]", ["1:2-1:5 [👩‍🚀]", "1:7-1:8 [x]"]),
    ("\u{FEFF}a: b", ["1:1-1:2 [a]", "1:4-1:5 [b]"]),
    (
      "a: b\r\nc: d\re: f\n",
      ["1:1-1:2 [a]", "1:4-1:5 [b]", "2:1-2:2 [c]", "2:4-2:5 [d]", "3:1-3:2 [e]", "3:4-3:5 [f]"]
    ),
    ("- \"一\u{2028}二\"\n- b", ["1:3-1:8 quoted [一\u{2028}二]", "2:3-2:4 [b]"]),
    ("# 一\u{85}a: b\n# \u{2029}\nc: d", ["1:5-1:6 [a]", "1:8-1:9 [b]", "3:1-3:2 [c]", "3:4-3:5 [d]"]),
  ])
  func `columns are code points, lines are an editor's`(text: String, expected: [String]) throws {
    #expect(try scalars(Array(text.utf8)) == expected)
    #expect(try scalars(utf16("\u{FEFF}" + text.drop { $0 == "\u{FEFF}" }, littleEndian: true)) == expected)
    #expect(try scalars(utf16("\u{FEFF}" + text.drop { $0 == "\u{FEFF}" }, littleEndian: false)) == expected)
  }

  @Test(arguments: [true, false])
  func `UTF-16 is read without a byte order mark too`(littleEndian: Bool) throws {
    #expect(try scalars(utf16("a: 社", littleEndian: littleEndian)) == ["1:1-1:2 [a]", "1:4-1:5 [社]"])
  }

  @Test(arguments: ["", "\u{FEFF}", "# only a comment\n", "\n\n"])
  func `a text without content has no document`(text: String) throws {
    #expect(try log(text).isEmpty)
  }

  @Test(arguments: ["%YAML 1.1\n---\na", "%YAML 1.2\n---\na"])
  func `both versions of YAML are read`(text: String) throws {
    #expect(try scalars(Array(text.utf8)) == ["3:1-3:2 [a]"])
  }

  @Test func `lent bytes are read without a copy`() throws {
    let bytes = Array("a: b".utf8)
    let count = try bytes.withUnsafeBytes { bytes in
      var reader = YAMLEventReader(borrowing: bytes)
      var count = 0
      while try reader.next() != .streamEnd { count += 1 }
      return count
    }
    #expect(count == 7)
  }

  @Test func `after the end comes the end again`() throws {
    var reader = YAMLEventReader(bytes: [])
    #expect(try reader.next() == .streamStart)
    #expect(try reader.next() == .streamEnd)
    #expect(try reader.next() == .streamEnd)
  }

  @Test func `after a fault comes the same fault again`() {
    var reader = YAMLEventReader(bytes: Array("a: @b\nc: d\n".utf8))
    var faults: [YAMLFault] = []
    for _ in 0..<20 {
      do throws(YAMLFault) { _ = try reader.next() } catch { faults.append(error) }
    }
    #expect(faults.count > 10)
    #expect(faults.allSatisfy { $0 == faults.first })
  }
}
