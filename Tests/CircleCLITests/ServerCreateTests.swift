import Testing
import Testkit

@testable import CircleCLI

struct ServerCreateTests {
  @Test func `the report has the server with its id and handle`() throws {
    let circle = try TestCircle()
    let ending = try circle("server create Garden --owner dave --desc green -o json --id-seed s")
    #expect(ending.status == 0)
    #expect(ending.output.contains("\"result\": \"done\""))
    for part in [
      "\"handle\":\"garden\"", "\"name\":\"Garden\"", "\"owner\":\"dave\"", "\"desc\":\"green\"", "\"serverId\":\"",
    ] {
      #expect(ending.output.contains(part), "\(part)")
    }
    #expect(try circle("server create Garden --owner dave").output.contains("garden-2"))
  }

  @Test func `a name without letters gets the first number that is free`() throws {
    let circle = try TestCircle()
    for handle in ["server-1", "server-2"] {
      #expect(try circle.values("handle", of: "server", "server create 读书会 --owner dave") == [handle])
    }
    #expect(try circle("server destroy server-1 --yes").status == 0)
    #expect(try circle.values("handle", of: "server", "server create 读书会 --owner dave") == ["server-1"])
  }

  @Test func `a handle may be chosen, if it is free`() throws {
    let circle = try TestCircle()
    #expect(try circle.values("handle", of: "server", "server create X --handle x-1 --as dave") == ["x-1"])
    let taken = try circle("server create X --handle pub --as dave")
    #expect(taken.status == 3)
    #expect(taken.errors.contains("handleTaken"))
    #expect(try circle("server create X --handle X --as dave").status == 64)
  }

  @Test func `servers of one seed have different ids`() throws {
    let circle = try TestCircle()
    let lines = ["server create X --owner dave --id-seed s", "server create Y --handle y --owner dave --id-seed s"]
    let ids = try lines.flatMap { try circle.values("serverId", of: "server", $0) }
    #expect(Set(ids).count == 2)
    #expect(try circle("state verify").status == 0)
  }

  @Test func `the user of --as owns it, and nobody else`() throws {
    let circle = try TestCircle()
    #expect(try circle.values("owner", of: "server", "server create X --as dave --owner DAVE") == ["dave"])
    #expect(try circle("server create X --as dave --owner erin").status == 64)
    #expect(try circle("server create X").status == 64)
    #expect(try circle("server create X --owner nobody").status == 3)
  }

  @Test func `his other devices hear of it`() throws {
    let circle = try TestCircle()
    #expect(try circle.events("server create X --as alice --device phone") == ["multiDevices.Create"])
    #expect(try circle("events list --recipient alice/mac --name multiDevices.Create").output.contains(" x "))
    #expect(try !circle("events list --recipient alice/phone --name multiDevices.Create").output.contains(" x "))
    #expect(try circle("server create X --as alice --device tablet").status == 3)
    #expect(try circle("server create X --owner alice --device phone").status == 64)
  }

  @Test(arguments: ["--icon nowhere", "--type secret", "--handle -x"])
  func `a value that breaks its rule is wrong usage`(option: String) throws {
    #expect(try TestCircle()("server create X --owner dave \(option)").status == 64)
  }

  @Test func `a name that is too long, and one server more than the limit, are refused`() throws {
    let circle = try TestCircle()
    let name = String(repeating: "x", count: 51)
    #expect(try circle("server create \(name) --owner dave").errors.contains("queryParamReachesLimit 112"))
    #expect(try circle("state set-limit created 2").status == 0)
    let ending = try circle("server create X --owner alice")
    #expect(ending.status == 3)
    #expect(ending.errors.contains("reachLimit 113"))
  }

  @Test func `a state is made where there is none, but not for what is refused`() throws {
    let run = try TestRun()
    #expect(try run("server create X --owner dave").status == 3)
    #expect(run.folder.names() == [])
  }
}
