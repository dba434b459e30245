import CircleModel
import CircleReport
import Diagnostics
import Testing

@testable import CirclePlan

struct PlanTests {
  private func text(_ plan: Plan, _ detail: PlanDetail = .changes, applied: Bool = false) throws -> String {
    try Sample.rendered([.plan(PlanSection(plan, files: Sample.files, detail: detail, isApplied: applied))], as: .text)
  }

  @Test func `moderators come first, then removals, then all else, each by server`() throws {
    #expect(
      try text(Sample.everything) == """
        Moderators
          swift-fans
             ~ role of dave: moderator → user  manifests/a.yaml:7:5   drift, not among the moderators
             ~ role of bob: user → moderator   manifests/a.yaml:10:7

        Removals
          swift-fans
             - member carol  manifests/a.yaml:8:5  no longer listed
             - tag "旧"      manifests/a.yaml:6:5  not among the tags

        Changes
          Users
             + user bob  manifests/a.yaml:2:5
          swift-fans
             ~ desc unset → "a\\nb"  manifests/社区.yaml:5:9
             + member bob           manifests/a.yaml:9:7
            !~ owner alice → bob    manifests/a.yaml:4:3     refused: owner-change

        Unmanaged
           ? server old-club "Old "Club""  no manifest names it any more; not pruned (--prune destroys it)
           ? 1 user whom no manifest names
           ? 3 members whom no list names

        Notes
          dave declined an invitation to swift-fans and is not invited again  manifests/a.yaml:11:7

        Refused
          ! swift-fans: the owner of an existing server can't change from 'alice' to 'bob' [owner-change]  manifests/a.yaml:4:3
              keep 'owner: alice'

        Plan: 2 to create, 3 to change, 2 to remove; 1 of them drift; 1 blocked; 1 server, 1 user and 3 members unmanaged.

        """)
  }

  @Test func `a summary has one line a server`() throws {
    let lines = try text(Sample.everything, .summary).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0...2] == ["  Users       +1", "  swift-fans  +1  ~3  -2  1 drift, 1 blocked", ""])
  }

  @Test func `as JSON a change is a line`() throws {
    let json = try Sample.rendered(
      [.plan(PlanSection(Sample.everything, files: Sample.files))], as: .json, result: .refused)
    #expect(
      json == #"""
        {
          "circlectlReport": 1,
          "command": "diff",
          "result": "refused",
          "stack": "default",
          "applied": false,
          "summary": {
            "create": 2,
            "update": 3,
            "delete": 2,
            "pending": 6,
            "drift": 1,
            "unmanaged": 1,
            "unmanagedUsers": 1,
            "unmanagedMembers": 3,
            "blocked": 1
          },
          "changes": [
            {"kind":"pending","action":"create","object":"user","user":"bob","rule":"manifest","file":"manifests/a.yaml","line":2,"column":5},
            {"kind":"pending","action":"delete","object":"member","server":"swift-fans","user":"carol","before":"user","rule":"no-longer-listed","file":"manifests/a.yaml","line":8,"column":5},
            {"kind":"drift","action":"update","object":"role","server":"swift-fans","user":"dave","before":"moderator","after":"user","rule":"moderators-complete","file":"manifests/a.yaml","line":7,"column":5},
            {"kind":"pending","action":"delete","object":"tag","server":"swift-fans","before":"旧","rule":"tags-complete","file":"manifests/a.yaml","line":6,"column":5},
            {"kind":"pending","action":"update","object":"attribute","server":"swift-fans","field":"desc","after":"a\nb","rule":"manifest","file":"manifests/社区.yaml","line":5,"column":9},
            {"kind":"pending","action":"create","object":"member","server":"swift-fans","user":"bob","after":"user","rule":"manifest","file":"manifests/a.yaml","line":9,"column":7},
            {"kind":"pending","action":"update","object":"role","server":"swift-fans","user":"bob","before":"user","after":"moderator","rule":"manifest","file":"manifests/a.yaml","line":10,"column":7},
            {"kind":"blocked","action":"update","object":"owner","server":"swift-fans","before":"alice","after":"bob","rule":"manifest","file":"manifests/a.yaml","line":4,"column":3,"intent":"pending","refusal":0},
            {"kind":"unmanaged","object":"server","server":"old-club"}
          ],
          "refusals": [
            {"index":0,"cause":"owner-change","server":"swift-fans","message":"the owner of an existing server can't change from 'alice' to 'bob'","wayOut":["keep 'owner: alice'"],"changes":1,"file":"manifests/a.yaml","line":4,"column":3}
          ],
          "notes": [
            {"kind":"not-pruned","server":"old-club"},
            {"kind":"declined","server":"swift-fans","user":"dave","file":"manifests/a.yaml","line":11,"column":7}
          ]
        }

        """#)
  }

  @Test func `a change takes nothing over from the one before it`() throws {
    let join = Change(.create, .membership, .pending, server: Sample.fans, user: Sample.bob, at: Sample.place(9, 7))
    var elsewhere = join
    elsewhere.server = Sample.club
    var fromOtherFile = join
    fromOtherFile.place = Sample.place(9, 7, file: 1)
    var byOtherRule = join
    byOtherRule.rule = .registerOption
    var drifted = join
    drifted.kind = .drift
    let nowhere = Change(.create, .membership, .pending, server: Sample.fans, user: Sample.bob, at: .none)
    let role = Change(.update, .role, .pending, server: Sample.fans, user: Sample.bob, at: Sample.place(9, 7))
    let plan = Sample.plan { plan in
      for change in [join, elsewhere, fromOtherFile, byOtherRule, drifted, nowhere] {
        plan.add(change, roles: (nil, .user))
        plan.add(join, roles: (nil, .user))
      }
      plan.add(role, roles: (.user, .moderator))
      plan.add(role, roles: (.moderator, .user))
    }
    let json = try Sample.rendered([.plan(PlanSection(plan, files: Sample.files))], as: .ndjson)
    let lines = json.split(separator: "\n").filter { $0.contains(#""type":"change""#) }
    let first =
      #"{"type":"change","kind":"pending","action":"create","object":"member","server":"swift-fans","user":"bob","#
      + #""after":"user","rule":"manifest","file":"manifests/a.yaml","line":9,"column":7}"#
    try #require(lines.count == 14)
    for position in stride(from: 0, to: 12, by: 2) { #expect(lines[position + 1] == first) }
    #expect(lines[0] == first)
    #expect(lines[2].contains(#""server":"old-club","user":"bob""#))
    #expect(lines[4].contains(#""file":"manifests/社区.yaml","line":9"#))
    #expect(lines[6].contains(#""rule":"register-option","file""#))
    #expect(lines[8].contains(#""kind":"drift""#))
    #expect(lines[10].hasSuffix(#""user":"bob","after":"user","rule":"manifest"}"#))
    #expect(
      lines[12].contains(#""object":"role","server":"swift-fans","user":"bob","before":"user","after":"moderator","#))
    #expect(lines[13].contains(#""before":"moderator","after":"user","#))
  }

  @Test func `an id that is not plain is escaped`() throws {
    let plan = Sample.plan { plan in
      let odd = plan.result.intern("a\"b")
      plan.add(
        Change(.create, .membership, .pending, server: Sample.fans, user: odd, at: Sample.place(9, 7)),
        roles: (nil, .user))
    }
    let json = try Sample.rendered([.plan(PlanSection(plan, files: Sample.files))], as: .ndjson)
    #expect(json.contains(#""server":"swift-fans","user":"a\"b","after":"user","rule":"manifest","file""#))
  }

  @Test func `as JSON a summary has servers instead of changes`() throws {
    let json = try Sample.rendered(
      [.plan(PlanSection(Sample.everything, files: Sample.files, detail: .summary))], as: .json)
    #expect(
      json.contains(
        #"""
          "servers": [
            {"create":1,"update":0,"delete":0,"drift":0,"blocked":0},
            {"server":"swift-fans","create":1,"update":3,"delete":2,"drift":1,"blocked":1}
          ],
        """#))
    #expect(!json.contains(#""changes": ["#))
  }

  @Test func `as NDJSON each record has its type first`() throws {
    let lines = try Sample.rendered([.plan(PlanSection(Sample.everything, files: Sample.files))], as: .ndjson)
      .split(separator: "\n")
    let types = lines.map { String($0.dropFirst(9).prefix { $0 != "\"" }) }
    #expect(
      types == ["header"] + Array(repeating: "change", count: 9) + ["refusal", "note", "note", "summary"])
    #expect(
      lines[6]
        == #"{"type":"change","kind":"pending","action":"create","object":"member","server":"swift-fans","user":"bob","after":"user","rule":"manifest","file":"manifests/a.yaml","line":9,"column":7}"#
    )
    #expect(
      lines.last
        == #"{"type":"summary","stack":"default","applied":false,"create":2,"update":3,"delete":2,"pending":6,"drift":1,"unmanaged":1,"unmanagedUsers":1,"unmanagedMembers":3,"blocked":1}"#
    )
  }

  /// A plan in which many users join one server.
  private func crowd(_ count: Int) -> Plan {
    Sample.plan { plan in
      for number in 0..<count {
        let user = plan.result.intern("user\(number)")
        plan.add(
          Change(.create, .membership, .pending, server: Sample.fans, user: user, at: Sample.place(number + 1, 7)),
          roles: (nil, .user))
      }
    }
  }

  @Test(arguments: [(20, 20, false), (21, 21, false), (22, 20, true), (1000, 20, true)])
  func `a long run of one kind is cut`(count: Int, shown: Int, cut: Bool) throws {
    let short = try text(crowd(count))
    #expect(short.split(separator: "\n").count { $0.contains("+ member") } == shown)
    #expect(short.contains("       and \(count - 20) more members\n") == cut)
    #expect(short.hasSuffix("\nPlan: \(count) to create.\n"))
    let full = try text(crowd(count), .full)
    #expect(full.split(separator: "\n").count { $0.contains("+ member") } == count)
  }

  @Test func `values are cut but in full`() throws {
    let long = String(repeating: "长", count: 100)
    let plan = Sample.plan { plan in
      var change = Change(.update, .attribute, .pending, server: Sample.fans, at: .none)
      change.field = ServerField.name.rawValue
      plan.add(change, ChangeText(before: Text(long), after: "b"))
    }
    #expect(try text(plan).contains("~ name \"\(String(repeating: "长", count: 19))…\" → \"b\"\n"))
    #expect(try text(plan, .full).contains("~ name \"\(long)\" → \"b\"\n"))
  }

  @Test func `a type that is not kept is public, not unset`() throws {
    let plan = Sample.plan { plan in
      var change = Change(.update, .attribute, .pending, server: Sample.fans, at: .none)
      change.field = ServerField.type.rawValue
      plan.add(change, ChangeText(before: "private", after: nil))
    }
    #expect(try text(plan).contains("~ type \"private\" → \"public\"\n"))
  }

  @Test func `what is created is told with its values`() throws {
    let plan = Sample.plan { plan in
      var server = Change(.create, .server, .pending, server: Sample.fans, user: Sample.alice, at: .none)
      server.record = 0
      plan.outcome.append(
        Record(.createServer, server: Sample.fans, actor: Sample.alice), .created(plan.result.servers[0]))
      plan.add(server, ChangeText(after: "swift-fans"))
      var user = Change(.create, .user, .pending, user: Sample.bob, at: .none)
      user.record = 1
      var profile = UserProfile()
      profile[.nickName] = "Bob \"B\""
      plan.outcome.append(
        Record(.registerUser, server: .none, actor: .none, user: Sample.bob),
        .registered(profile, devices: ["phone", "tablet"], managed: []))
      plan.add(user)
    }
    #expect(
      try text(plan, .full) == """
        Changes
          Users
             + user bob
                 nickName "Bob "B""
                 devices "phone", "tablet"
          swift-fans
             + server "Swift 爱好者", owned by alice
                 name "Swift 爱好者"

        Plan: 2 to create.

        """)
    #expect(!(try text(plan).contains("nickName")))
    let json = try Sample.rendered([.plan(PlanSection(plan, files: Sample.files))], as: .ndjson)
    #expect(json.contains(#""owner":"alice","values":{"name":"Swift 爱好者"},"rule":"manifest"}"#))
    #expect(
      json.contains(#""user":"bob","values":{"nickName":"Bob \"B\""},"devices":["phone","tablet"],"rule":"manifest"}"#))
  }

  @Test func `an applied plan is told in the past`() throws {
    #expect(try text(crowd(1), applied: true).hasSuffix("\nApplied: 1 created.\n"))
  }

  @Test func `a plan without changes says so`() throws {
    #expect(try text(Sample.plan { _ in }) == "Nothing changes.\n")
    let bookkeeping = Sample.plan { $0.outcome.append(Record(.markServer, server: Sample.fans, actor: .none)) }
    let recorded = "settings, adoptions and what the manifests list"
    #expect(try text(bookkeeping) == "Nothing changes; an apply would only record \(recorded).\n")
    #expect(try text(bookkeeping, applied: true) == "Nothing changes; only \(recorded) were recorded.\n")
    let unmanaged = Sample.plan { $0.counts.unmanagedUsers = 2 }
    #expect(try text(unmanaged).hasSuffix("\nNothing changes; 2 users unmanaged.\n"))
  }

  @Test func `what belongs to a server that can't be created goes under its handle`() throws {
    let plan = Sample.plan { plan in
      var refusal = PlanRefusal(
        .operation(.createServer, CircleError(.reachLimit, server: "new", actor: "alice", "too many")),
        handle: "new", at: Sample.place(1, 1), "alice has 100 servers already", wayOut: [])
      refusal.changes = 2
      plan.refusals.append(refusal)
      var server = Change(.create, .server, .blocked, user: Sample.alice, at: Sample.place(1, 1))
      server.refusal = 0
      plan.add(server, ChangeText(after: "new"))
      var member = Change(.create, .membership, .blocked, user: Sample.bob, at: Sample.place(2, 1))
      member.refusal = 0
      plan.add(member, roles: (nil, .user))
    }
    #expect(
      try text(plan) == """
        Changes
          new
            !+ server, owned by alice  manifests/a.yaml:1:1  refused: reachLimit
            !+ member bob              manifests/a.yaml:2:1  refused: reachLimit

        Refused
          ! new: alice has 100 servers already [reachLimit 113], blocks 2 changes  manifests/a.yaml:1:1

        Plan: 2 blocked.

        """)
    let json = try Sample.rendered([.plan(PlanSection(plan, files: Sample.files))], as: .ndjson)
    #expect(json.contains(#""object":"server","server":"new","owner":"alice","#))
    #expect(
      json.contains(
        #"{"type":"refusal","index":0,"cause":"reachLimit","operation":"createServer","number":113,"actor":"alice","server":"new","#
      ))
  }

  @Test func `a guard's refusal carries what would allow it`() throws {
    let plan = Sample.plan { plan in
      plan.refusals.append(
        PlanRefusal(
          .guard(
            GuardBreach(kind: .member, handle: "swift-fans", removals: 120, base: 200, reason: .moreThan(.percent(30)))
          ), handle: "swift-fans", server: Sample.fans, at: .none, "too many",
          wayOut: ["if that is meant: --allow 'remove:member@swift-fans<=120' --reason '…'"]))
    }
    #expect(try text(plan).contains("! swift-fans: too many [guard]\n      if that is meant: --allow"))
    let json = try Sample.rendered([.plan(PlanSection(plan, files: Sample.files))], as: .json)
    #expect(json.contains(#""message":"too many","allow":"remove:member@swift-fans<=120","wayOut":["#))
  }

  @Test func `nothing that was given steers the terminal`() throws {
    let hostile = "\u{1B}]0;x\u{7}\u{202E}\u{9B}2J\r\n"
    let plan = Sample.plan { plan in
      plan.result.servers[0].handle = Text(hostile)
      plan.result.servers[0].attributes[.name] = Text(hostile)
      plan.add(Change(.create, .server, .pending, server: Sample.fans, at: .none), ChangeText(after: Text(hostile)))
      plan.add(Change(.create, .tag, .drift, server: Sample.fans, at: .none), ChangeText(after: Text(hostile)))
      plan.refusals.append(
        PlanRefusal(
          .renameCycle([]), handle: Text(hostile), at: .none, hostile, wayOut: [hostile]))
      plan.stack = Text(hostile)
      plan.notes.append(PlanNote(kind: .adoption, server: Sample.fans, user: .none, place: .none))
    }
    for detail in PlanDetail.allCases {
      let scalars = try text(plan, detail).unicodeScalars
      let isHarmless = scalars.allSatisfy {
        ($0.value >= 0x20 || $0 == "\n") && !(0x7F...0x9F).contains($0.value) && $0.value != 0x202E
      }
      #expect(isHarmless)
    }
    let json = try Sample.rendered([.plan(PlanSection(plan, files: Sample.files))], as: .ndjson)
    #expect(json.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
    #expect(json.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"type\":\"") && $0.hasSuffix("}") })
  }

  @Test(arguments: OutputFormat.allCases, PlanDetail.allCases)
  func `the same report gives the same bytes`(format: OutputFormat, detail: PlanDetail) throws {
    let section = PlanSection(Sample.everything, files: Sample.files, detail: detail)
    let first = try Sample.rendered([.plan(section), .run(Sample.run())], as: format, colour: true)
    #expect(try Sample.rendered([.plan(section), .run(Sample.run())], as: format, colour: true) == first)
  }

  @Test func `colour adds only escapes`() throws {
    let section = ReportSection.plan(PlanSection(Sample.everything, files: Sample.files))
    var plain = try Sample.rendered([section], as: .text, colour: true)
    #expect(plain.contains("\u{1B}[32m + member bob\u{1B}[0m"))
    for code in ["1", "32", "33", "31", "1;31", "35", "2", "0"] {
      plain = plain.split(separator: "\u{1B}[\(code)m", omittingEmptySubsequences: false).joined()
    }
    #expect(try Sample.rendered([section], as: .text) == plain)
  }

  /// A plan that only notes settings, with members whom no list names.
  private static let settings = Sample.plan { plan in
    plan.outcome.append(Record(.setServerSettings, server: Sample.fans, actor: .none))
    let changes: [(ServerSetting, before: Text?, after: Text?)] = [
      (.join, "direct", "invite"), (.protect, nil, "true"),
    ]
    for (setting, before, after) in changes {
      plan.notes.append(
        PlanNote(
          kind: .setting(setting, before: before, after: after), server: Sample.fans, user: .none,
          place: Sample.place(3, 5)))
    }
    plan.counts.unmanagedMembers = 2
    plan.unmanagedMembers = [UnmanagedMembers(server: Sample.fans, users: [Sample.dave, Sample.bob])]
  }

  @Test func `settings are told where they are all there is, or all is asked for`() throws {
    let notes = """
      Notes
        swift-fans: join "direct" → "invite"  manifests/a.yaml:3:5
        swift-fans: protect unset → "true"    manifests/a.yaml:3:5

      """
    #expect(try text(Self.settings).contains(notes))
    var more = Self.settings
    more.counts.pending = 1
    #expect(try !text(more).contains("Notes"))
    #expect(try text(more, .full).contains(notes))
    let json = try Sample.rendered([.plan(PlanSection(more, files: Sample.files))], as: .ndjson)
    #expect(
      json.contains(
        #"{"type":"note","kind":"setting","server":"swift-fans","setting":"join","before":"direct","after":"invite","#))
    #expect(json.contains(#""setting":"protect","after":"true","file":"manifests/a.yaml","line":3,"column":5}"#))
  }

  @Test func `unmanaged members are named where all is asked for`() throws {
    #expect(try text(Self.settings).contains("   ? 2 members whom no list names\n\n"))
    #expect(
      try text(Self.settings, .full).contains("   ? 2 members whom no list names\n       swift-fans: bob, dave\n\n"))
  }
}
