import Testing

@testable import Diagnostics

@Suite struct NearestNameTests {
  private static let meant: [(name: String, candidates: [String], expected: String?)] = [
    ("moderator", ["members", "moderators", "tags"], "moderators"), ("mebmers", ["tags", "members"], "members"),
    ("Members", ["member", "members"], "members"), ("xyz", ["members", "tags"], nil), ("a", ["b", "c"], nil),
    ("a", ["ab"], "ab"), ("tga", ["tag", "tags"], "tag"), ("", ["a"], nil), ("tags", [], nil),
    ("名子", ["名字"], "名字"), ("ÄPFEL", ["äpfel"], "äpfel"), ("bab", ["bob", "bib"], "bob"),
    ("handel", ["candle", "handle"], "handle"), ("x", ["", "y"], nil),
  ]

  @Test(arguments: meant)
  func `the name that was meant`(name: String, candidates: [String], expected: String?) {
    #expect(nearestName(to: name, among: candidates) == expected)
  }

  @Test func `the band gives what the whole table gives`() {
    var generator = Seeded(state: 20_260_101)
    for _ in 0..<3000 {
      let name = word(&generator)
      let candidates = (0..<6).map { _ in word(&generator) }
      let bound = max(name.count / 3, 1)
      let distances = candidates.map { Self.distance(Array(name), Array($0)) }
      let possible = zip(candidates, distances).filter { $1 <= bound && $1 < max($0.count, name.count) }
      let least = possible.map(\.1).min()
      #expect(
        nearestName(to: name, among: candidates) == possible.first { $0.1 == least }?.0, "\(name) in \(candidates)")
    }
  }

  @Test func `many candidates are searched`() {
    let candidates = (0..<200_000).lazy.map { "user-\($0)-name" }
    #expect(nearestName(to: "user-199999-nmae", among: candidates) == "user-199999-name")
  }

  private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state ^ state >> 29) &* 0x9E37_79B9_7F4A_7C15
    }
  }

  private func word(_ generator: inout Seeded) -> String {
    String((0..<Int.random(in: 1...9, using: &generator)).map { _ in "abc".randomElement(using: &generator) ?? "a" })
  }

  /// The whole table, as in the textbook.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var table = Array(repeating: Array(repeating: 0, count: right.count + 1), count: left.count + 1)
    for i in 0...left.count {
      for j in 0...right.count {
        if i == 0 || j == 0 {
          table[i][j] = i + j
          continue
        }
        let same = left[i - 1] == right[j - 1]
        table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (same ? 0 : 1))
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
        }
      }
    }
    return table[left.count][right.count]
  }
}
