import Testing
import Testkit

@testable import CircleCLI

struct ServerDestroyTests {
  @Test func `a person is asked, and only yes destroys`() throws {
    let circle = try TestCircle()
    let alone = try circle("server destroy pub")
    #expect(alone.status == 64)
    #expect(alone.errors.contains("--yes"))
    circle.run.answer = "n\n"
    let refused = try circle("server destroy pub")
    #expect(refused.status == 3)
    #expect(refused.errors.contains("with 4 memberships, 1 tag and 1 pending invitation"))
    #expect(try circle("server get pub").status == 0)
    circle.run.answer = "y\n"
    #expect(try circle("server destroy pub").status == 0)
    #expect(try circle("server get pub").status == 3)
    #expect(try circle("state verify").status == 0)
  }

  @Test func `all that was in it is gone, and the reason is kept`() throws {
    let circle = try TestCircle()
    #expect(
      try circle.events("server destroy pub --yes --reason merged --as alice")
        == ["onServerDestroyed", "multiDevices.Destroy"])
    #expect(try circle.run.history().last?.contains("\"reason\":\"merged\"") == true)
    #expect(try circle.values("server", of: "membership", "user memberships carol") == ["priv"])
    #expect(try circle.values("server", of: "invitation", "invitation list") == ["priv"])
    #expect(try circle("server create pub --owner dave").output.contains("pub"))
  }

  @Test func `who may not is told so before anyone is asked`() throws {
    let circle = try TestCircle()
    #expect(try circle("server destroy pub --as bob").errors.contains("noPermission"))
    #expect(try circle("server destroy nowhere").status == 3)
  }

  @Test func `the revision that moved while a person was asked is stale`() throws {
    let circle = try TestCircle()
    let state = circle.run.folder.path("circle.db")
    circle.run.answer = "y\n"
    circle.run.whileAsked = { _ = try? TestRun()("member join pub dave --state \(state)") }
    #expect(try circle("server destroy pub").status == 4)
    #expect(try circle("server get pub").status == 0)
  }
}
