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
  private var walk: JSONWalk
  private let lists: Set<String>
  private var state = State.before
  private var seen: Set<String> = []

  private enum State { case before, members, firstElement, elements, after }

  /// - Parameter lists: the keys of those members whose elements come one by one.
  package init(_ bytes: [UInt8], lists: Set<String> = []) {
    walk = JSONWalk(bytes)
    self.lists = lists
  }

  /// Where it begins, from 1.
  package var line: Int { walk.line }
  package var column: Int { walk.column }

  /// The value; it must not be used after the next call of `next`.
  package var value: JSONNode? { walk.value }

  /// Goes on.
  /// - Returns: nil at the end of the object.
  /// - Throws: the first fault; nothing can be read after it.
  package mutating func next() throws(JSONFault) -> Step? {
    walk.forget()
    let now = state
    // Whatever is thrown below, nothing is read after it.
    state = .after
    switch now {
    case .after: return nil
    case .firstElement, .elements:
      if try nextElement(isFirst: now == .firstElement) { return .element }
      return try nextMember(isFirst: false) ? .member : nil
    case .before:
      guard walk.token() == UInt8(ascii: "{") else { throw walk.unexpected() }
      walk.step()
      return try nextMember(isFirst: true) ? .member : nil
    case .members: return try nextMember(isFirst: false) ? .member : nil
    }
  }

  private mutating func nextMember(isFirst: Bool) throws(JSONFault) -> Bool {
    if try walk.isAtEnd(of: UInt8(ascii: "}"), isFirst: isFirst) {
      if walk.token() != nil { throw walk.fault(.textAfterValue) }
      return false
    }
    guard walk.token() == UInt8(ascii: "\"") else { throw walk.unexpected() }
    try walk.read(.value)
    key = walk.value?.string ?? ""
    walk.forget()
    guard seen.insert(key).inserted else { throw JSONFault(.duplicateKey, line: line, column: column) }
    guard walk.token() == UInt8(ascii: ":") else { throw walk.unexpected() }
    walk.step()
    guard let first = walk.token() else { throw walk.fault(.unexpectedEnd) }
    if lists.contains(key), first == UInt8(ascii: "[") {
      walk.mark()
      walk.step()
      state = .firstElement
      return true
    }
    try walk.read(.value)
    state = .members
    return true
  }

  private mutating func nextElement(isFirst: Bool) throws(JSONFault) -> Bool {
    if try walk.isAtEnd(of: UInt8(ascii: "]"), isFirst: isFirst) { return false }
    try walk.read(.value)
    state = .elements
    return true
  }
}
