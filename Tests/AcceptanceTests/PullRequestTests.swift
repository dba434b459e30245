import Testing
import Testkit

/// The story of a pull request, played by a script in a git repository of its own.
struct PullRequestTests {
  @Test func `the story of a pull request ends well`() throws {
    let folder = try TemporaryFolder()
    let story = "\(CIDocument.root)/Tests/Stories/pull-request.sh"
    let ending = try SpawnedProgram(
      "/usr/bin/timeout", ["-s", "KILL", "120", "/bin/bash", story, folder.path("story")], in: folder,
      environment: ["PATH": "\(SpawnedProgram.binaries):/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    ).wait()
    #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
    #expect(ending.output.contains("The story ends well"))
  }
}
