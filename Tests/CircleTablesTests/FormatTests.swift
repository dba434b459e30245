import Diagnostics
import Testing
import Testkit

@testable import CircleTables

/// The same two users in every format, and what each format may not be.
struct FormatTests {
  static let users = ["alice nickName=Alice, A. gender=female", "bob nickName=鲍勃 userInfo.ext={}"]

  @Test(arguments: [
    ("u.csv", "userId,nickName,gender,userInfo.ext\nalice,\"Alice, A.\",female,\nbob,鲍勃,,{}\n"),
    ("u.csv", "User ID;Nick Name;性别;user_info.ext\r\nalice;Alice, A.;女;\r\nbob;鲍勃;;{}"),
    ("u.csv", "sep=;\r\nid;昵称;gender;userInfo.ext;\r\nalice;Alice, A.;F;;\r\nbob;鲍勃;;{};\r\n;;;;\r\n"),
    ("u.csv", "accid\tnick\tgender\tuserInfo.ext\nalice\tAlice, A.\t2\t\nbob\t鲍勃\t\t{}\n"),
    ("u.tsv", "username\tnickname\tgender\tuserInfo.ext\ralice\tAlice, A.\tfemale\t\rbob\t鲍勃\t\t{}\r"),
    ("u", "account,display name,gender,userInfo.ext\nalice,\"Alice, A.\",female,\n\nbob,鲍勃,,{}\n"),
    (
      "u.ndjson",
      #"{"userId":"alice","nickName":"Alice, A.","gender":2}"# + "\n\n"
        + #"{"userId":"bob","nickName":"鲍勃","gender":null,"userInfo":{"ext":"{}"}}"#
    ),
    (
      "u.json",
      "\u{FEFF} [ {\"userId\":\"alice\",\n\"nickName\":\"Alice, A.\",\"gender\":\"f\"} ,\n{\"id\":\"x\",\"userId\":\"bob\"} ]"
    ),
    (
      "u.json",
      "[{\"userId\":\"alice\",\"nickName\":\"Alice, A.\",\"gender\":\"f\"},{\"userInfo\":{\"ext\":\"{}\"},\"userId\":\"bob\",\"nickName\":\"鲍勃\"}]"
    ),
    (
      "u.yaml",
      "- userId: alice\n  nickName: Alice, A.\n  gender: 2\n- userId: bob\n  nickName: 鲍勃\n  gender: ~\n  userInfo: {ext: '{}'}\n"
    ),
    (
      "u",
      "---\n- {userId: alice, nickName: 'Alice, A.', gender: F}\n- {userId: bob, nickName: 鲍勃, userInfo.ext: \"{}\"}\n"
    ),
  ])
  func `the same users come from each format`(name: String, text: String) throws {
    let read = try TableText(text, name: name).users()
    if text.contains("\"id\"") {
      #expect(read.faults == ["table.columns 3:0"])
    } else {
      #expect(read.rows == Self.users)
      #expect(read.faults == [])
    }
  }

  @Test func `of a Mattermost export the user lines are read`() throws {
    let text = """
      {"type":"version","version":1}
      {"type":"team","team":{"name":"t"}}
      {"type":"user","user":{"username":"alice","email":"a@x.org","nickname":"Al","roles":"system_user","teams":[{"name":"t"}]}}
      {"type":"user","user":{"username":"bob","email":"bob"}}
      {"type":"post","post":{"user":"alice"}}
      """
    let read = try TableText(text, name: "export.jsonl").users()
    #expect(read.rows == ["alice nickName=Al email=a@x.org"])
    #expect(read.faults == ["table.value 4:49"])
    #expect(read.scan.refusedCount == 1)
  }

