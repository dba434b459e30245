/// Converts UTF-8 that is written into another encoding, piece by piece.
package final class TextEncoder {
  /// A character that the encoding does not have, or a name that the system does not know.
  package enum Failure: Error, Equatable {
    case unknown(String)
    case cannotWrite(character: String, encoding: String)
  }

  private let name: String
  /// As the system converts into it.
  private let target: String
  private let converter: TextConverter
  /// Whether a text begins with a byte order mark, since its encoding leaves the order open.
  package let needsMark: Bool
  private var room = [UInt8](repeating: 0, count: 256 << 10)

  /// - Returns: nil for UTF-8, which needs none.
  package static func to(_ encoding: TableEncoding) throws(Failure) -> TextEncoder? {
    guard case .other(let name) = encoding else { return nil }
    return try TextEncoder(name)
  }

  private init(_ name: String) throws(Failure) {
    self.name = name
    needsMark = name == "UTF-16"
    // The system would put a mark of its own before UTF-16, and another one after a mark that was asked for.
    target = needsMark ? "UTF-16LE" : name
    guard let converter = TextConverter(from: "UTF-8", to: target) else {
      throw .unknown(name)
    }
    self.converter = converter
  }

  /// Whether the encoding has the byte order mark.
  package var hasMark: Bool {
    guard let probe = TextConverter(from: "UTF-8", to: target) else { return false }
    return room.withUnsafeMutableBytes { room in
      Array("\u{FEFF}".utf8).withUnsafeBytes { probe.convert($0, into: room).outcome == .taken }
    }
  }

  /// Lends the bytes of whole characters, converted.
  package func convert<E: Error>(
    _ text: UnsafeRawBufferPointer, failure: (Failure) -> E, _ sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    var rest = text
    while !rest.isEmpty {
      let step = room.withUnsafeMutableBytes { converter.convert(rest, into: $0) }
      rest = UnsafeRawBufferPointer(rebasing: rest[step.taken...])
      try room.withUnsafeBufferPointer { (room) throws(E) in
        try sink(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: room[..<step.filled])))
      }
      guard step.outcome == .stuck else { continue }
      let character = String(decoding: rest.prefix(4), as: UTF8.self).unicodeScalars.first.map { String($0) } ?? ""
      throw failure(.cannotWrite(character: character, encoding: name))
    }
  }

  /// What brings the encoding back to its first state at the end of a text.
  package func end<E: Error>(_ sink: (UnsafeRawBufferPointer) throws(E) -> Void) throws(E) {
    let filled = room.withUnsafeMutableBytes { converter.end(into: $0) }
    guard filled > 0 else { return }
    try room.withUnsafeBufferPointer { (room) throws(E) in
      try sink(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: room[..<filled])))
    }
  }
}
