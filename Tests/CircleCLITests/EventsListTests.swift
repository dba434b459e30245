import Testing
import Testkit

@testable import CircleCLI

struct EventsListTests {
  private func applied() throws -> TestRun {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    _ = try run("apply --yes --id-seed x")
    return run
  }

  private func events(_ run: TestRun, _ options: String = "") throws -> [Substring] {
    let ending = try run("events list -o ndjson \(options)")
    #expect(ending.status == 0)
    return ending.output.split(separator: "\n")
  }

  @Test func `events come in the order of their numbers, after the one given`() throws {
    let run = try applied()
    let all = try events(run)
    // Four joins and a promotion; alice has two devices, on which she hears of what she does herself: a creation, a
    // join, a promotion.
    #expect(all.count == 8)
    #expect(all.first?.contains("\"seq\":1,") == true)
    #expect(try events(run, "--since 3").first?.contains("\"seq\":4,") == true)
    #expect(try events(run, "--since 99").isEmpty)
    #expect(try events(run, "--limit 2").count == 2)
    #expect(try events(run, "--limit 0").isEmpty)
  }

  @Test func `a server is found by handle or id, also under earlier handles`() throws {
    let run = try applied()
    let garden = try events(run, "--server garden")
    #expect(!garden.isEmpty)
    #expect(garden.allSatisfy { $0.contains("\"garden\"") })
    #expect(try events(run, "--server Gard") == garden)
    try run.folder.write(
      twoServers.replacing("garden:\n", by: "park:\n    renamedFrom: garden\n    desc: green\n"), to: "manifests/a.yaml"
    )
    #expect(try run("apply --yes").status == 0)
    #expect(try events(run, "--server park").count == garden.count + 1)
  }

  @Test func `the events of a server that is gone are found by its name`() throws {
    let run = try applied()
    let before = try events(run, "--server garden").count
    try run.folder.write(
      String(twoServers.prefix(upTo: twoServers.firstRange(of: "  garden:")!.lowerBound)), to: "manifests/a.yaml")
    #expect(try run("apply --yes --prune --allow remove:server<=1").status == 0)
    #expect(try events(run, "--server garden").count == before + 1)
  }

  @Test func `names choose`() throws {
    let run = try applied()
    #expect(try events(run, "--name onServerRoleAssigned").count == 1)
    #expect(try events(run, "--name onServerRoleAssigned --name onMemberJoinedServer").count == 5)
    #expect(try run("events list --name onNothing").status == 64)
  }

  @Test func `audiences are as of the moment of the event`() throws {
    let run = try applied()
    let joins = try events(run, "--expand-audience --name onMemberJoinedServer --server swift-fans")
    #expect(joins.map { $0.contains("\"users\":[\"alice\"]") } == [true, false, false])
    #expect(joins.last?.contains("\"users\":[\"alice\",\"bob\",\"carol\"]") == true)
    let devices = try events(run, "--expand-audience --name multiDevices.Create --server swift-fans")
    #expect(devices.first?.contains("\"users\":[\"alice/mac\",\"alice/phone\"]") == true)
  }

  @Test func `a recipient hears what concerns him`() throws {
    let run = try applied()
    // Carol hears dave join, and bob become a moderator.
    #expect(try events(run, "--recipient carol").count == 2)
    #expect(try events(run, "--recipient CAROL").count == 2)
    #expect(try events(run, "--recipient alice/phone --name multiDevices.Create").count == 1)
  }

  @Test func `those removed hear of it, and a destroyed server's members too`() throws {
    let run = try applied()
    try run.folder.write(
      twoServers.replacing("members: [carol, dave]", by: "members: [carol]"), to: "manifests/a.yaml")
    #expect(try run("apply --yes").status == 0)
    let removed = try events(run, "--name onMemberRemovedFromServer --expand-audience")
    #expect(removed.count == 1)
    #expect(removed.first?.contains("\"users\":[\"bob\",\"dave\"]") == true)
    try run.folder.write(
      String(twoServers.prefix(upTo: twoServers.firstRange(of: "  garden:")!.lowerBound)), to: "manifests/a.yaml")
    #expect(try run("apply --yes --prune --allow remove:server<=1").status == 0)
    let destroyed = try events(run, "--name onServerDestroyed --expand-audience")
    #expect(destroyed.first?.contains("\"users\":[\"alice\"]") == true)
    #expect(try events(run, "--recipient alice --name onServerDestroyed").count == 1)
  }

  @Test(arguments: [
    ("--server gardn", "there is no server 'gardn'; did you mean 'garden'?"),
    ("--recipient carl", "'carl' is not registered; did you mean 'carol'? (notRegistered)"),
    ("--recipient alice/phne", "'alice' has no device 'phne'; did you mean 'phone'? (notRegistered)"),
  ])
  func `what is not there is refused, with the nearest name`(option: String, message: String) throws {
    let run = try applied()
    for line in ["events list \(option)", "events list --follow --limit 1 \(option)"] {
      let ending = try run(line)
      #expect(ending.status == 3)
      #expect(ending.output == "")
      #expect(ending.errors.contains(message))
    }
  }

  @Test func `a destroyed server is found by the handle that it had last, with what was before`() throws {
    let circle = try TestCircle()
    for line in ["server rename pub bar", "server destroy bar --yes", "server rename priv pub"] {
      #expect(try circle(line).status == 0, "\(line)")
    }
    let before = try circle.run("events list -o ndjson").output.split(separator: "\n").filter {
      $0.contains(#""handle":"pub""#) || $0.contains(#""handle":"bar""#)
    }
    let found = try circle.run("events list --server bar -o ndjson").output.split(separator: "\n")
    #expect(found == before)
    #expect(found.contains { $0.contains(#""handle":"pub""#) } && found.contains { $0.contains("onServerDestroyed") })
  }

  @Test func `a device that is his no more was told things all the same`() throws {
    let run = try applied()
    try run.folder.write(twoServers.replacing("[phone, mac]", by: "[tablet]"), to: "manifests/a.yaml")
    #expect(try run("apply --yes").status == 0)
    #expect(try events(run, "--recipient alice/phone --name multiDevices.Create").count == 1)
    #expect(try events(run, "--recipient alice/tablet --name multiDevices.Create").isEmpty)
  }
}
