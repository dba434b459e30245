import Testing
import Testkit

/// Same input, same state, same clock and seed: the same bytes.
struct DeterminismTests {
  private static let files: [String: String] = [
    "m/users.yaml": "version: 1\nusers: {amy: {nickName: Amy}, ben: {devices: [phone]}, cem: {}, dan: {}}\n",
    "m/z.yaml": "version: 1\nservers: {zebra: {name: Z, owner: amy, tags: [b, a], members: [dan, ben]}}\n",
    "m/a.yaml": "version: 1\nservers: {ant: {name: A, owner: ben, moderators: [cem], members: [amy, dan]}}\n",
  ]

  /// The same content, with other names and orders of files, documents and entries.
  private static let shuffled: [String: String] = [
    "m/1.yaml": """
    version: 1
    servers:
      zebra: {members: [ben, dan], tags: [b, a], owner: amy, name: Z}
    ---
    users: {dan: {}, cem: {}}
    """,
    "m/2/x.yml": "version: 1\nusers: {ben: {devices: [phone]}, amy: {nickName: Amy}}\n",
    "m/0.yaml": "version: 1\nservers: {ant: {members: [dan, amy], moderators: [cem], owner: ben, name: A}}\n",
  ]

  private static let seeds = "--now 2025-01-02T03:04:05Z --id-seed seed"

  private func everything(_ files: [String: String], _ scene: Scene) throws -> [String] {
    var texts: [String] = []
    for line in [
      "diff m --detail full", "diff m -o json", "diff m -o ndjson",
      "apply m --yes -o json \(Self.seeds) --report text=r.txt --report ndjson=r.ndjson", "export", "export --all",
      "events list -o ndjson", "events list --expand-audience -o json", "state info -o json", "state verify -o json",
    ] {
      let ending = try scene(line)
      #expect(ending.status == 0, "\(line): \(ending.errors)")
      texts.append(ending.output)
    }
    return texts + [try scene.folder.read("r.txt"), try scene.folder.read("r.ndjson")]
  }

  @Test func `the same input twice gives the same bytes in every format`() throws {
    let first = try everything(Self.files, try Scene(Self.files))
    let second = try everything(Self.files, try Scene(Self.files))
    for (left, right) in zip(first, second) { #expect(left == right) }
    #expect(first.allSatisfy { !$0.isEmpty })
  }

  @Test func `another order of files and entries gives the same operations, events and exports`() throws {
    let scenes = [try Scene(Self.files), try Scene(Self.shuffled)]
    var told: [[String]] = []
    for scene in scenes {
      let records = Records(try scene("apply m --yes -o ndjson \(Self.seeds)"))
      told.append(
        records.changes + records["event"] + [records.operations ?? "", try scene("export").output])
    }
    #expect(told[0] == told[1])
    #expect(told[0].count > 12)
    try scenes[0].folder.write("version: 1\n", to: "m/users.yaml")
    try scenes[0].folder.write(Self.shuffled["m/1.yaml"] ?? "", to: "m/z.yaml")
    #expect(try scenes[0]("diff m --exit-code").status == 0)
  }

  @Test func `without a seed ids differ, with another seed too`() throws {
    var ids: Set<[String]> = []
    for seed in ["", "", "--id-seed one", "--id-seed two"] {
      let scene = try Scene(Self.files)
      let records = Records(try scene("apply m --yes -o ndjson \(seed)"))
      ids.insert(records["event"].compactMap { Records.value("serverId", in: $0) })
    }
    #expect(ids.count == 4)
  }
}
