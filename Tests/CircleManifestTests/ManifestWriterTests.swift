import CircleModel
import Diagnostics
import JSONText
import Testing
import Testkit

@testable import CircleManifest

/// What is written is read back as the same, whatever the texts hold.
struct ManifestWriterTests {
  private struct Server: Equatable {
    var handle: Text
    var owner: String
    var attributes = ServerAttributes()
    var tags: [Text] = []
    var moderators: [String] = []
    var members: [String] = []
    var settings = ServerSettings()
  }

  private struct User: Equatable {
    var id: String
    var profile = UserProfile()
    var devices: [Text] = []
  }

  private func write(_ users: [User], _ servers: [Server]) -> [UInt8] {
    var names = UserNames()
    for user in users { _ = names.intern(user.id) }
    for server in servers {
      for id in [server.owner] + server.moderators + server.members { _ = names.intern(id) }
    }
    var writer = ManifestWriter(names: names)
    func index(_ id: String) -> UserIndex { names.find(id) ?? .none }
    for user in users { writer.writeUser(index(user.id), profile: user.profile, devices: user.devices) }
    for server in servers {
      writer.writeServer(
        handle: server.handle, owner: index(server.owner), attributes: server.attributes, tags: server.tags,
        moderators: server.moderators.map(index), members: server.members.map(index), settings: server.settings)
    }
    return writer.buffer.bytes
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test
  func `a manifest is written in a canonical form`() {
    var alice = User(id: "Alice", devices: ["mac", "my phone"])
    alice.profile[.nickName] = "Alice"
    alice.profile[.userInfoExt] = "{\"a\":1}"
    var server = Server(handle: "swift-fans", owner: "Alice", tags: ["swift", "a,b"], moderators: ["bob"])
    server.members = ["zed", "Carol", "dave"]
    server.attributes[.name] = "Swift 爱好者"
    server.attributes[.desc] = "news: all\nof it"
    server.attributes[.type] = "private"
    server.settings = ServerSettings(membership: .exact, join: .invite, welcome: "hi", protect: true)
    let bare = Server(handle: "x", owner: "bob", settings: ServerSettings(membership: .exact))
    #expect(
      text(write([alice, User(id: "bob")], [server, bare])) == """
        version: 1

        users:
          Alice:
            nickName: Alice
            userInfo.ext: '{"a":1}'
            devices: [mac, my phone]
          bob: {}

        servers:
          swift-fans:
            name: Swift 爱好者
            owner: Alice
            type: private
            desc: "news: all\\nof it"
            tags: [swift, 'a,b']
            moderators:
              - bob
            members:
              - Carol
              - dave
              - zed
            membership: exact
            join: direct
            welcome: hi
            protect: true
          x:
            owner: bob
            members: []
            membership: exact
            join: direct

        """)
  }

