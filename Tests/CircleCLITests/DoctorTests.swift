import CircleState
import CircleStateSQLite
import Glibc
import Testing
import Testkit

@testable import CircleCLI

struct DoctorTests {
  private func club() throws -> TestRun {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    #expect(try run("apply --yes").status == 0)
    return run
  }

  /// What was found of one thing, in few words: the result, what was found, and what to do.
  private func found(_ what: String, _ ending: TestRun.Ending) -> [String] {
    ending.output.split(separator: "\n").filter { $0.contains("\"what\":\"\(what)\"") }.map { line in
      ["result", "found", "next"].compactMap { key in
        guard let range = line.firstRange(of: "\"\(key)\":") else { return nil }
        let rest = String(line[range.upperBound...])
        if rest.first == "[" { return String(rest.prefix { $0 != "]" }) }
        return String(rest.dropFirst().prefix { $0 != "\"" })
      }.joined(separator: " ")
    }
  }

  private func change(_ run: TestRun, _ body: (SQLiteRows) throws(StateError) -> Void) throws {
    let rows = try SQLiteRows.open(path: run.folder.path("circle.db"), mode: .write(create: false))
    try rows.begin(writing: true, timeout: 1000)
    try body(rows)
    try rows.commit()
  }

  @Test func `a sound state, its manifests and all libraries are found well, and nothing is written`() throws {
    let run = try club()
    let bytes = try run.folder.bytes("circle.db")
    let ending = try run("doctor")
    #expect(ending.status == 0 && ending.errors == "", "\(ending)")
    for word in [
      "SQLite", "libyaml", "jansson", "zlib", "nettle", "iconv", "glibc", "no fault", "no run holds it",
      "its owner's alone", "4 users, 2 servers and 6 memberships fit together", "the log gives the state", "MiB free",
      "All is well.",
    ] {
      #expect(ending.output.contains(word), "\(word) in \(ending.output)")
    }
    #expect(!ending.output.contains("libpq"))
    #expect(try run.folder.bytes("circle.db") == bytes && run.folder.names() == ["circle.db", "manifests"])
    let json = try run("doctor -o json")
    #expect(json.status == 0 && json.output.contains("\"checks\": [") && json.output.contains("\"area\":\"libraries\""))
  }

  @Test func `without a state, a configuration and manifests that is said, and all is well`() throws {
    let run = try TestRun()
    let ending = try run("doctor")
    #expect(ending.status == 0 && ending.output.contains("there is no state at 'circle.db' yet"), "\(ending)")
    #expect(ending.output.contains("the defaults hold") && ending.output.contains("no folder 'manifests' is here"))
    #expect(run.folder.names() == [])
    let nowhere = try run("doctor --state nowhere/circle.db -o ndjson")
    #expect(nowhere.status == 0)
    let found = { (what: String, ending: TestRun.Ending) in self.found(what, ending).first ?? "" }
    #expect(found("writing", nowhere).contains("warning the folder for 'nowhere/circle.db' is not there"))
    symlink("loop", run.folder.path("loop"))
    let loop = try run("doctor --state loop -o ndjson")
    #expect(loop.status == 1)
    #expect(found("opening", loop).contains("See that the place is right"), "\(loop)")
  }

