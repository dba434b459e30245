import Glibc

/// Turns the lines and columns that libyaml counts into those that an editor shows.
///
/// libyaml begins a new line at NEL (U+0085), LS (U+2028) and PS (U+2029) too, editors only at LF, CR LF and CR. Texts
/// with none of the three, nearly all, need no correction and cost a glance.
struct LineCorrections {
  /// A line of libyaml's that an editor shows as the rest of the line before.
  private struct Continuation {
    var yamlLine: Int
    var line: Int
    var column: Int
  }

  /// More are not kept, so that a text of nothing but such characters does not fill the memory: past them the lines
  /// are libyaml's, less those corrected so far.
  private static let maximum = 100_000

  private var continuations: [Continuation] = []

  /// Whether there is nothing to correct.
  var isEmpty: Bool { continuations.isEmpty }

  /// The byte at which the directive line stands that is one too many; see `maximumDirectives`.
  private(set) var excessDirective: Int?

  /// libyaml takes time quadratic in the number of `%TAG` directives, so a text may hold this many lines that begin
  /// with `%`: nobody writes more than a few.
  static let maximumDirectives = 1000

  init(_ bytes: UnsafeRawBufferPointer, encoding: TextEncoding) {
    if encoding == .utf8, Self.isOrdinary(bytes) { return }
    var (yamlLine, line, column, directives) = (0, 0, 0, 0)
    var points = CodePoints(bytes, encoding: encoding)
    var isLineStart = true
    var previous: UInt32 = 0
    var offset = points.offset
    while let point = points.next() {
      switch point {
      case 0x0A where previous == 0x0D: break
      case 0x0A, 0x0D:
        (yamlLine, line, column, isLineStart) = (yamlLine + 1, line + 1, 0, true)
      case 0x85, 0x2028, 0x2029:
        (yamlLine, column, isLineStart) = (yamlLine + 1, column + 1, true)
        if continuations.count < Self.maximum {
          continuations.append(Continuation(yamlLine: yamlLine, line: line, column: column))
        }
      default:
        if isLineStart, point == 0x25 {
          directives += 1
          if directives > Self.maximumDirectives, excessDirective == nil { excessDirective = offset }
        }
        (column, isLineStart) = (column + 1, false)
      }
      (previous, offset) = (point, points.offset)
    }
  }

  /// The place from 1 that an editor shows for a place from 0 of libyaml's.
  func place(yamlLine: Int, column: Int) -> (line: Int, column: Int) {
    if continuations.isEmpty { return (yamlLine + 1, column + 1) }
    var (low, high) = (0, continuations.count)
    while low < high {
      let middle = (low + high) / 2
      if continuations[middle].yamlLine <= yamlLine { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return (yamlLine + 1, column + 1) }
    let last = continuations[low - 1]
    if last.yamlLine == yamlLine { return (last.line + 1, last.column + column + 1) }
    return (yamlLine - last.yamlLine + last.line + 1, column + 1)
  }

  /// The place from 1 of the character that begins at a byte or, when the byte is within one, of that character.
  static func place(
    ofByte target: Int, in bytes: UnsafeRawBufferPointer, encoding: TextEncoding
  ) -> (line: Int, column: Int) {
    var (line, column) = (1, 1)
    var points = CodePoints(bytes, encoding: encoding)
    var previous: UInt32 = 0
    while let point = points.next(), points.offset <= target {
      switch point {
      case 0x0A where previous == 0x0D: break
      case 0x0A, 0x0D: (line, column) = (line + 1, 1)
      default: column += 1
      }
      previous = point
    }
    return (line, column)
  }

  /// The column from 1 after the last character of a text that ends without a line break; nil when it ends with one
  /// or is empty.
  static func columnAfterOpenLine(of bytes: UnsafeRawBufferPointer, encoding: TextEncoding) -> Int? {
    let isBreak = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
    var start = 0
    if encoding == .utf8 {
      start = bytes.lastIndex(where: isBreak).map { $0 + 1 } ?? 0
    } else {
      let (low, high) = encoding == .utf16le ? (0, 1) : (1, 0)
      start = bytes.count & ~1
      while start > 0, !isBreak(bytes[start - 2 + low]) || bytes[start - 2 + high] != 0 { start -= 2 }
    }
    var points = CodePoints(bytes, encoding: encoding, from: start)
    var (column, last) = (1, UInt32(0x0A))
    while let point = points.next() { (column, last) = (column + 1, point) }
    return [0x0A, 0x85, 0x2028, 0x2029].contains(last) ? nil : column
  }

  /// Whether UTF-8 text has no NEL, LS or PS and few percent signs at the beginning of a line.
  static func isOrdinary(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var directives = 0
    return !contains(0xC2, in: bytes) { $0.count >= 2 && $0[1] == 0x85 }
      && !contains(0xE2, in: bytes) { $0.count >= 3 && $0[1] == 0x80 && ($0[2] == 0xA8 || $0[2] == 0xA9) }
      && !contains(UInt8(ascii: "%"), in: bytes) { rest in
        let offset = bytes.count - rest.count
        if offset == 0 || bytes[offset - 1] == 0x0A || bytes[offset - 1] == 0x0D { directives += 1 }
        return directives > maximumDirectives
      }
  }

  /// Whether what begins with one of the bytes equal to `byte` is what is looked for.
  private static func contains(
    _ byte: UInt8, in bytes: UnsafeRawBufferPointer, where isFound: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    var rest = bytes
    while let start = rest.baseAddress, let hit = memchr(start, Int32(byte), rest.count) {
      rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(hit) - start)...])
      if isFound(rest) { return true }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
    }
    return false
  }
}
