import CircleModel
import CircleReport
import CircleState
import Testing

struct EventTests {
  @Test func `a listing has one bare object a line`() throws {
    let text = try Sample.rendered([.events(SampleEvent.section(.listing, SampleEvent.all))], as: .ndjson)
    let base = #""time":"2025-01-02T03:04:05.678Z","name":"#
    let server = #","serverId":"0000000000000000000001","handle":"swift-fans","actor":"#
    let expected = [
      #"{"seq":7,\#(base)"onMemberJoinedServer"\#(server)"bob","via":"admin","member":"bob","audience":{"rule":"membersExcept","count":12}}"#,
      #"{"seq":8,\#(base)"multiDevices.Join"\#(server)"bob","member":"bob","audience":{"rule":"otherDevices","count":1}}"#,
      #"{"seq":9,\#(base)"onServerUpdated"\#(server)"alice","attributes":{"name":"Swift 爱好者","type":"public"},"changed":["name","desc"],"audience":{"rule":"membersExcept","count":2}}"#,
      #"{"seq":10,\#(base)"onServerDestroyed"\#(server)"alice","initiator":"alice","audience":{"rule":"membersExceptOwner","count":2}}"#,
      #"{"seq":11,\#(base)"onReceiveServerInvitation"\#(server)"alice","inviter":"alice","invitee":"dave","welcome":"hi \"you\"","serverName":"Swift 爱好者","audience":{"rule":"invitee","count":1}}"#,
      #"{"seq":12,\#(base)"onServerInvitationBeDeclined"\#(server)"dave","invitee":"dave","audience":{"rule":"inviter","count":1}}"#,
      #"{"seq":13,\#(base)"onServerRoleAssigned"\#(server)"alice","member":"bob","role":"moderator","audience":{"rule":"membersExcept","count":2}}"#,
      #"{"seq":14,\#(base)"onServerRoleAssigned"\#(server)"alice","member":"bob","role":"user","audience":{"rule":"membersExcept","count":2}}"#,
      #"{"seq":15,\#(base)"onMemberRemovedFromServer"\#(server)"alice","members":["bob","carol"],"audience":{"rule":"removedAndModerators","count":3}}"#,
      #"{"seq":16,\#(base)"multiDevices.Create"\#(server)"alice","audience":{"rule":"otherDevices","count":2}}"#,
    ]
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) == expected + [""])
  }

  @Test func `events that follow from a run tell their type, after a header`() throws {
    let event = SampleEvent(name: .onMemberLeftServer, kind: .leaveServer, actor: "bob", user: "bob")
    let text = try Sample.rendered([.events(SampleEvent.section(.consequence, [event]))], as: .ndjson, command: "apply")
    #expect(
      text == """
        {"type":"header","circlectlReport":1,"command":"apply","result":"done"}
        {"type":"event","seq":1,"time":"2025-01-02T03:04:05.678Z","name":"onMemberLeftServer","serverId":"0000000000000000000001","handle":"swift-fans","actor":"bob","member":"bob","audience":{"rule":"members","count":2}}

        """)
  }

  @Test func `events of another server, time or run don't take over what was kept`() throws {
    var other = SampleEvent(name: .onServerDestroyed, kind: .destroyServer, seq: 2, time: 0)
    other.serverID = "0000000000000000000002"
    var third = other
    third.handle = "swift-club"
    third.seq = 3
    let first = SampleEvent(name: .onServerDestroyed, kind: .destroyServer)
    let text = try Sample.rendered(
      [.events(SampleEvent.section(.listing, [first, other, third, first]))], as: .ndjson)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0] == lines[3])
    #expect(lines[1].contains(#""time":"1970-01-01T00:00:00.000Z""#))
    #expect(lines[1].contains(#""serverId":"0000000000000000000002","handle":"swift-fans""#))
    #expect(lines[2].contains(#""serverId":"0000000000000000000002","handle":"swift-club""#))
  }

  @Test func `events of another name, kind or authority don't take over what was kept`() throws {
    let added = SampleEvent(name: .onServerRoleAssigned, kind: .addModerator, user: "bob")
    var removed = added
    removed.kind = .removeModerator
    var byAdministrator = removed
    byAdministrator.isAdministrative = true
    let joined = SampleEvent(name: .onMemberJoinedServer, kind: .joinServer, user: "bob")
    let text = try Sample.rendered(
      [.events(SampleEvent.section(.listing, [added, removed, byAdministrator, joined, added]))], as: .ndjson)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines[0].contains(#""name":"onServerRoleAssigned""#))
    #expect(lines[0].contains(#""actor":"alice","member":"bob","role":"moderator","audience""#))
    #expect(lines[1].contains(#""actor":"alice","member":"bob","role":"user","audience""#))
    #expect(lines[2].contains(#""actor":"alice","via":"admin","member":"bob","role":"user","audience""#))
    #expect(lines[3].contains(#""name":"onMemberJoinedServer""#))
    #expect(lines[3].contains(#""actor":"alice","member":"bob","audience""#))
    #expect(lines[4] == lines[0])
  }

  @Test func `an expanded audience of an event about a member lists its users`() throws {
    let event = SampleEvent(name: .onMemberJoinedServer, kind: .joinServer, actor: "bob", user: "bob")
    let section = SampleEvent.section(.listing, [event]) { _ in ["alice", "carol"] }
    #expect(
      try Sample.rendered([.events(section)], as: .ndjson)
        .hasSuffix(
          #""actor":"bob","member":"bob","audience":{"rule":"membersExcept","count":2,"users":["alice","carol"]}}"#
            + "\n"))
  }

  @Test func `an expanded audience lists its users`() throws {
    let event = SampleEvent(name: .onServerDestroyed, kind: .destroyServer)
    let section = SampleEvent.section(.listing, [event]) { _ in ["bob", "carol"] }
    #expect(
      try Sample.rendered([.events(section)], as: .ndjson)
        .hasSuffix(#""audience":{"rule":"membersExceptOwner","count":2,"users":["bob","carol"]}}"# + "\n"))
    #expect(try Sample.rendered([.events(section)], as: .text).hasSuffix("→ 2 users: bob carol\n"))
  }

  @Test func `as text a listing has one aligned line an event`() throws {
    let text = try Sample.rendered([.events(SampleEvent.section(.listing, SampleEvent.all))], as: .text)
    #expect(
      text == """
         7  2025-01-02T03:04:05.678Z  onMemberJoinedServer          swift-fans  bob (admin)             → 12 users
         8  2025-01-02T03:04:05.678Z  multiDevices.Join             swift-fans  bob                     → 1 device
         9  2025-01-02T03:04:05.678Z  onServerUpdated               swift-fans  alice: name and desc    → 2 users
        10  2025-01-02T03:04:05.678Z  onServerDestroyed             swift-fans  alice                   → 2 users
        11  2025-01-02T03:04:05.678Z  onReceiveServerInvitation     swift-fans  alice: dave             → 1 user
        12  2025-01-02T03:04:05.678Z  onServerInvitationBeDeclined  swift-fans  dave                    → 1 user
        13  2025-01-02T03:04:05.678Z  onServerRoleAssigned          swift-fans  alice: bob → moderator  → 2 users
        14  2025-01-02T03:04:05.678Z  onServerRoleAssigned          swift-fans  alice: bob → user       → 2 users
        15  2025-01-02T03:04:05.678Z  onMemberRemovedFromServer     swift-fans  alice: bob and carol    → 3 users
        16  2025-01-02T03:04:05.678Z  multiDevices.Create           swift-fans  alice                   → 2 devices

        """)
  }

  @Test func `as text the events of a run are counted by name`() throws {
    let text = try Sample.rendered([.events(SampleEvent.section(.consequence, SampleEvent.all))], as: .text)
    #expect(
      text == """
        Events
          onServerUpdated               1  to   2  users
          onServerDestroyed             1  to   2  users
          onReceiveServerInvitation     1  to   1  user
          onServerInvitationBeDeclined  1  to   1  user
          onServerRoleAssigned          2  to   4  users
          onMemberJoinedServer          1  to  12  users
          onMemberRemovedFromServer     1  to   3  users
          multiDevices.Create           1  to   2  devices
          multiDevices.Join             1  to   1  device

        """)
  }

  @Test func `the counts keep a blank line from their neighbours`() throws {
    let event = SampleEvent(name: .deviceCreate, kind: .createServer)
    let events = ReportSection.events(SampleEvent.section(.consequence, [event]))
    #expect(
      try Sample.rendered([.message("one"), events, .message("two")], as: .text) == """
        one

        Events
          multiDevices.Create  1  to  2  devices

        two

        """)
    let none = ReportSection.events(SampleEvent.section(.consequence, []))
    #expect(try Sample.rendered([.message("one"), none, .message("two")], as: .text) == "one\ntwo\n")
  }

  @Test func `no events leave no heading`() throws {
    #expect(try Sample.rendered([.events(SampleEvent.section(.consequence, []))], as: .text) == "")
  }

  @Test func `what a damaged log holds is escaped and mended`() throws {
    var event = SampleEvent(name: .onServerDestroyed, kind: .destroyServer)
    event.actor = "a\"\u{1B}[2J\u{202E}"
    event.handle = "\\\n"
    let json = try Sample.rendered([.events(SampleEvent.section(.listing, [event]))], as: .ndjson)
    #expect(json.contains(#""handle":"\\\n","actor":"a\"\u001b[2J"#))
    let text = try Sample.rendered([.events(SampleEvent.section(.listing, [event]))], as: .text)
    #expect(text.contains(#"\\n  a"\u{1b}[2J\u{202e}"#))
  }

  @Test func `a log that can't be read is told`() {
    let section = EventsSection(.listing) { (_) throws(StateError) in throw .damaged("run 3") }
    // The others tell of no events.
    for format in OutputFormat.allCases where ![.junit, .sarif, .github, .gitlab].contains(format) {
      #expect(throws: RenderError.state(.damaged("run 3"))) { try Sample.rendered([.events(section)], as: format) }
    }
  }
}
