import Testing
import Testkit

@testable import CircleCLI

struct ServerGetTests {
  @Test func `a member sees all of it, by handle, id or the beginning of its name`() throws {
    let circle = try TestCircle()
    let text = try circle("server get priv --as carol")
    #expect(text.status == 0)
    for part in ["The_priv", "private", "alice", "Alice", "tea"] { #expect(text.output.contains(part), "\(part)") }
    let id = try #require(circle.values("serverId", of: "server", "server get priv").first)
    for name in [id, "The_pr"] { #expect(try circle("server get \(name) --as carol").output == text.output) }
  }

  @Test func `a beginning that fits several is refused; a user's own knowledge counts`() throws {
    let circle = try TestCircle()
    let several = try circle("server get The")
    #expect(several.status == 3)
    #expect(several.errors.contains("priv, pub"))
    // Dave knows of no private server that he is not in.
    #expect(try circle("server get The --as dave").errors.contains("notMember"))
    #expect(try circle("server get The_pr --as dave").errors.contains("notFound"))
  }

  @Test func `a missing state counts as empty, and that is said`() throws {
    let run = try TestRun()
    let ending = try run("server get pub")
    #expect(ending.status == 3)
    #expect(ending.errors.contains("there is no state"))
    #expect(run.folder.names() == [])
  }

  @Test func `a refusal names server, actor and reason for programs`() throws {
    let circle = try TestCircle()
    let ending = try circle("server get pub --as dave -o json")
    #expect(ending.status == 3)
    #expect(
      ending.output.contains(
        #"{"cause":"notMember","server":"pub","actor":"dave","message":"dave is not a member"}"#))
    #expect(try circle("server search _ --as nobody -o ndjson").output.contains(#"{"type":"refusal","cause":"notReg"#))
  }

  @Test func `nicknames are those of the providers, as in lists`() throws {
    let circle = try TestCircle()
    circle.run.environment = ["HOME": circle.run.folder.path("home"), "PATH": "/usr/bin:/bin"]
    try circle.run.folder.write("userId,nickName\nalice,Alice of the directory\n", to: "names.csv")
    #expect(try circle("provider add names --file names.csv").status == 0)
    for line in ["server get pub", "server list --tag tea"] {
      // A busy machine may be slower than people care to wait.
      let ending = try circle.run.spawn("\(line) --provider-timeout 1m")
      #expect(ending.output.contains("Alice of the directory"), "\(line)")
    }
    #expect(try circle.run.spawn("server get pub --provider-timeout 0").status == 0)
  }

  @Test func `what is like a name that was not found is told only to those who may know of it`() throws {
    let circle = try TestCircle()
    #expect(try circle("server create Secret --handle secret-plans --type private --owner alice").status == 0)
    for command in ["server get", "server update --desc x", "events list --server"] {
      let line = "\(command) secret-plan"
      #expect(try circle(line).errors.contains("secret-plans"), "\(line)")
    }
    for line in ["server get secret-plan", "server update secret-plan --desc x"] {
      #expect(!(try circle("\(line) --as dave").errors.contains("secret-plans")), "\(line)")
      #expect(try circle("\(line) --as alice").errors.contains("Did you mean 'secret-plans'?"), "\(line)")
    }
    #expect(try circle("server get pubb --as dave").errors.contains("Did you mean 'pub'?"))
  }
}
