import CircleModel
import CircleState
import CircleStateSQLite
import Testing
import Testkit

@testable import CircleCLI

/// Random histories of applies and commands: whatever run is the last, an undo leads back to what was before it.
struct UndoPropertyTests {
  private static let allow =
    ["--max-removals", "100%", "--allow", "remove:server<=9"]
    + RandomClub.handles.flatMap {
      ["--allow", "remove:member@\($0)<=99", "--allow", "remove:moderator@\($0)<=99"]
    }

  @Test(arguments: 0..<10)
  func `an undo leaves the state of before, and an undo of it the state of after`(_ seed: UInt64) throws {
    var random = RandomClub(seed: seed)
    let run = try TestRun(["m/a.yaml": random.manifest()])
    #expect(try run.run(["apply", "m", "--yes", "--register"]).status == 0)
    var undone = 0
    for round in 0..<12 {
      run.time += 1000
      let before = try state(of: run)
      try run.folder.write(random.manifest(), to: "m/a.yaml")
      let plan = try run("diff m").output
      let line = try run.run(random.below(3) > 0 ? random.apply() : random.command())
      guard line.status == 0, try state(of: run) != before else { continue }
      let after = try state(of: run)
      for wanted in [before, after, before] {
        run.time += 1000
        let ending = try run.run(["state", "undo", "--yes"] + Self.allow)
        #expect(ending.status == 0, "seed \(seed), round \(round): \(ending.errors)\(ending.output)")
        let found = try state(of: run)
        #expect(found == wanted, "seed \(seed), round \(round): \(difference(wanted, found))")
      }
      // What was pending is so again, and what was drift.
      #expect(try run("diff m").output == plan, "seed \(seed), round \(round)")
      #expect(try run("state verify").status == 0, "seed \(seed), round \(round)")
      undone += 1
      // Half of the runs stay.
      if random.below(2) == 0 { _ = try run.run(["state", "undo", "--yes"] + Self.allow) }
    }
    #expect(undone > 2, "seed \(seed)")
  }

  private func difference(_ wanted: [String], _ found: [String]) -> String {
    "missing \(wanted.filter { !found.contains($0) }), too many \(found.filter { !wanted.contains($0) })"
  }

  /// All of a state but ids, times, how a member came in, which fields of users were ever managed, and from what a value has
  /// drifted, which a diff tells.
  private func state(of run: TestRun) throws -> [String] {
    let store = StateStore(try SQLiteRows.open(path: run.folder.path("circle.db"), mode: .read))
    let snapshot = try store.load(.everything).snapshot
    func name(_ user: UserIndex) -> String { snapshot.names[user] }
    var lines: [String] = []
    for server in snapshot.servers {
      let handle = server.handle
      lines.append("\(handle) \(name(server.owner)) \(server.attributes.entries.map { "\($0.key) \($0.value)" })")
      lines.append("\(handle) of \(server.stack ?? "-"), \(settings(server)), \(server.base.managed.rawValue)")
      lines += server.tags.map { "\(handle) tag \($0.name) \($0.isListed)" }
      lines += server.members.sorted().map { "\(handle) \(name($0.user)) \($0.role) \($0.listing.rawValue)" }
      lines += server.base.absentees.map { "\(handle) without \(name($0.key)) \($0.value.rawValue)" }
      lines += server.invitations.map {
        "\(handle) \(name($0.key.inviter)) invites \(name($0.key.invitee)) \($0.value.welcome ?? "-")"
      }
    }
    for position in snapshot.users.indices {
      let user = UserIndex(position)
      let detail = snapshot.details[user] ?? UserDetail()
      lines.append("\(name(user)) \(detail.profile.entries.map { "\($0.key) \($0.value)" }) \(detail.devices)")
    }
    return lines.sorted()
  }

  /// One that was never given is its default.
  private func settings(_ server: Server) -> String {
    let join = server.settings.join ?? (server.type == .private ? .invite : .direct)
    return "\(server.settings.membership ?? .managed) \(join) \(server.settings.welcome ?? "-") "
      + "\(server.settings.protect ?? false)"
  }
}

extension RandomClub {
  fileprivate mutating func apply() -> [String] {
    var words = ["apply", "m", "--yes", "--max-removals", "100%", "--allow", "remove:server<=9"]
    for handle in Self.handles {
      words += ["--allow", "remove:member@\(handle)<=99", "--allow", "remove:moderator@\(handle)<=99"]
    }
    if below(2) == 0 { words.append("--prune") }
    if below(4) == 0 { words += ["--only", "kind=member"] }
    return words
  }

  fileprivate mutating func command() -> [String] {
    let handle = Self.handles[below(Self.handles.count)]
    let user = Self.people[below(Self.people.count)]
    return switch below(12) {
    case 0: ["member", "join", handle, user]
    case 1: ["member", "leave", handle, user]
    case 2: ["member", "remove", handle, user]
    case 3: ["moderator", "add", handle, user]
    case 4: ["moderator", "remove", handle, user]
    case 5: ["invitation", "send", handle, user, "--welcome", "Hi \(below(3))"]
    case 6: ["invitation", "withdraw", handle, user]
    case 7: ["server", "update", handle, "--desc", "drift \(below(3))"]
    case 8: ["tag", "add", handle, "t\(below(3))"]
    case 9: ["tag", "remove", handle, ["a", "b", "c", "d"][below(4)]]
    case 10: ["user", "update", user, "--set", "sign=drift \(below(3))"]
    default: ["server", "destroy", handle, "--yes"]
    }
  }
}
