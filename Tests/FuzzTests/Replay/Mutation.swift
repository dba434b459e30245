import Testkit

/// Words that mean something to a target, one a line in quotation marks, as libFuzzer reads them.
struct Dictionary {
  private(set) var words: [[UInt8]] = []

  init(text: String) {
    for line in text.split(separator: "\n") where line.hasPrefix("\"") {
      var word: [UInt8] = []
      var rest = Array(line.utf8).dropFirst().dropLast()
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
          word.append(byte)
          continue
        }
        if next == UInt8(ascii: "x"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
          word.append(value)
          rest = rest.dropFirst(2)
        } else {
          word.append(next)
        }
      }
      words.append(word)
    }
  }

  /// One of the texts with a few changes.
  func mutation(of corpus: [[UInt8]], _ random: inout SplitMix) -> [UInt8] {
    var bytes = corpus.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes, corpus, &random) }
    return bytes
  }

  private func change(_ bytes: inout [UInt8], _ corpus: [[UInt8]], _ random: inout SplitMix) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 0...8, using: &random))
    switch Int.random(in: 0..<8, using: &random) {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes.insert(.random(in: 0...255, using: &random), at: place)
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 4:
      let other = corpus.randomElement(using: &random) ?? []
      let from = Int.random(in: 0...other.count, using: &random)
      bytes.replaceSubrange(place..<bytes.count, with: other[from...])
    case 5 where place < bytes.count: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
    default: bytes.replaceSubrange(place..<end, with: words.randomElement(using: &random) ?? [])
    }
  }
}
