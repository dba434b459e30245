import Glibc

/// The text of a file or a stream in UTF-8, piece by piece: unpacked where it is gzip, converted where it is in another
/// encoding. UTF-8 itself passes unchecked; who reads the rows checks it.
final class TextSource {
  enum Step {
    /// More text was given.
    case text
    case end
    /// The text given so far is all that can be had; what follows is at fault.
    case fault(TextFault)
  }

  enum TextFault: Error, Equatable {
    case system(String)
    case interrupted(Int32)
    case truncatedGzip
    case damagedGzip(String)
    /// A small file that unpacks to a huge one.
    case tightGzip
    /// The encoding can't be told by the bytes.
    case undecided
    case unknownEncoding(String)
  }

  /// Bytes that are read, unpacked and converted at a time.
  private static let piece = 1 << 20

  /// No table is packed as tightly as this; a file made to fill memory or time is. Small ones do no harm.
  static let tightest = 200
  private let harmless: Int

  private let input: ByteInput
  private var inflater: GzipInflater?
  /// What was unpacked so far, and to how much.
  private var unpacked = (from: 0, to: 0)
  private var raw: [UInt8] = []
  private var rawStart = 0
  /// Unpacked bytes that wait for conversion.
  private var plain: [UInt8] = []
  private var isFirst = true
  private var isRawAtEnd = false
  private var isAtEnd = false
  private var failure: TextFault?
  private var converter: TextConverter?
  private var output: [UInt8] = []
  /// What the file was found or told to be in; nil while it is all ASCII and nobody said.
  private(set) var encoding: TableEncoding?
  /// Whether the encoding was found, not told.
  let guesses: Bool
  private(set) var isGzip = false

  /// - Parameters:
  ///   - encoding: nil to find it out.
  ///   - harmless: to how many bytes anything may unpack.
  init(_ input: ByteInput, encoding: TableEncoding?, harmless: Int = 64 << 20) {
    self.harmless = harmless
    self.input = input
    self.encoding = encoding
    guesses = encoding == nil
  }

  /// How far the file has been read, in 1024ths; nil for a stream.
  var progress: Int? { input.size.map { $0 == 0 ? 1024 : input.position * 1024 / $0 } }

  /// Lends the next piece of text to `body`.
  func next(_ body: (UnsafeRawBufferPointer) -> Void) -> Step {
    if let failure { return .fault(failure) }
    do throws(TextFault) {
      while true {
        if isAtEnd { return .end }
        try fillPlain()
        if try give(body) { return .text }
      }
    } catch {
      failure = error
      return .fault(error)
    }
  }

  // MARK: Bytes

  /// Adds unpacked bytes behind those that wait; none at the end.
  private func fillPlain() throws(TextFault) {
    if isFirst {
      try readRaw()
      isFirst = false
      isGzip = raw.starts(with: [0x1F, 0x8B])
      if isGzip {
        do throws(GzipInflater.Fault) { inflater = try GzipInflater() } catch { throw Self.fault(error) }
      }
    }
    guard let inflater else {
      if raw.isEmpty { try readRaw() }
      if plain.isEmpty { swap(&plain, &raw) } else { plain.append(contentsOf: raw) }
      raw.removeAll(keepingCapacity: true)
      isAtEnd = isRawAtEnd
      return
    }
    let before = plain.count
    while plain.count == before {
      if rawStart == raw.count {
        try readRaw()
        if isRawAtEnd {
          do throws(GzipInflater.Fault) { try inflater.finish() } catch { throw Self.fault(error) }
          isAtEnd = true
          return
        }
      }
      try inflate(inflater)
    }
  }

  private func inflate(_ inflater: GzipInflater) throws(TextFault) {
    let start = plain.count
    plain.append(contentsOf: [UInt8](repeating: 0, count: Self.piece))
    let step: Result<(taken: Int, filled: Int), GzipInflater.Fault> = raw.withUnsafeBytes { raw in
      plain.withUnsafeMutableBytes { plain in
        do throws(GzipInflater.Fault) {
          return .success(
            try inflater.inflate(
              UnsafeRawBufferPointer(rebasing: raw[rawStart...]),
              into: UnsafeMutableRawBufferPointer(rebasing: plain[start...])))
        } catch {
          return .failure(error)
        }
      }
    }
    switch step {
    case .success(let done):
      rawStart += done.taken
      plain.removeLast(Self.piece - done.filled)
      unpacked.from += done.taken
      unpacked.to += done.filled
      guard unpacked.to <= max(harmless, Self.tightest * unpacked.from) else {
        throw .tightGzip
      }
    case .failure(let fault):
      plain.removeLast(Self.piece)
      throw Self.fault(fault)
    }
  }

