import Testing

@testable import CircleCLI

struct SelectorTests {
  @Test
  func `what is left out is counted, and does not make a diff differ`() throws {
    let run = try TestRun(["m/a.yaml": twoServers])
    let ending = try run("diff m --only garden")
    #expect(ending.output.contains("left out"))
    #expect(try run("diff m --only garden -o json").output.contains("\"leftOut\": 13,\n    \"dependent\": 2"))
    #expect(try run("diff m --only kind=tag,action=delete --exit-code").status == 0)
    #expect(try run("apply m --yes --only kind=user").status == 0)
    #expect(try run("apply m --yes --only garden").status == 0)
    #expect(try run("diff m -o json").output.contains("\"create\": 6,"))
    #expect(try run("apply m --yes").status == 0)
    #expect(try run("diff m --exit-code").status == 0)
  }

  @Test(arguments: [
    ("--only gardn", 3), ("--exclude gardn", 3), ("--only kind=x", 64), ("--exclude a,,b", 64), ("--only gar*", 0),
  ])
  func `a selector that can't be meant is told`(option: String, status: Int32) throws {
    let run = try TestRun(["m/a.yaml": twoServers])
    let ending = try run("diff m \(option)")
    #expect(ending.status == status)
    if status == 3 { #expect(ending.errors.contains("Did you mean 'garden'?")) }
  }

  @Test(arguments: ["--only tag=nosuch", "--only nosuch-*", "--exclude garden,tag=nosuch", "--exclude ?,kind=tag"])
  func `a selector that fits no server draws a warning`(option: String) throws {
    let run = try TestRun(["m/a.yaml": twoServers])
    let selector = try #require(option.split(separator: " ").last)
    let ending = try run("diff m \(option)")
    #expect(
      ending.status == 0 && ending.errors.contains("warning: '\(selector)' of --only or --exclude fits no server"))
    #expect(try run("diff m \(option) -o json").output.contains("fits no server"))
    for fine in ["--only gar*", "--only tag=swift", "--exclude kind=user", "--only swift-fans,tag=ios,action=delete"] {
      #expect(try !run("diff m \(fine)").errors.contains("fits no server"), "\(fine)")
    }
  }

  @Test
  func `a saved plan holds what was chosen alone`() throws {
    let run = try TestRun(["m/a.yaml": twoServers])
    #expect(try run("diff m --only kind=user --save plan.json").status == 0)
    #expect(try run("apply plan.json --yes").status == 0)
    let info = try run("state info -o ndjson").output
    #expect(info.contains("\"users\":4,\"servers\":0"))
  }
}