  @Test(arguments: [#"{"type":"user"}"#, #"{"type":"user","user":null}"#, #"{"user":["a"],"type":"user"}"#])
  func `a user line of a Mattermost export without a user is at fault, and comes back`(line: String) throws {
    let lines = [#"{"type":"version","version":1}"#, line, #"{"type":"user","user":{"username":"bob"}}"#]
    var table = TableText(lines.joined(separator: "\n"), name: "export.jsonl")
    table.options.keepsRefused = true
    let read = try table.users()
    #expect(read.rows == ["bob"])
    #expect(read.faults == ["table.syntax 2:1"])
    let quoted = line.replacing("\"", with: "\"\"")
    #expect(TableText.refused(read.scan).contains("\"\(quoted)\",\"the line is one of a user,"))
  }

  @Test func `of a Mattermost export other columns are read where they are asked for`() throws {
    let text = """
      {"type":"user","user":{"username":"alice","email":"a@x.org","position":"boss","roles":"x","nickname":null}}
      {"type":"user","user":{"username":"bob","position":"cook"}}
      """
    var table = TableText(text, name: "export.jsonl")
    table.options.scan.reader.format = .mattermost
    table.options.scan.binding.map = [("alias", "Position")]
    let read = try table.users()
    #expect(read.rows == ["alice alias=boss email=a@x.org", "bob alias=cook"])
    #expect(read.faults == [])
    table.options.scan.binding.map = [("alias", "team")]
    #expect(try table.users().diagnostics.map(\.message) == ["--map names a column 'team', which there is not"])
  }

  @Test(arguments: ["u.json", "u.json.gz", "utf-16"])
  func `a fault in an array of one line quotes what stands around it`(form: String) throws {
    // Beyond the columns that a place can tell apart, and beyond what is in memory at a time.
    let bad = [0, 1, 700, 4999, 9000]
    let objects = (0..<9001).map { number in
      #"{"userId":"u\#(number)""# + (bad.contains(number) ? #","sign":"周周","email":"no\#(number)"}"# : "}")
    }
    let text = "[" + objects.joined(separator: ",") + ", {\"userId\" \"x\"}]"
    let read =
      switch form {
      case "utf-16": try TableText(text, encoding: form, name: "u.json").users()
      case "u.json": try TableText(text, name: form).users()
      default: try TableText(Self.stored(text), name: form).users()
      }
    #expect(read.diagnostics.count == bad.count + 1)
    for (number, fault) in zip(bad, read.diagnostics) {
      let quote = try #require(fault.quote)
      #expect(quote.text.unicodeScalars.count <= 2 * Quote.reach + 2)
      let meant = String(String.UnicodeScalarView(quote.text.unicodeScalars.dropFirst(quote.column - 1)))
      #expect(meant.hasPrefix("\"no\(number)\"}"), "\(meant)")
      #expect(quote.text.hasPrefix("…") == (number > 1))
    }
    let last = try #require(read.diagnostics.last?.quote)
    #expect(last.text.unicodeScalars.dropFirst(last.column - 1).elementsEqual("\"x\"}]".unicodeScalars))
  }

  /// A gzip file whose content is not compressed.
  private static func stored(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 0, 255]
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let piece = rest.prefix(60_000)
      rest = rest.dropFirst(piece.count)
      let count = UInt16(piece.count)
      bytes.append(rest.isEmpty ? 1 : 0)
      for word in [count, ~count] { bytes += [UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8)] }
      bytes += piece
    }
    var checksum = ~UInt32(0)
    for byte in text.utf8 {
      checksum ^= UInt32(byte)
      for _ in 0..<8 { checksum = checksum >> 1 ^ (checksum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    for word in [~checksum, UInt32(text.utf8.count)] {
      for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(shift))) }
    }
    return bytes
  }

  @Test func `gzip members follow each other, and a cut one is a fault`() throws {
    let packed: [UInt8] = [
      31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 43, 45, 78, 45, 242, 76, 209, 201, 203, 76, 206, 246, 75, 204, 77, 229, 74, 204,
      201, 76, 78, 213, 113, 4, 145, 92, 0, 95, 111, 254, 129, 28, 0, 0, 0, 31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 202,
      79, 210, 113, 202, 79, 226, 2, 0, 103, 212, 151, 14, 8, 0, 0, 0,
    ]
    let all = ["alice nickName=Alice", "bob nickName=Bob"]
    #expect(try TableText(packed, name: "u.csv.gz").users().rows == all)
    #expect(try TableText(packed + [0, 0, 0], name: "u").users().rows == all)
    for end in 1..<packed.count where end != 45 {
      let read = try TableText(Array(packed[..<end]), name: "u.csv").users()
      #expect(read.faults.last?.hasPrefix("table.") == true, "cut after \(end)")
      if end > 20 { #expect(read.faults == ["table.gzip 0:0"], "cut after \(end)") }
    }
    var damaged = packed
    damaged[42] ^= 1
    #expect(try TableText(damaged, name: "u.csv").users().faults == ["table.gzip 0:0"])
    #expect(try TableText(packed + [1, 2], name: "u.csv").users().faults == ["table.gzip 0:0"])
  }

  @Test func `a small gzip file that unpacks to a huge one is given up`() throws {
    let folder = try TemporaryFolder()
    let script = "head -c 3M /dev/zero | gzip -9 >zeros.gz; seq 400000 | gzip -9 >numbers.gz"
    #expect(
      try SpawnedProgram("/bin/sh", ["-c", script], in: folder, environment: ["PATH": "/usr/bin:/bin"]).wait().status
        == 0)
    var unpacked: [String: Int] = [:]
    for name in ["zeros.gz", "numbers.gz"] {
      let source = TextSource(try ByteInput(path: folder.path(name)) { 0 }, encoding: .utf8, harmless: 1 << 20)
      var count = 0
      reading: while true {
        switch source.next({ count += $0.count }) {
        case .text: continue
        case .end: break reading
        case .fault(let fault):
          #expect(fault == .tightGzip)
          count = -count
          break reading
        }
      }
      unpacked[name] = count
    }
    #expect(unpacked["numbers.gz"] == 2_688_895)
    #expect(unpacked["zeros.gz", default: 0] < 0 && unpacked["zeros.gz", default: 0] >= -(2 << 20))
  }

