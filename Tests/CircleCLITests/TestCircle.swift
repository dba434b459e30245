import Testkit

@testable import CircleCLI

/// A state to run commands on: the servers `pub` and `priv`, "The pub" and "The priv", each of alice with the moderators
/// bob and mona, the user carol, the tag `tea`, and an invitation for frank by alice. Dave and erin are registered and in
/// neither. Alice is signed in on `phone` and `mac`.
struct TestCircle {
  let run: TestRun

  private static let state = Result { () throws -> [UInt8] in
    let run = try TestRun()
    for line in [
      "user register alice --devices phone,mac --set nickName=Alice", "user register bob mona carol dave erin frank",
      "server create pub --owner alice --id-seed a", "server create priv --type private --owner alice --id-seed b",
      "server update pub --name The_pub", "server update priv --name The_priv", "member join pub bob mona carol",
      "member join priv bob mona carol", "moderator add pub bob mona", "moderator add priv bob mona",
      "tag add pub tea", "tag add priv tea", "invitation send pub frank --welcome Hi",
      "invitation send priv frank --welcome Hi",
    ] {
      let ending = try run(line)
      if ending.status != 0 { throw TemporaryFolder.Failure(description: "\(line): \(ending.errors)") }
    }
    return try run.folder.bytes("circle.db")
  }

  init() throws {
    run = try TestRun()
    try reset()
  }

  /// The state as it was at first.
  func reset() throws {
    try run.folder.write(Self.state.get(), to: "circle.db")
  }

  func callAsFunction(_ line: String) throws -> TestRun.Ending { try run(line) }

  /// The records that a command line tells as NDJSON, of one type.
  func records(_ type: String, _ line: String) throws -> [Substring] {
    try run("\(line) -o ndjson").output.split(separator: "\n").filter { $0.hasPrefix("{\"type\":\"\(type)\",") }
  }

  /// The values of a text field of the records.
  func values(_ key: String, of type: String, _ line: String) throws -> [String] {
    try records(type, line).compactMap { record in
      guard let start = record.firstRange(of: "\"\(key)\":\"")?.upperBound else { return nil }
      return String(record[start...].prefix { $0 != "\"" })
    }
  }

  /// The names of the events that follow.
  func events(_ line: String) throws -> [String] { try values("name", of: "event", line) }
}
