import Testing
import Testkit

@testable import CircleCLI

struct ExportTests {
  @Test func `an export applied to an empty state gives an identical export`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    _ = try run("apply --yes")
    let export = try run("export")
    #expect(export.status == 0)
    #expect(export.errors == "")
    try run.folder.write(export.output, to: "export.yaml")
    #expect(try run("apply export.yaml --yes --state other.db").status == 0)
    #expect(try run("export --state other.db").output == export.output)
    #expect(try run("diff export.yaml --exit-code").status == 0)
  }

  @Test func `servers are chosen by name, stack, or all`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    _ = try run("apply --yes")
    let named = try run("export garden garden")
    #expect(named.output.contains("garden:"))
    #expect(!named.output.contains("swift-fans:"))
    #expect(named.output.contains("carol:"), "all users are written")
    #expect(try run("export --stack other").output.contains("servers:") == false)
    #expect(try run("server release garden").status == 0)
    #expect(try run("export").output.contains("garden:") == false)
    #expect(try run("export --all").output.contains("garden:"))
    #expect(try run("export nowhere").status == 3)
    #expect(try run("export Gar").output == named.output)
    try run.folder.write(twoServers.replacing("name: Garden", by: "name: Swift garden"), to: "manifests/a.yaml")
    #expect(try run("apply --yes").status == 0)
    let several = try run("export Swift")
    #expect(several.status == 3)
    #expect(several.errors.contains("garden, swift-fans"))
  }
}
