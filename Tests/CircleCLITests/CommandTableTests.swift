import CommandTree
import Testing
import Testkit

@testable import CircleCLI

struct CommandTableTests {
  @Test func `the tree of commands has no fault`() {
    #expect(commandTree.validate() == [])
  }

  @Test func `help of every command names it and shows an example`() throws {
    let run = try TestRun()
    for node in commandTree.shownNodes() where node.path != ["help"] {
      let ending = try run.run(["help"] + node.path)
      #expect(ending.status == 0)
      #expect(ending.errors == "")
      #expect(ending.output.contains("Usage: \(node.title)"))
      #expect(node.isGroup || ending.output.contains("Examples:"))
    }
  }

  @Test(arguments: [
    ("aply", "apply"), ("valdate", "validate"), ("state inf", "info"), ("diff --exit-cod", "--exit-code"),
  ])
  func `a mistyped word is answered with the nearest one`(line: String, meant: String) throws {
    let ending = try TestRun()(line)
    #expect(ending.status == 64)
    #expect(ending.output == "")
    #expect(ending.errors.contains("did you mean '\(meant)'?"))
  }

  @Test(arguments: [
    "", "state", "apply --max-removals lots", "apply --max-removals 120%", "apply --allow remove:everything",
    "diff --lock-timeout soon", "diff --now yesterday", "diff --now 2025-02-30T00:00:00Z", "diff -o xml",
    "apply --report json", "apply --report xml=a", "diff --report json=a --report text=a", "diff -q -v",
    "state set-limit created many", "state set-limit owned 3", "events list --since x", "events list --limit -1",
    "events list --recipient /phone", "export a --all", "export --stack x --all", "export -o json",
    "diff --state mysql://db/x", "version surplus", "server release", "diff --stack", "diff --save",
    "apply --only", "apply --yes --report json=circle.db", "diff --as alice",
  ])
  func `wrong usage ends with 64 and touches nothing`(line: String) throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    let ending = try run(line)
    #expect(ending.status == 64)
    #expect(ending.errors.contains("circlectl: error: "))
    #expect(run.folder.names() == ["manifests"])
  }

  @Test(arguments: [
    "state info postgres://u:sekrit@h/db", "state restore postgres://u:sekrit@h/db", "postgres://u:sekrit@h/db",
    "apply postgres://u:sekrit@h/db --yes", "state info --state postgres:u:sekrit@h/c1",
    "state info --state postgresql:/u:sekrit@h/db", "state info --state=postgres:///db?x=1&password=sekrit",
  ])
  func `a password is not repeated wherever it stands`(line: String) throws {
    let run = try TestRun()
    let ending = try run(line)
    #expect(ending.status != 0)
    #expect(!ending.errors.contains("sekrit") && !ending.output.contains("sekrit"), "\(ending.errors)")
    #expect(run.folder.names() == [])
    let words = try run.run(["state", "info", "--state", "host=/tmp password=sekrit dbname=x"])
    #expect(words.status == 64 && !words.errors.contains("sekrit"))
  }

  @Test func `a password in the location of a state is refused and not repeated`() throws {
    let ending = try TestRun()("diff --state postgres://me:secret@host/db")
    #expect(ending.status == 64)
    #expect(ending.errors.contains("password"))
    #expect(!ending.errors.contains("secret"))
  }

  @Test func `the version is told by command and by option`() throws {
    #expect(try TestRun()("--version").output.contains("circlectl "))
    #expect(try TestRun()("version").output.contains("circlectl "))
  }

  @Test func `each exit code has one meaning, and the help of the program tells it`() throws {
    let help = try TestRun()("help").output
    for status in ExitStatus.allCases { #expect(help.contains("  \(status.rawValue) ")) }
  }

  @Test func `a group without a command lists its commands, and no more`() throws {
    for line in ["", "state"] {
      let errors = try TestRun()(line).errors
      #expect(errors.contains("\nCommands:\n"))
      #expect(!errors.contains("--lock-timeout"))
      #expect(errors.split(separator: "\n").count < 30)
    }
  }

  @Test(arguments: [
    ("tag add", "SERVER"), ("tag add swift-fans", "TAG"), ("invitation send", "SERVER"), ("invitation send s", "USER"),
  ])
  func `the first argument that is missing is named`(line: String, argument: String) throws {
    let ending = try TestRun()(line)
    #expect(ending.status == 64)
    #expect(ending.errors.contains("needs argument \(argument)\n"), "\(ending.errors)")
  }
}
