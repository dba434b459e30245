import CircleModel
import Testing
import Testkit

/// What manifests mean, through the program: the changes of an apply, and that a second one changes nothing.
struct BehaviourTests {
  /// A community of ann's with a moderator and members; `keys` are more keys of the server.
  private static func manifest(_ members: String, _ keys: String = "", moderators: String? = nil) -> String {
    "version: 1\nusers: {ann: {}, bob: {}, cem: {}, dan: {}, eve: {}, fay: {}}\nservers:\n  den:\n"
      + "    name: Den\n    owner: ann\n" + (moderators.map { "    moderators: \($0)\n" } ?? "")
      + "    members: \(members)\n" + keys
  }

  /// Writes the manifest, applies it, and expects these changes and then none.
  @discardableResult
  private func apply(_ text: String, in scene: Scene, options: String = "", expecting changes: [String]) throws
    -> Records
  {
    try scene.folder.write(text, to: "m.yaml")
    let diff = Records(try scene("diff m.yaml -o ndjson \(options)"))
    #expect(diff.changes == changes)
    let ending = try scene("apply m.yaml --yes -o ndjson \(options)")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(Records(ending).changes == changes)
    #expect(try scene("diff m.yaml --exit-code -q \(options)").status == 0)
    let second = Records(try scene("apply m.yaml -o ndjson \(options)"))
    #expect(second["change"] == [])
    #expect(second["event"] == [])
    #expect(try scene("state verify").status == 0)
    return Records(ending)
  }

  /// A state with the den, whose members are bob (moderator), cem and dan.
  private func den(_ members: String = "[cem, dan]", _ keys: String = "") throws -> Scene {
    let scene = try Scene(["m.yaml": Self.manifest(members, keys, moderators: "[bob]")])
    #expect(try scene("apply m.yaml --yes -q").status == 0)
    return scene
  }

  /// A user who joins without any manifest.
  private func join(_ user: String, _ scene: Scene) throws {
    try scene.change("den") { server, snapshot in [.joinServer(server, snapshot.intern(user))] }
  }

  // MARK: Membership

  @Test func `managed removes those who were listed, and leaves others alone`() throws {
    let scene = try den()
    try join("eve", scene)
    try apply(
      Self.manifest("[cem]", moderators: "[bob]"), in: scene,
      expecting: ["pending delete member den dan user no-longer-listed"])
  }

  @Test func `exact removes everyone who is not listed, additive nobody`() throws {
    let scene = try den()
    try join("eve", scene)
    try apply(
      Self.manifest("[cem, dan]", "    membership: exact\n", moderators: "[bob]"), in: scene,
      expecting: ["pending delete member den eve user exact-membership"])
    try join("eve", scene)
    try apply(
      Self.manifest("[fay]", "    membership: additive\n", moderators: "[bob]"), in: scene,
      expecting: [
        "pending create member den fay user manifest"
      ])
  }

  @Test func `who drops out of the moderators is removed when membership says so, otherwise demoted`() throws {
    let scene = try den()
    try apply(
      Self.manifest("[bob, cem, dan]", moderators: "[cem]"), in: scene,
      expecting: [
        "pending update role den bob moderator user moderators-complete",
        "pending update role den cem user moderator manifest",
      ])
    try apply(
      Self.manifest("[bob, dan]", moderators: "[dan]"), in: scene,
      expecting: [
        "pending delete member den cem moderator no-longer-listed",
        "pending update role den dan user moderator manifest",
      ])
  }

  @Test func `without a members key nobody is removed, and it is forgotten who was listed`() throws {
    let scene = try den()
    let without = Self.manifest("[]", moderators: "[bob]").replacing("    members: []\n", by: "")
    try apply(without, in: scene, expecting: [])
    try apply(Self.manifest("[cem]", moderators: "[bob]"), in: scene, expecting: [])
  }

  @Test func `absent holds in every mode, also for those who are not registered`() throws {
    let scene = try den()
    try join("eve", scene)
    try apply(
      Self.manifest("[cem, dan]", "    membership: additive\n    absent: [eve, nobody]\n", moderators: "[bob]"),
      in: scene, expecting: ["pending delete member den eve user absent"])
    try scene.folder.write(
      Self.manifest("[cem, dan]", "    absent: [cem]\n", moderators: "[bob]"), to: "m.yaml")
    #expect(try scene("diff m.yaml").status == 65)
  }

