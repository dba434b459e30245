import Testing
import Testkit

/// One file of a state's manifests is edited: what is done, who hears of it, or which fault is told, to the letter.
struct OneEditTests {
  struct Edit: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var old: String
    var new: String
    var changes: [String]
    var operations: String
    var events: [String]
  }

  static let edits = [
    Edit(
      testDescription: "a member out", old: "      - u05\n", new: "",
      changes: [
        #"{"kind":"pending","action":"delete","object":"member","server":"readers","user":"u05","before":"user","rule":"no-longer-listed","file":"club/club.yaml","line":24,"column":5}"#
      ],
      operations: #"{"removeUserFromServer":1}"#,
      events: [
        #"{"seq":21,"time":"2025-02-03T04:05:06.000Z","name":"onMemberRemovedFromServer","serverId":"MTKErYCBUsROCCZVoZkRaM","handle":"readers","actor":"olga","via":"admin","members":["u05"],"audience":{"rule":"removedAndModerators","count":2}}"#,
        #"{"seq":22,"time":"2025-02-03T04:05:06.000Z","name":"multiDevices.RemoveUser","serverId":"MTKErYCBUsROCCZVoZkRaM","handle":"readers","actor":"olga","via":"admin","members":["u05"],"audience":{"rule":"otherDevices","count":2}}"#,
      ]),
    Edit(
      testDescription: "a moderator in", old: "      - max\n", new: "      - max\n      - u03\n",
      changes: [
        #"{"kind":"pending","action":"update","object":"role","server":"readers","user":"u03","before":"user","after":"moderator","rule":"manifest","file":"club/club.yaml","line":24,"column":9}"#
      ],
      operations: #"{"addModeratorToServer":1}"#,
      events: [
        #"{"seq":21,"time":"2025-02-03T04:05:06.000Z","name":"onServerRoleAssigned","serverId":"MTKErYCBUsROCCZVoZkRaM","handle":"readers","actor":"olga","via":"admin","member":"u03","role":"moderator","audience":{"rule":"membersExcept","count":13}}"#,
        #"{"seq":22,"time":"2025-02-03T04:05:06.000Z","name":"multiDevices.SetRole","serverId":"MTKErYCBUsROCCZVoZkRaM","handle":"readers","actor":"olga","via":"admin","member":"u03","audience":{"rule":"otherDevices","count":2}}"#,
      ]),
    Edit(
      testDescription: "a renamed server", old: "  garden:\n    name: Garden\n",
      new: "  gardeners:\n    name: Gardeners\n    renamedFrom: garden\n",
      changes: [
        #"{"kind":"pending","action":"update","object":"handle","server":"gardeners","before":"garden","after":"gardeners","rule":"renamed-from","file":"club/club.yaml","line":39,"column":18}"#,
        #"{"kind":"pending","action":"update","object":"attribute","server":"gardeners","field":"name","before":"Garden","after":"Gardeners","rule":"manifest","file":"club/club.yaml","line":38,"column":11}"#,
      ],
      operations: #"{"updateServer":1,"renameHandle":1}"#,
      events: [
        #"{"seq":21,"time":"2025-02-03T04:05:06.000Z","name":"onServerUpdated","serverId":"RskmV1EjZB1DWiIzGNoxWN","handle":"gardeners","actor":"max","via":"admin","attributes":{"name":"Gardeners"},"changed":["name"],"audience":{"rule":"membersExcept","count":3}}"#
      ]),
    Edit(
      testDescription: "a moderator replaced, who stays a member", old: "      - max\n    members:\n",
      new: "      - u03\n    members:\n      - max\n",
      changes: [
        #"{"kind":"pending","action":"update","object":"role","server":"readers","user":"max","before":"moderator","after":"user","rule":"moderators-complete","file":"club/club.yaml","line":22,"column":5}"#,
        #"{"kind":"pending","action":"update","object":"role","server":"readers","user":"u03","before":"user","after":"moderator","rule":"manifest","file":"club/club.yaml","line":23,"column":9}"#,
      ],
      operations: #"{"addModeratorToServer":1,"removeModeratorFromServer":1}"#,
      events: [
        #"{"seq":21,"time":"2025-02-03T04:05:06.000Z","name":"onServerRoleAssigned","serverId":"MTKErYCBUsROCCZVoZkRaM","handle":"readers","actor":"olga","via":"admin","member":"max","role":"user","audience":{"rule":"membersExcept","count":13}}"#,
        #"{"seq":22,"time":"2025-02-03T04:05:06.000Z","name":"multiDevices.SetRole","serverId":"MTKErYCBUsROCCZVoZkRaM","handle":"readers","actor":"olga","via":"admin","member":"max","audience":{"rule":"otherDevices","count":2}}"#,
        #"{"seq":23,"time":"2025-02-03T04:05:06.000Z","name":"onServerRoleAssigned","serverId":"MTKErYCBUsROCCZVoZkRaM","handle":"readers","actor":"olga","via":"admin","member":"u03","role":"moderator","audience":{"rule":"membersExcept","count":13}}"#,
        #"{"seq":24,"time":"2025-02-03T04:05:06.000Z","name":"multiDevices.SetRole","serverId":"MTKErYCBUsROCCZVoZkRaM","handle":"readers","actor":"olga","via":"admin","member":"u03","audience":{"rule":"otherDevices","count":2}}"#,
      ]),
  ]

  @Test(arguments: edits)
  func `an edit gives exactly its operations, events and audiences, and nothing the second time`(edit: Edit) throws {
    let scene = try Club.applied()
    try scene.edit("club/club.yaml", edit.old, edit.new)
    let before = try scene.bytes("circle.db")
    let diff = try scene("diff club --exit-code -o ndjson")
    #expect(diff.status == 2)
    #expect(Records(diff)["change"] == edit.changes)
    #expect(try scene.bytes("circle.db") == before)
    let ending = try scene("apply club --yes -o ndjson \(Club.time)")
    #expect(ending.status == 0, "\(ending.errors)")
    let records = Records(ending)
    #expect(records["change"] == edit.changes)
    #expect(records.operations == edit.operations)
    #expect(records["event"] == edit.events)
    #expect(try scene("diff club --exit-code").output == "Nothing changes.\n")
    #expect(try scene("state verify").status == 0)
  }

  struct Fault: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var old: String
    var new: String
    var more: String?
    var text: String
  }

  static let faults = [
    Fault(
      testDescription: "a tag of 21 characters", old: "books", new: "abcdefghijklmnopqrstu",
      text: """
        club/club.yaml:21:12: error: the tag in server 'readers' has 21 characters (UTF-16 code units), more than the 20 allowed [manifest.invalid-text]
          21 |     tags: [abcdefghijklmnopqrstu, 中文]
             |            ^~~~~~~~~~~~~~~~~~~~~
        circlectl: error: 1 fault in the manifests; nothing was done

        """),
    Fault(
      testDescription: "a long tag of wide characters, its caret by display width", old: "中文]",
      new: "中文, 一二三四五六七八九十一二三四五六七八九十一]",
      text: """
        club/club.yaml:21:23: error: the tag in server 'readers' has 21 characters (UTF-16 code units), more than the 20 allowed [manifest.invalid-text]
          21 |     tags: [books, 中文, 一二三四五六七八九十一二三四五六七八九十一]
             |                         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
        circlectl: error: 1 fault in the manifests; nothing was done

        """),
    Fault(
      testDescription: "an unknown user", old: "      - u05\n", new: "      - u005\n",
      text: """
        club/club.yaml:29:9: error: user 'u005' is not registered; did you mean 'u05'? [plan.unknown-user]
          29 |       - u005
             |         ^~~~
             = help: add the user to 'users', or use --register to register all users that the manifests name
        circlectl: error: 1 fault in the manifests; nothing was done

        """),
    Fault(
      testDescription: "a duplicate handle in another file", old: "version", new: "version",
      more: "version: 1\nservers:\n  garden: {name: Other, owner: u01}\n",
      text: """
        club/more.yaml:3:3: error: the server 'garden' is given twice [manifest.duplicate-handle]
          3 |   garden: {name: Other, owner: u01}
            |   ^~~~~~
        club/club.yaml:37:3: note: first given here
          37 |   garden:
             |   ^
        circlectl: error: 1 fault in the manifests; nothing was done

        """),
    Fault(
      testDescription: "a tab in the indentation", old: "      - u05\n", new: "\t- u05\n",
      text: """
        club/club.yaml:29:1: error: a tab can't be used for indentation; use spaces [manifest.tab]
          29 | \t- u05
             | ^
        club/club.yaml:28:9: note: the text begins here
          28 |       - u04
             |         ^
        circlectl: error: 1 fault in the manifests; nothing was done

        """),
  ]

  @Test(arguments: faults)
  func `a fault is told at its place, with its line and a caret, and nothing is written`(fault: Fault) throws {
    let scene = try Club.applied()
    try scene.edit("club/club.yaml", fault.old, fault.new)
    if let more = fault.more { try scene.folder.write(more, to: "club/more.yaml") }
    let before = try scene.bytes("circle.db")
    for command in ["diff club", "apply club --yes"] {
      let ending = try scene(command)
      #expect(ending.status == 65)
      #expect(ending.output == "")
      #expect(ending.errors == fault.text)
    }
    #expect(try scene.bytes("circle.db") == before)
  }

  @Test func `an unknown user is a warning of validate alone, a fault beside the state, and registered when asked`()
    throws
  {
    let scene = try Club.applied()
    try scene.edit("club/club.yaml", "      - u05\n", "      - stranger\n")
    let alone = try scene("validate club")
    #expect(alone.status == 0)
    #expect(alone.errors.contains("club/club.yaml:29:9: warning: "))
    #expect(try scene("validate club --state circle.db").status == 65)
    let ending = try scene("apply club --yes --register -o ndjson")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      Records(ending).changes == [
        "pending create user stranger register-option",
        "pending delete member readers u05 user no-longer-listed",
        "pending create member readers stranger user manifest",
      ])
  }
}
