import Testing
import Testkit

@testable import CircleCLI

struct ProjectTests {
  private static let project = """
    state: team.db
    stack: team
    paths: [communities]
    guards: {max-removals: 50%}
    output: json

    """

  @Test func `circlectl yaml gives defaults, and options win`() throws {
    let run = try TestRun(["circlectl.yaml": Self.project, "communities/a.yaml": twoServers])
    let ending = try run("apply --yes")
    #expect(ending.status == 0)
    #expect(ending.output.first == "{")
    #expect(run.folder.names() == ["circlectl.yaml", "communities", "team.db"])
    #expect(try run("state history").output.contains("\"50%\""))
    #expect(try run("state history").output.contains("\"team\""))
    #expect(try run("diff -o text").output.contains("Nothing changes"))
    #expect(try run("diff --stack default").status == 65)
    #expect(try run("export").output.contains("swift-fans"), "an export is a manifest whatever the default output is")
    #expect(try run("state info --state other.db").errors.contains("other.db"))
    run.environment["CIRCLECTL_STATE"] = "env.db"
    #expect(try run("state info").errors.contains("env.db"))
  }

  @Test func `a fault in it is 65, told with its place, but for help and version`() throws {
    let run = try TestRun(["circlectl.yaml": "stat: x.db\n", "manifests/a.yaml": twoServers])
    let ending = try run("diff")
    #expect(ending.status == 65)
    #expect(run.shown(ending.errors).contains("TEST/circlectl.yaml:1:1: error: unknown key 'stat'"))
    #expect(try run("version").status == 0)
    #expect(try run("help diff").status == 0)
  }

  @Test func `its folder of manifests may be the current one, and it is no manifest itself`() throws {
    let run = try TestRun(["circlectl.yaml": "paths: ['.']\n", "a.yaml": twoServers])
    #expect(try run("apply --yes").status == 0)
  }
}
