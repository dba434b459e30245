/// A JSON value in memory, for small documents; large reports are written with `JSONWriter`.
package indirect enum JSONValue: Sendable {
  /// A key and its value.
  package struct Member: Sendable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  case null
  case boolean(Bool)
  case integer(Int)
  /// A finite number; JSON has no others.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])
}