  @Test(arguments: [
    ("no", "no"), ("007", "007"), ("1e3", "1e3"), ("true", "true"), ("~", "'~'"), ("null", "'null'"),
    ("NULL", "'NULL'"),
    ("", "''"), ("@x", "'@x'"), ("- x", "'- x'"), ("-x", "-x"), ("-", "'-'"), ("---", "'---'"), ("x ", "'x '"),
    (" x", "' x'"), ("a: b", "'a: b'"), ("a:b", "a:b"), ("a #b", "'a #b'"), ("a#b", "a#b"), ("it's", "it's"),
    ("'", "''''"), ("<<", "'<<'"), ("x\ny", #""x\ny""#), ("a\tb", #""a\tb""#), ("\u{85}", #""\x85""#),
    ("\u{2028}x", #""\u2028x""#), ("\u{FEFF}", #""\uFEFF""#), ("\u{1FFFF}", #""\U0001FFFF""#), ("社区", "社区"),
    ("😀", "😀"), ("https://a.example/?q=1#x", "https://a.example/?q=1#x"), ("a, b [c]", "a, b [c]"), ("x:", "'x:'"),
    ("\"q\"", "'\"q\"'"), ("\\", "\\"), ("%a", "'%a'"), ("é\u{7F}", #""é\x7F""#),
  ])
  func `text is quoted just where it must be`(_ value: String, _ expected: String) {
    var user = User(id: "u")
    user.profile[.sign] = Text(value)
    let written = text(write([user], [])).split(separator: "\n").last.map(String.init)
    #expect(written?.utf8.elementsEqual("    sign: \(expected)".utf8) == true, "\(written ?? "")")
  }

  @Test(arguments: ["null", "NULL", "-", "--", "---", "...", ".", "-a", "_x", "a@b", "0", "no", "true"])
  func `user ids are read back`(_ id: String) {
    let server = Server(handle: "s", owner: id, moderators: ["mod"], members: [id])
    let reading = Reading(bytes: write([User(id: id)], [server]))
    #expect(reading.printed == "")
    #expect(reading.members("s") == [id])
    #expect(reading.state.users.first.map { reading.state.names[$0.user] } == id)
  }

  @Test
  func `random users and servers are read back as they were`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix(seed: seed)
    for round in 0..<300 {
      let users = (0..<Int.random(in: 1...5, using: &random)).map { user($0, &random) }
      let ids = users.map(\.id)
      let servers = (0..<Int.random(in: 0...3, using: &random)).map { server($0, ids, &random) }
      let bytes = write(users, servers)
      let reading = Reading(bytes: bytes)
      try #require(!reading.diagnostics.hasErrors, "seed \(seed), round \(round)\n\(reading.printed)\n\(text(bytes))")
      #expect(read(reading).0 == users, "seed \(seed), round \(round)\n\(text(bytes))")
      #expect(read(reading).1 == servers, "seed \(seed), round \(round)\n\(text(bytes))")
      #expect(write(users, servers) == write(read(reading).0, read(reading).1))
    }
  }

  private func read(_ reading: Reading) -> ([User], [Server]) {
    let names = reading.state.names
    let users = reading.state.users.map { entry in
      var user = User(id: names[entry.user], devices: entry.devices?.value ?? [])
      for field in entry.fields { user.profile[field.field] = field.value }
      return user
    }
    let servers = reading.state.servers.map { entry in
      var server = Server(handle: entry.handle, owner: entry.owner.map { names[$0.value] } ?? "")
      for field in entry.attributes { server.attributes[field.field] = field.value }
      server.tags = entry.tags?.value.map(\.value) ?? []
      server.moderators = reading.moderators(entry.handle.string) ?? []
      server.members = reading.members(entry.handle.string) ?? []
      server.settings = ServerSettings(
        membership: entry.membership?.value, join: entry.join?.value, welcome: entry.welcome?.value ?? nil,
        protect: entry.protect?.value)
      return server
    }
    return (users, servers)
  }

  private func user(_ number: Int, _ random: inout SplitMix) -> User {
    var user = User(id: "u\(number)")
    for field in [UserField.alias, .ext, .serverExt, .nickName, .sign, .userInfoExt] where Bool.random(using: &random) {
      user.profile[field] = words(20, &random)
    }
    user.devices = unique(3, &random)
    return user
  }

  private func server(_ number: Int, _ ids: [String], _ random: inout SplitMix) -> Server {
    var server = Server(handle: Text("s\(number)"), owner: ids[0])
    for field in [ServerField.name, .desc, .ext] where Bool.random(using: &random) {
      server.attributes[field] = words(20, &random)
    }
    server.tags = unique(9, &random)
    let shuffled = ids.shuffled(using: &random)
    server.moderators = shuffled.prefix(Int.random(in: 0...2, using: &random)).sorted()
    server.members = shuffled.dropFirst(server.moderators.count).prefix(2).sorted()
    server.settings.join = .direct
    server.settings.membership = MembershipMode.allCases.randomElement(using: &random)
    server.settings.welcome = Bool.random(using: &random) ? words(30, &random) : nil
    server.settings.protect = [nil, true, false].randomElement(using: &random) ?? nil
    return server
  }

  private func unique(_ count: Int, _ random: inout SplitMix) -> [Text] {
    var seen: Set<Text> = []
    return (0..<Int.random(in: 0...count, using: &random)).map { _ in words(9, &random) }
      .filter { seen.insert($0).inserted }
  }

  /// Text that is not blank, of characters that mean something in YAML and of any others but controls.
  private func words(_ longest: Int, _ random: inout SplitMix) -> Text {
    let special: [Unicode.Scalar] = Array(
      " -:#,[]{}&*!|>'\"%@`?<~=\\/.0123abn\n\t社é😀\u{301}\u{2028}\u{FEFF}\u{A0}".unicodeScalars)
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 1...longest, using: &random) {
      let any = Unicode.Scalar(UInt32.random(in: 0xA1...0x10FFFF, using: &random)) ?? "x"
      let isAny = Int.random(in: 0..<12, using: &random) == 0
      // Two code units each at most, so that a tag of nine stays within its twenty.
      text.append(isAny ? any : special.randomElement(using: &random) ?? "x")
    }
    text.insert("x", at: Bool.random(using: &random) ? text.startIndex : text.endIndex)
    return Text(String(text))
  }

  @Test
  func `what nobody sees is written as an escape and read back`() {
    var server = Server(handle: "a", owner: "amy")
    let name: Text = "a\u{202E}b\u{200F}\u{FEFF}\u{E0041}\u{AD}"
    server.attributes[.name] = name
    server.attributes[.desc] = "👩\u{200D}🔧 中文"
    let bytes = write([User(id: "amy")], [server])
    #expect(text(bytes).contains("name: \"a\\u202Eb\\u200F\\uFEFF\\U000E0041\\xAD\"\n"))
    #expect(text(bytes).contains("desc: 👩\u{200D}🔧 中文\n"))
    #expect(Reading(bytes: bytes).server("a")?.attribute(.name)?.value == name)
  }
}
