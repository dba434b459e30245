import CircleKit
import CircleModel
import CircleState
import CircleStateSQLite
import Glibc
import Testing
import Testkit

@testable import CircleCLI

/// The page of all names of the source documents, walked: the Swift call and the command do the same.
@Suite struct OperationTableTests {
  @Test(.timeLimit(.minutes(1)), arguments: OperationTable.community + OperationTable.userInformation)
  func `the Swift call and the command leave the same state, events and answer`(_ row: OperationRow) async throws {
    let commands = try TestCircle()
    let calls = try TestCircle()
    for circle in [commands, calls] {
      try circle.run.folder.write(AppUsers.table, to: "app.csv")
      try circle.run.folder.write(AppUsers.script, to: "fetch.sh")
      chmod(circle.run.folder.path("fetch.sh"), 0o755)
      circle.run.environment = ["HOME": circle.run.folder.path, "PATH": "/usr/bin:/bin"]
    }
    let lines = row.line.split(separator: ";").map { $0.drop { $0 == " " } }
    var output = ""
    for line in lines {
      let ending = try run("\(line) --id-seed walk -o ndjson", on: commands.run)
      #expect(ending.status == 0, "\(line): \(ending.errors)")
      output = ending.output
    }

    let time = calls.run.time
    let store = try CircleStore(path: calls.run.folder.path("circle.db"), clock: { time }, idSeed: "walk")
    let server = try #require(try calls.values("serverId", of: "server", "server get pub").first)
    let answer = try await row.call(OperationWorld(store: store, server: server))

    if let wanted = row.answer { #expect(answer == values(wanted.key, of: wanted.type, in: output)) }
    #expect(try rows(of: commands) == rows(of: calls))
    let events = "events list --expand-audience -o ndjson"
    #expect(try commands(events).output == calls(events).output)
  }

  /// Runs a command in a process of its own: what asks providers waits for other threads of the pool on which tests run.
  private func run(_ line: String, on run: TestRun) throws -> SpawnedProgram.Ending {
    let words = line.split(separator: " ").map(String.init) + ["--now", "2025-01-02T03:04:05.678Z"]
    return try SpawnedProgram("circlectl", words, in: run.folder, environment: run.environment).wait()
  }

  /// The text field of the records of a type; of bare events where the type is empty.
  private func values(_ key: String, of type: String, in output: String) -> [String] {
    output.split(separator: "\n").compactMap { line in
      guard type.isEmpty || line.hasPrefix("{\"type\":\"\(type)\",") else { return nil }
      return line.firstRange(of: "\"\(key)\":\"").map { String(line[$0.upperBound...].prefix { $0 != "\"" }) }
    }
  }

  /// What the state holds, but for its history.
  private func rows(of circle: TestCircle) throws -> [String] {
    let path = circle.run.folder.path("circle.db")
    let rows = try SQLiteRows.open(path: path, mode: .read, timeout: 1000, interrupted: { 0 })
    try rows.begin(writing: false, timeout: 1000)
    defer { rows.rollback() }
    var all: [String] = []
    for table in [StateTable.users, .servers, .members, .invitations, .marks] {
      try rows.scan(table) { (key, bytes) throws(StateError) in
        all.append("\(table) \(key) \(bytes.map { String($0, radix: 16) }.joined(separator: " "))")
        return true
      }
    }
    return all
  }

  @Test func `docs-operations.md has every row, and no empty cell`() throws {
    let document = try Document("docs/operations.md")
    var text = document.text
    for (heading, rows) in [
      ("## Communities", OperationTable.community), ("## User information", OperationTable.userInformation),
    ] {
      text = try DocumentTable(heading: heading, rows: rows.map { [$0.name, $0.swift, $0.command] })
        .replacingRows(in: text)
    }
    let audiences = OperationTable.audiences.map { ["`\($0.event)`", "`\($0.method)`", $0.receivers] }
    text = try DocumentTable(heading: "## Who receives which event", rows: audiences).replacingRows(in: text)
    try document.expect(text)
    for row in OperationTable.community + OperationTable.userInformation {
      for cell in [row.name, row.swift, row.command] { #expect(!cell.isEmpty) }
    }
    #expect(
      OperationTable.audiences.map(\.event) == EventName.allCases.filter { !$0.isDeviceEvent }.map { "\($0.word)" })
  }
}
