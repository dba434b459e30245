import Testing
import Testkit

@testable import CircleCLI

struct ExportTableTests {
  @Test func `a table for a spreadsheet program has a mark, another encoding and no formulas`() throws {
    let run = try TestRun(["u.ndjson": #"{"userId":"a","nickName":"=1+1","sign":"'@x","mobile":"+86-1"}"# + "\n"])
    #expect(try run("import users u.ndjson").status == 0)
    let table = try run("export --table users --bom --formula-safe").output
    #expect(table.hasPrefix("\u{FEFF}userId,alias"))
    #expect(table.contains("a,,,,'=1+1,,''@x,,,,'+86-1,,,"))
    try run.folder.write(table, to: "t.csv")
    #expect(try run("import users t.csv --formula-safe --state other.db").status == 0)
    #expect(
      try run("export --table users --state other.db").output == run("export --table users").output)
  }

  @Test(arguments: [
    ("export --table users -o json", 64), ("export --table users -o tsv --encoding klingon", 64),
    ("export --table users swift-fans", 64), ("export --table users --stack default", 64), ("export -o csv", 64),
    ("export --bom", 64), ("export --table users --encoding big5 --bom", 64),
    ("export --table users --encoding gb18030 --bom", 0), ("export --table users --encoding utf-16 --bom", 0),
    ("user list -o yaml", 64), ("export --table users -o ndjson", 0),
  ])
  func `only tables are written as tables`(line: String, status: Int32) throws {
    let run = try TestRun(["u.csv": "userId\na\n"])
    #expect(try run("import users u.csv").status == 0)
    #expect(try run(line).status == status)
  }

  @Test func `a character that an encoding has not is named`() throws {
    let run = try TestRun(["u.csv": "userId,nick\na,中文😀\n"])
    #expect(try run("import users u.csv").status == 0)
    let ending = try run("export --table users --encoding big5")
    #expect(ending.status == 1)
    #expect(ending.errors.contains("'😀' can't be written in BIG5"))
    #expect(try run("export --table users --encoding gb18030").status == 0)
  }

  @Test(arguments: ["csv", "tsv", "ndjson", "yaml"])
  func `formula-safe of an export and of an import are each other's inverse`(format: String) throws {
    let run = try TestRun(["u.ndjson": #"{"userId":"a","nickName":"'=1+1","sign":"@x","devices":["=a","b"]}"# + "\n"])
    #expect(try run("import users u.ndjson").status == 0)
    try run.folder.write(try run("export --table users --formula-safe -o \(format)").output, to: "t.\(format)")
    #expect(try run.folder.read("t.\(format)").contains("''=1+1"))
    #expect(try run("import users t.\(format) --formula-safe --state other.db").status == 0)
    #expect(try run("export --table users --state other.db").output == run("export --table users").output)
  }

  @Test(arguments: ["", " --bom"])
  func `UTF-16 begins with one byte order mark, and comes back by itself`(option: String) throws {
    let run = try TestRun(["u.csv": "userId,nick\na,中文😀\n"])
    #expect(try run("import users u.csv").status == 0)
    run.output = run.folder.path("t.csv")
    try run.folder.write("", to: "t.csv")
    #expect(try run("export --table users --encoding utf-16\(option)").status == 0)
    run.output = nil
    let bytes = try run.folder.bytes("t.csv")
    #expect(Array(bytes.prefix(4)) == [0xFF, 0xFE, 0x75, 0])
    #expect(try run("import users t.csv --state other.db").errors.contains("UTF-16LE"))
    #expect(try run("export --table users --state other.db").output == run("export --table users").output)
  }

  @Test(arguments: ["csv", "tsv", "ndjson", "yaml"])
  func `what is exported imports into a state with the same servers as the same state`(format: String) throws {
    for seed: UInt64 in 1...6 {
      var random = Random(seed)
      let run = try TestRun()
      try run.folder.write(random.users(), to: "u.ndjson")
      try run.folder.write(random.servers(withMembers: true), to: "full.yaml")
      #expect(try run("import users u.ndjson --state a.db").status == 0, "seed \(seed)")
      #expect(try run("apply full.yaml --yes --state a.db").status == 0, "seed \(seed)")
      #expect(try run("import users u.ndjson --state b.db").status == 0)
      // The same servers, with none of the rows but the owners themselves.
      let bare = try TestRun()
      for kind in ["users", "tags", "members"] {
        let table = try run("export --table \(kind) -o \(format) --state a.db").output
        try bare.folder.write(table, to: "\(kind).\(format)")
      }
      #expect(try bare("import users users.\(format) --state c.db").status == 0, "seed \(seed)")
      try bare.folder.write(random.servers(withMembers: false), to: "bare.yaml")
      #expect(try bare("apply bare.yaml --yes --state c.db").status == 0, "seed \(seed)")
      #expect(try bare("import tags tags.\(format) --state c.db").status == 0, "seed \(seed)")
      #expect(try bare("import members members.\(format) --state c.db").status == 0, "seed \(seed)")
      #expect(try bare("state verify --state c.db").status == 0)
      #expect(
        try bare("export --all --state c.db").output == run("export --all --state a.db").output, "seed \(seed)")
      for kind in ["users", "tags", "members"] {
        #expect(try bare("import \(kind) \(kind).\(format) --state c.db").output.contains("Nothing changes"))
      }
    }
  }

  /// Users and servers with texts that formats have to take care of.
  private struct Random {
    private var state: UInt64
    private let tags: [[String]]

    init(_ seed: UInt64) {
      state = seed
      tags = []
    }

    private mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }

    private mutating func text() -> String {
      let parts = [
        "a", "B", "\\\"", ",", ";", "|", "\\t", "\\n", " ", "é", "字", "😀", "'", "=", "-", "#", ": ", "[", "null", "~",
        "1",
      ]
      return "x" + (0..<next(8)).map { _ in parts[next(parts.count)] }.joined()
    }

    /// NDJSON.
    mutating func users() -> String {
      (0..<20).map { number in
        var members = ["\"userId\":\"User\(number)\""]
        for field in ["alias", "ext", "serverExt", "nickName", "sign", "userInfo.ext"] where next(3) == 0 {
          members.append("\"\(field)\":\"\(text())\"")
        }
        if next(3) == 0 { members.append("\"gender\":\"\(["male", "female", "unknown"][next(3)])\"") }
        if next(3) == 0 { members.append("\"mobile\":\"+86-\(next(1000))\"") }
        if next(3) == 0 { members.append("\"birth\":\"2001-02-0\(1 + next(9))\"") }
        if next(3) == 0 { members.append("\"avatarUrl\":\"https://x.example/\(next(100)),a;b\"") }
        if next(2) == 0 {
          let devices = (0...next(3)).map { "\"d\($0)\(text())\"" }
          members.append("\"devices\":[\(devices.joined(separator: ","))]")
        }
        return "{\(members.joined(separator: ","))}\n"
      }.joined()
    }

    mutating func servers(withMembers: Bool) -> String {
      var random = Random(7)
      return "version: 1\nservers:\n"
        + (0..<4).map { number in
          let tags = (0..<random.next(5)).map { "\"t\($0)\(random.text().prefix(14))\"" }
          let members = Set((0..<random.next(12)).map { _ in 4 + random.next(16) }).sorted().map { "user\($0)" }
          let moderators = members.prefix(2)
          let lists =
            "tags: [\(tags.joined(separator: ", "))], moderators: [\(moderators.joined(separator: ", "))], members: [\(members.joined(separator: ", "))], "
          return "  s\(number): {name: S, owner: user\(number), \(withMembers ? lists : "")join: direct}\n"
        }.joined()
    }
  }
}
