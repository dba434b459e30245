import CircleModel
import Diagnostics
import Testing

@testable import CircleManifest

struct ManifestFormatterTests {
  private func format(_ text: String) throws -> String {
    String(decoding: try ManifestFormatter.format(Array(text.utf8)), as: UTF8.self)
  }

  @Test
  func `keys come in their order, with their comments and values`() throws {
    let text = """
      # A file of ours.

      # about servers
      servers:
        swift-fans: &base   # the fans
          members:
            - carol
            # - dave
          # who owns it
          owner: alice
          desc: |+
            Text # no comment
              deep

          tags: [swift,
            ios]
            # deeper
          name: "Swift
            fans"
        # garden
        garden:
          <<: *base
          owner: bob
          name: x

      users:
        alice:
          nickName: A
          alias: B
      version: 1

      """
    let expected = """
      # A file of ours.

      version: 1

      users:
        alice:
          alias: B
          nickName: A
      # about servers
      servers:
        swift-fans: &base   # the fans
          name: "Swift
            fans"
          # who owns it
          owner: alice
          desc: |+
            Text # no comment
              deep

          tags: [swift,
            ios]
            # deeper
          members:
            - carol
            # - dave
        # garden
        garden:
          <<: *base
          name: x
          owner: bob

      """
    #expect(try format(text) == expected)
    #expect(try format(expected) == expected)
  }

  @Test(arguments: [
    // Blanks at the ends of lines and a missing line break, but not within texts.
    ("version: 1  \nusers:\t\n  a: {}", "version: 1\nusers:\n  a: {}\n"),
    ("version: 1\r\nusers:  \r\n  a: {}", "version: 1\r\nusers:\r\n  a: {}\r\n"),
    ("\u{FEFF}users:\n  a: {}\nversion: 1\n", "\u{FEFF}version: 1\nusers:\n  a: {}\n"),
    (
      "servers:\n  a:\n    desc: >-\n      x  \n\n    name: y\n",
      "servers:\n  a:\n    name: y\n\n    desc: >-\n      x  \n"
    ),
    (
      "servers:\n  a:\n    desc: 'x  \n      y'  \n    name: y\n",
      "servers:\n  a:\n    name: y\n    desc: 'x  \n      y'\n"
    ),
    // An alias stays behind its anchor.
    ("servers:\n  a:\n    owner: &o al\n    name: *o\n", "servers:\n  a:\n    owner: &o al\n    name: *o\n"),
    (
      "servers:\n  a: &x\n    owner: al\n    name: n\n  b: *x\n",
      "servers:\n  a: &x\n    name: n\n    owner: al\n  b: *x\n"
    ),
    // What is in brackets, and what people name, stays.
    ("servers:\n  b: {owner: al, name: n}\n  a: {}\n", "servers:\n  b: {owner: al, name: n}\n  a: {}\n"),
    ("users: {b: {}, a: {}}\n", "users: {b: {}, a: {}}\n"),
    // A key that stands twice, an unknown one, an explicit one.
    (
      "servers:\n  a:\n    owner: al\n    name: n\n    owner: b\n",
      "servers:\n  a:\n    owner: al\n    name: n\n    owner: b\n"
    ),
    ("servers:\n  a:\n    zoo: 1\n    owner: al\n", "servers:\n  a:\n    owner: al\n    zoo: 1\n"),
    ("servers:\n  a:\n    ? owner\n    : al\n    name: n\n", "servers:\n  a:\n    ? owner\n    : al\n    name: n\n"),
    // An empty value, comments at the end, several documents.
    (
      "servers:\n  a:\n    tags:\n    name: n\n    # end\n# last",
      "servers:\n  a:\n    name: n\n    tags:\n    # end\n# last\n"
    ),
    (
      "---\nusers:\n  a:\nversion: 1\n---\nservers:\n  b:\n    owner: x\n    name: y\n...\n",
      "---\nversion: 1\nusers:\n  a:\n---\nservers:\n  b:\n    name: y\n    owner: x\n...\n"
    ),
    ("", ""), ("# nothing", "# nothing\n"), ("\n", "\n"),
  ])
  func `a form is what it should be, and has no other form`(text: String, expected: String) throws {
    #expect(try format(text) == expected)
    #expect(try format(expected) == expected)
  }

  @Test
  func `a text in UTF-16 stays, one that is no YAML is a fault`() throws {
    let utf16: [UInt8] = [0xFF, 0xFE, 0x61, 0x00, 0x20, 0x00]
    #expect(try ManifestFormatter.format(utf16) == utf16)
    #expect(throws: (any Error).self) { try self.format("a: [") }
  }

  @Test
  func `the canonical form of the example means the same, and has no other form`() throws {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    try Self.expectSameMeaning(of: root + "/manifests")
  }

