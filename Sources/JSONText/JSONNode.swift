internal import CJansson

/// A value within a JSON document, lent by it: it must not be used once the document, or the line that a reader stands
/// on, is gone.
package struct JSONNode {
  package enum Kind: Equatable, Sendable { case null, boolean, integer, number, string, array, object }

  private let pointer: UnsafeMutablePointer<json_t>

  init(_ pointer: UnsafeMutablePointer<json_t>) {
    self.pointer = pointer
  }

  package var kind: Kind {
    switch pointer.pointee.type {
    case JSON_OBJECT: .object
    case JSON_ARRAY: .array
    case JSON_STRING: .string
    case JSON_INTEGER: .integer
    case JSON_REAL: .number
    case JSON_TRUE, JSON_FALSE: .boolean
    default: .null
    }
  }

  /// nil for what is no text.
  package var string: String? { withText { String(decoding: $0, as: UTF8.self) } }

  /// nil for what is no integer.
  package var integer: Int? { kind == .integer ? Int(json_integer_value(pointer)) : nil }

  /// nil for what is neither `true` nor `false`.
  package var boolean: Bool? { kind == .boolean ? pointer.pointee.type == JSON_TRUE : nil }

  /// How many elements or members it has; 0 for all else.
  package var count: Int {
    switch kind {
    case .array: json_array_size(pointer)
    case .object: json_object_size(pointer)
    default: 0
    }
  }

  /// Lends the UTF-8 bytes of a text; nil for what is none.
  package func withText<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard kind == .string, let text = json_string_value(pointer) else { return nil }
    return body(UnsafeRawBufferPointer(start: text, count: json_string_length(pointer)))
  }

  /// The member of that key; nil where there is none, or where it is no object.
  package subscript(_ key: String) -> JSONNode? {
    var key = key
    return key.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        json_object_getn(pointer, bytes.baseAddress, bytes.count).map { JSONNode($0) }
      }
    }
  }

  /// Calls `body` for each member of an object in the order written, with the bytes of its key.
  package func forEachMember<Failure: Error>(
    _ body: (UnsafeRawBufferPointer, JSONNode) throws(Failure) -> Void
  ) throws(Failure) {
    var iterator = json_object_iter(pointer)
    while let position = iterator {
      if let key = json_object_iter_key(position), let value = json_object_iter_value(position) {
        try body(UnsafeRawBufferPointer(start: key, count: json_object_iter_key_len(position)), JSONNode(value))
      }
      iterator = json_object_iter_next(pointer, position)
    }
  }

  /// Calls `body` for each element of an array.
  package func forEachElement<Failure: Error>(_ body: (JSONNode) throws(Failure) -> Void) throws(Failure) {
    for index in 0..<json_array_size(pointer) {
      if let element = json_array_get(pointer, index) { try body(JSONNode(element)) }
    }
  }

  /// A copy that lives on its own.
  package var value: JSONValue {
    switch kind {
    case .null: return .null
    case .boolean: return .boolean(pointer.pointee.type == JSON_TRUE)
    case .integer: return .integer(Int(json_integer_value(pointer)))
    case .number: return .number(json_real_value(pointer))
    case .string: return .string(string ?? "")
    case .array:
      var elements: [JSONValue] = []
      elements.reserveCapacity(count)
      forEachElement { elements.append($0.value) }
      return .array(elements)
    case .object:
      var members: [JSONValue.Member] = []
      members.reserveCapacity(count)
      forEachMember { members.append(.init(String(decoding: $0, as: UTF8.self), $1.value)) }
      return .object(members)
    }
  }
}
