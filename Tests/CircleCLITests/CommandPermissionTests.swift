import CircleModel
import Testing

@testable import CircleCLI

/// Who may do what (domain.md §3), through the command line: each operation with `--as` each kind of caller, in a public
/// and in a private server.
struct CommandPermissionTests {
  enum Caller: Int, CaseIterable {
    case owner, moderator, user, outsider, invitee

    var user: String { ["alice", "bob", "carol", "dave", "frank"][rawValue] }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    /// `S` is the server, `U` the caller.
    var line: String
    /// In the order of `Caller`; nil is allowed.
    var expected: [CircleErrorName?]
    /// Where it differs in a private server.
    var inPrivate: [CircleErrorName?]?

    init(_ line: String, _ expected: [CircleErrorName?], inPrivate: [CircleErrorName?]? = nil) {
      self.line = line
      self.expected = expected
      self.inPrivate = inPrivate
    }

    var testDescription: String { line }
  }

  private static let anyone: [CircleErrorName?] = [nil, nil, nil, nil, nil]
  private static let members: [CircleErrorName?] = [nil, nil, nil, .notMember, .notMember]
  private static let staff: [CircleErrorName?] = [nil, nil, .noPermission, .notMember, .notMember]
  private static let owner: [CircleErrorName?] = [nil, .noPermission, .noPermission, .notMember, .notMember]
  private static let nobody = [CircleErrorName?](repeating: .noPermission, count: 5)
  private static let answer: [CircleErrorName?] = [
    .repeatedOperation, .repeatedOperation, .repeatedOperation, .noInvitation, nil,
  ]

  static let rows: [Row] = [
    Row("server create New", anyone),
    Row("server update S --desc D", staff),
    Row("server destroy S --yes", owner),
    Row("tag add S new", staff),
    Row("tag remove S tea", staff),
    Row("invitation send S erin", members),
    Row("invitation accept S --inviter alice", answer),
    Row("invitation decline S --inviter alice", answer),
    Row(
      "member join S", [.repeatedOperation, .repeatedOperation, .repeatedOperation, nil, nil],
      inPrivate: [.repeatedOperation, .repeatedOperation, .repeatedOperation, .privateServer, .privateServer]),
    Row("member join S erin", nobody),
    Row("member leave S", [.ownerCannotLeave, nil, nil, .notMember, .notMember]),
    Row("member remove S carol", staff),
    Row("member remove S mona", owner),
    Row("member remove S alice", [.noPermission, .noPermission, .noPermission, .notMember, .notMember]),
    Row("moderator add S carol", owner),
    Row("moderator remove S mona", owner),
    Row("server get S", members),
    Row("member list S", members),
    Row("tag list S", members),
    Row("moderator list S", members),
    Row("moderator list --all", anyone),
    Row("server list", anyone),
    Row("server search tea", anyone),
    Row("member check S", anyone),
    Row("member role S", members),
    Row("invitation list S", anyone),
    Row("invitation withdraw S frank", [nil, .noInvitation, .noInvitation, .noInvitation, .noInvitation]),
    Row("user memberships", anyone),
    Row("user memberships erin", nobody),
    Row("user update U --set sign=S", anyone),
    Row("user update erin --set sign=S", nobody),
    Row("user register zoe", nobody),
    Row("user devices U pad", nobody),
    Row("user list", nobody),
    Row("user offboard erin --yes", nobody),
    Row("server rename S new", nobody),
    Row("server release S", nobody),
  ]

  @Test(arguments: rows, ["pub", "priv"])
  func `everyone may do what the rules say and nothing else`(row: Row, server: String) throws {
    let circle = try TestCircle()
    let expected = server == "priv" ? row.inPrivate ?? row.expected : row.expected
    for caller in Caller.allCases {
      try circle.reset()
      let words = row.line.split(separator: " ").map { $0 == "S" ? server : $0 == "U" ? caller.user : String($0) }
      let ending = try circle.run.run(words + ["--as", caller.user, "-o", "json"])
      guard let refusal = expected[caller.rawValue] else {
        #expect(ending.status == 0, "\(caller): \(ending.errors)")
        continue
      }
      #expect(ending.status == 3, "\(caller)")
      #expect(ending.output.contains("{\"cause\":\"\(refusal.rawValue)\""), "\(caller): \(ending.errors)")
      #expect(ending.output.contains("\"actor\":\"\(caller.user)\""), "\(caller)")
      #expect(try circle.run.history().count == 14, "\(caller): a refused operation writes nothing")
    }
  }

  @Test func `an administrator may do all of it for others`() throws {
    let circle = try TestCircle()
    for line in [
      "server create New --owner dave", "server update priv --desc D", "tag add priv new", "tag remove priv tea",
      "invitation send priv erin", "invitation accept priv frank --inviter alice", "member join priv dave",
      "invitation decline pub frank --inviter alice", "member leave priv dave", "moderator add priv carol",
      "moderator remove priv mona", "member remove priv mona", "server get priv", "member list priv",
      "invitation withdraw priv erin", "server rename priv secret", "server destroy secret --yes", "state verify",
    ] {
      let ending = try circle(line)
      #expect(ending.status == 0, "\(line): \(ending.errors)")
    }
  }

  @Test(arguments: rows)
  func `one who is not registered may do nothing`(row: Row) throws {
    let circle = try TestCircle()
    let words = row.line.split(separator: " ").map { $0 == "S" ? "pub" : $0 == "U" ? "ghost" : String($0) }
    let ending = try circle.run.run(words + ["--as", "ghost", "-o", "json"])
    #expect(ending.status == 3)
    #expect(ending.output.contains("{\"cause\":\"notRegistered\"") || row.line.hasPrefix("user offboard"))
  }
}
