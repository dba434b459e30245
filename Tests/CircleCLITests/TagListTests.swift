import Testing

@testable import CircleCLI

struct TagListTests {
  @Test func `tags come by name, with their ids`() throws {
    let circle = try TestCircle()
    #expect(try circle("tag add pub zen art").status == 0)
    #expect(try circle.values("name", of: "tag", "tag list The_pub") == ["art", "tea", "zen"])
    #expect(try circle.values("name", of: "tag", "tag list pub --prefix t --as carol") == ["tea"])
    #expect(try circle.values("name", of: "tag", "tag list pub --reverse --limit 2") == ["zen", "tea"])
    #expect(try circle("tag list pub").output.hasPrefix("TAG  ID"))
    #expect(try circle("tag list pub --prefix x").output.contains("no such tag"))
  }
}
