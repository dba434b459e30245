import Testing

@testable import CircleCLI

struct ServerSearchTests {
  @Test func `public servers are found by the beginning of the name, a whole tag, or the id`() throws {
    let circle = try TestCircle()
    let id = try #require(circle.values("serverId", of: "server", "server get pub").first)
    for keyword in ["The_pub", "The", "tea", id] {
      #expect(try circle.values("handle", of: "server", "server search \(keyword) --as dave") == ["pub"], "\(keyword)")
    }
    for keyword in ["the", "te", "pub", "he_pub"] {
      let ending = try circle("server search \(keyword) --as dave")
      #expect(ending.status == 0)
      #expect(ending.output.contains("no server fits"))
    }
  }

  @Test func `an administrator finds private ones too, by name`() throws {
    let circle = try TestCircle()
    #expect(try circle.values("handle", of: "server", "server search tea") == ["priv", "pub"])
    #expect(try circle.values("handle", of: "server", "server search tea --reverse --limit 1") == ["pub"])
    #expect(try circle.run.run(["server", "search", " "]).status == 64)
  }
}
