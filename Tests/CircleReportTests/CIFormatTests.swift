import CircleModel
import CirclePlan
import CircleState
import Diagnostics
import JSONText
import Testing

@testable import CircleReport

struct CIFormatTests {
  @Test func `users that an import registers or changes are changes`() throws {
    let users = ImportSummary(
      rows: 9, new: 3, changed: 2, fields: [("nickName", 2)], unchanged: 4, refused: 0, isDone: true)
    let report = Report(command: "import users", result: .done, sections: [.imported(users)])
    let outputs = try WorkflowOutputs(of: report, mark: "m").outputs
    for line in ["has_changes<<m\ntrue\nm", "create<<m\n3\nm", "update<<m\n2\nm", "pending<<m\n5\nm"] {
      #expect(outputs.contains(line))
    }
    let widget = try Sample.rendered([.imported(users)], as: .gitlab)
    #expect(widget == "{\"create\":3,\"update\":2,\"delete\":0}\n")
    let rows = try Sample.rendered([.imported(ImportSummary(rows: 9, refused: 2))], as: .gitlab)
    #expect(rows == "{\"create\":0,\"update\":0,\"delete\":0}\n")
  }

  static var plan: ReportSection { .plan(PlanSection(Sample.everything, files: Sample.files)) }

  static let faults = FaultList(
    [
      .warning("manifest.other", "say \"hi\""),
      .error(
        "manifest.unknown-key", "unknown key 'moderator'", at: Sample.place(12, 5), end: 14,
        notes: [.init("first given here", at: Sample.place(3, 5))], help: "did you mean 'moderators'?"),
    ], files: Sample.files)

  /// A list of so many faults, each at its own line.
  static func faults(_ count: Int, _ text: (Int) -> String = { "x: \($0)\n" }) -> FaultList {
    var files = SourceFiles()
    let lines = (0..<count).map(text).joined()
    let file = files.add(path: "a.yaml", bytes: Array(lines.utf8))
    return FaultList(
      (0..<count).map { .error("manifest.unknown-key", "fault \($0)", at: Place(file: file, line: $0 + 1, column: 1)) },
      files: files)
  }

  // MARK: - GitLab

  @Test func `GitLab gets the counts of a plan`() throws {
    #expect(try Sample.rendered([Self.plan], as: .gitlab) == "{\"create\":2,\"update\":3,\"delete\":2}\n")
    #expect(try Sample.rendered([.version("1")], as: .gitlab) == "{\"create\":0,\"update\":0,\"delete\":0}\n")
  }

  // MARK: - CloudEvents

  @Test func `an event is a CloudEvent around the event that JSON has`() throws {
    let event = SampleEvent(name: .deviceJoin, kind: .joinServer, seq: 8, actor: "bob", user: "bob", audience: 1)
    #expect(
      try Sample.rendered([.events(SampleEvent.section(.consequence, [event]))], as: .cloudevents)
        == #"{"specversion":"1.0","id":"8","source":"/circlectl/servers/0000000000000000000001","#
        + #""type":"circlectl.multiDevices.Join","time":"2025-01-02T03:04:05.678Z","subject":"swift-fans","#
        + #""datacontenttype":"application/json","data":{"seq":8,"time":"2025-01-02T03:04:05.678Z","#
        + #""name":"multiDevices.Join","serverId":"0000000000000000000001","handle":"swift-fans","actor":"bob","#
        + #""member":"bob","audience":{"rule":"otherDevices","count":1}}}"# + "\n")
  }

  @Test func `without events there are no CloudEvents`() throws {
    #expect(try Sample.rendered([Self.plan, .version("1")], as: .cloudevents) == "")
  }

  // MARK: - GitHub

