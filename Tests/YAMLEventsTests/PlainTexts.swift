import Testkit

extension SplitMix {
  /// Whether something that happens once in so many times happens.
  mutating func once(in times: UInt64) -> Bool { next() % times == 0 }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

  mutating func pick(_ pieces: [StaticString]) -> StaticString { pieces[below(pieces.count)] }
}

/// Makes random texts in the plain part of YAML and just outside of it.
struct PlainTexts {
  private var random: SplitMix
  private var bytes: [UInt8] = []
  /// Once in how many times something odd is written.
  private var oddness: UInt64 = 1

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  private static let words: [StaticString] = [
    "a", "u0000001", "name", "http://x", "a:b", "x#y", "a b", "don't", "社区", "Nick 1 昵称", "👩‍💻", "é", "-1", "-a",
    "~", "<<", "1.5", "a, b", "x-y", "a - b", "...", "--", "a  b", "a\"b", "a\\b", ".", "a::b", "=",
  ]
  private static let quoted: [StaticString] = [
    "\"a\"", "'a'", "\"\"", "''", "\"a: b\"", "' # '", "\"社区, x\"", "'\\'", "\" a \"", "'-'", "'👩'", "\"it's\"",
  ]
  private static let odd: [StaticString] = [
    "''''", "'a''b'", "\"\\n\"", "\"a", "'a", "&x", "*x", "&x a", "!t a", "|", ">", "? x", "- b", "-", ":", "a: b",
    "a:", "a :", "[", "]", "[x", "{", "}", "{a", "[a, [b]]", "[a: b]", "{a}", "{a: }", "{a:b}", "[a:, b]", "[a?b]",
    "[#a]", "[a #b]", "[a]b", "[a]#c", "[a] b", "[a]: b", "{}: b", "[,]", "[-]", "[- a]", "[-a]", "[a, -]", "[?a]",
    "{\"a\":b}", "{a: b, a: }", "[a,,b]", "\"a\"b", "\"a\"#b", "'a' b", "@", "`", "%", "%a", "a\tb", "\t", "?", "?x",
    ":x", "#", "#x", ",", "\u{85}", "\u{2028}", "\u{FEFF}", "\0", "\r", "\u{7F}", "\u{80}", "\u{FFFE}", "---", "--- a",
    "---a", "..a", "[http://x]", "[a:b]", "[a:]", "{a: b:}", "{a: b: c}", "[\"a\"b]", "[a b , c ]", "[a}", "{a: b]",
    "[']']", "[a'b]", "[\"a\" ]", "[!a]", "[a!]", "{? a: b}", "[a, #b", "{a : b}", "{ 'a' : b }", "[\"a\":b]",
  ]
  private static let spaces: [StaticString] = [" ", " ", " ", "  ", "    "]
  private static let rest: [StaticString] = ["", "", "", "", " ", "   ", " # c", " #", "  # a: b 社"]
  private static let between: [StaticString] = ["\n", "  \n", "# c\n", "    # - a\n", "#\n", "\n\n", "         \n"]

  /// The next text.
  mutating func next() -> [UInt8] {
    bytes.removeAll(keepingCapacity: true)
    oddness = [1_000_000, 40, 12, 4][random.below(4)]
    if random.once(in: 8) { betweenLines() }
    if random.once(in: 4) {
      list(indent: 0, depth: 0, isOpen: false)
    } else {
      mapping(indent: 0, depth: 0, isOpen: false)
    }
    if random.once(in: 4), bytes.last == 0x0A { bytes.removeLast() }
    for _ in 0..<[0, 0, 1, 1, 2, 6][random.below(6)] { mutate() }
    return bytes
  }

