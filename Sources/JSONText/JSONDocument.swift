internal import CJansson
import Glibc

/// One JSON value that was read by libjansson, for as long as this lives.
///
/// Strict: one value and nothing after it, no key twice in an object, at most 64 levels, valid UTF-8, no NUL, integers
/// of 64 bits. A key's place is lost once it is read; faults name theirs.
package struct JSONDocument: ~Copyable {
  /// How many brackets may be open at once.
  package static let deepest = 64

  private let pointer: UnsafeMutablePointer<json_t>

  /// Reads bytes that are nothing but one value with white space around it.
  ///
  /// - Parameters:
  ///   - line: on which the bytes begin, for faults.
  ///   - column: likewise.
  package init(_ bytes: UnsafeRawBufferPointer, line: Int = 1, column: Int = 1) throws(JSONFault) {
    pointer = try Self.load(bytes, line: line, column: column)
  }

  package init(_ bytes: [UInt8]) throws(JSONFault) {
    let result: Result<UnsafeMutablePointer<json_t>, JSONFault> = bytes.withUnsafeBytes { bytes in
      do throws(JSONFault) { return .success(try Self.load(bytes, line: 1, column: 1)) } catch {
        return .failure(error)
      }
    }
    pointer = try result.get()
  }

  deinit {
    json_decref(pointer)
  }

  /// The value; it must not outlive the document.
  package var root: JSONNode { JSONNode(pointer) }

  /// - Returns: a value that the caller has to give up with `json_decref`.
  static func load(
    _ bytes: UnsafeRawBufferPointer, line: Int, column: Int
  ) throws(JSONFault) -> UnsafeMutablePointer<json_t> {
    // libjansson takes a NUL for the end of the text, whatever follows.
    if let nul = firstNul(in: bytes) { throw fault(.nulCharacter, at: nul, in: bytes, line, column) }
    if let deep = JSONScan.tooDeep(bytes, levels: deepest) {
      throw fault(.tooDeep, at: deep, in: bytes, line, column)
    }
    var error = json_error_t()
    let flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY
    let empty: StaticString = ""
    let start = bytes.baseAddress ?? UnsafeRawPointer(empty.utf8Start)
    if let loaded = json_loadb(start.assumingMemoryBound(to: CChar.self), bytes.count, Int(flags), &error) {
      return loaded
    }
    throw fault(&error, in: bytes, line, column)
  }

  private static func fault(
    _ error: inout json_error_t, in bytes: UnsafeRawBufferPointer, _ line: Int, _ column: Int
  ) -> JSONFault {
    // libjansson tells where the token ends that it stumbled over.
    let end = min(max(Int(error.position), 0), bytes.count)
    let token = JSONScan.tokenStart(bytes, before: end)
    let (kind, offset): (JSONFault.Kind, Int)
    switch cjansson_error(&error) {
    case code(json_error_premature_end_of_input): (kind, offset) = (.unexpectedEnd, bytes.count)
    case code(json_error_end_of_input_expected): (kind, offset) = (.textAfterValue, token)
    case code(json_error_invalid_utf8): (kind, offset) = (.invalidUTF8, firstInvalid(in: bytes) ?? end)
    case code(json_error_null_character), code(json_error_null_byte_in_key): (kind, offset) = (.nulCharacter, token)
    case code(json_error_duplicate_key): (kind, offset) = (.duplicateKey, token)
    case code(json_error_numeric_overflow): (kind, offset) = (.numberTooBig, token)
    case code(json_error_stack_overflow): (kind, offset) = (.tooDeep, token)
    case code(json_error_out_of_memory): (kind, offset) = (.outOfMemory, token)
    default: (kind, offset) = (.syntax, token)
    }
    return fault(kind, at: offset, in: bytes, line, column)
  }

  private static func fault(
    _ kind: JSONFault.Kind, at offset: Int, in bytes: UnsafeRawBufferPointer, _ line: Int, _ column: Int
  ) -> JSONFault {
    let place = jsonPlace(of: offset, in: bytes, firstLine: line, firstColumn: column)
    return JSONFault(kind, line: place.line, column: place.column)
  }

  private static func firstNul(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress, let found = memchr(base, 0, bytes.count) else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// Where the first byte stands that is no part of valid UTF-8.
  private static func firstInvalid(in bytes: UnsafeRawBufferPointer) -> Int? {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): offset += UTF8.width(scalar)
      case .emptyInput: return nil
      case .error: return offset
      }
    }
  }
}

private func code(_ code: json_error_code) -> CInt { CInt(truncatingIfNeeded: code.rawValue) }
