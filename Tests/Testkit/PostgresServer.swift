import Glibc
import Synchronization

/// A real PostgreSQL server for tests: started by them, on a socket in a temporary folder, without a port.
///
/// It ends with the test process, also when that is killed: a shell beside it watches.
package final class PostgresServer: Sendable {
  /// The one that all tests share, each in a schema of its own; nil where no server can be started.
  package static var shared: PostgresServer? { try? attempt.get() }

  /// Why tests that need a server are skipped.
  package static var reason: String {
    guard case .failure(let error) = attempt else { return "" }
    return "no PostgreSQL server can be started here: \(error)"
  }

  private static let attempt: Result<PostgresServer, any Error> = Result { try PostgresServer() }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Where the sockets, the data and the server's own log are.
  package let folder: String
  private let binaries: String
  private let schemas = Atomic<Int>(0)

  /// Makes a database and starts the server on it, in about a second.
  package init() throws {
    guard let binaries = Self.newestBinaries() else { throw Failure(description: "no PostgreSQL is installed") }
    var template = Array("/tmp/circlectl-pg-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(description: "no temporary folder") }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    self.binaries = binaries
    if geteuid() == 0 {
      try Self.shell("chown postgres \(folder)")
    }
    watch()
    try run("\(binaries)/initdb -D data -U circle --auth=trust --no-sync --no-locale -E UTF8 >initdb.log 2>&1")
    // One role that has to show a password.
    try run("sed -i '1i local all guarded scram-sha-256' data/pg_hba.conf")
    try start()
  }

  deinit {
    try? stop("immediate")
    try? Self.shell("rm -rf \(folder)")
  }

  // MARK: The server's life

  package func start() throws {
    let settings =
      "-k \(folder) -F -c listen_addresses= -c max_connections=200 -c shared_buffers=32MB -c logging_collector=off"
    try run("\(binaries)/pg_ctl -D data -w -t 30 -l log -o '\(settings)' start >start.log 2>&1")
  }

  /// - Parameter mode: `smart`, `fast` or `immediate`, as pg_ctl has them.
  package func stop(_ mode: String) throws {
    try run("\(binaries)/pg_ctl -D data -w -t 30 -m \(mode) stop >stop.log 2>&1")
  }

  /// Kills all of the server's processes at once, and waits until they are gone.
  package func kill() throws {
    try Self.shell(
      """
      p=$(head -1 \(folder)/data/postmaster.pid); c=$(cat /proc/$p/task/$p/children)
      kill -9 $p $c; for q in $p $c; do while kill -0 $q 2>/dev/null; do sleep 0.02; done; done
      """)
  }

  // MARK: What is on it

  /// The URL of a new, empty schema.
  package func newSchema() throws -> String {
    let name = "s\(schemas.wrappingAdd(1, ordering: .relaxed).newValue)"
    _ = try sql("CREATE SCHEMA \(name)")
    return url(schema: name)
  }

  package func url(schema: String, user: String = "circle") -> String {
    "postgres://\(user)@/postgres?host=\(folder)&options=-csearch_path%3D\(schema)"
  }

  /// The schema of a URL that `newSchema` has made.
  package static func schema(of url: String) -> String {
    String(url.utf8.split(separator: UInt8(ascii: "D")).last.map { String(decoding: $0, as: UTF8.self) } ?? "")
  }

  /// Runs SQL as the server's owner: its rows, columns parted by `|`.
  package func sql(_ text: String) throws -> String {
    let file = try TemporaryFolder()
    try file.write(text, to: "commands.sql")
    let output = file.path("output")
    try Self.shell(
      "\(binaries)/psql -X -q -A -t -v ON_ERROR_STOP=1 -h \(folder) -U circle -f \(file.path("commands.sql")) postgres "
        + ">\(output) 2>&1 || { cat \(output) >&2; exit 1; }")
    return String(try file.read("output").split(separator: "\n").joined(separator: "\n"))
  }

  // MARK: Processes

  private static func newestBinaries() -> String? {
    (10...40).reversed().map { "/usr/lib/postgresql/\($0)/bin" }.first { access("\($0)/initdb", X_OK) == 0 }
  }

  /// Runs a command of the server in its folder; PostgreSQL refuses to run as root.
  private func run(_ command: String) throws {
    let user = geteuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups " : ""
    try Self.shell("cd \(folder) && \(user)\(command)")
  }

  private static func shell(_ script: String) throws {
    let folder = try TemporaryFolder()
    let ending = try withExtendedLifetime(folder) {
      try SpawnedProgram(
        "/bin/sh", ["-c", script], in: folder, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
      ).wait()
    }
    guard ending.status == 0 else { throw Failure(description: "\(script): \(ending.errors)") }
  }

  /// The test process may end at any moment, and no `deinit` runs for what is shared.
  private func watch() {
    try? Self.shell(
      """
      setsid sh -c 'while kill -0 \(getpid()); do sleep 0.5; done
      p=$(head -1 \(folder)/data/postmaster.pid) && kill -QUIT $p && while kill -0 $p; do sleep 0.1; done
      rm -rf \(folder)' >/dev/null 2>&1 </dev/null &
      """)
  }
}
