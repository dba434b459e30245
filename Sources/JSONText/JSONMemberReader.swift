internal import CJansson

/// Reads the members of one JSON object that is in memory one by one, and of the lists that its caller names the
/// elements one by one, so that a long list is never in memory as values.
///
/// Each has the place at which it begins. A key that stands twice is a fault.
package struct JSONMemberReader: ~Copyable {
  /// What the reader stands on.
  package enum Step: Equatable, Sendable {
    /// A member; of a list that is read by its elements it comes before them, without a value.
    case member
    /// An element of the list that `key` names.
    case element
  }

  /// Of the member that the reader is at.
  package private(set) var key = ""
  /// Where it begins, from 1.
  package private(set) var line = 1
  package private(set) var column = 1

  private let bytes: [UInt8]
  private let lists: Set<String>
  private var offset = 0
  /// What `line` and `column` belong to.
  private var counted = 0
  private var state = State.before
  private var seen: Set<String> = []
  private var current: UnsafeMutablePointer<json_t>?

  private enum State { case before, firstMember, members, firstElement, elements, after }

  /// - Parameter lists: the keys of those members whose elements come one by one.
  package init(_ bytes: [UInt8], lists: Set<String> = []) {
    self.bytes = bytes
    self.lists = lists
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      offset = 3
      counted = 3
    }
  }

  deinit {
    if let current { json_decref(current) }
  }

  /// The value; it must not be used after the next call of `next`.
  package var value: JSONNode? { current.map { JSONNode($0) } }

  /// Goes on.
  /// - Returns: nil at the end of the object.
  /// - Throws: the first fault; nothing can be read after it.
  package mutating func next() throws(JSONFault) -> Step? {
    if let current { json_decref(current) }
    current = nil
    switch state {
    case .after: return nil
    case .firstElement, .elements:
      if try nextElement() { return .element }
    case .before:
      guard token() == UInt8(ascii: "{") else { throw stop(offset < bytes.count ? .syntax : .unexpectedEnd) }
      offset += 1
      state = .firstMember
    case .firstMember, .members: break
    }
    return try nextMember() ? .member : nil
  }

  private mutating func nextMember() throws(JSONFault) -> Bool {
    if try isAtEnd(of: UInt8(ascii: "}"), isFirst: state == .firstMember) {
      state = .after
      if token() != nil { throw stop(.textAfterValue) }
      return false
    }
    state = .members
    guard token() == UInt8(ascii: "\"") else { throw stop(offset < bytes.count ? .syntax : .unexpectedEnd) }
    try read()
    key = value?.string ?? ""
    if let current { json_decref(current) }
    current = nil
    guard seen.insert(key).inserted else {
      state = .after
      throw JSONFault(.duplicateKey, line: line, column: column)
    }
    guard token() == UInt8(ascii: ":") else { throw stop(offset < bytes.count ? .syntax : .unexpectedEnd) }
    offset += 1
    guard let first = token() else { throw stop(.unexpectedEnd) }
    if lists.contains(key), first == UInt8(ascii: "[") {
      advance()
      offset += 1
      state = .firstElement
      return true
    }
    try read()
    return true
  }

  private mutating func nextElement() throws(JSONFault) -> Bool {
    if try isAtEnd(of: UInt8(ascii: "]"), isFirst: state == .firstElement) {
      state = .members
      return false
    }
    state = .elements
    try read()
    return true
  }

  /// Goes over a comma, or over the closing bracket.
  private mutating func isAtEnd(of bracket: UInt8, isFirst: Bool) throws(JSONFault) -> Bool {
    guard let byte = token() else { throw stop(.unexpectedEnd) }
    if byte == bracket {
      offset += 1
      return true
    }
    guard !isFirst else { return false }
    guard byte == UInt8(ascii: ",") else { throw stop(.syntax) }
    offset += 1
    // A comma before the closing bracket is no JSON.
    if token() == bracket { throw stop(.syntax) }
    return false
  }

  /// Reads the value that begins at the next token.
  private mutating func read() throws(JSONFault) {
    advance()
    let begin = offset
    let (line, column) = (self.line, self.column)
    var end = begin
    let loaded = bytes.withUnsafeBytes { all -> Result<UnsafeMutablePointer<json_t>, JSONFault> in
      var scan = JSONScan(all, from: begin)
      while scan.nextToken() != nil {
        scan.skipToken()
        end = scan.offset
        if scan.depth <= 0 { break }
      }
      do throws(JSONFault) {
        let value = UnsafeRawBufferPointer(rebasing: all[begin..<end])
        return .success(try JSONDocument.load(value, line: line, column: column))
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