  @Test func `faults and refusals are annotations at their places`() throws {
    #expect(
      try Sample.rendered([.faults(Self.faults)], as: .github, result: .badInput) == """
        ::error file=manifests/a.yaml,line=12,col=5,endColumn=13,title=manifest.unknown-key::unknown key 'moderator'%0Adid you mean 'moderators'?
        ::warning title=manifest.other::say "hi"
        circlectl diff: 1 error, 1 warning.

        """)
    #expect(
      try Sample.rendered([Self.plan], as: .github, result: .refused) == """
        ::error file=manifests/a.yaml,line=4,col=3,title=plan.owner-change::swift-fans: the owner of an existing server can't change from 'alice' to 'bob' (blocks 1 change)%0Akeep 'owner: alice'
        ::warning file=manifests/a.yaml,line=7,col=5,title=drift::swift-fans: ~ role of dave: moderator → user (drift, not among the moderators)
        ::notice file=manifests/a.yaml,line=10,col=7,title=update::swift-fans: ~ role of bob: user → moderator
        ::notice file=manifests/a.yaml,line=8,col=5,title=delete::swift-fans: - member carol (no longer listed)
        ::notice file=manifests/a.yaml,line=6,col=5,title=delete::swift-fans: - tag "旧" (not among the tags)
        ::notice file=manifests/a.yaml,line=2,col=5,title=create::+ user bob
        ::notice file=manifests/社区.yaml,line=5,col=9,title=update::swift-fans: ~ desc unset → "a\\nb"
        ::notice file=manifests/a.yaml,line=9,col=7,title=create::swift-fans: + member bob
        Plan: 2 to create, 3 to change, 2 to remove; 1 of them drift; 1 blocked; 1 server, 1 user and 3 members unmanaged.

        """)
  }

  @Test(arguments: [(10, 10, ""), (11, 10, "and 2 more errors"), (500, 10, "and 491 more errors")])
  func `no more than ten annotations of a kind`(count: Int, shown: Int, last: String) throws {
    let lines = try Sample.rendered([.faults(Self.faults(count))], as: .github, result: .badInput)
      .split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("::error ") } == shown)
    #expect(lines[shown - 1].hasSuffix(last))
  }

  @Test func `changes beyond ten are counted`() throws {
    let plan = Sample.plan { plan in
      for number in 0..<40 {
        let user = plan.result.intern("user\(number)")
        plan.add(
          Change(.create, .membership, .pending, server: Sample.fans, user: user, at: .none), roles: (nil, .user))
      }
    }
    let lines = try Sample.rendered([.plan(PlanSection(plan, files: Sample.files))], as: .github).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("::notice ") } == 10)
    #expect(lines[9] == "::notice title=circlectl::and 31 more changes")
  }

  @Test func `what failed at no place is an error without one`() throws {
    #expect(
      try Sample.rendered([.message("the state is locked\nWait.")], as: .github, command: "apply", result: .locked)
        == "::error title=circlectl apply::the state is locked%0AWait.\ncirclectl apply: 1 error, 0 warnings.\n")
  }

  @Test func `a workflow gets the counts and whether there are changes`() throws {
    let report = Report(command: "diff", result: .refused, sections: [Self.plan])
    #expect(
      try WorkflowOutputs(of: report, mark: "M").outputs.replacing("<<M\n", with: "=").replacing("\nM\n", with: " ")
        == "result=refused has_changes=true create=2 update=3 delete=2 pending=6 drift=1 unmanaged=1 blocked=1 "
        + "errors=0 warnings=0 events=0 ")
  }

  @Test func `a step's summary keeps to a mebibyte, what is there included`() throws {
    let plan = Sample.plan { plan in
      for number in 0..<8_000 {
        let user = plan.result.intern("u\(number)")
        plan.add(
          Change(.create, .membership, .pending, server: Sample.fans, user: user, at: Sample.place(number + 1, 7)),
          roles: (nil, .user))
      }
    }
    let section = ReportSection.plan(PlanSection(plan, files: Sample.files, detail: .full))
    let outputs = try WorkflowOutputs(of: Report(command: "diff", result: .different, sections: [section]), mark: "M")
    for size in [500_000, 1_000_000] {
      let summary = try outputs.summary(after: size)
      #expect(size + summary.utf8.count <= WorkflowOutputs.largestSummary)
      #expect(summary.contains(" more changes\n"))
    }
    #expect(try outputs.summary(after: 1_040_000) == "")
  }

  // MARK: - JUnit

  @Test func `a fault and a refusal are failed test cases`() throws {
    #expect(
      try Sample.rendered([.faults(Self.faults)], as: .junit, result: .badInput) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="circlectl" tests="3" failures="2" errors="0">
          <testsuite name="input" tests="2" failures="1" errors="0" skipped="0">
            <testcase classname="manifests/a.yaml" name="manifest.unknown-key at manifests/a.yaml:12:5">
              <failure type="manifest.unknown-key" message="unknown key &#39;moderator&#39;">manifests/a.yaml:12:5: unknown key &#39;moderator&#39;
        did you mean &#39;moderators&#39;?</failure>
            </testcase>
            <testcase classname="circlectl" name="manifest.other">
              <system-out>say &quot;hi&quot;</system-out>
            </testcase>
          </testsuite>
          <testsuite name="run" tests="1" failures="1" errors="0" skipped="0">
            <testcase classname="circlectl" name="circlectl diff">
              <failure type="bad-input" message="faults in the input">faults in the input</failure>
            </testcase>
          </testsuite>
        </testsuites>

        """)
    let plan = try Sample.rendered([Self.plan], as: .junit, result: .refused)
    #expect(plan.contains(#"<testsuite name="plan" tests="2" failures="1" errors="0" skipped="0">"#))
    #expect(plan.contains("<testcase classname=\"plan\" name=\"users\">\n      <system-out>1 to create</system-out>"))
    #expect(plan.contains(#"<testcase classname="plan" name="swift-fans">"#))
    #expect(plan.contains("(blocks 1 change)\nkeep &#39;owner: alice&#39;</failure>"))
  }

  @Test func `where there should be no change, what changes is a failed case with its lines`() throws {
    let plan = Sample.plan { plan in
      plan.add(Change(.create, .user, .pending, user: Sample.bob, at: Sample.place(2, 5)))
      plan.add(
        Change(.update, .role, .drift, server: Sample.fans, user: Sample.dave, at: Sample.place(7, 5)),
        roles: (.moderator, .user))
      plan.add(Change(.update, .server, .unmanaged, server: Sample.club, at: .none))
      for number in 0..<30 {
        let user = plan.result.intern("user\(number)")
        plan.add(
          Change(.create, .membership, .pending, server: Sample.fans, user: user, at: .none), roles: (nil, .user))
      }
    }
    func text(_ failsOnChange: Bool, _ detail: PlanDetail = .changes) throws -> String {
      let section = PlanSection(plan, files: Sample.files, detail: detail, failsOnChange: failsOnChange)
      return try Sample.rendered([.plan(section)], as: .junit)
    }
    let failed = try text(true)
    #expect(failed.contains(#"<testsuite name="plan" tests="2" failures="2" errors="0" skipped="0">"#))
    #expect(
      failed.contains(#"<failure type="different" message="1 to create">manifests/a.yaml:2:5: + user bob</failure>"#))
    #expect(
      failed.contains(
        """
        <failure type="different" message="30 to create, 1 to change, 1 of them drift">manifests/a.yaml:7:5: ~ role of \
        dave: moderator → user (drift)
        + member user0
        """))
    #expect(failed.contains("+ member user18\nand 11 more changes</failure>"))
    #expect(try text(true, .summary).contains(#"message="1 to create"></failure>"#))
    #expect(try !text(false).contains("<failure"))
  }

  @Test func `errors that were not kept are one more case`() throws {
    var list = Self.faults(3)
    list.errors = 10
    let text = try Sample.rendered([.faults(list)], as: .junit, result: .badInput)
    #expect(text.contains(#"<failure type="more" message="and 7 more errors">"#))
  }

  // MARK: - SARIF

  @Test func `columns of SARIF count UTF-16 units`() {
    let place = Place(file: 0, line: 3, column: 4)
    #expect(SARIFRegion(place, end: 6, text: "a😀b😀c") == SARIFRegion(line: 3, column: 5, endColumn: 8))
    #expect(SARIFRegion(place, end: nil, text: "abcdef") == SARIFRegion(line: 3, column: 4, endColumn: nil))
    #expect(SARIFRegion(place, end: 5, text: nil) == SARIFRegion(line: 3, column: nil, endColumn: nil))
  }

  @Test func `a fingerprint lives through lines above and tells equal lines apart`() throws {
    func prints(_ list: FaultList) throws -> [Substring] {
      try Sample.rendered([.faults(list)], as: .sarif, result: .badInput).split(separator: "\n")
        .filter { $0.contains("primaryLocationLineHash") }
    }
    let first = try prints(Self.faults(3) { _ in "same: line\n" })
    #expect(Set(first).count == 3)
    var files = SourceFiles()
    let file = files.add(path: "a.yaml", bytes: Array("# one more\nsame: line\n".utf8))
    let moved = FaultList(
      [.error("manifest.unknown-key", "other words", at: Place(file: file, line: 2, column: 1))], files: files)
    #expect(try prints(moved) == [first[0]])
  }

  @Test func `SARIF has a rule for each code, and refusals as results`() throws {
    let text = try Sample.rendered([Self.plan], as: .sarif, result: .refused)
    #expect(text.contains(#""id": "plan.owner-change""#))
    #expect(text.contains(#""level": "error""#))
    #expect(text.contains(#""uri": "manifests/a.yaml""#))
    #expect(text.contains(#""executionSuccessful": false"#))
    let faults = try Sample.rendered([.faults(Self.faults)], as: .sarif, result: .badInput)
    #expect(faults.contains("\"id\": \"manifest.unknown-key\""))
    #expect(faults.contains("\"text\": \"first given here\""))
  }

  // MARK: - All of them

  @Test(arguments: [OutputFormat.markdown, .html, .junit, .sarif, .github, .gitlab])
  func `a report without anything is a document all the same`(format: OutputFormat) throws {
    for result in ReportResult.allCases {
      #expect(try !Sample.rendered([], as: format, command: "version", result: result).isEmpty)
    }
  }

  static let hostile = [
    "<script>alert(1)</script>", "\u{1B}[31mred", "\u{202E}gnp", "a\nb\r\n::set-output name=x::y", "]]>", "\u{FFFE}",
    "a|b", "`", "=cmd()",
  ]

  @Test(arguments: hostile, [OutputFormat.markdown, .html, .junit, .sarif, .github, .gitlab])
  func `no format lets through what people call themselves`(text: String, format: OutputFormat) throws {
    let plan = Sample.plan { plan in
      var attribute = Change(.update, .attribute, .pending, server: Sample.fans, at: Sample.place(5, 9))
      attribute.field = ServerField.name.rawValue
      plan.add(attribute, ChangeText(before: Text(text), after: Text(text)))
      plan.refusals.append(
        PlanRefusal(.blockedCreate, handle: Text(text), at: Sample.place(1, 1), text, wayOut: [text]))
    }
    let records = RecordList("user", "users", [.init("nickName", "nickname")], rows: [[.text(text)], [.texts([text])]])
    let faults = FaultList([.error("a.b", text, at: Sample.place(1, 1), help: text)], files: Sample.files)
    let sections: [ReportSection] = [
      .plan(PlanSection(plan, files: Sample.files)), .records(records), .faults(faults), .message(text),
      .verification(Verification(faults: [text], head: Sample.head)),
      .history([HistoryEntry(Sample.run(reason: text))]),
      .run(Sample.run(reason: text)),
    ]
    for result in [ReportResult.different, .refused] {
      let rendered = try Sample.rendered(sections, as: format, result: result)
      let isXML = format == .junit || format == .html
      let harmful = rendered.unicodeScalars.filter { scalar in
        scalar != "\n" && scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
          || isXML && scalar == "\u{FFFE}"
      }
      #expect(harmful.isEmpty)
      for line in rendered.split(separator: "\n") { #expect(!line.hasPrefix("::set-output")) }
      #expect(!rendered.contains("<script>alert") || format == .github || format == .sarif || format == .markdown)
    }
  }
}

extension SARIFRegion {
  fileprivate init(line: Int, column: Int?, endColumn: Int?) {
    self.init(Place(file: 0, line: line, column: 0), end: nil, text: nil)
    self.column = column
    self.endColumn = endColumn
  }
}
