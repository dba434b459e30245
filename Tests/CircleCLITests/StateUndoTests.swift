import Testing
import Testkit

@testable import CircleCLI

struct StateUndoTests {
  /// Two servers, then a second run that changes a little of everything.
  private func changed() throws -> TestRun {
    let run = try TestRun(["m/a.yaml": twoServers])
    #expect(try run("apply m --yes").status == 0)
    let next = twoServers.replacing("carol, dave", by: "carol").replacing("[swift, ios]", by: "[swift, macos]")
      .replacing("name: Garden", by: "name: Park\n    desc: new").replacing("bob: {}", by: "bob: {nickName: B}")
      .replacing("members: [alice]", by: "members: [alice, carol]")
      .replacing("moderators: [bob]", by: "moderators: [bob, carol]")
    try run.folder.write(next, to: "m/a.yaml")
    run.time += 60_000
    #expect(try run("apply m --yes").status == 0)
    run.time += 60_000
    return run
  }

  @Test func `the last run is taken back, with events, a reason and a history of its own`() throws {
    let run = try changed()
    let ending = try run.run(["state", "undo", "--yes", "--reason", "wrong branch"])
    #expect(ending.status == 0, "\(ending.errors)")
    for word in [
      "- member carol", "+ member dave", "+ tag \"ios\"", "- tag \"macos\"", "name \"Park\" → \"Garden\"",
      "role of carol: moderator → user", "onMemberRemovedFromServer", "onServerUpdated", "Reason: wrong branch",
    ] { #expect(ending.output.contains(word), "\(word) in \(ending.output)") }
    let last = try run.history("--limit 1").first ?? ""
    #expect(last.contains("\"kind\":\"undo\",\"command\":\"state undo 2\""), "\(last)")
    #expect(try run("why garden").output.contains("state undo 2"))
    // All is pending again, and nothing drift.
    let diff = try run("diff m -o json").output
    #expect(diff.contains("\"drift\": 0") || diff.contains("\"drift\":0"), "\(diff)")
    try run.folder.write(twoServers, to: "m/a.yaml")
    #expect(try run("diff m --exit-code").status == 0)
    #expect(try run("state verify").status == 0)
  }

  @Test func `what can't be as it was is said before`() throws {
    let run = try TestRun(["m/a.yaml": twoServers])
    #expect(try run("apply m --yes").status == 0)
    #expect(try run("server destroy garden --yes").status == 0)
    let shown = try run("state undo --dry-run")
    #expect(shown.output.contains("gets a new id, and who was in it joins anew"))
    #expect(shown.output.contains("+ server \"Garden\""))
    #expect(try run("state undo --dry-run -o json").output.contains("\"notRestored\": ["))
    #expect(try run.history().count == 2)
    #expect(try run("state undo --yes").status == 0)
    #expect(try run("diff m --exit-code").status == 0)
    // The users of the first run stay.
    let all = try run.run(["state", "undo", "1", "--dry-run", "--allow", "remove:server<=2"])
    #expect(all.output.contains("4 users stay: users are never deleted"), "\(all.errors)")
  }

  @Test(arguments: [
    ("server update garden --name Wood", "'name' of 'garden' has changed"),
    ("tag remove swift-fans macos", ""),
    ("member remove garden carol", ""),
    ("moderator add garden carol", "'carol' is a moderator of 'garden' since another run"),
    ("member join swift-fans dave", ""),
    ("server update garden --desc other", "'desc' of 'garden' has changed"),
    ("user update bob --set nickName=Bobby", "'nickName' of user 'bob' has changed"),
    ("user update bob --set sign=x", ""),
    ("server destroy garden --yes", "there is no server 'garden' any more"),
    ("server rename garden wood", ""),
  ])
  func `a later change is never overwritten; one elsewhere does not matter`(line: String, message: String) throws {
    let run = try changed()
    #expect(try run(line).status == 0)
    let ending = try run("state undo 2 --yes")
    #expect(ending.status == (message.isEmpty ? 0 : 4), "\(ending.errors)")
    if !message.isEmpty {
      #expect(ending.errors.contains("run 2 can't be taken back: ") && ending.errors.contains(message))
      #expect(try run.history().count == 3)
      #expect(try run("state undo 2 --yes -o json").output.contains("\"result\": \"stale\""))
    }
    #expect(try run("state verify").status == 0)
  }

  @Test func `a created server that has got members since is not destroyed`() throws {
    let run = try TestRun(["m/a.yaml": twoServers])
    #expect(try run("apply m --yes").status == 0)
    #expect(try run("server create New --owner alice").status == 0)
    #expect(try run("member join new bob").status == 0)
    let ending = try run("state undo 2 --yes")
    #expect(ending.status == 4)
    #expect(ending.errors.contains("'new', which is to be destroyed, has 2 members now"))
    #expect(try run("state undo 3 --yes --allow remove:member@new<=1").status == 0)
    #expect(try run("state undo 2 --yes").status == 0)
    #expect(try run("server get new").status == 3)
    #expect(try run("state undo 2 --yes").output.contains("Nothing changes"))
  }

  @Test func `guards hold, and the allowance that is printed passes`() throws {
    let run = try TestRun(["m/a.yaml": twoServers])
    #expect(try run("apply m --yes").status == 0)
    #expect(try run("server create New --owner alice").status == 0)
    #expect(try run("member join new bob carol").status == 0)
    let refused = try run("state undo --yes")
    #expect(refused.status == 3)
    #expect(refused.output.contains("!- member bob"))
    #expect(refused.errors.contains("--allow 'remove:member@new<=2'"))
    #expect(try run("state undo --yes --allow remove:member@new<=1").status == 3)
    #expect(try run("state undo --yes --max-removals 100%").status == 3)
    #expect(try run("state undo --yes --allow remove:member@new<=2").status == 0)
  }

  @Test func `a protected server holds`() throws {
    let run = try TestRun(["m/a.yaml": twoServers])
    #expect(try run("apply m --yes").status == 0)
    try run.folder.write(
      twoServers + "  safe: {name: Safe, owner: alice, protect: true, members: [bob]}\n", to: "m/a.yaml")
    #expect(try run("apply m --yes").status == 0)
    let refused = try run.run(["state", "undo", "--yes", "--allow", "remove:server<=9"])
    #expect(refused.status == 3)
    #expect(refused.errors.contains("set protect to false first"))
  }

  @Test func `a handle that is taken now refuses a server that would come back`() throws {
    let run = try TestRun(["m/a.yaml": twoServers])
    #expect(try run("apply m --yes").status == 0)
    #expect(try run("server destroy garden --yes").status == 0)
    #expect(try run("server create Other --handle garden --owner alice").status == 0)
    let refused = try run("state undo 2 --yes")
    #expect(refused.status == 3)
    #expect(refused.output.contains("!+ member alice"))
    #expect(try run("server rename garden other").status == 0)
    #expect(try run("state undo 2 --yes").status == 0)
  }

  @Test func `names that change places, stacks and limits come back`() throws {
    let run = try TestRun(["m/a.yaml": twoServers])
    #expect(try run("apply m --yes").status == 0)
    for line in ["server rename garden wood", "server release swift-fans", "state set-limit joined 7"] {
      let before = try run("export --all").output
      #expect(try run(line).status == 0)
      #expect(try run("state undo --yes").status == 0)
      #expect(try run("export --all").output == before)
      #expect(try run("diff m --exit-code").status == 0)
    }
    #expect(try run("state info -o json").output.contains("\"joined\": 100"))
    #expect(try run("server get swift-fans -o json").output.contains("\"stack\":\"default\""))
  }

  @Test func `without a yes a person is asked`() throws {
    let run = try changed()
    #expect(try run("state undo").status == 64)
    run.answer = "no\n"
    let declined = try run("state undo")
    #expect(declined.status == 3)
    #expect(declined.errors.contains("Take back run 2 of 'circle.db'? [y/N]"))
    run.answer = "yes\n"
    #expect(try run("state undo").status == 0)
  }

  @Test(arguments: [
    ("state undo", 3, "there is no run to take back"), ("state undo 5", 3, "there is no run 5"),
    ("state undo x", 64, "'x' is no number of a run"), ("state undo 0", 64, "'0' is no number"),
    ("state undo --as bob", 64, "--as"), ("state undo --max-removals many", 64, "no ceiling"),
    ("state undo --allow x", 64, "--allow"),
  ])
  func `what is no run is told`(line: String, status: Int32, message: String) throws {
    let ending = try TestRun()(line)
    #expect(ending.status == status)
    #expect(ending.errors.contains(message), "\(ending.errors)")
  }

  @Test(arguments: ["json", "ndjson", "markdown", "html", "junit", "sarif", "github", "gitlab", "cloudevents"])
  func `an undo is told in every format`(format: String) throws {
    let run = try changed()
    #expect(try run("state undo --dry-run -o \(format)").status == 0)
    #expect(try run("state undo --yes -o \(format)").status == 0)
  }
}
