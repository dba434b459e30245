internal import CJansson
import Glibc

/// Reads NDJSON, one value a line, as it comes: feed bytes and ask for the next value.
///
/// Lines end with LF, with or without a CR before; empty and blank ones are passed over, a byte order mark at the
/// beginning too. After a fault the next line can be read.
package struct JSONLineReader: ~Copyable {
  package enum Step: Equatable, Sendable {
    /// `value` and `line` are those of a line, until the next call that changes the reader.
    case value
    /// Feed more bytes or say that there are none.
    case needsBytes
    case end
  }

  /// The number of the current line, from 1.
  package private(set) var line = 0

  private let longestLine: Int
  private var window: [UInt8] = []
  /// Where the next line begins in the window.
  private var start = 0
  /// How much of that line has been searched for its end.
  private var searched = 0
  private var isFinished = false
  private var isAtBegin = true
  /// After a line that was too long: what is left of it is passed over.
  private var isSkipping = false
  private var current: UnsafeMutablePointer<json_t>?

  /// - Parameter longestLine: in bytes; more is a fault.
  package init(longestLine: Int = 1 << 20) {
    self.longestLine = max(longestLine, 1)
  }

  /// Reads text that is in memory as a whole; `next` never asks for more.
  package init(_ bytes: [UInt8], longestLine: Int = 1 << 20) {
    self.init(longestLine: longestLine)
    window = bytes
    isFinished = true
  }

  deinit {
    if let current { json_decref(current) }
  }

  /// The value of the current line; it must not be used after the next call that changes the reader. nil before the
  /// first line, and after a fault.
  package var value: JSONNode? { current.map { JSONNode($0) } }

  /// Adds bytes that follow those before; the current value is gone.
  package mutating func feed(_ bytes: UnsafeRawBufferPointer) {
    drop()
    window.removeSubrange(..<start)
    searched -= min(start, searched)
    start = 0
    window.append(contentsOf: bytes)
  }

  /// Says that no more bytes follow.
  package mutating func finish() {
    isFinished = true
  }

  /// Goes to the next value.
  /// - Throws: the first fault of its line.
  package mutating func next() throws(JSONFault) -> Step {
    drop()
    if isAtBegin, !skipMark() { return .needsBytes }
    while true {
      guard start < window.count else { return isFinished ? .end : .needsBytes }
      let found = lineEnd()
      let length = (found ?? window.count) - start
      if isSkipping {
        start = found.map { $0 + 1 } ?? window.count
        isSkipping = found == nil
        continue
      }
      guard length <= longestLine else {
        line += 1
        isSkipping = found == nil
        start = found.map { $0 + 1 } ?? window.count
        throw JSONFault(.tooLong, line: line, column: 1)
      }
      guard found != nil || isFinished else { return .needsBytes }
      line += 1
      let range = start..<start + length
      start = found.map { $0 + 1 } ?? window.count
      if try read(range) { return .value }
    }
  }

  /// - Returns: whether the line has a value; a blank one has none.
  private mutating func read(_ range: Range<Int>) throws(JSONFault) -> Bool {
    let line = self.line
    let loaded = window.withUnsafeBytes { window -> Result<UnsafeMutablePointer<json_t>, JSONFault>? in
      let bytes = UnsafeRawBufferPointer(rebasing: window[range])
      var scan = JSONScan(bytes)
      guard scan.nextToken() != nil else { return nil }
      do throws(JSONFault) {
        return .success(try JSONDocument.load(bytes, line: line, column: 1))
      } catch {
        return .failure(error)
      }
    }
    guard let loaded else { return false }
    current = try loaded.get()
    return true
  }

  private mutating func drop() {
    if let current { json_decref(current) }
    current = nil
  }

  /// Where the line that begins at `start` ends; each byte is looked at once, however small the pieces are.
  private mutating func lineEnd() -> Int? {
    let from = max(start, searched)
    let found: Int? = window.withUnsafeBytes { window in
      guard let base = window.baseAddress, from < window.count,
        let place = memchr(base + from, 0x0A, window.count - from)
      else { return nil }
      return UnsafeRawPointer(place) - base
    }
    searched = found ?? window.count
    return found
  }

  /// Passes over a byte order mark; false when more bytes are needed to know.
  private mutating func skipMark() -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let head = window[start...].prefix(3)
    if head.count < 3, !isFinished, mark.starts(with: head) { return false }
    if head.elementsEqual(mark) { start += 3 }
    isAtBegin = false
    return true
  }
}