  private mutating func write(_ piece: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: piece.utf8Start, count: piece.utf8CodeUnitCount))
  }

  private mutating func indent(_ count: Int) {
    let count = random.once(in: oddness) ? max(0, count + random.below(5) - 2) : count
    bytes.append(contentsOf: repeatElement(0x20, count: count))
  }

  private mutating func endLine() {
    write(random.pick(Self.rest))
    write("\n")
    if random.once(in: 8) { betweenLines() }
  }

  private mutating func betweenLines() { write(random.pick(Self.between)) }

  /// - Parameter isOpen: Whether the first line's indentation stands already.
  private mutating func mapping(indent column: Int, depth: Int, isOpen: Bool) {
    for number in 0..<1 + random.below(4) {
      if number > 0 || !isOpen { indent(column) }
      scalar()
      if random.once(in: 16) { write(" ") }
      write(":")
      value(indent: column, depth: depth, isEntry: false)
    }
  }

  private mutating func list(indent column: Int, depth: Int, isOpen: Bool) {
    for number in 0..<1 + random.below(4) {
      if number > 0 || !isOpen { indent(column) }
      write("-")
      value(indent: column, depth: depth, isEntry: true)
    }
  }

  private mutating func value(indent column: Int, depth: Int, isEntry: Bool) {
    let deeper = column + 1 + random.below(4)
    switch random.below(depth > 4 ? 9 : 14) {
    case 0..<6:
      write(random.pick(Self.spaces))
      scalar()
      endLine()
    case 6: endLine()
    case 7, 8:
      write(random.pick(Self.spaces))
      flow()
      endLine()
    case 9, 10:
      endLine()
      mapping(indent: deeper, depth: depth + 1, isOpen: false)
    case 11:
      endLine()
      list(indent: deeper, depth: depth + 1, isOpen: false)
    case 12 where isEntry, 13 where isEntry:
      bytes.append(contentsOf: repeatElement(0x20, count: deeper - column))
      let inner = deeper + 1
      if random.once(in: 2) {
        mapping(indent: inner, depth: depth + 1, isOpen: true)
      } else {
        list(indent: inner, depth: depth + 1, isOpen: true)
      }
    default:
      endLine()
      list(indent: column, depth: depth + 1, isOpen: false)
    }
  }

  private mutating func scalar() {
    if random.once(in: oddness) {
      write(random.pick(Self.odd))
    } else if random.once(in: 5) {
      write(random.pick(Self.quoted))
    } else if random.once(in: 400) {
      let length = 990 + random.below(60)
      bytes.append(contentsOf: repeatElement(0x78, count: length))
    } else {
      write(random.pick(Self.words))
    }
  }

  private mutating func flow() {
    let isList = random.once(in: 2)
    write(isList ? "[" : "{")
    let count = random.below(4)
    for number in 0..<count {
      if number > 0 { write(random.once(in: 6) ? "," : ", ") }
      scalar()
      if !isList {
        write(": ")
        scalar()
      }
      if random.once(in: 8) { write(" ") }
    }
    if random.once(in: 12) { write(", ") }
    write(isList ? "]" : "}")
  }

  /// Damages the text in one place.
  private mutating func mutate() {
    let place = random.below(bytes.count)
    guard place < bytes.count else { return }
    switch random.below(8) {
    case 0: bytes[place] ^= 1 << UInt8(random.below(8))
    case 1: bytes.remove(at: place)
    case 2: bytes.removeSubrange(place..<min(bytes.count, place + random.below(6)))
    case 3: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
    case 4: bytes.insert([0x0A, 0x20, 0x2D, 0x3A, 0x23, 0x27, 0x22, 0x5B, 0x5D, 0x2C][random.below(10)], at: place)
    case 5: bytes.insert(contentsOf: odd(), at: place)
    case 6 where random.once(in: 4): bytes.removeSubrange(place...)
    default: moveLine(from: place, to: random.below(bytes.count))
    }
  }

  private mutating func odd() -> [UInt8] {
    let piece = random.pick(Self.odd)
    return Array(UnsafeBufferPointer(start: piece.utf8Start, count: piece.utf8CodeUnitCount))
  }

  private mutating func moveLine(from place: Int, to target: Int) {
    let start = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let end = bytes[place...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
    let line = Array(bytes[start..<end])
    let before = bytes[..<target].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    if before <= start || before >= end {
      bytes.removeSubrange(start..<end)
      bytes.insert(contentsOf: line, at: before <= start ? before : before - line.count)
    }
  }
}
