import CircleModel
import CircleReport
import CircleState
import Diagnostics
import Digest
import Testing

struct SectionTests {
  /// Sections may hold streams, so a table holds what makes them.
  struct Case<Expected: Sendable>: Sendable {
    var section: @Sendable () -> ReportSection
    var expected: Expected

    init(_ section: @autoclosure @escaping @Sendable () -> ReportSection, _ expected: Expected) {
      self.section = section
      self.expected = expected
    }
  }

  private static let hash = SHA256.hash(of: "run").hex
  private static let zero = String(repeating: "0", count: 64)

  private static let faults = FaultList(
    [
      .error(
        "manifest.unknown-key", "unknown key 'moderator'", at: Sample.place(12, 5), end: 14,
        notes: [.init("first given here", at: Sample.place(3, 5))], help: "did you mean 'moderators'?"),
      .warning("manifest.other", "say \"hi\""),
    ], files: Sample.files)

  @Test(arguments: [
    Case<String>(
      .validation(ValidationSummary(files: 1, servers: 2, users: 3, groups: 0, memberships: 1)),
      "1 file checked: 2 servers, 3 users, 0 groups and 1 membership. No faults found.\n"
    ),
    Case<String>(.faults(faults), ""),
    Case<String>(
      .run(Sample.run()), "Run 7 at 2025-01-02T03:04:05.678Z: 4 operations, 3 events, head \(hash.prefix(12)).\n"),
    Case<String>(
      .history([HistoryEntry(Sample.run(), subject: "swift-fans"), HistoryEntry(Sample.run(reason: "clean\nup"))]),
      """
      7  2025-01-02T03:04:05.678Z  apply swift-fans  default  4 operations  3 events  \(hash.prefix(12))
      7  2025-01-02T03:04:05.678Z  apply             default  4 operations  3 events  \(hash.prefix(12))  clean\\nup (allowed remove:member@swift-fans<=120)

      """
    ),
    Case<String>(
      .info(StateInfo(format: 1, head: Sample.head)),
      """
      format       1
      revision     7
      runs         7
      events       14
      last run     2025-01-02T03:04:05.678Z
      users        4
      servers      2
      memberships  5
      limits       100 servers created, 100 joined, by one user
      head         \(zero)

      """
    ),
    Case<String>(
      .verification(Verification(faults: [], head: Sample.head)),
      "The state is sound: 7 runs, 14 events, head \(zero).\n"),
    Case<String>(
      .verification(Verification(faults: ["run 3 \u{1B}"], head: Sample.head)),
      "fault: run 3 \\u{1b}\n1 fault found: 7 runs, 14 events, head \(zero).\n"
    ),
    Case<String>(.lock(nil), "No run holds the lock.\n"),
    Case<String>(
      .lock(StateLock(host: "h\u{1B}", process: 12, processStart: 1, since: Sample.time)),
      "Locked by process 12 on h\\u{1b} since 2025-01-02T03:04:05.678Z.\n"
    ),
    Case<String>(.version("1.0.0"), "circlectl 1.0.0\n"),
    Case<String>(.message("one\ntwo\u{7}"), "one\ntwo\\u{7}\n"),
  ])
  func `each section as text`(_ example: Case<String>) throws {
    #expect(try Sample.rendered([example.section()], as: .text) == example.expected)
  }

