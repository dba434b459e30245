internal import CJansson

/// Where a reader stands in JSON text that is in memory, and the value that it has read last: what readers of single
/// elements and members have in common.
struct JSONWalk: ~Copyable {
  /// Where what was read last begins, from 1.
  private(set) var line = 1
  private(set) var column = 1
  private let bytes: [UInt8]
  private var offset = 0
  /// What `line` and `column` belong to.
  private var counted = 0
  private var current: UnsafeMutablePointer<json_t>?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      offset = 3
      counted = 3
    }
  }

  deinit {
    if let current { json_decref(current) }
  }

  /// What was read last; it must not be used after the next `read` or `forget`.
  var value: JSONNode? { current.map { JSONNode($0) } }

  mutating func forget() {
    if let current { json_decref(current) }
    current = nil
  }

  /// The byte at which the next token begins, which the walk goes to; nil at the end.
  mutating func token() -> UInt8? {
    bytes.withUnsafeBytes { bytes in
      var scan = JSONScan(bytes, from: offset)
      let byte = scan.nextToken()
      offset = scan.offset
      return byte
    }
  }

  /// Goes over the byte that `token` gave.
  mutating func step() { offset += 1 }

  /// Brings line and column to where the walk stands.
  mutating func mark() {
    bytes.withUnsafeBytes { bytes in
      let part = UnsafeRawBufferPointer(rebasing: bytes[counted..<offset])
      (line, column) = jsonPlace(of: part.count, in: part, firstLine: line, firstColumn: column)
    }
    counted = offset
  }

  /// A fault where the walk stands.
  mutating func fault(_ kind: JSONFault.Kind) -> JSONFault {
    mark()
    return JSONFault(kind, line: line, column: column)
  }

  /// A fault of something else than was expected, or of nothing.
  mutating func unexpected(_ kind: JSONFault.Kind = .syntax) -> JSONFault {
    fault(offset < bytes.count ? kind : .unexpectedEnd)
  }

  /// Goes over the comma before the next element or member, or over the closing bracket.
  mutating func isAtEnd(of bracket: UInt8, isFirst: Bool) throws(JSONFault) -> Bool {
    guard let byte = token() else { throw fault(.unexpectedEnd) }
    if byte == bracket {
      step()
      return true
    }
    guard !isFirst else { return false }
    guard byte == UInt8(ascii: ",") else { throw fault(.syntax) }
    step()
    // A comma before the closing bracket is no JSON.
    if token() == bracket { throw fault(.syntax) }
    return false
  }

  /// What ends the text that is read as one value.
  enum Extent {
    /// The value itself.
    case value
    /// A comma or the end of the list, so that what stands between is a fault of the element; at most so many bytes.
    case element(longest: Int)
  }

  /// Reads what begins at the next token.
  mutating func read(_ extent: Extent) throws(JSONFault) {
    mark()
    let begin = offset
    let (line, column) = (self.line, self.column)
    var end = begin
    let loaded = bytes.withUnsafeBytes { all -> Result<UnsafeMutablePointer<json_t>, JSONFault> in
      var scan = JSONScan(all, from: begin)
      while let byte = scan.nextToken() {
        if case .element = extent, scan.depth <= 0, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") { break }
        scan.skipToken()
        end = scan.offset
        switch extent {
        case .element(let longest):
          if end - begin > longest { return .failure(JSONFault(.tooLong, line: line, column: column)) }
          continue
        case .value: if scan.depth > 0 { continue }
        }
        break
      }
      do throws(JSONFault) {
        let text = UnsafeRawBufferPointer(rebasing: all[begin..<end])
        return .success(try JSONDocument.load(text, line: line, column: column))
      } catch {
        return .failure(error)
      }
    }
    offset = end
    forget()
    current = try loaded.get()
  }
}