  private func readRaw() throws(TextFault) {
    var code: Result<Int, ByteInput.Failure> = .success(0)
    raw = [UInt8](unsafeUninitializedCapacity: Self.piece) { room, count in
      do throws(ByteInput.Failure) {
        // A pipe gives little at a time.
        while count < room.count {
          let got = try input.read(
            into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: room[count...])))
          if got == 0 { break }
          count += got
        }
      } catch {
        code = .failure(error)
      }
    }
    rawStart = 0
    switch code {
    case .failure(.system(let sentence)): throw .system(sentence)
    case .failure(.interrupted(let signal)): throw .interrupted(signal)
    case .success: break
    }
    if raw.isEmpty { isRawAtEnd = true }
  }

  private static func fault(_ fault: GzipInflater.Fault) -> TextFault {
    switch fault {
    case .truncated: .truncatedGzip
    case .damaged(let sentence): .damagedGzip(sentence)
    case .memory: .system("there is not enough memory to unpack it")
    }
  }

  // MARK: Text

  private var hasGivenText = false

  /// Lends what waits as text; false when there is nothing to lend.
  private func give(_ body: (UnsafeRawBufferPointer) -> Void) throws(TextFault) -> Bool {
    if encoding == nil { try guess() }
    if isUndecided {
      if plain.isEmpty { throw .undecided }
      failure = .undecided
    }
    guard case .other(let name)? = encoding else {
      if plain.isEmpty { return false }
      plain.withUnsafeBytes { body($0) }
      plain.removeAll(keepingCapacity: true)
      hasGivenText = true
      return true
    }
    return try convert(from: name, body)
  }

  /// Takes the text before what is neither UTF-8 nor GB18030; the fault follows it.
  private var isUndecided = false

  private func guess() throws(TextFault) {
    let guess = plain.withUnsafeBufferPointer { EncodingGuess($0, isBegin: !hasGivenText, isEnd: isAtEnd) }
    switch guess {
    case .open: break
    case .found(let found): encoding = found
    case .none(let offset, let isUTF8):
      plain.removeSubrange(offset...)
      encoding = isUTF8 ? .utf8 : .other("GB18030")
      isUndecided = true
    }
  }

  private func convert(from name: String, _ body: (UnsafeRawBufferPointer) -> Void) throws(TextFault) -> Bool {
    if converter == nil {
      let (name, mark) = Self.sided(name, plain)
      encoding = .other(name)
      plain.removeFirst(mark)
      guard let made = TextConverter(from: name, to: "UTF-8") else { throw .unknownEncoding(name) }
      converter = made
    }
    guard let converter else { return false }
    if output.isEmpty { output = [UInt8](repeating: 0, count: 4 * Self.piece) }
    let done = plain.withUnsafeBytes { plain in
      output.withUnsafeMutableBytes { output in convert(plain, into: output, with: converter, unit: Self.unit(of: name))
      }
    }
    plain.removeFirst(done.taken)
    if done.filled > 0 {
      output.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<done.filled])) }
      hasGivenText = true
    }
    if done.isFull { isAtEnd = false }
    return done.filled > 0
  }

  /// What stands for bytes that are no character: a byte that no UTF-8 has, so that who reads the rows refuses this one,
  /// then these bytes in digits.
  static let mark: UInt8 = 0xFF

  private func convert(
    _ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer, with converter: TextConverter, unit: Int
  ) -> (taken: Int, filled: Int, isFull: Bool) {
    let widest = 1 + 4 * unit
    var (taken, filled) = (0, 0)
    while filled + widest < room.count {
      let step = converter.convert(
        UnsafeRawBufferPointer(rebasing: bytes[taken...]),
        into: UnsafeMutableRawBufferPointer(rebasing: room[filled..<room.count - widest]))
      taken += step.taken
      filled += step.filled
      switch step.outcome {
      case .full: return (taken, filled, true)
      case .taken where !isAtEnd || taken == bytes.count: return (taken, filled, false)
      case .taken, .stuck: break
      }
      guard taken < bytes.count else { return (taken, filled, false) }
      // At the end of the file a character may be cut off.
      let count = step.outcome == .taken ? bytes.count - taken : min(unit, bytes.count - taken)
      room[filled] = Self.mark
      filled += 1
      for byte in bytes[taken..<taken + min(count, unit)] {
        for digit in "\\x\(hexadecimal(byte))".utf8 {
          room[filled] = digit
          filled += 1
        }
      }
      taken += count
    }
    return (taken, filled, true)
  }

  /// How many bytes are passed over to come to the next character.
  private static func unit(of name: String) -> Int {
    if name.hasPrefix("UTF-16") || name.hasPrefix("UCS-2") || name.hasPrefix("UTF16") || name.hasPrefix("UCS2") {
      return 2
    }
    if name.hasPrefix("UTF-32") || name.hasPrefix("UCS-4") || name.hasPrefix("UTF32") || name.hasPrefix("UCS4") {
      return 4
    }
    return 1
  }

  /// The name with its byte order, and the bytes of the mark.
  private static func sided(_ name: String, _ bytes: [UInt8]) -> (name: String, mark: Int) {
    let isBig = bytes.starts(with: [0xFE, 0xFF])
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    switch name {
    case "UTF-16": return (isBig ? "UTF-16BE" : "UTF-16LE", isBig || isLittle ? 2 : 0)
    case "UTF-16LE": return (name, isLittle ? 2 : 0)
    case "UTF-16BE": return (name, isBig ? 2 : 0)
    default: return (name, 0)
    }
  }
}

/// Two digits.
func hexadecimal(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16, uppercase: true)
  return digits.utf8.count == 1 ? "0\(digits)" : digits
}