  @Test(arguments: [
    Case<[String]>(
      .validation(ValidationSummary(files: 1, servers: 2, users: 3, groups: 0, memberships: 1)),
      [#"{"type":"validation","files":1,"servers":2,"users":3,"groups":0,"memberships":1}"#]
    ),
    Case<[String]>(
      .faults(faults),
      [
        #"{"type":"fault","severity":"error","code":"manifest.unknown-key","message":"unknown key 'moderator'","file":"manifests/a.yaml","line":12,"column":5,"endColumn":14,"help":"did you mean 'moderators'?","notes":[{"message":"first given here","file":"manifests/a.yaml","line":3,"column":5}]}"#,
        #"{"type":"fault","severity":"warning","code":"manifest.other","message":"say \"hi\""}"#,
        #"{"type":"faultCounts","errors":1,"warnings":1}"#,
      ]
    ),
    Case<[String]>(
      .run(Sample.run(reason: "why")),
      [
        #"{"type":"run","number":7,"time":"2025-01-02T03:04:05.678Z","kind":"apply","command":"apply","stack":"default","reason":"why","maxRemovals":"30%","allow":["remove:member@swift-fans<=120"],"firstSeq":12,"events":3,"records":4,"operations":{"joinServer":2,"markManaged":2},"previous":"\#(zero)","hash":"\#(hash)"}"#
      ]
    ),
    Case<[String]>(
      .info(StateInfo(format: 1, head: Sample.head)),
      [
        #"{"type":"state","format":1,"revision":7,"runs":7,"events":14,"time":"2025-01-02T03:04:05.678Z","users":4,"servers":2,"memberships":5,"limits":{"created":100,"joined":100},"head":"\#(zero)"}"#
      ]
    ),
    Case<[String]>(
      .verification(Verification(faults: ["a"], head: Sample.head)),
      [#"{"type":"verification","sound":false,"faults":["a"],"runs":7,"events":14,"head":"\#(zero)"}"#]
    ),
    Case<[String]>(.lock(nil), [#"{"type":"lock","locked":false}"#]),
    Case<[String]>(
      .lock(StateLock(host: "h", process: 12, processStart: 1, since: Sample.time)),
      [#"{"type":"lock","locked":true,"host":"h","process":12,"since":"2025-01-02T03:04:05.678Z"}"#]
    ),
    Case<[String]>(.version("1.0.0"), [#"{"type":"version","version":"1.0.0"}"#]),
    Case<[String]>(.message("a\u{7}"), [#"{"type":"message","text":"a\u0007"}"#]),
  ])
  func `each section as NDJSON`(_ example: Case<[String]>) throws {
    let header = #"{"type":"header","circlectlReport":1,"command":"diff","result":"done"}"#
    #expect(
      try Sample.rendered([example.section()], as: .ndjson)
        == ([header] + example.expected + [""]).joined(separator: "\n"))
  }

  @Test func `as JSON the sections are one document, messages last`() throws {
    let event = SampleEvent(name: .deviceCreate, kind: .createServer)
    let json = try Sample.rendered(
      [
        .message("one"), .faults(Self.faults), .message("two"), .lock(nil), .version("1"),
        .validation(ValidationSummary(files: 1, servers: 2, users: 3, groups: 0, memberships: 1)),
        .events(SampleEvent.section(.consequence, [event, event])), .history([]),
      ], as: .json, command: "state info", result: .badInput)
    let line =
      #"{"seq":1,"time":"2025-01-02T03:04:05.678Z","name":"multiDevices.Create","serverId":"0000000000000000000001","handle":"swift-fans","actor":"alice","audience":{"rule":"otherDevices","count":2}}"#
    #expect(
      json == #"""
        {
          "circlectlReport": 1,
          "command": "state info",
          "result": "bad-input",
          "faults": [
            {"severity":"error","code":"manifest.unknown-key","message":"unknown key 'moderator'","file":"manifests/a.yaml","line":12,"column":5,"endColumn":14,"help":"did you mean 'moderators'?","notes":[{"message":"first given here","file":"manifests/a.yaml","line":3,"column":5}]},
            {"severity":"warning","code":"manifest.other","message":"say \"hi\""}
          ],
          "faultCounts": {
            "errors": 1,
            "warnings": 1
          },
          "lock": {
            "locked": false
          },
          "version": "1",
          "validation": {
            "files": 1,
            "servers": 2,
            "users": 3,
            "groups": 0,
            "memberships": 1
          },
          "events": [
            \#(line),
            \#(line)
          ],
          "runs": [],
          "messages": [
            "one",
            "two"
          ]
        }

        """#)
  }
}
