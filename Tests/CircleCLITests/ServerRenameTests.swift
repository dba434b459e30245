import Testing

@testable import CircleCLI

struct ServerRenameTests {
  @Test func `a server goes by its new handle and keeps its id`() throws {
    let circle = try TestCircle()
    let id = try circle.values("serverId", of: "server", "server get pub")
    let renamed = try circle.records("server", "server rename pub bar")
    #expect(renamed.first?.contains("\"handle\":\"bar\"") == true)
    #expect(try circle.values("serverId", of: "server", "server get bar") == id)
    #expect(try circle("server get pub").status == 3)
    #expect(try circle("server rename bar bar").output.contains("nothing changes"))
  }

  @Test func `a handle that is taken or no handle is refused`() throws {
    let circle = try TestCircle()
    #expect(try circle("server rename pub priv").errors.contains("handleTaken"))
    #expect(try circle("server rename pub PUB").status == 64)
    #expect(try circle("server rename nowhere x").status == 3)
    #expect(try circle("server rename pub x --as alice").errors.contains("noPermission"))
  }
}
