import Testing
import Testkit

@testable import CircleCLI

struct ServerReleaseTests {
  @Test func `a released server may be taken up by another stack`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    _ = try run("apply --yes")
    #expect(try run("apply --yes --stack other").status == 65)
    for handle in ["swift-fans", "garden"] { #expect(try run("server release \(handle)").status == 0) }
    let again = try run("server release garden")
    #expect(again.status == 0)
    #expect(again.output.contains("nothing changes"))
    #expect(try run("apply --yes --stack other").status == 0)
    #expect(try run("state verify").status == 0)
    #expect(try run("state history").output.contains("server release garden"))
    #expect(try run.history().contains { $0.contains(#""command":"server release","subject":"swift-fans""#) })
  }

  @Test func `what is not there can't be released`() throws {
    let run = try TestRun()
    #expect(try run("server release nowhere").status == 3)
    #expect(run.folder.names() == [])
    _ = try run("state init")
    #expect(try run("server release nowhere").status == 3)
  }
}
