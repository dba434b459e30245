import CircleModel
import Diagnostics
import JSONText
import Testing
import Testkit

@testable import CircleTables

struct UserTableTests {
  static let header = "userId,nickName,avatarUrl,gender,email,birth,mobile,devices"

  @Test(arguments: [
    ("bad id,,,,,,,", "'userId' is 'bad id': the user id is not made of", 1),
    ("@x,,,,,,,", "the user id is not made of", 1),
    (",x,,,,,,", "the user id is empty", 1),
    ("a,\(String(repeating: "n", count: 65)),,,,,,", "the nickName has 65 characters", 3),
    ("a,\u{1}x,,,,,,", "control character", 3),
    ("a,x,ftp://x,,,,,", "the avatarUrl is not a URL", 5),
    ("a,x,,boy,,,,", "'gender' is 'boy': the gender is not unknown, male or female", 6),
    ("a,x,,,a@b,,,", "the email is not an address", 7),
    ("a,x,,,,2001-02-29,,", "the birth is not a real date", 8),
    ("a,x,,,,,1.38E+10,", "'mobile' is '1.38E+10': the mobile is not digits", 9),
    ("a,x,,,,,,phone|phone", "the device 'phone' is given twice", 10),
  ])
  func `each bad cell is told with its place, its value and its rule`(row: String, words: String, column: Int) throws {
    let read = try TableText("\(Self.header)\nok,x,,,,,,\n\(row)\n").users()
    #expect(read.rows == ["ok nickName=x"])
    let fault = try #require(read.diagnostics.first)
    #expect(read.diagnostics.count == 1)
    #expect(fault.message.contains(words))
    #expect(fault.place == Place(file: 0, line: 3, column: column))
    #expect(fault.quote == Quote(line: row, column: column))
    if row.contains("E+10") { #expect(fault.help?.contains("spreadsheet") == true) }
  }

  @Test func `a thousand bad rows of ten kinds give a thousand right faults`() throws {
    let kinds = [
      ("bad id,,,,,,,", "table.value"), (",x,,,,,,", "table.missing-key"), ("a,\u{7}x,,,,,,", "table.value"),
      ("a,x,ftp://x,,,,,", "table.value"), ("a,x,,boy,,,,", "table.value"), ("a,x,,,a@b,,,", "table.value"),
      ("a,x,,,,1.2.2003,,", "table.value"), ("a,x,,,,,12 34,", "table.value"), ("a,b", "table.row-length"),
      ("a,\"x\"y,,,,,,", "table.syntax"),
    ]
    var text = "\(Self.header)\n"
    var expected: [String] = []
    for number in 0..<1000 {
      let kind = kinds[number % 10]
      text += "u\(number),fine,,,,,,\n\(kind.0)\n"
      expected.append("\(kind.1) \(2 * number + 3)")
    }
    var table = TableText(text)
    table.options.scan.maxErrors = 1000
    let read = try table.users()
    #expect(read.diagnostics.map { "\($0.code) \($0.place.line)" } == expected)
    #expect(read.diagnostics.allSatisfy { $0.place.column > 0 })
    #expect(read.rows.count == 1000)
    table.options.scan.maxErrors = 7
    let few = try table.users()
    #expect(few.diagnostics.count == 7)
    #expect(few.scan.diagnostics.errorCount == 1000)
    #expect(few.scan.refusedCount == 1000)
  }

  @Test(arguments: [
    ("u.csv", "userId,sign,email\na,\"x\ny\",b\nc,,d\n", ["3:4", "4:4"], "y\",b"),
    ("u.csv", "userId,sign,email\r\na,\"x\r\n\r\n\",\"b\"\r\n", ["2:3", "4:3"], "\",\"b\""),
    (
      "u.json",
      "[\n{\"userId\": \"a\", \"sign\": \"email\",\n  \"userInfo\": {\"email\": \"x\"},\n  \"email\" : \"no\"},\n{\"email\":\"x\"}]",
      ["4:13", "5:1"], "  \"email\" : \"no\"},"
    ), ("u.yaml", "- userId: a\n  sign: |\n    x\n  email: no\n", ["4:10"], "  email: no"),
  ])
  func `a cell is named where it stands, and its record's begin where that is another line`(
    name: String, text: String, places: [String], line: String
  ) throws {
    let read = try TableText(text, name: name).users()
    let errors = read.diagnostics.filter { $0.severity == .error }
    #expect(errors.map { "\($0.place.line):\($0.place.column)" } == places)
    let fault = try #require(errors.first { $0.message.hasPrefix("'email'") })
    #expect(fault.notes.map(\.place.line) == [name == "u.yaml" ? 1 : 2])
    #expect(DiagnosticPrinter(files: read.scan.files).text(of: fault).contains(" | \(line)\n"))
  }

  @Test func `rows of one user are known one by one, however many`() throws {
    let folder = try TemporaryFolder()
    let spool = UserSpool(folder: folder.path, runSize: 4096)
    let writer = UserRecordWriter()
    for number in 1...10_000 {
      let id = number % 2 == 0 ? "a" : "user\(number)"
      try Array(id.utf8).withUnsafeBufferPointer { (bytes) throws(TableStop) in
        let place = Place(file: 0, line: number, column: 1)
        writer.begin(.init(place: place, raw: number % 3 == 0 ? nil : number), id: bytes)
        try spool.add(writer.end())
      }
    }
    let merge = try spool.sorted()
    var lines: [Int] = []
    var isFirst = true
    while true {
      var rows: [UserRecord.Row] = []
      let found: Void? = try merge.next(duplicate: { _, _, _ in }) { record in
        rows = (try? Self.rows(of: record, merge)) ?? []
      }
      if found == nil { break }
      if isFirst {
        #expect(rows.count == 5000)
        #expect(rows.allSatisfy { $0.raw == ($0.place.line % 3 == 0 ? nil : $0.place.line) })
        isFirst = false
      }
      lines += rows.map(\.place.line)
    }
    #expect(lines.prefix(5000).elementsEqual(stride(from: 2, through: 10_000, by: 2)))
    #expect(lines.sorted().elementsEqual(1...10_000))
  }

  private static func rows(of record: UserRecord, _ merge: UserRecordMerge) throws -> [UserRecord.Row] {
    var rows: [UserRecord.Row] = []
    try merge.forEachRow(of: record) { (row) throws(TableStop) in rows.append(row) }
    return rows
  }

  @Test func `an empty cell leaves the field, or clears it`() throws {
    var table = TableText("userId,nick,sign,devices\na,, \t,\n")
    #expect(try table.users().rows == ["a"])
    table.options.clearsEmpty = true
    #expect(try table.users().rows == ["a nickName= sign= devices="])
  }

  @Test func `an apostrophe before a formula is stripped only when asked`() throws {
    var table = TableText("userId,nick,mobile,sign\na,'=x,'+86-138,''-y\n")
    let read = try table.users()
    #expect(read.faults == ["table.value 2:7"])
    #expect(read.diagnostics.first?.help?.contains("--formula-safe") == true)
    table.options.scan.isFormulaSafe = true
    #expect(try table.users().rows == ["a nickName==x sign='-y mobile=+86-138"])
  }

  @Test(arguments: [100, 4096, 1 << 20])
  func `records are sorted in runs of any size, and the later wins cell by cell`(runSize: Int) throws {
    let folder = try TemporaryFolder()
    let spool = UserSpool(folder: folder.path, runSize: runSize)
    var expected: [String: [Int: String]] = [:]
    var order: [String] = []
    var state: UInt64 = 42
    func random(_ bound: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % bound)
    }
    for number in 0..<3000 {
      var id = "user\(random(700))" + (random(3) == 0 ? "-with-a-long-ending" : "")
      if expected[id] == nil { order.append(id) }
      let field = random(3)
      expected[id, default: [:]][field] = "v\(number)"
      if random(4) == 0 { id = id.uppercased() }
      let writer = UserRecordWriter()
      try Array(id.utf8).withUnsafeBufferPointer { (bytes) throws(TableStop) in
        writer.begin(.init(place: Place(file: 0, line: number, column: 1), raw: nil), id: bytes)
        Array("v\(number)".utf8).withUnsafeBufferPointer { writer.add(field, $0) }
        try spool.add(writer.end())
      }
    }
    var rows: [(id: String, fields: [Int: String])] = []
    var duplicates = 0
    let merge = try spool.sorted()
    let read = { (record: UserRecord) -> (String, [Int: String]) in
      var fields: [Int: String] = [:]
      record.forEachField { fields[$0] = String(decoding: $1, as: UTF8.self) }
      return (String(decoding: record.id, as: UTF8.self).lowercased(), fields)
    }
    while let row = try merge.next(
      duplicate: { earlier, later, _ in
        duplicates += 1
        #expect(earlier < later)
      }, read)
    { rows.append(row) }
    #expect(rows.map(\.id) == order.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
    for row in rows { #expect(row.fields == expected[row.id]) }
    #expect(duplicates == 3000 - order.count)
    #expect(folder.names() == [])
  }

  @Test func `refused rows come back as a table that imports after mending`() throws {
    var table = TableText("userId,nick,extra\na,\"x, \"\"y\"\"\",1\nb d,'=z,2\nc\n")
    table.options.keepsRefused = true
    let read = try table.users()
    let written = TableText.refused(read.scan)
    #expect(
      written == """
        userId,nick,extra,,error
        b d,'=z,2,,"'userId' is 'b d': the user id is not made of A-Z a-z 0-9 _ @ . - only, with no @ at its beginning"
        c,,,c,"the row has 1 cell, and the header names 3 columns"

        """)
    #expect(try TableText(written).users().rows == [])
    var mended = TableText(
      written.split(separator: "\n").map { line in
        line.hasPrefix("b d") ? "b" + line.dropFirst(3) : line.hasPrefix("c,,,c") ? "c,,,," + line.dropFirst(6) : line
      }.joined(separator: "\n"))
    mended.options.scan.binding.isStrict = false
    #expect(try mended.users().rows == ["b nickName='=z", "c"])
  }

