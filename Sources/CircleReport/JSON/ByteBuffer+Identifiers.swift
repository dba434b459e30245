import JSONText

extension ByteBuffer {
  /// Appends an id or a handle as a JSON string with its quotes. Those are plain ASCII; what a damaged file holds
  /// instead is escaped, and mended where it is no UTF-8.
  @inline(__always)
  mutating func append(jsonIdentifier id: UnsafeBufferPointer<UInt8>) {
    var isPlain = true
    for byte in id {
      isPlain = isPlain && byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
    guard isPlain else {
      append(jsonString: String(decoding: id, as: UTF8.self))
      return
    }
    append(UInt8(ascii: "\""))
    append(bytes: UnsafeRawBufferPointer(id))
    append(UInt8(ascii: "\""))
  }

  /// Appends a time as a JSON string with its quotes.
  mutating func append(jsonTime milliseconds: Int64) {
    append(UInt8(ascii: "\""))
    append(atMost: UTCTime.length) {
      UTCTime.write(milliseconds, to: $0)
      return UTCTime.length
    }
    append(UInt8(ascii: "\""))
  }
}
