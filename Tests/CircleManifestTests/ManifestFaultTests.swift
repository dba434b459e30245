import Diagnostics
import Testing

@testable import CircleManifest

/// Each rule of a manifest once: the marked text says which diagnostics are expected, and where.
struct ManifestFaultTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var rule: String
    var text: String
    var testDescription: String { rule }

    init(_ rule: String, _ text: String) {
      self.rule = rule
      self.text = text
    }
  }

  @Test(arguments: syntax + shape + texts)
  func `a fault of one file is reported where it stands`(_ rule: Case) {
    expect(rule)
  }

  @Test(arguments: lists + groups + sets)
  func `a fault of lists and of the set is reported where it stands`(_ rule: Case) {
    expect(rule)
  }

  private func expect(_ rule: Case) {
    let marked = MarkedManifest(rule.text)
    let reading = Reading(marked.text)
    #expect(reading.findings == marked.expected, "\(rule.rule)\n\(reading.printed)")
  }

  static let syntax = [
    Case("a tab indents", "version: 1\nservers:\n⟦tab⟧\ta: {}\n"),
    Case("a bracket is not closed", "version: 1\nusers: {a: {}\n⟦syntax⟧"),
    Case("a bare group", "version: 1\ngroups:\n  a: [⟦bare-group⟧@b, c]\n"),
    Case("a bare group in a block list", "version: 1\ngroups:\n  a:\n  - ⟦bare-group⟧@b # all\n"),
    Case("an unknown alias", "version: 1\ngroups: {a: [b, ⟦alias⟧*c]}\n"),
    Case("an alias within its value", "version: 1\ngroups: {a: &a [b, ⟦alias⟧*a]}\n"),
    Case("a foreign tag", "version: 1\nusers: {a: {sign: ⟦tag⟧!!python/object x}}\n"),
    Case("a tag that does not fit", "version: 1\nusers: {a: {sign: ⟦tag⟧!!map x}}\n"),
    Case("tags of the core schema", "version: !!int 1\nusers: !!map {a: {sign: !!str 5, alias: !!null ''}}\n"),
    Case("a merge of text", "version: 1\nusers: {a: {⟦merge-key⟧<<: x}}\n"),
    Case("two merge keys", "version: 1\nusers: {a: &a {sign: x}, b: {<<: *a, ⟦duplicate-key⟧<<: *a}}\n"),
    Case(
      "the file goes on after an alias fault",
      "version: 1\nusers: {a: {sign: ⟦alias⟧*x, ⟦unknown-key⟧colour: red}}\n"),
  ]

  static let shape = [
    Case("no version", "⟦version⟧users: {a: {}}\n"),
    Case("another version", "version: ⟦version⟧2\nusers: {a: {}}\n"),
    Case("a version that is no number", "version: ⟦version⟧[1]\nusers: {a: {}}\n"),
    Case("only the first document needs it", "version: 1\nusers: {a: {}}\n---\nusers: {b: {}}\n"),
    Case("an empty document before the first", "---\n---\n⟦version⟧users: {a: {}}\n"),
    Case("a document that is a list", "⟦wrong-type⟧- a\n"),
    Case("an unknown key at the top", "version: 1\nusers: {a: {}}\n⟦unknown-key⟧server: {}\n"),
    Case("an unknown key of a server", "version: 1\nservers:\n  x:\n    ⟦unknown-key⟧moderator: [bob]\n"),
    Case("an unknown key of a user", "version: 1\nusers:\n  a:\n    ⟦unknown-key⟧nickname: x\n"),
    Case("a key that is no text", "version: 1\nusers: {? ⟦wrong-type⟧[a] : {}, b: {}}\n"),
    Case("a key twice", "version: 1\nusers:\n  a:\n    sign: x\n    ⟦duplicate-key⟧sign: y\n"),
    Case("a top key twice", "version: 1\nusers: {a: {}}\n⟦duplicate-key⟧users: {b: {}}\n"),
    Case("a user twice, spelt otherwise", "version: 1\nusers: {a: {}, ⟦duplicate-key⟧A: {}}\n"),
    Case("users as a list", "version: 1\nusers: ⟦wrong-type⟧[a]\ngroups: {g: []}\n"),
    Case("a server as text", "version: 1\nservers: {a: ⟦wrong-type⟧x}\n"),
    Case("a name as a list", "version: 1\nservers: {a: {name: ⟦wrong-type⟧[x]}}\n"),
    Case("tags as text", "version: 1\nservers: {a: {tags: ⟦wrong-type⟧x}}\n"),
    Case("members as text", "version: 1\nservers: {a: {members: ⟦wrong-type⟧x}}\n"),
    Case("an owner as a list", "version: 1\nservers: {a: {owner: ⟦wrong-type⟧[x]}}\n"),
    Case("null for a name", "version: 1\nservers:\n  a:\n    name: ⟦null⟧~\n"),
    Case("blank for a name", "version: 1\nservers: {a: {name: ⟦invalid-text⟧\" \"}}\n"),
    Case("null for an owner", "version: 1\nservers: {a: {owner: ⟦null⟧null}}\n"),
    Case("null for a type", "version: 1\nservers: {a: {type: ⟦null⟧null}}\n"),
    Case(
      "null for lists",
      "version: 1\nservers: {a: {tags: ⟦null⟧~, members: ⟦null⟧~, moderators: ⟦null⟧~, absent: ⟦null⟧~}}\n"),
    Case("a list whose lines are comments", "version: 1\ngroups:\n  g:⟦null⟧\n  # - a\n"),
    Case(
      "null for what can be cleared",
      "version: 1\nservers: {a: {icon: , background: ~, desc: null, ext: , welcome: }}\n"),
    Case("null for settings that are left out", "version: 1\nservers: {a: {membership: ~, join: ~, protect: ~}}\n"),
    Case(
      "an unknown word",
      "version: 1\nservers: {a: {membership: ⟦unknown-word⟧exakt, join: ⟦unknown-word⟧ask, type: ⟦unknown-word⟧open}}\n"
    ),
    Case(
      "a boolean otherwise", "version: 1\nservers: {a: {protect: ⟦wrong-type⟧yes}, b: {protect: ⟦wrong-type⟧'true'}}\n"),
    Case("booleans", "version: 1\nservers: {a: {protect: true}, b: {protect: false}}\n"),
    Case("a default that can't be one", "version: 1\ndefaults: {server: {⟦unknown-key⟧name: x}}\nusers: {a: }\n"),
    Case("an unknown section of defaults", "version: 1\ndefaults: {⟦unknown-key⟧user: {}}\nusers: {a: }\n"),
  ]

  static let texts = [
    Case("a handle with a capital", "version: 1\nservers: {⟦invalid-text⟧Swift: {}}\n"),
    Case("a handle of 64 letters", "version: 1\nservers: {⟦invalid-text⟧\(String(repeating: "a", count: 64)): {}}\n"),
    Case("a name of 51", "version: 1\nservers: {a: {name: ⟦invalid-text⟧\(String(repeating: "x", count: 51))}}\n"),
    Case("a name of 50", "version: 1\nservers: {a: {name: \(String(repeating: "社", count: 50))}}\n"),
    Case("an icon that is no URL", "version: 1\nservers: {a: {icon: ⟦invalid-text⟧ftp://x}}\n"),
    Case("a control character", "version: 1\nservers: {a: {desc: ⟦invalid-text⟧\"x\\ay\"}}\n"),
    Case("a tag of 21", "version: 1\nservers: {a: {tags: [x, ⟦invalid-text⟧\(String(repeating: "y", count: 21))]}}\n"),
    Case(
      "a welcome of 501", "version: 1\nservers: {a: {welcome: ⟦invalid-text⟧\(String(repeating: "y", count: 501))}}\n"),
    Case("a birth that is no date", "version: 1\nusers: {a: {birth: ⟦invalid-text⟧2023-02-29}}\n"),
    Case("a gender", "version: 1\nusers: {a: {gender: ⟦invalid-text⟧f}, b: {gender: female}}\n"),
    Case("a server id of 21", "version: 1\nservers: {a: {serverId: ⟦invalid-text⟧000000000000000000001}}\n"),
    Case("a server id of 22", "version: 1\nservers: {a: {serverId: 0000000000000000000001}}\n"),
    Case(
      "an ext of 501 as JSON",
      "version: 1\nservers: {a: {ext: ⟦invalid-text⟧{x: \(String(repeating: "y", count: 493))}}}\n"),
    Case("an ext that JSON can't say", "version: 1\nservers: {a: {ext: {x: ⟦ext⟧.inf, y: [⟦ext⟧9007199254740993]}}}\n"),
    Case("a key twice in ext", "version: 1\nservers: {a: {ext: {x: 1, ⟦duplicate-key⟧x: 2}}}\n"),
    Case("a bad id in users", "version: 1\nusers: {⟦invalid-user⟧al ice: {⟦unknown-key⟧nick: x}, b: }\n"),
    Case("a group as owner", "version: 1\nservers: {a: {owner: ⟦invalid-user⟧\"@core\"}}\n"),
  ]

  static let lists = [
    Case("a bad id", "version: 1\nservers: {a: {members: [b, ⟦invalid-user⟧c d, e, ⟦invalid-user⟧'é']}}\n"),
    Case("an id of 65", "version: 1\ngroups: {g: [⟦invalid-user⟧\(String(repeating: "x", count: 65))]}\n"),
    Case("an empty entry", "version: 1\ngroups:\n  g:\n  - a\n  -⟦null⟧\n  - ⟦null⟧null\n  - 'null'\n"),
    Case("a list in a list", "version: 1\ngroups: {g: [a, ⟦invalid-user⟧[b]]}\n"),
    Case(
      "a mapping without from", "version: 1\ngroups: {g: [⟦invalid-user⟧{}, ⟦invalid-user⟧{⟦unknown-key⟧form: x}]}\n"),
    Case("a from that is a list", "version: 1\ngroups: {g: [{from: ⟦wrong-type⟧[x]}]}\n"),
    Case("a from file that is missing", "version: 1\ngroups: {g: [{from: ⟦unreadable-file⟧no/such/file}]}\n"),
    Case("a user twice in a list", "version: 1\ngroups:\n  g:\n  - a\n  - b\n  - ⟦repeated-user⟧A\n"),
    Case("a user again through a group", "version: 1\ngroups: {g: [a], h: [a, \"@g\"]}\n"),
    Case(
      "eleven tags",
      "version: 1\nservers: {a: {tags: [a, b, c, d, e, f, g, h, i, j, ⟦too-many-tags⟧k, l]}}\n"),
    Case("a tag twice", "version: 1\nservers: {a: {tags: [a, b, ⟦repeated-entry⟧a]}}\n"),
    Case("an empty tag", "version: 1\nservers: {a: {tags: [⟦null⟧~, ⟦invalid-text⟧'']}}\n"),
    Case("a device twice", "version: 1\nusers: {a: {devices: [mac, ⟦repeated-entry⟧mac]}}\n"),
    Case(
      "tags that differ in normalisation",
      "version: 1\nservers: {a: {tags: [caf\u{E9}, ⟦similar-names⟧cafe\u{301}]}, b: {tags: [⟦similar-names⟧cafe\u{301}]}}\n"
    ),
  ]

  static let groups = [
    Case(
      "an undefined group", "version: 1\ngroups: {core: [a]}\nservers: {s: {members: [⟦undefined-group⟧\"@cora\"]}}\n"),
    Case("a group of itself", "version: 1\ngroups: {a: [b, ⟦circular-group⟧\"@a\"]}\n"),
    Case("groups in a circle", "version: 1\ngroups: {a: ['@b'], b: ['@c'], c: [⟦circular-group⟧'@a', x]}\n"),
    Case("a group twice", "version: 1\ngroups: {a: [b], ⟦duplicate-group⟧a: [c]}\n"),
    Case("a group with a bad name", "version: 1\ngroups: {⟦invalid-text⟧'@a': [b], ⟦invalid-text⟧'a b': [c]}\n"),
    Case(
      "groups may stand after their use",
      "version: 1\nservers: {s: {members: ['@g']}}\n---\ngroups: {g: ['@h'], h: [a]}\n"),
  ]

  static let sets = [
    Case("a handle twice", "version: 1\nservers: {a: {}}\n---\nservers: {⟦duplicate-handle⟧a: {}}\n"),
    Case("a field twice", "version: 1\nusers: {a: {sign: x}}\n---\nusers: {A: {alias: y, sign: ⟦duplicate-field⟧x}}\n"),
    Case("devices twice", "version: 1\nusers: {a: {devices: [x]}}\n---\nusers: {a: {⟦duplicate-field⟧devices: []}}\n"),
    Case(
      "a server id twice",
      "version: 1\nservers: {a: {serverId: 0000000000000000000001}, b: {serverId: ⟦duplicate-server-id⟧0000000000000000000001}}\n"
    ),
    Case("exact without members", "version: 1\nservers: {a: {membership: ⟦exact-without-members⟧exact}}\n"),
    Case(
      "exact by default without members",
      "version: 1\ndefaults: {server: {membership: ⟦exact-without-members⟧exact}}\nservers: {a: {}, b: {members: []}, c: {membership: ~}}\n"
    ),
    Case("an absent member", "version: 1\nservers: {a: {members: [x, y], absent: [z, ⟦absent-listed⟧Y]}}\n"),
    Case(
      "an absent moderator and owner",
      "version: 1\nservers: {a: {owner: o, moderators: [x], absent: [⟦absent-listed⟧x, ⟦absent-listed⟧o]}}\n"),
    Case("an earlier handle that is defined", "version: 1\nservers: {a: {renamedFrom: ⟦rename-conflict⟧b}, b: {}}\n"),
    Case(
      "an earlier handle claimed twice",
      "version: 1\nservers: {a: {renamedFrom: [x, y]}, b: {renamedFrom: [z, ⟦rename-conflict⟧y]}}\n"),
    Case(
      "an earlier handle that is none",
      "version: 1\nservers: {a: {renamedFrom: ⟦invalid-text⟧X}, b: {renamedFrom: ⟦null⟧~}}\n"),
    Case(
      "names that differ in normalisation",
      "version: 1\nservers: {a: {name: \u{E9}}, b: {name: ⟦similar-names⟧e\u{301}}}\n"),
  ]

  @Test
  func `messages name the key, its owner and the nearest known key`() {
    let reading = Reading("version: 1\nservers: {x: {moderator: [bob]}}\n")
    #expect(reading.messages == ["unknown key 'moderator' in server 'x'; did you mean 'moderators'?"])
    #expect(reading.printed.contains(":2:15: error: unknown key 'moderator'"))
  }

  @Test(arguments: [
    ("users: {al: {nickName: \"x\\ay\"}}", "the nickName of user 'al' has a control character"),
    ("users: {al: {birth: 2023-02-29}}", "the birth of user 'al' is not a real date like 2001-02-28"),
    ("servers: {x: {name: ' '}}", "the name in server 'x' is empty"),
    (
      "servers: {x: {tags: [123456789012345678901]}}",
      "the tag in server 'x' has 21 characters (UTF-16 code units), more than the 20 allowed"
    ),
    (
      "servers: {x: {ext: [\(String(repeating: "x", count: 500))]}}",
      "the ext in server 'x' has 504 characters (UTF-16 code units), more than the 500 allowed as JSON text"
    ),
    ("users: {al: {ext: [.inf]}}", "JSON has no number for this value of user 'al'"),
    (
      "users: {al: {ext: [9007199254740993]}}",
      "a whole number of user 'al' is beyond 2^53, where JSON does not keep it exactly"
    ),
  ])
  func `whose text is wrong stands beside what it is`(yaml: String, message: String) {
    #expect(Reading("version: 1\n\(yaml)\n").messages == [message])
  }

  @Test
  func `the first hundred faults are kept and all are counted`() {
    let list = (0..<250).map { "    x\($0): y\n" }.joined()
    let reading = Reading("version: 1\nservers:\n  a:\n" + list)
    #expect(reading.diagnostics.errors.count == 100)
    #expect(reading.diagnostics.errorCount == 250)
  }

  @Test
  func `a fault in what aliases bring in is told once`() {
    let reading = Reading("version: 1\nservers:\n  a: &a {colour: red}\n  b: *a\n  c: {<<: *a}\n")
    #expect(reading.findings == [Finding(code: "manifest.unknown-key", line: 3, column: 10)])
  }

  @Test
  func `each code has a sentence and no code stands twice`() {
    #expect(Set(ManifestDiagnostic.all.map(\.code)).count == ManifestDiagnostic.all.count)
    #expect(ManifestDiagnostic.all.allSatisfy { $0.sentence.hasSuffix(".") })
  }

  @Test
  func `a user who is given twice is called as he is written there`() {
    let reading = Reading("version: 1\nusers: {Bob: {}, bob: {}}\ngroups: {g: [Amy, 'aMy']}\n")
    #expect(reading.messages == ["'bob' is given twice", "user 'aMy' is listed twice in group 'g'"])
    #expect(reading.printed.contains("^~~~~\n"))
  }
}
