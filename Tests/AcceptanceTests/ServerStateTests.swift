import Glibc
import Testing
import Testkit

/// The state on a PostgreSQL server: the same results as in a file, and what can go wrong on the way.
@Suite(.enabled(if: PostgresServer.shared != nil, "\(PostgresServer.reason)"))
struct ServerStateTests {
  let server: PostgresServer
  let url: String

  init() throws {
    server = try #require(PostgresServer.shared)
    url = try server.newSchema()
  }

  private static let time = "--now 2025-01-02T03:04:05Z --id-seed same"

  @Test func `the same runs give the same bytes as in a file, log and hash included`() throws {
    let scene = try Club.scene()
    let seeds = Self.time
    var texts: [[String]] = [[], []]
    for (number, state) in ["circle.db", url].enumerated() {
      for line in [
        "diff club -o json", "apply club --yes -o json \(seeds) --report ndjson=r.ndjson", "apply club --yes -o ndjson",
        "state set-limit joined 7 \(Club.time)", "export", "export --all", "events list -o ndjson --expand-audience",
        "events list --recipient olga/phone", "state history -o ndjson", "state verify", "diff club --exit-code",
      ] {
        let ending = try scene("\(line) --state \(state)", seconds: 30)
        #expect(ending.status == 0, "\(line): \(ending.errors)")
        texts[number].append(Self.withoutWriter(ending.output))
      }
      texts[number].append(try scene.folder.read("r.ndjson"))
    }
    for (file, server) in zip(texts[0], texts[1]) { #expect(file == server) }
    #expect(try scene("state verify --state \(url)").output.contains("head "))
  }

  /// History without the process that wrote, which is another each time.
  private static func withoutWriter(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard let range = line.firstRange(of: "\"process\":") else { return String(line) }
      return String(line[..<range.lowerBound] + line[range.upperBound...].drop { $0.isNumber })
    }.joined(separator: "\n")
  }

  @Test func `a missing state counts as empty; reading makes none, writing does and says so`() throws {
    let scene = try Club.scene()
    let diff = try scene("diff club --exit-code --state \(url)")
    #expect(diff.status == 2 && diff.errors.contains("it counts as empty"))
    #expect(try scene("state info --state \(url)").errors.contains("it counts as empty"))
    let ending = try scene("apply club --yes --state \(url)")
    #expect(ending.status == 0 && ending.errors.contains("was created"))
    #expect(try scene("state init --state \(url)").status == 3)
    #expect(try scene("apply club --yes --state \(url)").errors == "")
  }

  @Test func `a lock names its holder, a dead one's is cleared, another host's waits for unlock`() throws {
    let scene = try Club.scene()
    #expect(try scene("state init --state \(url)").status == 0)
    let schema = PostgresServer.schema(of: url)
    _ = try server.sql(
      "UPDATE \(schema).circlectl_lock SET host = 'elsewhere', process = 4711, process_start = 1, since = 1735787045000"
    )
    let refused = try scene("apply club --yes --lock-timeout 0 --state \(url)")
    #expect(refused.status == 5)
    for part in ["elsewhere", "4711", "2025-01-02T03:04:05"] { #expect(refused.errors.contains(part)) }
    #expect(try scene("state unlock --state \(url)").status == 0)
    _ = try scene.shell(
      "$circlectl state info --state '\(url)' >/dev/null; hostname >host")
    let host = try scene.folder.read("host").split(separator: "\n").joined()
    _ = try server.sql(
      "UPDATE \(schema).circlectl_lock SET host = '\(host)', process = 1, process_start = 1, since = 1735787045000")
    #expect(try scene("apply club --yes --lock-timeout 0 --state \(url)").status == 0)
  }

  @Test func `two applies at once are both there, or one says that the other holds the lock`() throws {
    let scene = try Scene([
      "a.yaml": Self.large,
      "b.yaml": "version: 1\nusers: {amy: {}, zoe: {}}\nservers: {other: {name: O, owner: amy, members: [zoe]}}\n",
    ])
    #expect(try scene("state init --state \(url)").status == 0)
    let first = try scene.start("apply a.yaml --yes -q --lock-timeout 20s --state \(url)")
    let second = try scene.start("apply b.yaml --yes -q --stack two --lock-timeout 20s --state \(url)")
    #expect(try first.wait().status == 0)
    #expect(try second.wait().status == 0)
    #expect(try scene("diff a.yaml --exit-code --state \(url)", seconds: 60).status == 0)
    #expect(try scene("diff b.yaml --exit-code --stack two --state \(url)").status == 0)
    #expect(try scene("state verify --state \(url)", seconds: 60).status == 0)
  }

  /// 5 communities of 1,000 members.
  private static let large: String = {
    var text = "version: 1\nusers:\n  boss: {}\n"
    for number in 0..<1000 { text += "  user\(number): {}\n" }
    text += "groups:\n  all: [" + (0..<1000).map { "user\($0)" }.joined(separator: ", ") + "]\nservers:\n"
    for server in 0..<5 { text += "  big\(server): {name: Big, owner: boss, members: [\"@all\"]}\n" }
    return text
  }()

  private static func microseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
  }

