import Testing

@testable import CircleCLI

struct UserDevicesTests {
  @Test func `the devices named replace those that were there`() throws {
    let circle = try TestCircle()
    #expect(try circle("user devices alice pad").output.contains("devices   pad"))
    #expect(try circle("server create X --as alice --device phone").status == 3)
    #expect(try circle("user devices alice pad").output.contains("nothing changes"))
    #expect(try circle("user devices alice --none").status == 0)
    #expect(try circle.events("server create X --as alice").isEmpty)
  }

  @Test func `devices or none`() throws {
    let circle = try TestCircle()
    #expect(try circle("user devices alice").status == 64)
    #expect(try circle("user devices alice pad --none").status == 64)
    #expect(try circle("user devices alice pad pad").status == 64)
    #expect(try circle("user devices nobody pad").status == 3)
    #expect(try circle("user devices alice pad --as alice").errors.contains("noPermission"))
  }
}
