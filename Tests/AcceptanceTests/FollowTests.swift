import Glibc
import Testing
import Testkit

/// Events as they come, from one process to another.
@Suite struct FollowTests {
  /// Waits until the file has so many lines, at most five seconds.
  private static func lines(_ count: Int, of name: String, in scene: Scene) throws -> [Substring] {
    for _ in 0..<500 {
      let lines = scene.folder.exists(name) ? try scene.folder.read(name).split(separator: "\n") : []
      if lines.count >= count { return lines }
      usleep(10_000)
    }
    return try scene.folder.read(name).split(separator: "\n")
  }

  @Test func `events list --follow tells what another process does, to whom it concerns`() throws {
    let scene = try Club.applied()
    let before = try scene("events list -o ndjson").output.split(separator: "\n").count
    let all = try scene.start("events list --since \(before) --follow -o ndjson", output: "all")
    let one = try scene.start(
      "events list --since \(before) --follow --recipient u05 -o ndjson --expand-audience", output: "one")
    try scene.edit("club/club.yaml", "      - u05\n", "")
    #expect(try scene("apply club --yes").status == 0)
    #expect(try Self.lines(2, of: "all", in: scene).count == 2)
    let heard = try Self.lines(1, of: "one", in: scene)
    #expect(heard.count == 1 && heard[0].contains("onMemberRemovedFromServer") && heard[0].contains("\"users\":["))
    all.send(SIGINT)
    one.send(SIGTERM)
    #expect(try all.wait().status == 130)
    #expect(try one.wait().status == 143)
  }

  @Test func `a state that is not there yet is waited for, and a limit ends the wait`() throws {
    let scene = try Club.scene()
    let follower = try scene.start("events list --follow --limit 2 --name onMemberJoinedServer", output: "events")
    #expect(try scene("apply club --yes").status == 0)
    #expect(try follower.wait().status == 0)
    #expect(try scene.folder.read("events").split(separator: "\n").count == 2)
  }

  @Test(arguments: ["-o json", "--report ndjson=events.ndjson"])
  func `what has an end can't follow`(_ options: String) throws {
    let scene = try Club.scene()
    #expect(try scene("events list --follow \(options)").status == 64)
  }

  @Test(arguments: [false, true])
  func `a state that is removed or replaced ends it, with what was written before`(isReplaced: Bool) throws {
    let scene = try Club.applied()
    let bytes = try scene.folder.bytes("circle.db")
    let all = try scene("events list -o ndjson").output.split(separator: "\n").count
    let follower = try scene.start("events list --follow -o ndjson", output: "all")
    #expect(try Self.lines(all, of: "all", in: scene).count == all)
    #expect(unlink(scene.folder.path("circle.db")) == 0)
    if isReplaced { try scene.folder.write(bytes, to: "circle.db") }
    let ending = try follower.wait()
    #expect(ending.status == 1)
    #expect(ending.errors.contains("was \(isReplaced ? "replaced by another" : "removed") while it was followed"))
  }
}
