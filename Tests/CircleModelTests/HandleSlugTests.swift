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
    let plain = free(name) { _ in false }
    #expect(plain.string.utf8.count == 63)
    let second = free(name) { $0 == plain }
    #expect(second.string == String(repeating: "a", count: 61) + "-2")
  }

  @Test func `a taken slug is numbered from two`() {
    let taken: Set<Text> = ["swift", "swift-2"]
    #expect(free("Swift", taken.contains) == "swift-3")
  }

  @Test func `a name without a slug is a server with the smallest free number`() {
    let taken: Set<Text> = ["server-1"]
    #expect(free("爱好者", taken.contains) == "server-2")
  }

  @Test func `many servers of one name take a step each, and the smallest free number is found again`() {
    var free = FreeHandles()
    var taken: Set<Text> = []
    var steps = 0
    func next() -> Text {
      free.handle(for: "Swift") { handle in
        steps += 1
        return taken.contains(handle)
      }
    }
    for _ in 0..<1000 { taken.insert(next()) }
    #expect(taken.contains("swift-1000"))
    #expect(steps < 4000)
    taken.remove("swift-7")
    free.forget()
    #expect(next() == "swift-7")
  }

  private func free(_ name: Text, _ isTaken: (Text) -> Bool) -> Text {
    var handles = FreeHandles()
    return handles.handle(for: name, isTaken: isTaken)
  }
}