  @Test(arguments: [
    (
      "u.csv", "id,nick\na,x\nb,\"oops\nc,x\nd,\"oops\ne,x\n", "table.syntax 5:4",
      ["the quotation mark was opened here 3:3 b,\"oops"]
    ),
    (
      "u.csv", "id,nick,sign\na,\"x\ny\",\"z\nb,\"c\"\n", "table.syntax 4:4",
      ["the quotation mark was opened here 3:4 y\",\"z", "the row begins here 2:1 a,\"x"]
    ),
    ("u.csv", "id,\"nick\na,\"x\n", "table.syntax 2:4", ["the quotation mark was opened here 1:4 id,\"nick"]),
    ("u.csv", "id,nick\na,\"b\"c\n", "table.syntax 2:6", []),
    ("u.json", "[{\"id\":\"a\",\n\"nick\" 1}]", "table.syntax 2:8", ["the row begins here 1:2 [{\"id\":\"a\","]),
  ])
  func `what can't be read is told with where its row and its quotation mark began`(
    name: String, text: String, fault: String, notes: [String]
  ) throws {
    let read = try TableText(text, name: name).users()
    #expect(read.faults == [fault])
    let found = read.diagnostics.flatMap(\.notes)
    #expect(found.map { "\($0.message) \($0.place.line):\($0.place.column) \($0.quote?.text ?? "")" } == notes)
  }

  @Test(
    arguments: ["\n\n", "\r\n\r\n", "\u{FEFF}\n", ";;;\n", "\n\"\";\"\"\r\n\t\t\n;;;\n", ",,,,,\r"], [",", ";", "\t"])
  func `what stands empty before the header hides no delimiter`(blank: String, delimiter: String) throws {
    let blank = blank.replacing(";", with: delimiter).replacing("\t", with: delimiter).replacing(",", with: delimiter)
    let table = "id,nick,gender\na,x,m\n".replacing(",", with: delimiter)
    let read = try TableText(blank + table).users()
    #expect(read.rows == ["a nickName=x gender=male"])
    #expect(read.faults == [])
  }

