/// Manifests of a few servers and people.
struct RandomClub {
  static let handles = ["alpha", "beta", "gamma", "delta"]
  static let people = (0..<10).map { "user\($0)" }
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(truncatingIfNeeded: state >> 33) % bound
  }

  private mutating func some(_ values: [String]) -> String {
    "[\(values.filter { _ in below(2) == 0 }.joined(separator: ", "))]"
  }

  mutating func manifest() -> String {
    var text = "version: 1\nusers:\n  boss: {devices: [mac, phone]}\n"
    for name in Self.people {
      text += "  \(name): {sign: s\(below(3))\(below(4) == 0 ? ", devices: [d\(below(3))]" : "")}\n"
    }
    text += "servers:\n  always: {name: Always, owner: boss}\n"
    for handle in Self.handles where below(4) > 0 {
      text += "  \(handle):\n    name: \(handle) \(below(2))\n    owner: boss\n"
      if below(2) == 0 { text += "    desc: text \(below(3))\n" }
      if below(2) == 0 { text += "    tags: \(some(["a", "b", "c", "d"]))\n" }
      if below(2) == 0 { text += "    moderators: \(some(Self.people))\n" }
      if below(4) > 0 {
        text += "    members: \(some(Self.people))\n"
        if below(2) == 0 { text += "    membership: \(["managed", "exact", "additive"][below(3)])\n" }
      }
      if below(2) == 0 { text += "    join: \(["direct", "invite"][below(2)])\n" }
      if below(3) == 0 { text += "    welcome: hello \(below(3))\n" }
    }
    return text
  }
}
