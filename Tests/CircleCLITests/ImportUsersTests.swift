import Testing
import Testkit

@testable import CircleCLI

struct ImportUsersTests {
  static let table = "userId,nickName,gender,devices\nalice,Alice,f,phone|mac\nbob,Bob,,\n"

  @Test func `a first import registers, a second one changes nothing, a third one changes what differs`() throws {
    let run = try TestRun(["u.csv": Self.table])
    let first = try run("import users u.csv")
    #expect(first.status == 0)
    #expect(first.output.contains("2 rows read: 2 users registered, 0 users changed and 0 unchanged."))
    let bytes = try run.folder.bytes("circle.db")
    let second = try run("import users u.csv")
    #expect(second.status == 0)
    #expect(second.output.contains("Nothing changes."))
    #expect(try run.folder.bytes("circle.db") == bytes)
    try run.folder.write("userId,nick,devices\nALICE,Al,\nbob,,tablet\n", to: "v.csv")
    let third = try run("import users v.csv -o ndjson")
    #expect(third.output.contains(#""fields":{"nickName":1,"devices":1}"#))
    #expect(
      try run("export --table users").output.contains(
        "alice,,,,Al,,,female,,,,,,phone|mac\nbob,,,,Bob,,,,,,,,,tablet\n"))
    #expect(try run("state verify").status == 0)
    #expect(try run.history().count == 2)
  }

  @Test func `a state that an import makes is spoken of, and a clock that goes back warned of`() throws {
    let run = try TestRun(["u.csv": Self.table, "v.csv": "userId,nick\nbob,Robert\n"])
    #expect(try run("import users u.csv --dry-run").errors.contains("it counts as empty"))
    #expect(try run("import users u.csv").errors == "circlectl: the state 'circle.db' was created\n")
    run.time -= 1000
    #expect(try run("import users u.csv").errors == "", "nothing is written")
    let ending = try run("import users v.csv")
    #expect(ending.status == 0)
    #expect(ending.errors.contains("warning: the clock is earlier than the last run; this run gets its time, 2025-"))
    #expect(!ending.errors.contains("created"))
    #expect(try run("import users u.csv --now 2031-01-01T00:00:00Z").errors.contains("more than a day later"))
  }

  @Test(arguments: ["", "--on-error skip"])
  func `all rows of a user whom the state refuses are told and given back`(option: String) throws {
    let run = try TestRun(["u.csv": Self.table, "v.csv": "userId,nick\nbob,B\ncarol,C\nBOB,Z\ndan,D\nbob,\n"])
    #expect(try run("import users u.csv").status == 0)
    let ending = try run("import users v.csv --mode insert --errors e.csv \(option)")
    #expect(ending.status == (option.isEmpty ? 3 : 65))
    for line in [2, 4, 6] {
      #expect(ending.errors.contains("v.csv:\(line):1: error: 'userId' is 'bob': the user is registered already"))
    }
    #expect(option.isEmpty ? ending.errors.contains("3 rows of 5 refused") : ending.output.contains("3 rows refused"))
    #expect(
      try run.folder.read("e.csv").split(separator: "\n").map { $0.prefix(5) } == ["userI", "bob,B", "BOB,Z", "bob,,"])
    #expect(try run("import users e.csv --mode update").status == 0)
    #expect(try run("export --table users").output.contains("bob,,,,Z,"))
  }

  @Test func `one bad row changes nothing and is named`() throws {
    let run = try TestRun(["u.csv": Self.table + "c d,,,\n"])
    let ending = try run("import users u.csv")
    #expect(ending.status == 65)
    #expect(ending.errors.contains("u.csv:4:1: error: 'userId' is 'c d'"))
    #expect(ending.errors.contains("1 row of 3 refused; nothing was imported"))
    #expect(run.folder.names() == ["u.csv"])
  }

  @Test func `skipping imports the others, and the refused rows import once they are mended`() throws {
    let run = try TestRun(["u.csv": Self.table + "c d,\"Carol, C.\",,\n"])
    let ending = try run("import users u.csv --on-error skip --errors e.csv -o json")
    #expect(ending.status == 65)
    #expect(ending.output.contains(#""result": "partial""#))
    #expect(ending.output.contains(#""refused": 1"#))
    let errors = try run.folder.read("e.csv")
    #expect(errors.hasPrefix("userId,nickName,gender,devices,error\nc d,\"Carol, C.\",,,\"'userId' is 'c d'"))
    try run.folder.write(errors.replacing("c d,\"", by: "carol,\""), to: "e.csv")
    #expect(try run("import users e.csv --strict").status == 0)
    #expect(try run("export --table users").output.contains("carol,,,,\"Carol, C.\""))
  }

  @Test func `an insert refuses who is there, an update who is not, and both give the rows back`() throws {
    let run = try TestRun(["u.csv": Self.table, "v.csv": "userId,nick,shoe\ncarol,C,1\nbob,B,2\nbad id,X,3\n"])
    #expect(try run("import users u.csv").status == 0)
    let insert = try run("import users v.csv --mode insert --errors e.csv")
    #expect(insert.status == 65)
    #expect(insert.errors.contains("v.csv:3:1: error: 'userId' is 'bob': the user is registered already"))
    #expect(insert.errors.contains("  3 | bob,B,2\n    | ^\n"))
    #expect(insert.errors.contains("2 rows of 3 refused"))
    #expect(
      try run.folder.read("e.csv").split(separator: "\n").map { $0.prefix(8) } == ["userId,n", "bad id,X", "bob,B,2,"])
    try run.folder.write("userId,nick\ncarol,C\nbob,B\n", to: "v.csv")
    #expect(try run("import users v.csv --mode insert").status == 3)
    let update = try run("import users v.csv --mode update --on-error skip")
    #expect(update.status == 65)
    #expect(update.errors.contains("v.csv:2:1: error: 'userId' is 'carol': there is no such user"))
    try run.folder.write("nick,用户ID\nB,bob\n", to: "w.csv")
    #expect(try run("import users w.csv --mode insert").errors.contains("w.csv:2: error: '用户ID' is 'bob': the user is"))
    let users = try run("export --table users").output
    #expect(users.contains("bob,,,,B,"))
    #expect(!users.contains("carol"))
    #expect(try run("import users v.csv --mode insert --on-error skip").status == 65)
    #expect(try run("export --table users").output.contains("carol,,,,C,"))
  }

  @Test func `a dry run counts and writes nothing`() throws {
    let run = try TestRun(["u.csv": Self.table, "v.csv": "id,nick\nalice,Al\nbob,Bob\ncarol,C\nx y,\n"])
    #expect(try run("import users u.csv --dry-run").output.contains("2 users to register"))
    #expect(run.folder.names() == ["u.csv", "v.csv"])
    #expect(try run("import users u.csv").status == 0)
    let bytes = try run.folder.bytes("circle.db")
    let ending = try run("import users v.csv --dry-run")
    #expect(ending.status == 65)
    #expect(
      ending.output
        == "4 rows read: 1 user to register, 1 user to change (nickName 1), 1 unchanged and 1 row refused.\n")
    #expect(try run.folder.bytes("circle.db") == bytes)
  }

  @Test(arguments: [
    ("bad.csv", "", 65, "bad-input"), ("bad.csv", "--on-error skip", 65, "bad-input"),
    ("u.csv", "--mode insert", 3, "refused"), ("u.csv", "--mode insert --on-error skip", 65, "bad-input"),
    ("bad.csv", "--mode insert", 65, "bad-input"), ("new.csv", "", 0, "different"), ("u.csv", "", 0, "unchanged"),
  ])
  func `the result of a dry run goes with its exit code`(
    file: String, options: String, status: Int32, result: String
  ) throws {
    let run = try TestRun(["u.csv": Self.table, "new.csv": "id\nzoe\n", "bad.csv": "id\nzoe\nx y\nalice\n"])
    #expect(try run("import users u.csv").status == 0)
    let ending = try run("import users \(file) --dry-run -o json \(options)")
    #expect(ending.status == status)
    #expect(ending.output.contains("\"result\": \"\(result)\""))
  }

  @Test func `two rows of one user are one, the later wins cell by cell, and both are named`() throws {
    let run = try TestRun(["u.csv": "userId,nick,sign\nAlice,A,one\nbob,,\nalice,,two\nALICE,Z,\n"])
    let ending = try run("import users u.csv")
    #expect(ending.status == 0)
    #expect(ending.errors.contains("u.csv:4: warning: user 'alice' has a row in line 2 already"))
    #expect(ending.errors.contains("u.csv:5: warning: user 'ALICE' has a row in line 4 already"))
    #expect(try run("export --table users").output.contains("Alice,,,,Z,,two,"))
  }

  @Test func `the same users in another encoding with other line ends give the same state`() throws {
    let run = try TestRun()
    let text = "userId,昵称,签名\nalice,爱丽丝,\"一,二\"\nbob,鲍勃,三\n"
    try run.folder.write(text, to: "a.csv")
    // The same in GB18030 with CRLF, and in UTF-16 with a mark.
    let gb: [UInt8] =
      Array("userId,".utf8) + [0xEA, 0xC7, 0xB3, 0xC6, 0x2C, 0xC7, 0xA9, 0xC3, 0xFB, 0x0D, 0x0A]
      + Array("alice,".utf8) + [
        0xB0, 0xAE, 0xC0, 0xF6, 0xCB, 0xBF, 0x2C, 0x22, 0xD2, 0xBB, 0x2C, 0xB6, 0xFE, 0x22, 0x0D, 0x0A,
      ]
      + Array("bob,".utf8) + [0xB1, 0xAB, 0xB2, 0xAA, 0x2C, 0xC8, 0xFD]
    try run.folder.write(gb, to: "b.csv")
    try run.folder.write([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, to: "c.csv")
    let line = "import users --now 2025-01-02T03:04:05Z --state"
    #expect(try run("\(line) a.db a.csv").status == 0)
    let second = try run("\(line) b.db b.csv")
    #expect(second.errors.contains("'b.csv' is read as GB18030"))
    #expect(try run("\(line) c.db c.csv").errors.contains("UTF-16LE"))
    let exported = try run("export --table users --state a.db").output
    #expect(exported.contains("alice,,,,爱丽丝,,\"一,二\""))
    #expect(try run("export --table users --state b.db").output == exported)
    #expect(try run("export --table users --state c.db").output == exported)
  }

  @Test func `standard input, several files and clearing`() throws {
    let run = try TestRun(["u.csv": Self.table, "v.ndjson": #"{"userId":"carol","devices":["a","b|c"]}"#])
    run.input = "- {userId: dave, nickName: D}\n"
    #expect(try run("import users u.csv v.ndjson -").status == 0)
    let users = try run("export --table users").output
    #expect(users.contains("carol,,,,,,,,,,,,,\"[\"\"a\"\",\"\"b|c\"\"]\"\n"))
    #expect(users.contains("dave,,,,D,"))
    try run.folder.write("userId,nick,gender,devices\nalice,,,\n", to: "w.csv")
    #expect(try run("import users w.csv").output.contains("Nothing changes."))
    #expect(try run("import users w.csv --clear-empty").output.contains("(nickName 1, gender 1, devices 1)"))
    #expect(try run("export --table users").output.contains("alice,,,,,,,,,,,,,\n"))
    #expect(try run("import users - -").status == 64)
    #expect(try run("import users nothing.csv").status == 65)
  }

  @Test func `a manifest of the same users leaves the state alone`() throws {
    let run = try TestRun(["u.csv": Self.table + "alice,,,\ncarol,~,0,\n"])
    let ending = try run("import users u.csv --clear-empty --to-manifest m.yaml")
    #expect(ending.status == 0)
    #expect(run.folder.names() == ["m.yaml", "u.csv"])
    #expect(try run("apply m.yaml --yes").status == 0)
    #expect(try run("import users u.csv --clear-empty").output.contains("Nothing changes."))
  }

  @Test func `a dry run writes no manifest either`() throws {
    let run = try TestRun(["u.csv": Self.table])
    #expect(try run("import users u.csv --dry-run --to-manifest m.yaml").output.contains("2 users to register"))
    #expect(run.folder.names() == ["u.csv"])
  }

  @Test func `refused rows of two files have one column for each field`() throws {
    let run = try TestRun(["a.csv": "userId,nick\na b,A\n", "b.csv": "id,email,nickName\nc d,x@y.example,C\n"])
    #expect(try run("import users a.csv b.csv --errors e.csv").status == 65)
    let refused = try run.folder.read("e.csv")
    #expect(refused.hasPrefix("userId,nick,email,error\na b,A,,"))
    try run.folder.write(refused.replacing("\na b", by: "\nab").replacing("\nc d", by: "\ncd"), to: "e.csv")
    #expect(try run("import users e.csv").status == 0)
    #expect(try run("export --table users").output.contains("cd,,,,C,,,,x@y.example"))
  }

  @Test func `of rows that are too long the errors file tells which`() throws {
    let run = try TestRun(["u.csv": "userId,sign\nb,\(String(repeating: "x", count: 2 << 20))\na,b\n"])
    let ending = try run("import users u.csv --errors e.csv")
    #expect(ending.status == 65)
    #expect(ending.errors.contains("of 1 row longer than 1 MiB 'e.csv' has only the beginning: u.csv:2"))
  }

  @Test func `a table's codes have their own rule in SARIF`() throws {
    let run = try TestRun(["u.csv": Self.table + "c d,,,\n"])
    let report = try run("import users u.csv -o sarif").output
    #expect(report.contains("A cell breaks the rule of its field."))
    #expect(!report.contains("A rule or a guard refuses"))
  }

  @Test(arguments: ["u.csv", "circle.db", "circlectl.yaml"])
  func `the errors file replaces neither a table nor the state`(name: String) throws {
    let run = try TestRun(["u.csv": Self.table])
    #expect(try run("import users u.csv").status == 0)
    let ending = try run("import users u.csv --errors \(name)")
    #expect(ending.status == 64)
    #expect(ending.errors.contains("would replace"))
  }

  @Test(arguments: [3, 40, 200])
  func `an interrupt leaves the state untouched`(after: Int) throws {
    var text = "userId,nick\n"
    for number in 0..<20_000 { text += "user\((number * 7919) % 20_000),Name \(number)\n" }
    let run = try TestRun(["u.csv": Self.table, "v.csv": text])
    #expect(try run("import users u.csv").status == 0)
    let bytes = try run.folder.bytes("circle.db")
    run.signal = (2, after)
    let ending = try run("import users v.csv")
    run.signal = nil
    if ending.status == 130 {
      #expect(ending.errors.contains("interrupted; the state is as it was before"))
      #expect(try run("export --table users").output.split(separator: "\n").count == 3)
    } else {
      #expect(ending.status == 0)
    }
    if after == 3 { #expect(try run.folder.bytes("circle.db") == bytes) }
    #expect(try run("state verify").status == 0)
  }

  @Test(arguments: [
    ["--max-errors", "x"], ["--delimiter", "ab"], ["--encoding", "a/b"], ["--encoding", "windows-9999"],
    ["--map", "shoe=x"],
    ["--map", "userId=foo,nickName=foo"], ["--map", "nickName=foo,nickName=id"],
    ["--mode", "insert", "--to-manifest", "x"], ["--mode", "update", "--to-manifest", "x", "--dry-run"],
    ["--errors", "x", "--to-manifest", "./x"], ["--map", "nothing"], ["--as", "alice"],
  ])
  func `a wrong option is told before anything is read`(options: [String]) throws {
    let run = try TestRun(["u.csv": Self.table])
    #expect(try run.run(["import", "users", "u.csv"] + options).status == 64)
    #expect(run.folder.names() == ["u.csv"])
  }
}
