/// Reads the elements of a JSON array that is in memory one by one, each with the line on which it begins, so that a
/// long list is never in memory as values.
package struct JSONListReader: ~Copyable {
  private var walk: JSONWalk
  private let longestElement: Int
  private var state = State.before

  private enum State { case before, inside, after }

  /// - Parameter longestElement: in bytes; more is a fault.
  package init(_ bytes: [UInt8], longestElement: Int = 1 << 20) {
    walk = JSONWalk(bytes)
    self.longestElement = longestElement
  }

  /// Where the current element begins, from 1.
  package var line: Int { walk.line }
  package var column: Int { walk.column }

  /// The current element; it must not be used after the next call of `next`. nil before the first.
  package var value: JSONNode? { walk.value }

  /// Goes to the next element.
  /// - Returns: false at the end of the list.
  /// - Throws: the first fault; nothing can be read after it.
  package mutating func next() throws(JSONFault) -> Bool {
    walk.forget()
    if state == .after { return false }
    let isFirst = state == .before
    // Whatever is thrown below, nothing is read after it.
    state = .after
    if isFirst {
      guard walk.token() == UInt8(ascii: "[") else { throw walk.unexpected(.noList) }
      walk.step()
    }
    if try walk.isAtEnd(of: UInt8(ascii: "]"), isFirst: isFirst) {
      if walk.token() != nil { throw walk.fault(.textAfterValue) }
      return false
    }
    guard let first = walk.token() else { throw walk.fault(.unexpectedEnd) }
    if first == UInt8(ascii: ",") { throw walk.fault(.syntax) }
    try walk.read(.element(longest: longestElement))
    state = .inside
    return true
  }
}
