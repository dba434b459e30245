internal import CJansson

/// Reads the elements of a JSON array that is in memory one by one, each with the line on which it begins, so that a
/// long list is never in memory as values.
package struct JSONListReader: ~Copyable {
  /// Where the current element begins, from 1.
  package private(set) var line = 1
  package private(set) var column = 1

  private let bytes: [UInt8]
  private let longestElement: Int
  private var offset = 0
  /// What `line` and `column` belong to.
  private var counted = 0
  private var state = State.before
  private var current: UnsafeMutablePointer<json_t>?

  private enum State { case before, inside, after }

  /// - Parameter longestElement: in bytes; more is a fault.
  package init(_ bytes: [UInt8], longestElement: Int = 1 << 20) {
    self.bytes = bytes
    self.longestElement = longestElement
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      offset = 3
      counted = 3
    }
  }

  deinit {
    if let current { json_decref(current) }
  }

  /// The current element; it must not be used after the next call of `next`. nil before the first.
  package var value: JSONNode? { current.map { JSONNode($0) } }

  /// Goes to the next element.
  /// - Returns: false at the end of the list.
  /// - Throws: the first fault; nothing can be read after it.
  package mutating func next() throws(JSONFault) -> Bool {
    if let current { json_decref(current) }
    current = nil
    if state == .after { return false }
    var isFirst = false
    if state == .before {
      guard token() == UInt8(ascii: "[") else { throw stop(offset < bytes.count ? .noList : .unexpectedEnd) }
      offset += 1
      state = .inside
      isFirst = true
    }
    let byte = token()
    if byte == UInt8(ascii: "]") {
      offset += 1
      state = .after
      if token() != nil { throw stop(.textAfterValue) }
      return false
    }
    if !isFirst {
      guard byte == UInt8(ascii: ",") else { throw stop(byte == nil ? .unexpectedEnd : .syntax) }
      offset += 1
      // A comma before the closing bracket is no JSON.
      if token() == UInt8(ascii: "]") { throw stop(.syntax) }
    }
    guard let first = token() else { throw stop(.unexpectedEnd) }
    if first == UInt8(ascii: ",") { throw stop(.syntax) }
    try readElement()
    return true
  }

  private mutating func readElement() throws(JSONFault) {
    advance()
    let begin = offset
    let (line, column, longest) = (self.line, self.column, longestElement)
    var end = begin
    let loaded = bytes.withUnsafeBytes { all -> Result<UnsafeMutablePointer<json_t>, JSONFault> in
      var scan = JSONScan(all, from: begin)
      while let byte = scan.nextToken() {
        if scan.depth <= 0, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") { break }
        scan.skipToken()
        end = scan.offset
        if end - begin > longest { return .failure(JSONFault(.tooLong, line: line, column: column)) }
      }
      do throws(JSONFault) {
        let element = UnsafeRawBufferPointer(rebasing: all[begin..<end])
        return .success(try JSONDocument.load(element, line: line, column: column))
      } catch {
        return .failure(error)
      }
    }
    offset = end
    do throws(JSONFault) {
      current = try loaded.get()
    } catch {
      state = .after
      throw error
    }
  }

  private mutating func token() -> UInt8? {
    bytes.withUnsafeBytes { bytes in
      var scan = JSONScan(bytes, from: offset)
      let byte = scan.nextToken()
      offset = scan.offset
      return byte
    }
  }

  /// Brings line and column to the offset.
  private mutating func advance() {
    bytes.withUnsafeBytes { bytes in
      let part = UnsafeRawBufferPointer(rebasing: bytes[counted..<offset])
      (line, column) = jsonPlace(of: part.count, in: part, firstLine: line, firstColumn: column)
    }
    counted = offset
  }

  private mutating func stop(_ kind: JSONFault.Kind) -> JSONFault {
    advance()
    state = .after
    return JSONFault(kind, line: line, column: column)
  }
}