  @Test func `groups and files stand for their users`() throws {
    let scene = try Scene([
      "lists/more.csv": "user,note\nEVE,x\nfay,y\n", "lists/plain.txt": "# two\ncem\nfay\n",
    ])
    let text =
      Self.manifest("[\"@core\", {from: lists/more.csv}, {from: lists/plain.txt}]")
      + "groups: {core: [bob, \"@inner\"], inner: [dan]}\n"
    try apply(
      text, in: scene,
      expecting: ["ann", "bob", "cem", "dan", "eve", "fay"].map { "pending create user \($0) manifest" }
        + ["pending create server den manifest"]
        + ["bob", "cem", "dan", "eve", "fay"].map { "pending create member den \($0) user manifest" })
  }

  // MARK: Invitations

  @Test func `invited users join when they accept; who declined is not asked again unless the welcome changes`() throws
  {
    let scene = try den()
    let invite = "    join: invite\n    welcome: Come in\n"
    let records = try apply(
      Self.manifest("[cem, dan, eve, fay]", invite, moderators: "[bob]"), in: scene,
      expecting: ["pending create invitation den eve manifest", "pending create invitation den fay manifest"])
    #expect(records.events == ["onReceiveServerInvitation den eve 1", "onReceiveServerInvitation den fay 1"])
    try scene.change("den") { server, snapshot in
      let ann = snapshot.intern("ann")
      return [
        .acceptInvitation(server, inviter: ann, invitee: snapshot.intern("eve")),
        .declineInvitation(server, inviter: ann, invitee: snapshot.intern("fay")),
      ]
    }
    try apply(Self.manifest("[cem, dan, eve, fay]", invite, moderators: "[bob]"), in: scene, expecting: [])
    try apply(
      Self.manifest(
        "[cem, dan, eve, fay]", invite.replacing("Come in", by: "Please"), moderators: "[bob, eve]"),
      in: scene,
      expecting: [
        "pending create invitation den fay manifest", "pending update role den eve user moderator manifest",
      ])
    try apply(
      Self.manifest("[cem, dan, eve, fay]", "    join: direct\n", moderators: "[bob, eve]"), in: scene,
      expecting: ["pending create member den fay user manifest"])
  }

  // MARK: Stacks

  @Test func `a server of no stack is adopted, another stack's is refused, a released one is free`() throws {
    let scene = try den()
    let other = "version: 1\nservers: {den: {desc: Ours}}\n"
    try scene.folder.write(other, to: "other.yaml")
    let refused = try scene("diff other.yaml --stack two")
    #expect(refused.status == 65)
    #expect(refused.errors.hasPrefix("other.yaml:2:11: error: "), "\(refused.errors)")
    #expect(try scene("server release den").status == 0)
    let plan = try scene("diff other.yaml --stack two")
    #expect(plan.output.contains("den comes under stack 'two'"), "\(plan.output)")
    try apply(other, in: scene, options: "--stack two", expecting: ["pending update attribute den desc Ours manifest"])
    try scene.folder.write(Self.manifest("[cem, dan]"), to: "m.yaml")
    #expect(try scene("diff m.yaml").status == 65)
  }

  @Test func `a server that no manifest names is destroyed only with --prune`() throws {
    let scene = try Scene([
      "m.yaml": "version: 1\nusers: {o: {}}\nservers: {a: {name: A, owner: o}, b: {name: B, owner: o}}\n"
    ])
    #expect(try scene("apply m.yaml --yes").status == 0)
    try scene.folder.write("version: 1\nservers: {a: {name: A, owner: o}}\n", to: "m.yaml")
    let diff = try scene("diff m.yaml --exit-code")
    #expect(diff.status == 0)
    #expect(diff.output.contains("not pruned"), "\(diff.output)")
    #expect(try scene("diff m.yaml --exit-code --prune").status == 2)
    let records = try apply(
      "version: 1\nservers: {a: {name: A, owner: o}}\n", in: scene, options: "--prune",
      expecting: ["pending delete server b prune"])
    #expect(records.events == ["onServerDestroyed b 0"])
  }

