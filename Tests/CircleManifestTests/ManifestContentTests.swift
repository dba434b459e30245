import CircleModel
import Diagnostics
import Testing

@testable import CircleManifest

/// What valid manifests mean.
struct ManifestContentTests {
  private func read(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> Reading {
    let reading = Reading(text)
    #expect(reading.printed == "", sourceLocation: sourceLocation)
    return reading
  }

  private let example = """
    version: 1

    groups:
      core: [alice, bob]

    users:
      alice:
        nickName: Alice
        avatarUrl: https://img.example/a.png
        gender: female
        devices: [iphone, mac]
      bob: {}
      carol:

    servers:
      swift-fans:
        name: Swift 爱好者
        owner: alice
        desc: Everything Swift
        ext: {region: cn, a: [1, 0x10, 1.50, true, ~, no]}
        tags: [swift, ios]
        moderators: ["@core"]
        members:
          - carol
        membership: exact
        join: invite
        welcome: |
          Hello,
          you!
        protect: true
        absent: [dave]
        renamedFrom: [old-fans, older-fans]
        serverId: 0000000000000000000001

    """

  @Test
  func `the example reads as it is described`() throws {
    let reading = read(example)
    let server = try #require(reading.server("swift-fans"))
    #expect(server.place == Place(file: 0, line: 16, column: 3))
    #expect(server.attributes.map(\.field) == [.name, .desc, .ext])
    #expect(server.attribute(.name)?.value == "Swift 爱好者")
    #expect(server.attribute(.name)?.place == Place(file: 0, line: 17, column: 11))
    #expect(server.attribute(.ext)?.value == #"{"a":[1,16,1.5,true,null,"no"],"region":"cn"}"#)
    #expect(server.owner.map { reading.state.names[$0.value] } == "alice")
    #expect(server.tags?.value.map(\.value) == ["swift", "ios"])
    #expect(reading.moderators("swift-fans") == ["alice", "bob"])
    #expect(server.moderators?.place == Place(file: 0, line: 22, column: 5))
    #expect(server.moderators?.value.first?.place == Place(file: 0, line: 4, column: 10))
    #expect(reading.members("swift-fans") == ["carol"])
    #expect(reading.absent("swift-fans") == ["dave"])
    #expect(server.membership?.value == .exact)
    #expect(server.join?.value == .invite)
    #expect(server.welcome?.value == "Hello,\nyou!\n")
    #expect(server.protect?.value == true)
    #expect(server.renamedFrom.map(\.value) == ["old-fans", "older-fans"])
    #expect(server.serverID?.value == "0000000000000000000001")

    let users = reading.state.users
    #expect(users.map { reading.state.names[$0.user] } == ["alice", "bob", "carol"])
    #expect(users[0].fields.map(\.field) == [.nickName, .avatarUrl, .gender])
    #expect(users[0].devices?.value == ["iphone", "mac"])
    #expect(users[1].devices == nil)
  }

  @Test
  func `who must be registered is known with the first place outside absent`() {
    let reading = read(
      """
      version: 1
      groups: {gone: [dave], idle: [erin], both: [fred]}
      servers:
        a: {absent: ["@gone", "@both", gus], members: [hal], owner: ian}
        b: {members: ["@both", hal], moderators: [ian]}

      """)
    let mentioned = reading.state.mentions.indices.filter { reading.state.mentions[$0].isKnown }
      .map { "\(reading.state.names[UserIndex($0)]) \(reading.state.mentions[$0].line)" }
    #expect(mentioned.sorted() == ["erin 2", "fred 2", "hal 4", "ian 4"])
  }

  @Test(arguments: [
    "no", "on", "1e3", "007", "0x1F", "12345678901234567890", "2024-01-01", "true", "NO", "1_000", "0o7", "-1", ".5",
  ])
  func `what other readers take for numbers, dates and booleans stays text`(_ word: String) throws {
    let reading = read(
      """
      version: 1
      users:
        \(word): {nickName: \(word)}
      servers:
        s: {name: \(word), tags: [\(word)], owner: \(word), members: [\(word)]}

      """)
    #expect(reading.members("s") == [word])
    let server = try #require(reading.server("s"))
    #expect(server.attribute(.name)?.value == Text(word))
    #expect(server.tags?.value.map(\.value) == [Text(word)])
    #expect(reading.state.users.first?.fields.first?.value == Text(word))
  }

  @Test
  func `null and blank clear what can be cleared, what is left out is not managed`() throws {
    let reading = read(
      """
      version: 1
      users: {a: {sign: , nickName: ~, alias: '', email: "  "}}
      servers: {s: {icon: null, desc: ' ', welcome: ''}, t: {tags: [], members: []}}

      """)
    #expect(reading.state.users[0].fields.map(\.field) == [.alias, .nickName, .sign, .email])
    #expect(reading.state.users[0].fields.allSatisfy { $0.value == nil })
    let server = try #require(reading.server("s"))
    #expect(server.attributes.map(\.field) == [.icon, .desc])
    #expect(server.attributes.allSatisfy { $0.value == nil })
    #expect(server.welcome.map { $0.value == nil } == true)
    #expect(server.members == nil && server.tags == nil && server.moderators == nil)
    let other = try #require(reading.server("t"))
    #expect(other.members?.value.isEmpty == true)
    #expect(other.tags?.value.isEmpty == true)
  }

  @Test
  func `defaults fill what a server of their file leaves out, wherever they stand`() throws {
    let reading = read(
      """
      version: 1
      servers:
        a: {}
        b: {desc: own, membership: ~, absent: [], welcome: ~, protect: false}
      defaults:
        server: {desc: shared, icon: ~, owner: o, membership: exact, join: invite, welcome: hi, protect: true, absent: ["@g"], type: private}
      ---
      servers: {c: {}}
      groups: {g: [x]}

      """.replacing("membership: exact", with: "membership: additive"))
    let (a, b) = (try #require(reading.server("a")), try #require(reading.server("b")))
    #expect(a.attributes.map(\.field) == [.type, .icon, .desc])
    #expect(a.attribute(.desc)?.value == "shared")
    #expect(a.membership?.value == .additive)
    #expect(a.join?.value == .invite)
    #expect(a.welcome?.value == "hi")
    #expect(a.protect?.value == true)
    #expect(a.owner != nil)
    #expect(reading.absent("a") == ["x"])
    #expect(b.attribute(.desc)?.value == "own")
    #expect(b.membership == nil)
    #expect(b.welcome.map { $0.value == nil } == true)
    #expect(b.protect?.value == false)
    #expect(reading.absent("b") == [])
    #expect(reading.absent("c") == ["x"])
  }

  @Test
  func `anchors, aliases and merge keys work, explicit keys first`() throws {
    let reading = read(
      """
      version: 1
      servers:
        a: &a
          name: &name A
          desc: d
          icon: https://a.example/
          members: &list [x, &y y]
        b:
          <<: *a
          desc: own
        c:
          desc: ~
          <<: [*a, {type: private, desc: no}]
          members: *list
        d: {name: *name, members: [*y, z]}
        e: {<<: {<<: *a, name: E}}

      """)
    let servers = try ["b", "c", "d", "e"].map { try #require(reading.server($0)) }
    #expect(servers.map { $0.attribute(.name)?.value } == ["A", "A", "A", "E"])
    #expect(servers[0].attribute(.desc)?.value == "own")
    #expect(servers[1].attribute(.desc) != nil && servers[1].attribute(.desc)?.value == nil)
    #expect(servers[1].attribute(.type)?.value == "private")
    #expect(servers[3].attribute(.desc)?.value == "d")
    #expect(["a", "b", "c", "e"].allSatisfy { reading.members($0) == ["x", "y"] })
    #expect(reading.members("d") == ["y", "z"])
  }

  @Test
  func `merge keys bring entries into sections, and quoted they are keys`() {
    let reading = read(
      """
      version: 1
      servers: &all
        a: {members: [x]}
      ---
      servers:
        <<: {b: {members: [y]}, c: {members: [z]}}
        b: {members: [w]}
      users:
        <<: {u: {sign: merged}, v: {}}
        U: {sign: own}

      """)
    #expect(reading.members("b") == ["w"])
    #expect(reading.members("c") == ["z"])
    #expect(reading.state.users.map { $0.fields.first?.value } == ["own", nil])
    #expect(Reading("version: 1\nusers: {a: {'<<': {}}}\n").findings.map(\.code) == ["manifest.unknown-key"])
  }

  @Test
  func `fields of one user may come from several places, his first entry spells him`() {
    let reading = read(
      """
      version: 1
      servers: {s: {members: [ALICE]}}
      users: {Alice: {sign: x}}
      ---
      users: {aLICE: {alias: y, birth: ~}}

      """)
    #expect(reading.state.users.count == 1)
    #expect(reading.state.users[0].fields.map(\.field) == [.alias, .sign, .birth])
    #expect(reading.members("s") == ["Alice"])
  }

  @Test
  func `groups nest and join with what is listed`() {
    let reading = read(
      """
      version: 1
      groups: {a: [x, "@b"], b: ["@c", y], c: [z, x]}
      servers: {s: {members: [w, "@a", "@b"]}, t: {members: ["@a"]}, u: {members: ["@empty"]}}
      ---
      groups: {empty: []}

      """)
    #expect(reading.members("s") == ["w", "x", "y", "z"])
    #expect(reading.members("t") == ["x", "y", "z"])
    #expect(reading.members("u") == [])
  }

  @Test(arguments: ["utf8", "utf8 with mark", "utf16le", "utf16be", "utf16le without mark"])
  func `encodings that YAML knows are read`(_ encoding: String) {
    let text = "version: 1\r\nservers: {s: {name: 社区 😀, ⟦unknown-key⟧colour: x}}\r\n"
    let marked = MarkedManifest(text)
    let units = Array(marked.text.utf16)
    let bytes: [UInt8]
    switch encoding {
    case "utf8": bytes = Array(marked.text.utf8)
    case "utf8 with mark": bytes = [0xEF, 0xBB, 0xBF] + Array(marked.text.utf8)
    case "utf16be": bytes = [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    case "utf16le": bytes = [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    default: bytes = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }
    let reading = Reading(bytes: bytes)
    #expect(reading.findings == marked.expected)
    #expect(reading.server("s")?.attribute(.name)?.value == "社区 😀")
  }

  @Test
  func `invalid UTF-8 is reported where it stands`() {
    let reading = Reading(bytes: Array("version: 1\nusers: {a: {sign: é".utf8) + [0xFF, 0x7D])
    #expect(reading.findings == [Finding(code: "manifest.encoding", line: 2, column: 20)])
  }

  @Test
  func `a manifest of nothing is an error, an empty one among others a warning`() {
    #expect(Reading("").diagnostics.errors.map(\.code) == ["manifest.empty-set"])
    #expect(Reading("version: 1\nservers: {}\n").diagnostics.errors.map(\.code) == ["manifest.empty-set"])
    #expect(Reading("# nothing\n").findings.map(\.code) == ["manifest.empty-set", "manifest.empty-file"])
    #expect(Reading("version: 1\ngroups: {g: []}\n").findings == [])
  }

  @Test
  func `a set that stands alone is asked for names, owners and users`() {
    let reading = Reading(
      """
      version: 1
      users: {alice: , carol: {}}
      servers:
        a: {name: A, owner: alise}
        b: {owner: alice}
        c: {members: [zoe], absent: [nobody], serverId: 0000000000000000000001}
        d: {name: D}
        e: {renamedFrom: f}
        g: {name: [x], owner: alice}

      """)
    #expect(reading.findings.map(\.code) == ["manifest.wrong-type"])
    var diagnostics = DiagnosticCollector()
    StandaloneCheck.check(reading.state, into: &diagnostics)
    #expect(
      diagnostics.sorted().map { "\($0.place.line):\($0.place.column) \($0.message)" } == [
        "4:23 no manifest registers user 'alise'; did you mean 'alice'?",
        "5:3 server 'b' has no name", "6:17 no manifest registers user 'zoe'", "7:3 server 'd' has no owner",
      ])
  }
}
