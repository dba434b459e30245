import Testing

@testable import CircleCLI

struct ServerListTests {
  private func many() throws -> TestCircle {
    let circle = try TestCircle()
    for name in ["Zoo", "Bee", "Ant"] { #expect(try circle("server create \(name) --owner dave").status == 0) }
    #expect(try circle("member join ant alice bob").status == 0)
    #expect(try circle("tag add ant tea bugs").status == 0)
    return circle
  }

  @Test(arguments: [
    ("", ["ant", "bee", "priv", "pub", "zoo"]), ("--reverse", ["zoo", "pub", "priv", "bee", "ant"]),
    ("--prefix The", ["priv", "pub"]), ("--owner DAVE", ["ant", "bee", "zoo"]), ("--owner nobody", []),
    ("--type private", ["priv"]), ("--tag tea", ["ant", "priv", "pub"]), ("--tag tea --tag bugs", ["ant"]),
    ("--stack default", []), ("--sort name", ["ant", "bee", "priv", "pub", "zoo"]),
    ("--sort members --reverse --limit 1", ["priv"]), ("--as dave --role owner --sort handle", ["ant", "bee", "zoo"]),
    ("--as bob --sort handle", ["ant", "priv", "pub"]), ("--as bob --role user", ["ant"]), ("--as erin", []),
    ("--as bob --owner dave", ["ant"]), ("--as bob --prefix The_pr", ["priv"]),
  ])
  func `rows are chosen and sorted`(options: String, handles: [String]) throws {
    let circle = try many()
    let found = try circle.values("handle", of: "server", "server list \(options)")
    // Of servers with equally many members the greatest id comes first.
    if options.contains("members") {
      #expect(["priv", "pub"].contains(found.first))
    } else {
      #expect(found == handles)
    }
  }

  @Test func `pages go on where they ended, whatever was added meanwhile`() throws {
    let circle = try many()
    let first = try circle("server list --limit 2")
    #expect(first.errors.contains("there is more: --cursor "))
    let cursor = try #require(circle.values("next", of: "page", "server list --limit 2").first)
    #expect(try circle("server create Aaa --owner dave").status == 0)
    #expect(try circle("server create Cow --owner dave").status == 0)
    let rest = try circle.values("handle", of: "server", "server list --all-pages --cursor \(cursor)")
    #expect(rest == ["cow", "priv", "pub", "zoo"])
    #expect(try circle("server list --sort name --cursor \(cursor)").status == 64)
    #expect(try circle("server list --prefix A --cursor \(cursor)").status == 64)
    #expect(try circle("server list --limit 0").status == 64)
  }

  @Test func `a user sees his role, in the order in which he came in`() throws {
    let circle = try TestCircle()
    circle.run.time += 1000
    #expect(try circle("server create Aaa --owner bob").status == 0)
    let list = try circle("server list --as bob")
    #expect(list.output.contains("ROLE"))
    #expect(try circle.values("handle", of: "server", "server list --as bob").last == "aaa")
    #expect(try circle("server list --role owner").status == 64)
    #expect(try circle("server list --sort joined").status == 64)
    #expect(try circle("server list --as nobody").status == 3)
  }

  @Test(arguments: ["0", "-1", "x"])
  func `a limit counts from 1`(limit: String) throws {
    let ending = try TestCircle()("server list --limit=\(limit)")
    #expect(ending.status == 64)
    #expect(ending.errors.contains("--limit takes a whole number from 1, not '\(limit)'"))
  }

  @Test func `a handle is told in full, however long`() throws {
    let circle = try TestCircle()
    let handle = String(repeating: "h", count: 63)
    #expect(try circle("server create \(handle.prefix(50)) --handle \(handle) --owner dave").status == 0)
    let list = try circle("server list").output
    #expect(list.contains(handle))
    #expect(list.contains(String(repeating: "h", count: 47) + "…"), "a name may be cut")
  }
}