  @Test(arguments: [
    ("u.csv", "userId,nick\na,x\nb,\"x\"y\nc d,C\n", ["\"b,\"\"x\"\"y\"", "c d,C,,"]),
    ("u.csv", "userId,nick\nb,\"x\"y\n", ["userId,nick,,error", ",,\"b,\"\"x\"\"y\","]),
    ("u.csv", "userId,nick\nb,x\u{0}y\nc,\"z\nd,e", [",,\"b,x\\x00y\",", ",,\"c,\"\"z\","]),
    ("u.csv", "userId,nick,email\nu1,Smith, John,a@b.c\nu2\n", ["u1,Smith, John,a@b.c,", "u2,,,u2,"]),
    ("u.csv", "userId,nick\nu1,x,\n", ["u1,x,\"u1,x,\","]),
    ("u.ndjson", "{\"userId\":\"a\"}\n{\"userId\":\"b\",}\n7\n", [",\"{\"\"userId\"\":\"\"b\"\",}\",", ",7,"]),
    ("u.ndjson", "{oops}\n", ["userId,,error", ",{oops},"]),
    (
      "u.ndjson", "{\"userId\":\"c\",\"mobile\":1.5}\n",
      ["userId,mobile,,error", "c,,\"{\"\"userId\"\":\"\"c\"\",\"\"mobile\"\":1.5}\","]
    ),
    ("u.json", "[1]", [",1,"]),
    ("u.json", "[{\"userId\":\"a\"}\n{\"userId\":\"b\"}]", [",\"{\"\"userId\"\":\"\"b\"\"}]\","]),
    ("u.yaml", "- userId: a\n- userId: b\n  userId: c\n- userId: d\n", ["\"- userId: b\n  userId: c\""]),
    ("u.yaml", "- userId: a\n- x\n", [",- x,"]),
  ])
  func `every row that is refused comes back, and is refused until it is mended`(
    name: String, text: String, lines: [String]
  ) throws {
    var table = TableText(text, name: name)
    table.options.keepsRefused = true
    let read = try table.users()
    let written = TableText.refused(read.scan)
    for line in lines { #expect(written.contains(line), "\(written)") }
    let again = try TableText(written).users()
    #expect(again.rows == [])
    #expect(again.scan.refusedCount == read.scan.refusedCount, "\(written)")
  }

  @Test func `columns of one name stay apart where a row comes back`() throws {
    var table = TableText("userId,x,x,,\nb d,1,2,3,4\n")
    table.options.keepsRefused = true
    #expect(TableText.refused(try table.users().scan).hasPrefix("userId,x,x,,,error\nb d,1,2,3,4,"))
  }

  @Test func `bytes that are no text come back as digits`() throws {
    var table = TableText(Array("userId,nick\na,春眠不觉晓处处闻啼鸟\nb,x".utf8) + [0xFF, 0xC3] + Array("y\n".utf8))
    table.options.keepsRefused = true
    let read = try table.users()
    #expect(read.rows == ["a nickName=春眠不觉晓处处闻啼鸟"])
    #expect(TableText.refused(read.scan).contains(",,\"b,x\\xFF\\xC3y\",the bytes"))
  }

  @Test func `of a row that is too long the beginning comes back, and it is counted`() throws {
    let long = String(repeating: "x", count: 3 << 20)
    for (name, text) in [
      ("u.csv", "userId,nick\na,\(long)\nb,c\n"),
      ("u.ndjson", "{\"userId\":\"\(long)\"}\n{\"userId\":\"b\",\"nick\":\"c\"}\n"),
    ] {
      var table = TableText(text, name: name)
      table.options.keepsRefused = true
      let read = try table.users()
      #expect(read.rows == ["b nickName=c"])
      #expect(read.scan.refusedCount == 1)
      #expect(read.scan.refused?.cutOff.count == 1)
      #expect(read.scan.refused?.cutOff.places.first?.line == (name == "u.csv" ? 2 : 1))
    }
  }

  @Test func `a JSON list of devices that is broken is a fault`() throws {
    let read = try TableText("userId,devices\na,\"[\"\"a\"\"\"\nb,[x\n").users()
    #expect(read.faults == ["table.value 2:3"])
    #expect(read.rows == ["b devices=[x"])
  }

  @Test func `lists in a cell are parted by one delimiter, or are JSON`() {
    for (cell, items) in [
      ("a|b,c", ["a", "b,c"]), ("a; b,c", ["a", "b,c"]), ("a, b", ["a", "b"]), ("a", ["a"]), ("[\"a|b\"]", ["a|b"]),
      ("[x", ["[x"]), ("||", []),
    ] {
      #expect(Array(cell.utf8).withUnsafeBufferPointer { ListCell.items($0) } == items)
    }
    for items in [["a"], ["a", "b c"], ["a,b"], ["a|b", "c"], [" x"], ["[y"], ["a;b"], ["\"", "\\"]] {
      let cell = ListCell.cell(items)
      #expect(Array(cell.utf8).withUnsafeBufferPointer { ListCell.items($0) } == items)
    }
  }
}
