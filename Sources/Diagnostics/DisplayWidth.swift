/// How many cells of a terminal the text takes: 2 for East Asian wide and for emoji, 0 for combining and invisible
/// characters and for controls, 1 for all others. Tables of Unicode decide, never the locale. Characters of ambiguous
/// width count as 1.
package func displayWidth(_ text: some StringProtocol) -> Int {
  let plain = text.utf8.withContiguousStorageIfAvailable { bytes in
    bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }
  if plain == true { return text.utf8.count }
  var cells = CellCounter()
  return text.unicodeScalars.reduce(0) { $0 + cells.advance(over: $1) }
}

/// On which side `padded` puts the text.
package enum Alignment: Sendable {
  case left
  case right
  case centre
}

/// The text with spaces up to a display width; what is wider already comes back as it is.
package func padded(_ text: some StringProtocol, to width: Int, _ alignment: Alignment = .left) -> String {
  let missing = width - displayWidth(text)
  guard missing > 0 else { return String(text) }
  let before =
    switch alignment {
    case .left: 0
    case .right: missing
    case .centre: missing / 2
    }
  return String(repeating: " ", count: before) + text + String(repeating: " ", count: missing - before)
}

/// The text cut to a display width, with `…` as its last cell when something was cut; no character is halved.
package func truncated(_ text: some StringProtocol, to width: Int) -> String {
  guard displayWidth(text) > width else { return String(text) }
  guard width > 0 else { return "" }
  var cells = CellCounter()
  var used = 0
  var cut = text.startIndex
  let scalars = text.unicodeScalars
  for index in scalars.indices {
    used += cells.advance(over: scalars[index])
    if used > width - 1 { break }
    cut = scalars.index(after: index)
  }
  return text[..<cut] + "…"
}

/// Walks over scalars and says how many cells each adds, seeing that an emoji made of several scalars takes two in all.
struct CellCounter {
  private enum Previous {
    case other
    /// An emoji that took one cell so far: U+FE0F makes it two.
    case narrowEmoji
    case wideEmoji
    case joiner
  }

  private var previous = Previous.other

  mutating func advance(over scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0xA0 {
      let visible = value >= 0x20 && value < 0x7F
      previous = .other
      return visible ? 1 : 0
    }
    switch value {
    case 0x200D where previous != .other:
      previous = .joiner
      return 0
    case 0xFE0F where previous == .narrowEmoji:
      previous = .wideEmoji
      return 1
    case 0x1F3FB...0x1F3FF where previous == .wideEmoji:
      return 0
    case 0x1F3FB...0x1F3FF where previous == .narrowEmoji:
      previous = .wideEmoji
      return 1
    default:
      break
    }
    let width = Self.width(of: scalar)
    if width == 0 { return 0 }
    guard value >= 0x203C, scalar.properties.isEmoji else {
      previous = .other
      return width
    }
    if previous == .joiner {
      previous = .wideEmoji
      return 0
    }
    previous = width == 2 ? .wideEmoji : .narrowEmoji
    return width
  }

  /// The width of a scalar from U+00A0 on that stands alone.
  private static func width(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return value == 0xAD ? 0 : 1 }
    if isWide(value) { return 2 }
    // Vowels and final consonants of conjoining Hangul are drawn into the syllable that the first consonant begins.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator, .control: return 0
    default: break
    }
    // Two regional indicators make one flag, so each takes one cell.
    if scalar.properties.isEmojiPresentation, !(0x1F1E6...0x1F1FF).contains(value) { return 2 }
    return 1
  }

  private static func isWide(_ value: UInt32) -> Bool {
    if value < 0x1100 { return false }
    var low = 0
    var high = wide.count
    while low < high {
      let middle = (low + high) / 2
      if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(value) && !(0x302A...0x302D).contains(value)
      && value != 0x3099 && value != 0x309A
  }

  /// East Asian Wide and Fullwidth by block, sorted; emoji outside these blocks are known by their own property.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F,  // Hangul first consonants
    0x2329...0x232A,  // angle brackets
    0x2E80...0x303E,  // radicals, ideographic description, CJK punctuation
    0x3041...0x3247,  // kana, Bopomofo, compatibility Jamo, enclosed CJK
    0x3250...0x33FF,  // enclosed and squared CJK
    0x3400...0x4DBF,  // ideographs, extension A
    0x4DC0...0x4DFF,  // hexagrams
    0x4E00...0xA4CF,  // ideographs, Yi
    0xA960...0xA97F,  // Hangul first consonants, extended
    0xAC00...0xD7A3,  // Hangul syllables
    0xF900...0xFAFF,  // compatibility ideographs
    0xFE10...0xFE19,  // vertical forms
    0xFE30...0xFE6F,  // compatibility and small forms
    0xFF01...0xFF60,  // fullwidth forms
    0xFFE0...0xFFE6,  // fullwidth signs
    0x16FE0...0x16FE3,  // ideographic symbols
    0x16FF0...0x16FF6,  // Vietnamese reading marks
    0x17000...0x18DFF,  // Tangut, Khitan
    0x1AFF0...0x1B2FF,  // kana supplements, Nushu
    0x1D300...0x1D376,  // Tai Xuan Jing, counting rods
    0x1F200...0x1F265,  // enclosed ideographs
    0x20000...0x3FFFD,  // ideographs, extensions B and later
  ]
}
