import CircleModel
import CircleState
import CircleStateSQLite
import Glibc
import Testkit

/// A folder in which the built program is run, with what the tests ask of it.
struct Scene {
  let folder: TemporaryFolder

  init(_ files: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(text, to: name) }
  }

  /// Runs a command line, its words parted by blanks; one that takes too long is killed.
  func callAsFunction(_ line: String, seconds: Int = 10) throws -> SpawnedProgram.Ending {
    try run(line.split(separator: " ").map(String.init), seconds: seconds)
  }

  func run(_ words: [String], seconds: Int = 10) throws -> SpawnedProgram.Ending {
    let program = "\(SpawnedProgram.binaries)/circlectl"
    return try SpawnedProgram("/usr/bin/timeout", ["-s", "KILL", "\(seconds)", program] + words, in: folder).wait()
  }

  /// Starts the program and does not wait.
  ///
  /// - Parameter output: the file of the folder where its output goes.
  func start(_ line: String, output: String? = nil) throws -> SpawnedProgram {
    try SpawnedProgram(
      "circlectl", line.split(separator: " ").map(String.init), in: folder,
      output: output.map { folder.path($0) })
  }

  /// Runs a script; `$circlectl` is the program.
  func shell(_ script: String) throws -> SpawnedProgram.Ending {
    try SpawnedProgram(
      "/usr/bin/timeout", ["-s", "KILL", "10", "/bin/bash", "-c", script], in: folder,
      environment: ["PATH": "/usr/bin:/bin", "circlectl": "\(SpawnedProgram.binaries)/circlectl"]
    ).wait()
  }

  /// Changes a file of the folder: the first place of `old` becomes `new`.
  func edit(_ name: String, _ old: String, _ new: String) throws {
    let text = try folder.read(name)
    guard let range = text.firstRange(of: old) else {
      throw TemporaryFolder.Failure(description: "\(name) has no '\(old)'")
    }
    try folder.write(text[..<range.lowerBound] + new + text[range.upperBound...], to: name)
  }

  func bytes(_ name: String) throws -> [UInt8] {
    guard let file = fopen(folder.path(name), "r") else {
      throw TemporaryFolder.Failure(description: "can't read \(name)")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return bytes
  }
}

// MARK: - What a run tells

/// The records of an ndjson report, one a line.
struct Records {
  let lines: [Substring]

  init(_ ending: SpawnedProgram.Ending) {
    lines = ending.output.split(separator: "\n")
  }

  /// The records of one type, without the type itself.
  subscript(_ type: String) -> [String] {
    let prefix = "{\"type\":\"\(type)\","
    return lines.filter { $0.hasPrefix(prefix) }.map { "{" + $0.dropFirst(prefix.count) }
  }

  /// What changes, in few words: action, object, server, user or value, and the rule.
  var changes: [String] {
    self["change"].map { line in
      ["kind", "action", "object", "server", "user", "field", "before", "after", "rule"]
        .compactMap { Self.value($0, in: line) }.joined(separator: " ")
    }
  }

  /// The events, in few words: name, handle, who, and how many hear it.
  var events: [String] {
    self["event"].map { line in
      ["name", "handle", "member", "members", "invitee", "role", "count"]
        .compactMap { Self.value($0, in: line) }.joined(separator: " ")
    }
  }

  /// The operations of the run as the history counts them.
  var operations: String? {
    self["run"].first.flatMap { line in
      line.firstRange(of: "\"operations\":").flatMap { range in
        line[range.upperBound...].split(separator: "}").first.map { $0 + "}" }
      }
    }
  }

  /// A number of the summary.
  func count(_ name: String) -> String? {
    self["summary"].first.flatMap { Self.value(name, in: $0) }
  }

  /// The value of a key, as it stands in the text; these reports never have a key of the same name deeper before it.
  static func value(_ key: String, in line: String) -> String? {
    guard let range = line.firstRange(of: "\"\(key)\":") else { return nil }
    let rest = line[range.upperBound...]
    guard let first = rest.first else { return nil }
    if first == "[" { return rest.firstIndex(of: "]").map { String(rest[...$0]) } }
    if first == "\"" { return rest.dropFirst().firstIndex(of: "\"").map { String(rest.dropFirst()[..<$0]) } }
    return String(rest.prefix { $0 != "," && $0 != "}" })
  }
}

// MARK: - Changes that no manifest makes

extension Scene {
  /// One run of operations in the name of an administrator, on the server with this handle.
  func change(_ handle: String, _ operations: (ServerIndex, inout Snapshot) -> [CircleModel.Operation]) throws {
    let store = StateStore(try SQLiteRows.open(path: folder.path("circle.db"), mode: .write(create: false)))
    let loaded = try store.load(.everything)
    var snapshot = loaded.snapshot
    var context = RunContext(
      kind: .command, time: loaded.head.time + 1000, ids: IDSource(seed: [7], nextSeq: loaded.head.nextSeq))
    var outcome = Outcome()
    guard let position = snapshot.servers.firstIndex(where: { $0.handle == Text(handle) }) else {
      throw TemporaryFolder.Failure(description: "no server '\(handle)'")
    }
    for operation in operations(ServerIndex(position), &snapshot) {
      let first = outcome.records.count
      try decide(operation, by: .administrator, from: .command, in: snapshot, context: &context, into: &outcome)
      for record in outcome.records[first...] { snapshot.apply(record, of: outcome, in: context) }
    }
    let writer = RunRequest.Writer(host: "test", process: 1, version: "0")
    _ = try store.commit(
      outcome, result: snapshot, on: loaded, time: context.time,
      request: RunRequest(kind: .command, command: "test", writer: writer))
  }
}
