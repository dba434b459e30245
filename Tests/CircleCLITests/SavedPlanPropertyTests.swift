import Testing
import Testkit

@testable import CircleCLI

/// Random histories, once applied from manifests and once from saved plans.
struct SavedPlanPropertyTests {
  @Test(arguments: 0..<12)
  func `saving and applying leaves the same hash as applying`(_ seed: UInt64) throws {
    var random = RandomClub(seed: seed)
    let run = try TestRun()
    let allow = RandomClub.handles.flatMap {
      ["--allow", "remove:member@\($0)<=99", "--allow", "remove:moderator@\($0)<=99"]
    }
    var applied = 0
    for round in 0..<6 {
      try run.folder.write(random.manifest(), to: "m/a.yaml")
      var options = ["--max-removals", "100%", "--reason", "round \(round)", "--allow", "remove:server<=9"] + allow
      if random.below(2) == 0 { options.append("--prune") }
      if random.below(3) == 0 { options += ["--only", "kind=member", "--only", "kind=user", "--only", "a*"] }
      let clock = ["--now", "2025-01-0\(round + 1)T00:00:00Z", "--id-seed", "round \(round)"]
      let saved = try run.run(["diff", "m", "--save", "plan.json", "--state", "saved.db"] + options + clock)
      let direct = try run.run(["apply", "m", "--yes", "--state", "direct.db"] + options + clock)
      #expect(saved.status == direct.status, "\(saved.errors) \(direct.errors)")
      guard saved.status == 0 else { continue }
      let carried = try run.run(["apply", "plan.json", "--yes", "--state", "saved.db"] + clock)
      #expect(carried.status == 0, "\(carried.errors)")
      applied += 1
      #expect(try run("state info --state saved.db").output == run("state info --state direct.db").output)
      #expect(try run("diff m --state saved.db").output == run("diff m --state direct.db").output)
      // What has run can't run again, unless it did nothing that anyone could see.
      let again = try run.run(["apply", "plan.json", "--yes", "--state", "saved.db"] + clock)
      #expect(again.status == 4 || again.output.contains("Nothing changes"), "\(again.output) \(again.errors)")
    }
    #expect(applied > 0)
    #expect(try run("state verify --state saved.db").status == 0)
  }
}
