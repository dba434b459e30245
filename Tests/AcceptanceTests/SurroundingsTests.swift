import Glibc
import Testing
import Testkit

/// What the program finds around it: a clock that goes backwards, no home, no locale, no place for temporary files.
struct SurroundingsTests {
  @Test func `a clock that goes backwards is told, and the log's time stands still`() throws {
    let scene = try Club.applied()
    try scene.edit("club/club.yaml", "      - u05\n", "")
    let ending = try scene("apply club --yes --now 2024-12-31T00:00:00Z")
    #expect(ending.status == 0)
    #expect(
      ending.errors.contains("--now is earlier than the last run; this run gets its time, 2025-01-02T03:04:05.000Z"))
    #expect(try scene("import users users.csv --now 1999-01-01T00:00:00Z").status == 65)
    try scene.folder.write("userId\nlate\n", to: "users.csv")
    #expect(try scene("import users users.csv --now 1999-01-01T00:00:00Z").status == 0)
    let times = try scene("state history").output.split(separator: "\n").compactMap {
      $0.split(separator: " ").dropFirst().first
    }
    #expect(times == Array(repeating: "2025-01-02T03:04:05.000Z", count: 3))
    #expect(try scene("state verify").status == 0)
    #expect(try scene("state undo --yes --now 1970-01-01T00:00:00Z").status == 0)
    #expect(try scene("state verify").status == 0)
  }

  @Test(arguments: [
    "env -i", "env -i HOME=",
    "env -i HOME=/dev/null/no TMPDIR=/dev/null/no XDG_CACHE_HOME=/dev/null/no XDG_CONFIG_HOME=/dev/null/no",
    "env -i LC_ALL=nowhere.NONE LANG=tlh", "env -i TMPDIR=", "env -i PATH=", "env -i TERM=nowhere COLUMNS=-1",
  ])
  func `nothing of the environment is needed`(environment: String) throws {
    let scene = try Scene([
      "club/club.yaml": Club.manifest,
      "users.csv": "userId,nickName\n" + (0..<5000).map { "reader\($0),读者\($0)\n" }.joined(),
    ])
    for command in [
      "apply club --yes", "import users users.csv", "import users - <users.csv", "state verify", "export",
      "user get olga reader7", "member list readers", "provider list", "events list", "diff club --exit-code",
    ] {
      let ending = try scene.shell("/usr/bin/\(environment) $circlectl \(command)")
      #expect(ending.status == 0, "\(command): \(ending.errors)")
      #expect(ending.complaints.isEmpty)
    }
    #expect(try scene("export").output.contains("读者7"))
    #expect(scene.folder.names() == ["circle.db", "club", "users.csv"])
  }

  @Test(arguments: ["env -i", "env -i HOME=/dev/null/no"])
  func `where no home is, a provider can't be added, and that is told with 1`(environment: String) throws {
    let scene = try Club.applied()
    try scene.folder.write("userId,nickName\nolga,O\n", to: "users.csv")
    let ending = try scene.shell("/usr/bin/\(environment) $circlectl provider add table --file users.csv")
    #expect(ending.status == 1)
    #expect(ending.complaints.count == 1, "\(ending.errors)")
  }
}
