import Testing

@testable import DelimitedText

@Suite struct DelimitedReaderTests {
  /// What was read: records as texts, the places of their fields as "line:column", and the faults.
  struct Reading: Equatable {
    var records: [[String]] = []
    var places: [[String]] = []
    var faults: [DelimitedFault] = []
  }

  /// Reads all, in pieces of some bytes or at once; goes on after faults.
  static func read(
    _ bytes: [UInt8], piece: Int? = nil, delimiter: UInt8 = UInt8(ascii: ","), quote: UInt8? = UInt8(ascii: "\""),
    longestRecord: Int = 1 << 20
  ) -> Reading {
    var reading = Reading()
    var rest = bytes[...]
    var reader =
      piece == nil
      ? DelimitedReader(bytes, delimiter: delimiter, quote: quote, longestRecord: longestRecord)
      : DelimitedReader(delimiter: delimiter, quote: quote, longestRecord: longestRecord)
    while true {
      do throws(DelimitedFault) {
        switch try reader.next() {
        case .record:
          reading.records.append(reader.fields.indices.map { reader.text(of: $0) })
          reading.places.append(
            reader.fields.indices.map { index in
              let place = reader.place(of: index)
              return "\(place.line):\(place.column)"
            })
        case .needsBytes:
          if rest.isEmpty {
            reader.finish()
          } else {
            rest.prefix(piece ?? 1).withUnsafeBytes { reader.feed($0) }
            rest = rest.dropFirst(piece ?? 1)
          }
        case .end:
          return reading
        }
      } catch {
        reading.faults.append(error)
      }
    }
  }

  static let wellFormed: [(text: String, records: [[String]])] = [
    ("", []),
    ("a", [["a"]]),
    ("a,b,c\n1,2,3\n", [["a", "b", "c"], ["1", "2", "3"]]),
    ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
    ("a,b\r1,2\r", [["a", "b"], ["1", "2"]]),
    ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
    ("a,b\n1,\n", [["a", "b"], ["1", ""]]),
    ("a,b\n,", [["a", "b"], ["", ""]]),
    ("\n\n", [[""], [""]]),
    ("\r\r\n\n", [[""], [""], [""]]),
    ("\u{FEFF}a,b\n", [["a", "b"]]),
    ("\u{FEFF}", []),
    ("\u{FEFF}\"a\"", [["a"]]),
    ("a\u{FEFF}", [["a\u{FEFF}"]]),
    ("\"John, Smith\",x\n", [["John, Smith", "x"]]),
    ("\"\",\"\"\n", [["", ""]]),
    ("\"\"", [[""]]),
    ("\"ha \"\"ha\"\" ha\",1\n", [["ha \"ha\" ha", "1"]]),
    ("\"\"\"\"\n", [["\""]]),
    ("\"\"\"\"\"\",x", [["\"\"", "x"]]),
    ("1,\"line\nbreak\r\nand\rmore\",2\n3\n", [["1", "line\nbreak\r\nand\rmore", "2"], ["3"]]),
    ("\"{\"\"type\"\": \"\"Point\"\"}\",9\r\n", [["{\"type\": \"Point\"}", "9"]]),
    ("名字,ʤ\n\"名,字\",é\n", [["名字", "ʤ"], ["名,字", "é"]]),
    ("a b , c\n", [["a b ", " c"]]),
    ("a\"b,\"\"\n", [["a\"b", ""]]),
    (" \"a\"\n", [[" \"a\""]]),
    ("\"a\"\r\"b\"\r\n", [["a"], ["b"]]),
    ("\"a\",\n", [["a", ""]]),
    ("1\n\n2\n", [["1"], [""], ["2"]]),
  ]

  @Test(arguments: wellFormed, [nil, 1, 2, 3, 7] as [Int?])
  func `records are the same however the bytes come`(input: (text: String, records: [[String]]), piece: Int?) {
    let reading = Self.read(Array(input.text.utf8), piece: piece)
    #expect(reading.records == input.records)
    #expect(reading.faults.isEmpty)
  }

  static let placed: [(text: String, places: [[String]])] = [
    ("a,bc,d\ne,f\n", [["1:1", "1:3", "1:6"], ["2:1", "2:3"]]),
    ("名字,\u{1F600}é,x\n", [["1:1", "1:4", "1:7"]]),
    ("\u{FEFF}a,b\n", [["1:1", "1:3"]]),
    ("\"a\",\"b\"\"\",c\n", [["1:1", "1:5", "1:11"]]),
    ("1,\"x\r\ny\nz\",2,3\n4,5\n", [["1:1", "1:3", "3:4", "3:6"], ["4:1", "4:3"]]),
    ("a\r\rb,c\r\nd", [["1:1"], ["2:1"], ["3:1", "3:3"], ["4:1"]]),
    ("\"\r\n\"\r\n\"名\r\",x\ny", [["1:1"], ["3:1", "4:3"], ["5:1"]]),
  ]

  @Test(arguments: placed, [nil, 1, 2, 5] as [Int?])
  func `each field knows its line and its column in code points`(
    input: (text: String, places: [[String]]), piece: Int?
  ) {
    #expect(Self.read(Array(input.text.utf8), piece: piece).places == input.places)
  }