  @Test func `rights, a lock and the clock are warned of, with what to do`() throws {
    let run = try club()
    try change(run) { (rows) throws(StateError) in
      try rows.setLock(StateLock(host: "elsewhere", process: 4711, processStart: 1, since: run.time - 7_200_000))
    }
    #expect(chmod(run.folder.path("circle.db"), 0o644) == 0)
    run.time -= 3_600_000
    let ending = try run("doctor -o ndjson")
    #expect(ending.status == 0, "\(ending)")
    #expect(
      found("rights", ending).first?.hasPrefix("warning") == true && ending.output.contains("chmod 600 circle.db"))
    #expect(found("lock", ending).first?.contains("process 4711 on 'elsewhere'") == true)
    #expect(ending.output.contains("for 60 minutes") && ending.output.contains("circlectl state unlock"))
    #expect(found("now", ending).first?.hasPrefix("warning") == true)
    #expect(try run("doctor").output.contains("\n    'chmod 600 circle.db' keeps it to its owner"))
    #expect(try run("state unlock").status == 0)
    for (process, words) in [(getpid(), "and still runs"), (1, "that process has ended")] {
      try change(run) { (rows) throws(StateError) in
        var lock = StateLock.ofThisProcess(since: run.time)
        if process == 1 { lock = StateLock(host: lock.host, process: 1, processStart: 1, since: run.time) }
        try rows.setLock(lock)
      }
      #expect(try found("lock", run("doctor -o ndjson")).first?.contains(words) == true)
    }
  }

  @Test func `a journal that was left is told of`() throws {
    let run = try club()
    #expect(try found("journal", run("doctor -o ndjson")).first?.hasPrefix("ok no interrupted") == true)
    // No journal of SQLite's: nothing that could be rolled back.
    try run.folder.write("not a journal", to: "circle.db-journal")
    let ending = try run("doctor -o ndjson")
    #expect(ending.status == 0, "\(ending)")
    let text = try #require(found("journal", ending).first)
    #expect(text.hasPrefix("warning") || text.contains("rolled back now"), "\(text)")
  }

  @Test(arguments: [
    (StateTable.log, UInt32(1), "chain", "its entry or its log was changed"),
    (.users, 1, "state", "differ"), (.logByServer, 99, "rows", "the index of the log names block 97 of run 98"),
    (.invitations, 99, "rows", "belongs to no server"),
    (.checkpoint, 1, "chain", "checkpoint"),
  ])
  func `damage is told where it is and ends with 1`(table: StateTable, key: UInt32, what: String, words: String) throws
  {
    let run = try club()
    if table == .checkpoint {
      #expect(try run("events archive --before 2025-02-01 old.ndjson").status == 0)
    }
    try change(run) { (rows) throws(StateError) in
      let key = RowKey(key, table.arity > 1 ? (table == .log ? 0 : 98) : 0, table.arity > 2 ? 97 : 0)
      var bytes = try rows.withRow(table, key) { [UInt8]($0) } ?? []
      if table == .log || table == .checkpoint { bytes[bytes.count - 1] ^= 1 }
      if table == .users, let place = bytes.firstRange(of: Array("Alice".utf8)) { bytes[place.lowerBound] ^= 1 }
      try bytes.withUnsafeBufferPointer { (bytes) throws(StateError) in
        try rows.put(table, key, UnsafeRawBufferPointer(bytes))
      }
    }
    let ending = try run("doctor -o ndjson")
    #expect(ending.status == 1, "\(ending)")
    let faults = found(what, ending)
    #expect(faults.contains { $0.hasPrefix("fault") && $0.contains(words) }, "\(faults)")
    #expect(faults.last?.contains("A copy made before the damage") == true)
    #expect(try run("state verify").status == 1)
  }

  @Test func `what is no state ends with 1`() throws {
    let run = try TestRun(["circle.db": "servers:\n"])
    let ending = try run("doctor -o ndjson")
    #expect(ending.status == 1, "\(ending)")
    #expect(found("opening", ending).first?.contains("is no circlectl state") == true, "\(ending)")
  }

  @Test func `faults of circlectl.yaml and of manifests end with 65, and the state is looked at all the same`() throws {
    let run = try club()
    try run.folder.write("stat: circle.db\npaths: manifests\n", to: "circlectl.yaml")
    let wrong = try run("doctor -o ndjson")
    #expect(wrong.status == 65, "\(wrong)")
    let told = try #require(found("circlectl.yaml", wrong).first)
    #expect(
      told.hasPrefix("fault it can't be used") && told.contains("circlectl.yaml:1: unknown key 'stat'"), "\(told)")
    #expect(found("state", wrong) == ["ok the log gives the state"])
    try run.folder.write("paths: [manifests, nowhere]\n", to: "circlectl.yaml")
    let missing = try run("doctor -o ndjson")
    try #require(missing.status == 65 && found("manifests", missing).count == 2, "\(missing)")
    #expect(found("manifests", missing)[0].hasPrefix("ok") && found("manifests", missing)[1].hasPrefix("fault"))
    try run.folder.write("state: circle.db\n", to: "circlectl.yaml")
    try run.folder.write("version: 1\nserver: {}\n", to: "manifests/b.yaml")
    let faulty = try run("doctor -o ndjson")
    #expect(faulty.status == 65)
    #expect(found("manifests", faulty).first?.contains("circlectl validate manifests") == true)
    // Damage counts more.
    try run.folder.write("nothing", to: "circle.db")
    #expect(try run("doctor").status == 1)
  }

  @Test func `a password is refused and not repeated`() throws {
    let run = try TestRun()
    let named = try run("doctor --state postgres://me:hush@host/base -o json")
    try run.folder.write("state: postgres://me:hush@host/base\n", to: "circlectl.yaml")
    for ending in try [named, run("doctor -o json"), run("doctor")] {
      #expect(ending.status == 64 && !(ending.output + ending.errors).contains("hush"), "\(ending)")
    }
  }

  @Test func `a server that is not there is told, with libpq's version`() throws {
    let ending = try TestRun()("doctor --state postgres:///base?host=/nowhere -o ndjson")
    #expect(ending.status == 1, "\(ending)")
    #expect(found("libpq", ending).count == 1)
    #expect(found("opening", ending).first?.contains("can't connect to") == true, "\(ending.output)")
  }
}
