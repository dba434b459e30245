import Testing

@testable import CircleCLI

struct ServerUpdateTests {
  @Test func `attributes are set and cleared in one run`() throws {
    let circle = try TestCircle()
    #expect(try circle("server update pub --desc d --icon https://x.example/i").status == 0)
    let ending = try circle("server update pub --name Bar --clear desc --clear icon --as bob -o json")
    #expect(ending.status == 0)
    #expect(ending.output.contains("\"changed\":[\"name\",\"icon\",\"desc\"]"))
    let shown = try circle("server get pub -o json").output
    #expect(shown.contains("\"name\":\"Bar\""))
    #expect(!shown.contains("\"desc\""))
  }

  @Test func `what is so already changes nothing and tells nobody`() throws {
    let circle = try TestCircle()
    let runs = try circle.run.history().count
    let ending = try circle("server update pub --name The_pub --clear desc")
    #expect(ending.status == 0)
    #expect(ending.output.contains("nothing changes"))
    #expect(try circle.run.history().count == runs)
  }

  @Test(arguments: ["", "--clear name", "--desc x --clear desc", "--clear color", "--type secret"])
  func `wrong usage`(options: String) throws {
    #expect(try TestCircle()("server update pub \(options)").status == 64)
  }

  @Test func `a server is named by its handle or id, not by its name`() throws {
    let circle = try TestCircle()
    let id = try #require(circle.values("serverId", of: "server", "server get pub").first)
    #expect(try circle("server update \(id) --desc x").status == 0)
    let ending = try circle("server update pubb --desc x")
    #expect(ending.status == 3)
    #expect(ending.errors.contains("Did you mean 'pub'?"))
    #expect(try circle("server update The --desc x").status == 3)
  }

  @Test func `an event tells the type where it has become public again`() throws {
    let circle = try TestCircle()
    let ending = try circle("server update priv --type public -o json")
    #expect(ending.status == 0)
    #expect(ending.output.contains(#""attributes":{"name":"The_priv","type":"public"},"changed":["type"]"#))
    let other = try circle("server update priv --desc x -o json").output
    #expect(other.contains(#""attributes":{"name":"The_priv","desc":"x"}"#))
  }

  @Test(arguments: [
    ("server update pub --desc x --as dave", "refused: pub, as dave: dave is not a member (notMember)"),
    ("server destroy pub --yes --as bob", "refused: pub, as bob: "),
    ("server update pubb --desc x", "refused: there is no server 'pubb' (notFound)"),
  ])
  func `a refusal names server and actor`(line: String, message: String) throws {
    let ending = try TestCircle()(line)
    #expect(ending.status == 3)
    #expect(ending.errors.contains(message), "\(ending.errors)")
  }
}
