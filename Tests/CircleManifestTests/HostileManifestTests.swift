import Diagnostics
import Testing
import Testkit
import YAMLEvents

@testable import CircleManifest

/// Input that means harm is refused in bounded time and space, and nothing at all makes the reader crash.
struct HostileManifestTests {
  @Test
  func `a billion laughs end at a million scalars`() {
    let ten = "a: &a [" + Array(repeating: "x", count: 10).joined(separator: ",") + "]\n"
    var laughs = "version: 1\nservers:\n  s:\n    ext:\n      " + ten
    for (name, inner) in zip(["b", "c", "d", "e", "f", "g", "h"], ["a", "b", "c", "d", "e", "f", "g"]) {
      let list = Array(repeating: "*\(inner)", count: 10).joined(separator: ",")
      laughs += "      \(name): &\(name) [\(list)]\n"
    }
    #expect(Reading(laughs).findings.map(\.code) == ["manifest.limit"])
  }

  @Test(arguments: [(20, false), (21, true)])
  func `aliases may bring in just as many scalars as allowed`(_ aliases: Int, _ isRefused: Bool) {
    let text = "- &a [b, c, d, e, f]\n" + String(repeating: "- *a\n", count: aliases)
    var source = NodeSource(Array(text.utf8), file: 0, maximumAliased: 100)
    var fault: YAMLFault?
    do throws(YAMLFault) {
      while source.kind != .streamEnd { try source.advance() }
    } catch {
      fault = error
    }
    #expect((fault != nil) == isRefused)
  }

  @Test
  func `empty collections and merge keys can't laugh either`() {
    var text = "version: 1\nservers:\n  s:\n    ext:\n      a0: &a0 []\n"
    var merges = "version: 1\nusers:\n  u:\n    ext:\n      m0: &m0 {x: y}\n"
    for index in 1...60 {
      text += "      a\(index): &a\(index) [*a\(index - 1), *a\(index - 1)]\n"
      merges += "      m\(index): &m\(index) {<<: [*m\(index - 1), *m\(index - 1)]}\n"
    }
    #expect(Reading(text).findings.map(\.code) == ["manifest.limit"])
    #expect(Reading(merges).findings.map(\.code) == ["manifest.limit"])
  }

  @Test(arguments: [61, 62])
  func `sixty-four levels of nesting are read, not one more`(_ inner: Int) {
    // Three mappings stand around the value of `ext`.
    let value = String(repeating: "[", count: inner) + String(repeating: "]", count: inner)
    let reading = Reading("version: 1\nservers: {s: {ext: \(value)}}\n")
    #expect(reading.findings.map(\.code) == (inner == 61 ? [] : ["manifest.limit"]))
  }

  @Test
  func `levels count across aliases, and long chains of merge keys and groups end`() {
    var text = "version: 1\nservers:\n  s:\n    ext:\n      a0: &a0 [x]\n"
    var merges = "version: 1\nusers:\n  u0: &u0 {sign: x}\n"
    var groups = "version: 1\ngroups:\n  g0: [x]\n"
    for index in 1...100 { text += "      a\(index): &a\(index) [*a\(index - 1)]\n" }
    for index in 1...5000 {
      merges += "  u\(index): &u\(index) {<<: *u\(index - 1)}\n"
      groups += "  g\(index): [\"@g\(index - 1)\"]\n"
    }
    #expect(Reading(text).findings.map(\.code) == ["manifest.limit"])
    #expect(Reading(merges).findings.map(\.code) == ["manifest.limit"])
    #expect(Reading(groups + "servers: {s: {members: ['@g5000']}}\n").members("s") == ["x"])
  }

  @Test
  func `garbage and mutated manifests never crash the reader`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix(seed: seed)
    for round in 0..<5000 {
      let bytes = round % 5 == 0 ? garbage(&random) : mutation(of: Self.valid, &random)
      let reading = Reading(bytes: bytes)
      let isSound =
        reading.diagnostics.errorCount >= reading.diagnostics.errors.count && !reading.printed.contains("\u{0}")
      #expect(isSound, "seed \(seed), round \(round)")
    }
  }

  private func garbage(_ random: inout SplitMix) -> [UInt8] {
    let letters = Array("\n\n  -:{}[],&*!|>'\"%@`#?abc01~<\t\r\u{0}é社".utf8)
    return (0..<Int.random(in: 0..<200, using: &random)).map { _ in
      Int.random(in: 0..<20, using: &random) == 0
        ? UInt8.random(in: 0...255, using: &random) : letters.randomElement(using: &random) ?? 0
    }
  }

  private func mutation(of text: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = text
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let start = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(start + Int.random(in: 0..<12, using: &random), bytes.count)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.insert(contentsOf: bytes[start..<end], at: Int.random(in: 0..<bytes.count, using: &random))
      case 2: bytes[start] = UInt8.random(in: 0...255, using: &random)
      case 3: bytes.insert(contentsOf: Self.spice.randomElement(using: &random) ?? [], at: start)
      default: bytes.swapAt(start, Int.random(in: 0..<bytes.count, using: &random))
      }
      if bytes.isEmpty { return [] }
    }
    return bytes
  }

  private static let spice: [[UInt8]] = [
    "[", "]", "{", "}", ": ", "- ", "&a ", "*a ", "*a", "<<: *a", "!!x ", "~", "\"@g\"", "? ", "|\n", ", ", "\n---\n",
    "{from: x}",
  ].map { Array($0.utf8) }

  private static let valid = Array(
    """
    version: 1
    defaults: {server: {desc: d, owner: o, absent: [z]}}
    groups:
      g: &a [x, "@h"]
      h: [y]
    users:
      x: &b {sign: hello, devices: [mac], ext: {k: [1, 2.5, true]}}
      y: {<<: *b, alias: w}
    servers:
      s: &s
        name: S 社区
        tags: [p, q]
        moderators: ["@g"]
        members: [x, y, "@h"]
        renamedFrom: [r]
        protect: true
      t: {<<: [*s], name: T, membership: exact, members: *a, renamedFrom: []}
    ---
    users: {z: }

    """.utf8)
}
