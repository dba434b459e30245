import Testing

@testable import CircleCLI

struct TagRemoveTests {
  @Test func `tags go by name or id, all or none`() throws {
    let circle = try TestCircle()
    let id = try #require(circle.values("tagId", of: "tag", "tag add pub cake").first)
    let unknown = try circle("tag remove pub tea pie")
    #expect(unknown.status == 3)
    #expect(unknown.errors.contains("no tag 'pie'"))
    #expect(!unknown.errors.contains("Did you mean"))
    #expect(try circle.values("name", of: "tag", "tag remove pub \(id) tea tea") == ["cake", "tea"])
    #expect(try circle.records("tag", "tag list pub").isEmpty)
  }

  @Test func `a name wins over another tag's id`() throws {
    let circle = try TestCircle()
    let id = try #require(circle.values("tagId", of: "tag", "tag add pub x").first)
    let name = String(id.prefix(20))
    #expect(try circle("tag add pub \(name)").status == 0)
    #expect(try circle.values("name", of: "tag", "tag remove pub \(name)") == [name])
  }

  @Test func `eleven tags in one call are too many`() throws {
    let ending = try TestCircle()("tag remove pub 1 2 3 4 5 6 7 8 9 10 11")
    #expect(ending.status == 3)
    #expect(ending.errors.contains("queryParamReachesLimit 112"))
  }
}