  @Test func `an element of a YAML list that is no mapping is a row at fault, and the next one is read`() throws {
    let text = """
      - &x {id: a}
      - just text
      - [b,
         {c: d}]
      - *x
      - id: b
      - {<<: *x, nick: c}
      - {id: d, nick: *y}
      - {id: e, shoe: *y}

      """
    var table = TableText(text, name: "u.yaml")
    table.options.keepsRefused = true
    let read = try table.users()
    #expect(read.rows == ["a", "b", "e"])
    #expect(
      read.diagnostics.filter { $0.severity == .error }.map { "\($0.place.line):\($0.place.column) \($0.message)" } == [
        "2:3 something else than a mapping stands in the list", "3:3 something else than a mapping stands in the list",
        "5:3 the row is an alias, which is not read in a table; write the mapping out",
        "7:4 a merge key '<<' is not read in a table; write its keys out",
        "8:17 'nick' is an alias, which is not read in a table; write the value out",
      ])
    #expect(read.scan.rowCount == 8)
    #expect(TableText.refused(read.scan).contains("\"- [b,\n   {c: d}]\""))
  }

  @Test(arguments: [
    ("u.json", #"[{"id":"a","userInfo":{"ext":"p"},"userInfo.ext":"q"},{"id":"b","userInfo":{"ext":"p"}}]"#, "1:50"),
    (
      "u.ndjson", #"{"userInfo.ext":"q","id":"a","userInfo":{"ext":"p"}}"# + "\n" + #"{"id":"b","userInfo.ext":"p"}"#,
      "1:17"
    ),
    ("u.yaml", "- {id: a, userInfo: {ext: p}, userInfo.ext: q}\n- {id: b, userInfo.ext: p}\n", "1:45"),
  ])
  func `a key that stands twice, once in a nested object, is an error`(
    name: String, text: String, place: String
  ) throws {
    let read = try TableText(text, name: name).users()
    #expect(read.rows == ["b userInfo.ext=p"])
    #expect(read.faults == ["table.value \(place)"])
    #expect(read.diagnostics.first?.message == "the key 'userInfo.ext' stands twice")
  }

  @Test(arguments: [
    ("u.csv", ""), ("u.tsv", "\n"), ("u.json", ""), ("u.json", " \n"), ("u.ndjson", ""), ("u.ndjson", "\n \n\t\n"),
    ("u.yaml", ""), ("u.yaml", "# nothing\n"), ("u", ""),
  ])
  func `a file with nothing in it is one error, whatever its format`(name: String, text: String) throws {
    let read = try TableText(text, name: name).users()
    #expect(read.faults == ["table.unreadable 0:0"])
    #expect(read.diagnostics.first?.message.hasPrefix("the file is empty: it has no") == true)
    #expect(read.scan.rowCount == 0 && !read.scan.isWhole)
  }

  @Test(arguments: [("u.csv", "id\n"), ("u.json", "[]"), ("u.json", " [\n] \n"), ("u.yaml", "[]\n")])
  func `a table without rows is none with nothing in it`(name: String, text: String) throws {
    let read = try TableText(text, name: name).users()
    #expect(read.faults == [] && read.scan.isWhole)
  }

  @Test(arguments: [
    ("[{\"id\":\"a\"}\n", "table.syntax 2:1", "the array is never closed: the file is cut off"),
    ("[{\"id\":\"a\"},\n", "table.syntax 2:1", "the array is never closed: the file is cut off"),
    ("[{\"id\":\"a\"}] x", "table.syntax 1:14", "more text follows the array"),
    ("x", "table.format 1:1", "the file is no JSON array of objects"),
  ])
  func `what is wrong around an array is no row`(text: String, fault: String, message: String) throws {
    let read = try TableText(text, name: "u.json").users()
    #expect(read.faults == [fault])
    #expect(read.diagnostics.first?.message == message)
    #expect(read.diagnostics.first?.quote?.text != "…")
    #expect(read.scan.rowCount == read.rows.count && read.scan.refusedCount == 0 && !read.scan.isWhole)
  }

  @Test(arguments: [
    ("u.csv", "", ["table.unreadable 0:0"]),
    ("u.csv", "\n\n", ["table.unreadable 0:0"]),
    ("u.csv", "userId\n", []),
    ("u.csv", "PK\u{3}\u{4}x", ["table.format 0:0"]),
    (
      "u.csv", "userId,nickName\na,b,c\nd\ni,j\u{0}\nk,\"l\"m\nn,o\ne,\"f\ng,h\n",
      ["table.row-length 2:1", "table.row-length 3:1", "table.encoding 4:4", "table.syntax 5:6", "table.syntax 7:3"]
    ),
    ("u.json", "{\"userId\":", ["table.syntax 1:11"]),
    ("u.json", "[{\"userId\":\"a\"},\n{\"userId\":\"b\"", ["table.syntax 2:1"]),
    ("u.json", "[{\"userId\":\"a\"}] x", ["table.syntax 1:18"]),
    ("u.json", "[{\"userId\":\"a\"}\n{\"userId\":\"b\"}]", ["table.syntax 2:1"]),
    ("u.json", "[1]", ["table.syntax 1:2"]),
    (
      "u.ndjson", "{\"userId\":\"a\"}\n{\"userId\":\"b\",}\n[]\n{\"userId\":\"c\",\"mobile\":1.5}\n{\"nick\":\"d\"}",
      ["table.syntax 2:15", "table.syntax 3:1", "table.value 4:24", "table.missing-key 5:1"]
    ),
    (
      "u.json", "[{\"userId\":\"a\"},[2],\"x\",{\"userId\":\"b c\"}]",
      ["table.syntax 1:17", "table.syntax 1:21", "table.value 1:35"]
    ),
    ("u.yaml", "- userId: a\n---\n- userId: b\n", ["table.format 2:1"]),
    ("u.yaml", "- userId: a\n...\n", []),
    ("u.yaml", "a: b\n", ["table.format 1:1"]),
    ("u.yaml", "- userId: a\n- x\n", ["table.syntax 2:3"]),
    ("u.yaml", "- userId: a\n- userId: b\n  userId: c\n- userId: [d\n", ["table.value 3:11", "table.syntax 5:1"]),
  ])
  func `what can't be read is told with its place`(name: String, text: String, faults: [String]) throws {
    let found = try TableText(text, name: name).users().faults
    #expect(found == faults)
  }
}