  /// Each file of the folder means the same afterwards.
  static func expectSameMeaning(of folder: String) throws {
    var files = SourceFiles()
    var diagnostics = DiagnosticCollector()
    let all = ManifestFormatter.format(
      [folder], standardInput: { .success([]) }, files: &files, diagnostics: &diagnostics)
    #expect(!diagnostics.hasErrors && !all.isEmpty)
    for file in all {
      let text = String(decoding: file.original, as: UTF8.self)
      let formatted = String(decoding: file.formatted, as: UTF8.self)
      #expect(try ManifestFormatter.format(file.formatted) == file.formatted, "\(file.path)")
      #expect(meaning(formatted) == meaning(text), "\(file.path)")
    }
  }

  /// The desired state in words, with users by name and without places.
  private static func meaning(_ text: String) -> String {
    var files = SourceFiles()
    var diagnostics = DiagnosticCollector()
    let desired = ManifestReader.read(
      ["-"], options: ManifestReader.Options(standardInput: { .success(Array(text.utf8)) }), files: &files,
      diagnostics: &diagnostics)
    func list(_ list: ContiguousArray<Listed>?) -> String {
      list.map { list in list.map { desired.names[$0.user] }.sorted().joined(separator: " ") } ?? "-"
    }
    let users = desired.users.map { user in
      "\(desired.names[user.user]) \(user.fields.map { "\($0.field.word)=\($0.value?.string ?? "null")" }) \(user.devices?.value.map(\.string) ?? ["-"])"
    }
    let servers = desired.servers.map { server in
      "\(server.handle) \(server.attributes.map { "\($0.field.word)=\($0.value?.string ?? "null")" })"
        + " \(server.owner.map { desired.names[$0.value] } ?? "-") \(server.tags?.value.map(\.value.string) ?? ["-"])"
        + " \(list(server.moderators?.value)) \(list(server.members?.value)) \(list(server.absent))"
        + " \(String(describing: server.membership?.value)) \(String(describing: server.join?.value))"
        + " \(String(describing: server.welcome?.value)) \(String(describing: server.protect?.value))"
        + " \(server.renamedFrom.map(\.value.string)) \(server.serverID?.value.string ?? "-")"
    }
    let codes = diagnostics.sorted().map(\.code).sorted()
    return (users.sorted() + servers.sorted() + codes).joined(separator: "\n")
  }

  @Test(arguments: 0..<200)
  func `a random manifest means the same afterwards, and its form is its own`(_ seed: UInt64) throws {
    var random = RandomManifest(seed: seed)
    let text = random.text()
    let formatted = try format(text)
    #expect(try format(formatted) == formatted, "\(text)")
    #expect(Self.meaning(formatted) == Self.meaning(text), "\(text)")
    let sorted = { (text: String) in
      text.split(separator: "\n").map { line in String(line.reversed().drop { $0 == " " }.reversed()) }.sorted()
    }
    #expect(sorted(formatted).filter { !$0.isEmpty } == sorted(text).filter { !$0.isEmpty })
  }
}

/// Manifests with all that a layout can have, in random order.
private struct RandomManifest {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  private mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(truncatingIfNeeded: state >> 33) % bound
  }

  private mutating func shuffled(_ entries: [String]) -> [String] {
    var entries = entries
    for position in entries.indices.reversed() { entries.swapAt(position, below(position + 1)) }
    return entries
  }

  private mutating func noise(_ indent: String) -> String {
    switch below(8) {
    case 0: "\n"
    case 1: "\(indent)# note \(below(9))\n"
    case 2: "\n\(indent)# after a blank line\n"
    case 3: "\(indent)    # deeper\n"
    case 4: "# at the margin\n"
    default: ""
    }
  }

  private mutating func server(_ number: Int) -> String {
    let pad = "    "
    let values = [
      "name: Server \(number)\(below(3) == 0 ? "   " : "")", "owner: u\(below(4))",
      [
        "desc: plain text\n\(pad)  that goes on", "desc: |\n\(pad)  lines  \n\n\(pad)  # text\n",
        "desc: >+\n\(pad)  kept\n\n",
      ][below(3)],
      ["tags: [a, b]", "tags:\n\(pad)- a\n\(pad)- b # c", "tags: &t\(number)\n\(pad)  - x"][below(3)],
      ["members:\n\(pad)  - u1\n\(pad)  # - u2\n\(pad)  - u3", "members: []"][below(2)],
      "welcome: \"hi\n\(pad)  # there\"", "join: direct", "membership: additive", "ext: {z: 1, a: [2, {b: 3}]}",
      "protect: false",
    ]
    var text = ""
    for value in shuffled(values) where below(4) > 0 { text += noise(pad) + pad + value + "\n" }
    return text
  }

  mutating func text() -> String {
    var servers = "servers:\n"
    for number in 0..<1 + below(3) {
      let body = server(number)
      servers += noise("  ") + "  s\(number):\(body.isEmpty ? " {}" : below(3) == 0 ? " &s\(number)" : "")\n" + body
    }
    let users = "users:\n" + (0..<4).map { "  u\($0):\n    sign: s\n    alias: a\n    devices: [d]\n" }.joined()
    var text = below(2) == 0 ? "# header\n" : ""
    for section in shuffled([servers, users, "version: 1\n", "groups:\n  g: [u1]\n"]) { text += noise("") + section }
    return text
  }
}