  // MARK: Drift

  @Test func `a change by hand is drift, a change of the manifest is pending`() throws {
    let scene = try den("[cem, dan]", "    desc: As written\n    tags: [one]\n")
    try scene.change("den") { server, snapshot in
      [
        .updateServer(server, [FieldSetting(.desc, "By hand")]),
        .removeUsers(server, [Removal(snapshot.intern("dan"))]),
      ]
    }
    let text = Self.manifest(
      "[cem, dan]", "    desc: As written\n    tags: [one, two]\n", moderators: "[bob]")
    try scene.folder.write(text, to: "m.yaml")
    let diff = Records(try scene("diff m.yaml -o ndjson"))
    #expect(diff.count("drift") == "2")
    #expect(diff.count("pending") == "1")
    try apply(
      text, in: scene,
      expecting: [
        "drift update attribute den desc By hand As written manifest", "pending create tag den two manifest",
        "drift create member den dan user manifest",
      ])
  }

  @Test func `what was released is pending afterwards, for its base is forgotten`() throws {
    let scene = try den("[cem, dan]", "    desc: As written\n")
    #expect(try scene("server release den").status == 0)
    try scene.change("den") { server, _ in [.updateServer(server, [FieldSetting(.desc, "By hand")])] }
    try apply(
      Self.manifest("[cem]", "    desc: As written\n", moderators: "[bob]"), in: scene,
      expecting: ["pending update attribute den desc By hand As written manifest"])
  }

  @Test func `a field that is left out stays, null clears it, and its base is forgotten`() throws {
    let scene = try den("[cem, dan]", "    desc: As written\n")
    try apply(Self.manifest("[cem, dan]", moderators: "[bob]"), in: scene, expecting: [])
    try scene.change("den") { server, _ in [.updateServer(server, [FieldSetting(.desc, "By hand")])] }
    try apply(Self.manifest("[cem, dan]", moderators: "[bob]"), in: scene, expecting: [])
    try apply(
      Self.manifest("[cem, dan]", "    desc: null\n", moderators: "[bob]"), in: scene,
      expecting: ["pending update attribute den desc By hand manifest"])
  }

  @Test func `settings that are left out are kept`() throws {
    let scene = try den("[cem, dan]", "    membership: additive\n    protect: true\n")
    try apply(Self.manifest("[cem]", moderators: "[bob]"), in: scene, expecting: [])
    try scene.folder.write("version: 1\nusers: {ann: {}}\n", to: "m.yaml")
    #expect(try scene("diff m.yaml --prune").status == 3)
    try apply(
      Self.manifest("[cem]", "    membership: managed\n    protect: false\n", moderators: "[bob]"), in: scene,
      expecting: [])
  }

  @Test func `scalars keep their letters, and a spelling unlike the registered one is no change`() throws {
    let scene = try Scene()
    let odd = ["007", "0x1F", "12345678901234567890", "1e3", "2024-01-01", "no"]
    let text =
      "version: 1\nusers: {" + odd.map { "\($0): {}" }.joined(separator: ", ") + ", Ann: {}}\n"
      + "servers: {den: {name: 1.50, owner: ann, tags: [on, 1_0], members: [\(odd.joined(separator: ", ")), NO]}}\n"
    try scene.folder.write(text, to: "m.yaml")
    let ending = try scene("apply m.yaml --yes -o ndjson")
    #expect(ending.status == 0, "\(ending.errors)")
    let exported = try scene("export").output
    for word in odd + ["1.50", "1_0"] { #expect(exported.contains(word), "\(word)") }
    #expect(try scene("diff m.yaml --exit-code").status == 0)
  }
}

extension String {
  /// The text with each place of `old` replaced.
  fileprivate func replacing(_ old: String, by new: String) -> String {
    var result = ""
    var rest = self[...]
    while let range = rest.firstRange(of: old) {
      result += rest[..<range.lowerBound] + new
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}
