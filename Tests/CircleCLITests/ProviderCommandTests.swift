import Glibc
import Testing
import Testkit

@testable import CircleCLI

/// `provider add`, `remove` and `list`.
struct ProviderCommandTests {
  private func run(_ files: [String: String] = [:]) throws -> TestRun {
    let run = try TestRun(files)
    run.environment = ["HOME": run.folder.path("home"), "PATH": "/usr/bin:/bin"]
    return run
  }

  private let file = "home/.config/circlectl/providers.json"

  @Test func `providers are listed in the order in which they were added`() throws {
    let run = try run(["users.csv": "userId,nickName\nbob,Bob\n"])
    #expect(try run("provider list").output == "There are no providers.\n")
    let added = try run("provider add staff --file users.csv")
    #expect(added.status == 0)
    #expect(added.output == "the provider 'staff' was added; it knows 1 user\n")
    #expect(try run.run(["provider", "add", "ldap", "--exec", "ldap-users --all", "--timeout", "1.5s"]).status == 0)
    #expect(
      run.shown(try run("provider list").output) == """
        staff  file           TEST/users.csv
        ldap   exec  1500 ms  ldap-users --all

        """)
    #expect(
      run.shown(try run("provider list -o ndjson").output) == """
        {"type":"header","circlectlReport":1,"command":"provider list","result":"done"}
        {"type":"provider","name":"staff","kind":"file","file":"TEST/users.csv"}
        {"type":"provider","name":"ldap","kind":"exec","exec":"ldap-users --all","timeout":1500}

        """)
    #expect(run.folder.names() == ["home", "users.csv"], "never in the state")
  }

  @Test func `a name is given once, and the same again changes nothing`() throws {
    let run = try run()
    #expect(try run("provider add ldap --exec a").status == 0)
    let again = try run("provider add ldap --exec a -o json")
    #expect(again.status == 0)
    #expect(again.output.contains("\"unchanged\""))
    let other = try run("provider add ldap --exec b")
    #expect(other.status == 3)
    #expect(other.errors.contains("repeatedOperation 114"))
    #expect(try run.folder.read(file).contains("\"exec\": \"a\""))
  }

  @Test func `what was removed is gone, what is not there is told with the nearest name`() throws {
    let run = try run()
    _ = try run("provider add ldap --exec a")
    let unknown = try run("provider remove ldpa")
    #expect(unknown.status == 3)
    #expect(unknown.errors.contains("Did you mean 'ldap'?"))
    #expect(try run("provider remove ldap").status == 0)
    #expect(try run("provider list -o json").output.contains("\"providers\": []"))
    #expect(try run("provider remove ldap").status == 3)
  }

  @Test(arguments: [
    "provider add a", "provider add a --file b.csv --exec c", "provider add ../a --exec c",
    "provider add a --file b.csv --timeout 1s",
    "provider add a --exec c --timeout 0", "provider add a --exec c --timeout 2h",
    "provider add a --exec c --timeout x", "provider add",
  ])
  func `a wrong command line is refused with 64`(line: String) throws {
    let run = try run(["b.csv": "userId\n"])
    #expect(try run(line).status == 64)
    #expect(!run.folder.exists(file))
  }

  @Test(arguments: [
    ("nowhere.csv", "provider.unreadable-file"), ("a.txt", "provider.unreadable-file"),
    ("a.csv", "provider.missing-user-id"),
    ("a.json", "a.json:2:1: error"),
  ])
  func `a file that can't be used is told with 65 and not added`(name: String, part: String) throws {
    let run = try run(["a.txt": "", "a.csv": "name\n", "a.json": "[\nx]"])
    let ending = try run("provider add staff --file \(name)")
    #expect(ending.status == 65)
    #expect(ending.errors.contains(part), "\(ending.errors)")
    #expect(try run("provider add staff --file \(name) -o json").output.contains("\"code\":\"provider."))
    #expect(try run("provider list").output == "There are no providers.\n")
  }

  @Test func `doubts about a file are told, and it is added all the same`() throws {
    let run = try run(["users.csv": "userId,nickname,email\nbob,Bob,x\n"])
    let ending = try run("provider add staff --file users.csv")
    #expect(ending.status == 0)
    for part in ["did you mean 'nickName'?", "users.csv:2:9: warning", "[provider.invalid-value]"] {
      #expect(ending.errors.contains(part), "\(ending.errors)")
    }
  }

  @Test func `without a home nothing can be added, and the list is empty`() throws {
    let run = try TestRun()
    #expect(try run("provider list").status == 0)
    let ending = try run("provider add ldap --exec a")
    #expect(ending.status == 1)
    #expect(ending.errors.contains("neither XDG_CONFIG_HOME nor HOME"))
  }

  @Test func `a damaged list is told with its place, with 65`() throws {
    let run = try run([file: "{\"circlectlProviders\": 1,\n \"providers\": [}"])
    for line in ["provider list", "provider add a --exec b", "provider remove a", "user get bob", "user fetch bob"] {
      let ending = try run(line)
      #expect(ending.status == 65, "\(line)")
      #expect(ending.errors.contains("providers.json:2:16"), "\(ending.errors)")
    }
  }

  @Test func `two processes that add at once lose nothing`() throws {
    let folder = try TemporaryFolder()
    let environment = ["HOME": folder.path]
    let programs = try (0..<8).map { number in
      try SpawnedProgram(
        "circlectl", ["provider", "add", "p\(number)", "--exec", "true"], in: folder, environment: environment)
    }
    for program in programs { #expect(try program.wait().status == 0) }
    let list = try SpawnedProgram("circlectl", ["provider", "list"], in: folder, environment: environment).wait()
    #expect(list.output.split(separator: "\n").count == 8)
  }
}
