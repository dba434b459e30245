import Glibc
import Testing
import Testkit

/// Where the data stands, beside the package.
private enum OrganisationData {
  static let folder: String = {
    let here = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    return here.joined(separator: "/") + "/../shared/data/org"
  }()

  static let isThere = access(folder + "/users.yaml", R_OK) == 0
}

/// A real organisation: 774 servers, 1,509 users, 73 files. The data is not part of the package; without it these tests
/// are skipped.
@Suite(.enabled(if: OrganisationData.isThere))
struct OrganisationTests {
  /// A copy of the data, and a state to which it was applied.
  private static func applied() throws -> Scene {
    let scene = try Scene()
    let copied = try SpawnedProgram("/bin/cp", ["-rL", OrganisationData.folder, "org"], in: scene.folder).wait()
    try #require(copied.status == 0)
    _ = try scene.shell("chmod -R u+w org")
    let ending = try scene("apply org --yes -q --now 2025-01-02T03:04:05Z --id-seed x")
    try #require(ending.status == 0, "\(ending.errors)")
    return scene
  }

  @Test func `it validates, applies in one go, and nothing is left to do`() throws {
    let scene = try Self.applied()
    let validated = try scene("validate org")
    #expect(validated.status == 0)
    #expect(
      validated.output
        == "73 files checked: 774 servers, 1509 users, 0 groups and 5512 memberships. No faults found.\n")
    #expect(validated.errors == "")
    let diff = try scene("diff org --exit-code")
    #expect(diff.status == 0)
    #expect(diff.output == "Nothing changes.\n")
    let second = try scene("apply org -o ndjson")
    #expect(second.status == 0)
    #expect(Records(second)["change"] == [])
    let info = try scene("state info -o json").output
    for part in ["\"revision\": 1,", "\"users\": 1509,", "\"servers\": 774,", "\"memberships\": 6286,"] {
      #expect(info.contains(part), "\(part)")
    }
    let verified = try scene("state verify")
    #expect(verified.status == 0)
    #expect(verified.output.hasPrefix("The state is sound: 1 run, 5672 events, "))
  }

  @Test(.enabled(if: PostgresServer.shared != nil, "\(PostgresServer.reason)"))
  func `a file and a server give the same report, export and events, byte for byte`() throws {
    let scene = try Self.applied()
    let url = try #require(PostgresServer.shared).newSchema()
    let time = "--now 2025-01-02T03:04:05Z --id-seed x"
    #expect(try scene("state init --state file.db").status == 0)
    #expect(try scene("state init --state \(url)").status == 0)
    for line in [
      "apply org --yes -o json \(time) --report html=FORMAT.html", "export --all",
      "events list -o ndjson --expand-audience", "events verify", "state verify", "diff org --exit-code",
    ] {
      let file = try scene(line.replacing("FORMAT", with: "file") + " --state file.db", seconds: 60)
      let server = try scene(line.replacing("FORMAT", with: "server") + " --state \(url)", seconds: 60)
      #expect(file.status == 0 && server.status == 0, "\(line): \(file.errors)\(server.errors)")
      #expect(file.output == server.output, "\(line)")
    }
    #expect(try scene.folder.read("file.html") == scene.folder.read("server.html"))
  }

  @Test(arguments: ["export", "export --all"])
  func `an export applied to an empty state gives an identical export, to its own state no change`(line: String) throws
  {
    let scene = try Self.applied()
    let first = try scene(line)
    #expect(first.status == 0)
    try scene.folder.write(first.output, to: "exported.yaml")
    #expect(try scene("diff exported.yaml --exit-code").status == 0)
    #expect(try scene("apply exported.yaml --yes -q --state other.db").status == 0)
    let second = try scene("\(line) --state other.db")
    #expect(second.output == first.output)
    #expect(second.output.utf8.count > 100_000)
    #expect(try scene("state verify --state other.db").status == 0)
  }

  @Test func `one member out and a moderator in give three operations and three events`() throws {
    let scene = try Self.applied()
    let file = "org/kubernetes-csi/org.yaml"
    try scene.edit(file, "    - bmbutx89\n", "")
    try scene.edit(file, "    - robxulcjybrrr\n", "    - robxulcjybrrr\n    - lctae\n")
    let ending = try scene("apply org --yes -o ndjson --now 2025-01-02T03:04:06Z --id-seed y")
    #expect(ending.status == 0, "\(ending.errors)")
    let records = Records(ending)
    #expect(
      records["change"] == [
        #"{"kind":"pending","action":"delete","object":"member","server":"kubernetes-csi","user":"bmbutx89","before":"user","rule":"no-longer-listed","file":"org/kubernetes-csi/org.yaml","line":20,"column":5}"#,
        #"{"kind":"pending","action":"update","object":"role","server":"kubernetes-csi","user":"lctae","before":"user","after":"moderator","rule":"manifest","file":"org/kubernetes-csi/org.yaml","line":15,"column":7}"#,
      ])
    #expect(records.operations == #"{"removeUserFromServer":1,"addModeratorToServer":1}"#)
    #expect(
      records["event"] == [
        #"{"seq":5673,"time":"2025-01-02T03:04:06.000Z","name":"onMemberRemovedFromServer","serverId":"WTH0FMlmxukrY91WrMg01v","handle":"kubernetes-csi","actor":"lnwmxghh","via":"admin","members":["bmbutx89"],"audience":{"rule":"removedAndModerators","count":10}}"#,
        #"{"seq":5674,"time":"2025-01-02T03:04:06.000Z","name":"onServerRoleAssigned","serverId":"WTH0FMlmxukrY91WrMg01v","handle":"kubernetes-csi","actor":"lnwmxghh","via":"admin","member":"lctae","role":"moderator","audience":{"rule":"membersExcept","count":92}}"#,
      ])
    #expect(try scene("diff org --exit-code").status == 0)
  }

  @Test func `a server renamed keeps its id, and its members hear of the new name`() throws {
    let scene = try Self.applied()
    try scene.edit(
      "org/kubernetes-csi/org.yaml", "  kubernetes-csi:\n    name: kubernetes-csi\n",
      "  csi:\n    name: Container storage\n    renamedFrom: kubernetes-csi\n")
    let records = Records(try scene("apply org --yes -o ndjson"))
    #expect(
      records.changes == [
        "pending update handle csi kubernetes-csi csi renamed-from",
        "pending update attribute csi name kubernetes-csi Container storage manifest",
      ])
    #expect(records.events == ["onServerUpdated csi 93"])
    #expect(Records.value("serverId", in: records["event"].first ?? "") == "WTH0FMlmxukrY91WrMg01v")
    #expect(try scene("diff org --exit-code").status == 0)
  }

  @Test func `faults are told at their places`() throws {
    let scene = try Self.applied()
    let file = "org/kubernetes-csi/org.yaml"
    let sound = try scene.folder.read(file)
    let faults = [
      (
        "tags: [kubernetes-csi]", "tags: [abcdefghijklmnopqrstu]",
        "\(file):8:12: error: the tag in server 'kubernetes-csi' has 21 characters"
      ),
      ("    - bmbutx89\n", "    - bmbutx8\n", "error: user 'bmbutx8' is not registered; did you mean 'bmbutx89'?"),
      ("    - bmbutx89\n", "\t- bmbutx89\n", "error: a tab can't be used for indentation"),
      ("  kubernetes-csi:\n", "  kubernetes-sigs:\n", "error: the server 'kubernetes-sigs' is given twice"),
    ]
    for (old, new, message) in faults {
      try scene.edit(file, old, new)
      let ending = try scene("diff org")
      #expect(ending.status == 65)
      #expect(ending.errors.contains(message), "\(ending.errors)")
      #expect(ending.errors.contains("1 fault in the manifests; nothing was done"))
      try scene.folder.write(sound, to: file)
    }
  }
}
