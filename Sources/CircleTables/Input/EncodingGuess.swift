import DelimitedText

/// Tells UTF-8, UTF-16 and GB18030 apart by the first bytes of a file that are not plain ASCII.
enum EncodingGuess: Equatable {
  /// Nothing but ASCII so far: any of them but UTF-16.
  case open
  case found(TableEncoding)
  /// None of the three fits from this offset on, up to which it is UTF-8 or else GB18030.
  case none(offset: Int, isUTF8: Bool)

  /// - Parameters:
  ///   - isBegin: whether the bytes are the beginning of the file.
  ///   - isEnd: whether they are its end too, so that no character is cut off.
  init(_ bytes: UnsafeBufferPointer<UInt8>, isBegin: Bool, isEnd: Bool) {
    if isBegin, let marked = Self.marked(bytes) ?? Self.wide(bytes) {
      self = .found(.other(marked))
      return
    }
    if isBegin, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      self = .found(.utf8)
      return
    }
    guard let first = bytes.firstIndex(where: { $0 >= 0x80 }) else {
      self = .open
      return
    }
    let tail = isEnd ? 0 : 3
    guard let invalid = firstInvalidUTF8(in: bytes, first..<bytes.count) else {
      self = .found(.utf8)
      return
    }
    // A character may be cut off at the end.
    if invalid >= bytes.count - tail, Self.isCutOff(bytes, at: invalid) {
      self = .found(.utf8)
      return
    }
    let share = Self.shareOfUTF8(bytes, from: first)
    if share.valid >= 4 * share.invalid, share.valid > 0 {
      self = .found(.utf8)
    } else if let stuck = Self.firstInvalidGB18030(in: bytes, isEnd: isEnd) {
      self = .none(offset: max(invalid, stuck), isUTF8: invalid >= stuck)
    } else {
      self = .found(.other("GB18030"))
    }
  }

  /// By the byte order mark.
  private static func marked(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard bytes.count >= 2 else { return nil }
    switch (bytes[0], bytes[1]) {
    case (0xFF, 0xFE): return "UTF-16LE"
    case (0xFE, 0xFF): return "UTF-16BE"
    default: return nil
    }
  }

  /// UTF-16 without a mark: delimiters, digits and line breaks have a zero byte, always on the same side, and one of
  /// them at least is a line break. A stray NUL in other text is none of that.
  private static func wide(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let sample = bytes.prefix(16 << 10)
    var zeros = [0, 0]
    var breaks = 0
    for offset in stride(from: 0, to: sample.count - 1, by: 2) {
      let (first, second) = (sample[offset], sample[offset + 1])
      if first == 0 { zeros[0] += 1 }
      if second == 0 { zeros[1] += 1 }
      let other = first == 0 ? second : first
      if (first == 0) != (second == 0), other == 0x0A || other == 0x0D { breaks += 1 }
    }
    let found = zeros[0] + zeros[1]
    guard zeros[0] == 0 || zeros[1] == 0, found > 1, breaks > 0 || found * 4 > sample.count else { return nil }
    return zeros[0] == 0 ? "UTF-16LE" : "UTF-16BE"
  }

  private static func isCutOff(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
    let lead = bytes[offset]
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0
    return length > bytes.count - offset && bytes[(offset + 1)...].allSatisfy { $0 & 0xC0 == 0x80 }
  }

  /// How many bytes stand in sequences of UTF-8 of three or four bytes, and how many bytes can't be UTF-8: one bad byte in
  /// a file of UTF-8 is to be named, not taken for another encoding.
  private static func shareOfUTF8(
    _ bytes: UnsafeBufferPointer<UInt8>, from first: Int
  ) -> (valid: Int, invalid: Int) {
    var share = (valid: 0, invalid: 0)
    var offset = first
    while offset < bytes.count {
      let lead = bytes[offset]
      let length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
      if lead < 0x80 {
        offset += 1
      } else if offset + length <= bytes.count, firstInvalidUTF8(in: bytes, offset..<offset + length) == nil {
        if length > 2 { share.valid += length }
        offset += length
      } else {
        share.invalid += 1
        offset += 1
      }
    }
    return share
  }

  private static func firstInvalidGB18030(in bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool) -> Int? {
    guard let converter = TextConverter(from: "GB18030", to: "UTF-8") else { return 0 }
    var rest = UnsafeRawBufferPointer(bytes)
    return withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { room in
      while !rest.isEmpty {
        let step = converter.convert(rest, into: room)
        rest = UnsafeRawBufferPointer(rebasing: rest[step.taken...])
        switch step.outcome {
        case .full: continue
        case .taken: return rest.isEmpty || !isEnd ? nil : bytes.count - rest.count
        case .stuck: return bytes.count - rest.count
        }
      }
      return nil
    }
  }
}