  /// How long an apply of the large manifest takes into an empty schema, in microseconds.
  private func duration(_ scene: Scene) throws -> Int {
    let begin = Self.microseconds()
    let ending = try scene("apply a.yaml --yes -q --state \(server.newSchema())", seconds: 60)
    #expect(ending.status == 0, "\(ending.errors)")
    return Self.microseconds() - begin
  }

  @Test func `kill -9 at any moment of a big apply leaves the old state or the new one`() throws {
    let scene = try Scene(["a.yaml": Self.large])
    let duration = try duration(scene)
    #expect(try scene("state init --state \(url)").status == 0)
    for part in [50, 70, 90] {
      let program = try scene.start("apply a.yaml --yes -q --state \(url)")
      usleep(useconds_t(duration * part / 100))
      program.send(SIGKILL)
      _ = try program.wait()
      #expect(try scene("state verify --state \(url)", seconds: 60).status == 0)
    }
    #expect(try scene("apply a.yaml --yes -q --state \(url)", seconds: 60).status == 0)
    #expect(try scene("diff a.yaml --exit-code --state \(url)", seconds: 60).status == 0)
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func `a signal ends with its code, and the state is as before`(signal: Int32, status: Int32) throws {
    let scene = try Scene(["a.yaml": Self.large])
    let duration = try duration(scene)
    #expect(try scene("state init --state \(url)").status == 0)
    for part in [50, 75] {
      let program = try scene.start("apply a.yaml --yes -q --state \(url)")
      usleep(useconds_t(duration * part / 100))
      program.send(signal)
      let ending = try program.wait()
      #expect(ending.status == status || ending.status == 0, "\(ending.status) \(ending.errors)")
      guard ending.status == status else { break }
      let info = try scene("state info --state \(url)").output
      #expect(info.contains("No run holds the lock") && info.contains("revision     0"))
    }
  }

  @Test(arguments: ["fast", "immediate", "kill -9"])
  func `a server that ends in the middle of an apply has the old state or the new one`(mode: String) throws {
    let server = try PostgresServer()
    let url = try server.newSchema()
    let scene = try Scene(["a.yaml": Self.large])
    #expect(try scene("state init --state \(url)").status == 0)
    let begin = Self.microseconds()
    #expect(try scene("apply a.yaml --yes -q --state \(server.newSchema())", seconds: 60).status == 0)
    let duration = Self.microseconds() - begin
    let program = try scene.start("apply a.yaml --yes -q --state \(url)")
    usleep(useconds_t(duration * 70 / 100))
    if mode == "kill -9" { try server.kill() } else { try server.stop(mode) }
    let ending = try program.wait()
    #expect(ending.status == 1 || ending.status == 0, "\(ending.errors)")
    if ending.status == 1 { #expect(ending.errors.contains("connect"), "\(ending.errors)") }
    #expect(try scene("state info --state \(url)").status == 1)
    try server.start()
    #expect(try scene("state verify --state \(url)", seconds: 60).status == 0)
    let info = try scene("state info --state \(url)").output
    // Also a run whose report could not be read any more says whether it was written.
    let isWritten = ending.status == 0 || ending.errors.contains("run 1 is written")
    #expect(info.contains("revision     \(isWritten ? 1 : 0)"), "\(ending) \(info)")
    #expect(try scene("apply a.yaml --yes -q --state \(url)", seconds: 60).status == 0)
    #expect(try scene("diff a.yaml --exit-code --state \(url)", seconds: 60).status == 0)
  }

  @Test func `a password comes from the environment or a file, and is seen nowhere`() throws {
    let scene = try Club.scene()
    let schema = PostgresServer.schema(of: url)
    let password = "open-sesame-7"
    _ = try server.sql(
      """
      DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'guarded') THEN CREATE ROLE guarded LOGIN; END IF;
      END $$;
      ALTER ROLE guarded PASSWORD '\(password)'; GRANT ALL ON SCHEMA \(schema) TO guarded;
      """)
    let mine = server.url(schema: schema, user: "guarded")
    try scene.folder.write(
      "[circle]\nhost=\(server.folder)\ndbname=postgres\nuser=guarded\noptions=-csearch_path=\(schema)\n",
      to: "services")
    try scene.folder.write("*:*:postgres:guarded:\(password)\n", to: "passwords")
    chmod(scene.folder.path("passwords"), 0o600)
    let none = try scene.shell("$circlectl apply club --yes --state '\(mine)'")
    #expect(none.status == 1 && none.errors.contains("no password supplied"), "\(none.errors)")
    let wrong = try scene.shell("PGPASSWORD=not-\(password) $circlectl apply club --yes --state '\(mine)'")
    #expect(wrong.status == 1 && wrong.errors.contains("password authentication failed"))
    #expect(!wrong.errors.contains(password))
    let right = try scene.shell(
      "PGPASSWORD=\(password) $circlectl apply club --yes -v -o json --report ndjson=r.ndjson --state '\(mine)'")
    #expect(right.status == 0, "\(right.errors)")
    let service = try scene.shell(
      """
      export PGSERVICEFILE=$PWD/services PGPASSFILE=$PWD/passwords
      $circlectl diff club --exit-code --state 'postgres:///?service=circle' &&
      PGSERVICE=circle $circlectl state history --state postgres://
      """)
    #expect(service.status == 0, "\(service.errors)")
    let dumped = try server.sql("SELECT encode(value, 'escape') FROM \(schema).circlectl_runs")
    for text in [right.output, right.errors, service.output, dumped, try scene.folder.read("r.ndjson")] {
      #expect(!text.contains(password))
    }
  }

  @Test func `a state is copied to a server and back, dumped and restored, whole`() throws {
    let scene = try Club.applied()
    #expect(try scene("state set-limit joined 7").status == 0)
    let lines = ["export --all", "events list -o ndjson --expand-audience", "state info", "state history -o ndjson"]
    let original = try lines.map { try scene($0).output }
    let copied = try scene("state copy circle.db \(url)")
    #expect(copied.status == 0 && copied.output.contains("the copy verifies"), "\(copied.errors)")
    #expect(try scene("state copy \(url) back.db").status == 0)
    let dump = try scene("state dump --state \(url)")
    #expect(dump.status == 0)
    #expect(try scene("state dump").output == dump.output)
    try scene.folder.write(dump.output, to: "club.ndjson")
    let other = try server.newSchema()
    for state in ["restored.db", other] {
      let restored = try scene("state restore club.ndjson --state \(state)")
      #expect(restored.status == 0 && restored.output.contains("the state verifies"), "\(restored.errors)")
    }
    for state in [url, "back.db", "restored.db", other] {
      #expect(try scene("state verify --state \(state)").status == 0)
      #expect(try lines.map { try scene("\($0) --state \(state)").output } == original, "\(state)")
    }
    for line in ["copy circle.db \(url)", "copy circle.db back.db", "restore club.ndjson --state \(other)"] {
      let refused = try scene("state \(line)")
      #expect(refused.status == 3 && refused.errors.contains("there is a state at"), "\(refused.errors)")
    }
    // Both go on from there.
    try scene.edit("club/club.yaml", "      - u05\n", "")
    for state in ["circle.db", url] {
      #expect(try scene("apply club --yes -q \(Club.time) --state \(state)").status == 0)
    }
    #expect(try scene("state verify").output == scene("state verify --state \(url)").output)
  }

  @Test(arguments: [
    "postgres://me:hush@host/base", "postgresql://host/base?password=hush", "postgres://me:hu/sh@host/base",
  ])
  func `a password in the location is refused and not repeated`(location: String) throws {
    let scene = try Club.scene()
    let ending = try scene("state info -v --state \(location)")
    #expect(ending.status == 64)
    #expect(ending.errors.contains("the location of the state holds a password"))
    for secret in ["hush", "hu/sh"] { #expect(!ending.errors.contains(secret) && !ending.output.contains(secret)) }
  }

  @Test func `a server that accepts and says nothing ends with one clear error`() throws {
    let scene = try Club.scene()
    let ending = try scene.shell(
      """
      perl -MIO::Socket::UNIX -e 'my $s = IO::Socket::UNIX->new(Local => "$ENV{PWD}/.s.PGSQL.5432", Listen => 4); sleep 9' &
      for i in 1 2 3 4 5 6 7 8 9; do test -S .s.PGSQL.5432 && break; sleep 0.1; done
      PGCONNECT_TIMEOUT=2 $circlectl apply club --yes --state "postgres:///base?host=$PWD"; status=$?
      kill $!; exit $status
      """)
    #expect(ending.status == 1)
    #expect(ending.errors.contains("timeout expired"), "\(ending.errors)")
  }
}
