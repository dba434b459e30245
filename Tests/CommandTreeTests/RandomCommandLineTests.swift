import CommandTree
import Testing
import Testkit

struct RandomCommandLineTests {
  private let fragments = [
    "-", "--", "=", "-h", "--help", "--version", "help", "diff", "plan", "shelf", "move", "list", "copy", "--by",
    "--by=",
    "--store", "--store=", "-o", "-ojson", "-qv", "-qo=text", "--no-color", "--no-", "--only", "--as", "a", "", " ",
    "-5",
    "中文", "\u{301}", "\u{0}", "\u{1F469}\u{200D}\u{1F373}", "-\u{301}", "--=", "---", "=-",
  ]

  @Test
  func `no command line crashes`() {
    let seed: UInt64 = 20_261
    var generator = SplitMix(seed: seed)
    for _ in 0..<10_000 {
      let words = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
        (0..<Int.random(in: 1...2, using: &generator)).map { _ in
          fragments[Int.random(in: 0..<fragments.count, using: &generator)]
        }.joined()
      }
      #expect(!outcome(words).isEmpty, "seed \(seed), words \(words)")
    }
  }
}