  static let faulty: [(bytes: [UInt8], faults: [DelimitedFault], records: [[String]])] = [
    (Array("a,\"b\nc\nd".utf8), [.init(.unterminatedQuote, line: 1, column: 3)], [["c"], ["d"]]),
    (Array("x\n名,\"".utf8), [.init(.unterminatedQuote, line: 2, column: 3)], [["x"]]),
    (Array("\"a\" ,b\nc".utf8), [.init(.textAfterQuote, line: 1, column: 4)], [["c"]]),
    (Array("\"a\nb\"x,c\r\nd\r\n".utf8), [.init(.textAfterQuote, line: 2, column: 3)], [["d"]]),
    (Array("a\u{0}b\nc".utf8), [.init(.nulByte, line: 1, column: 2)], [["c"]]),
    (Array("\"ü\u{0}\"\rc".utf8), [.init(.nulByte, line: 1, column: 3)], [["c"]]),
    ([0x61, 0x2C, 0xFF, 0x0A, 0x62], [.init(.invalidUTF8, line: 1, column: 3)], [["b"]]),
    ([0xE4, 0xBD], [.init(.invalidUTF8, line: 1, column: 1)], []),
    ([0xC3, 0xBC, 0xED, 0xA0, 0x80, 0x2C, 0x00, 0x0A], [.init(.invalidUTF8, line: 1, column: 2)], []),
    (
      [0xC0, 0x80, 0x0A, 0xF4, 0x90, 0x80, 0x80],
      [
        .init(.invalidUTF8, line: 1, column: 1), .init(.invalidUTF8, line: 2, column: 1),
      ], []
    ),
    (
      Array("\"a\"b\n\"c\"d\n".utf8),
      [
        .init(.textAfterQuote, line: 1, column: 4), .init(.textAfterQuote, line: 2, column: 4),
      ], []
    ),
  ]

  @Test(arguments: faulty, [nil, 1, 2, 5] as [Int?])
  func `a fault names its place and reading goes on after its line`(
    input: (bytes: [UInt8], faults: [DelimitedFault], records: [[String]]), piece: Int?
  ) {
    let reading = Self.read(input.bytes, piece: piece)
    #expect(reading.faults == input.faults)
    #expect(reading.records == input.records)
  }

  @Test(arguments: [nil, 1, 4, 16] as [Int?])
  func `a record over the limit is a fault, one of just the limit is not`(piece: Int?) {
    let text = Array("12345678\n\"234567\"\n123456789a\n1,\"45678901\n3\n".utf8)
    let reading = Self.read(text, piece: piece, longestRecord: 8)
    #expect(reading.records == [["12345678"], ["234567"], ["3"]])
    #expect(
      reading.faults == [.init(.recordTooLong, line: 3, column: 1), .init(.recordTooLong, line: 4, column: 3)])
    #expect(Self.read(Array("12345678".utf8), piece: piece, longestRecord: 8).records == [["12345678"]])
  }

  @Test func `tabs delimit, and quotes can be plain`() {
    let text = Array("a\tb,c\t\"d\"\n".utf8)
    #expect(Self.read(text, delimiter: 0x09).records == [["a", "b,c", "d"]])
    #expect(Self.read(text, delimiter: 0x09, quote: nil).records == [["a", "b,c", "\"d\""]])
    #expect(Self.read(Array("a;'b;c'''\n".utf8), delimiter: 0x3B, quote: 0x27).records == [["a", "b;c'"]])
  }

  @Test func `an empty line is blank, an empty text in quotes is not`() throws {
    var reader = DelimitedReader(Array("\n\"\"\n,\n".utf8))
    for blank in [true, false, false] {
      #expect(try reader.next() == .record)
      #expect(reader.isBlank == blank)
    }
    #expect(try reader.next() == .end)
    #expect(try reader.next() == .end)
  }

  @Test func `many records in pieces read like many records at once`() {
    var text: [UInt8] = []
    for number in 0..<5000 {
      text += Array("u\(number),\"Name \(number % 7 == 0 ? "\n名" : "x"), y\",\(number)\r\n".utf8)
    }
    let whole = Self.read(text)
    #expect(whole.records.count == 5000)
    #expect(Self.read(text, piece: 4096) == whole)
    #expect(Self.read(text, piece: 333) == whole)
  }

  @Test func `any bytes read the same in pieces, faults included`() {
    var state: UInt64 = 11
    func random(_ bound: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % bound)
    }
    let alphabet = Array("aaa\",,\n\r\"é字".utf8) + [0, 0xFF]
    for _ in 0..<2000 {
      let bytes = (0..<random(40)).map { _ in alphabet[random(UInt64(alphabet.count))] }
      let whole = Self.read(bytes, longestRecord: 12)
      #expect(Self.read(bytes, piece: 1 + random(8), longestRecord: 12) == whole, "\(bytes)")
    }
  }

  @Test func `what was written with quotes reads back the same`() {
    var state: UInt64 = 7
    func random(_ bound: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % bound)
    }
    for _ in 0..<300 {
      let records = (0...random(4)).map { _ in
        (0...random(3)).map { _ in
          (0..<random(6)).map { _ in ["a", "\"", ",", "\n", "\r", "é", "字", " "][random(8)] }.joined()
        }
      }
      let text = records.map { record in
        record.map { "\"" + $0.flatMap { $0 == "\"" ? ["\"", "\""] : [$0] } + "\"" }.joined(separator: ",") + "\n"
      }.joined()
      #expect(
        Self.read(Array(text.utf8), piece: 1 + random(9)).records.map { $0.map { Array($0.utf8) } }
          == records.map { $0.map { Array($0.utf8) } })
    }
  }
}
