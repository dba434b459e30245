import CircleModel
import Testing

struct HandleSlugTests {
  @Test(arguments: [
    ("Swift 爱好者", "swift"), ("  C++ & Rust!  ", "c-rust"), ("a--b", "a-b"), ("ALL", "all"),
  ])
  func `letters and digits are kept, other runs are one hyphen`(name: String, slug: String) {
    #expect(HandleSlug.slug(of: Text(name)) == slug)
  }

  @Test func `a slug is cut to 63 bytes, its number included`() {
    let name = Text(String(repeating: "a", count: 80))
    let plain = HandleSlug.free(for: name) { _ in false }
    #expect(plain.string.utf8.count == 63)
    let second = HandleSlug.free(for: name) { $0 == plain }
    #expect(second.string == String(repeating: "a", count: 61) + "-2")
  }

  @Test func `a taken slug is numbered from two`() {
    let taken: Set<Text> = ["swift", "swift-2"]
    #expect(HandleSlug.free(for: "Swift", isTaken: taken.contains) == "swift-3")
  }

  @Test func `a name without a slug is a server with the smallest free number`() {
    let taken: Set<Text> = ["server-1"]
    #expect(HandleSlug.free(for: "爱好者", isTaken: taken.contains) == "server-2")
  }
}
