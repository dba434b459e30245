/// Writes one JSON value after the other into a buffer, in the order of the calls: commas, line breaks and indentation
/// come by themselves, keys stay in the order given.
///
/// It trusts its caller to open and close in pairs and to give each member one key and one value.
package struct JSONWriter: ~Copyable {
  package enum Form: Sendable {
    /// Nothing between the tokens.
    case compact
    /// One member or element a line, two spaces a level, `{}` and `[]` when empty.
    case pretty
  }

  /// What was written and not drained yet. Whole records may be appended past the writer between two lines.
  package var buffer: ByteBuffer
  package let form: Form
  private var depth = 0
  /// A value stands before on this level, so a comma comes first.
  private var follows = false
  private var afterKey = false

  package init(form: Form = .compact, capacity: Int = 1024) {
    self.form = form
    buffer = ByteBuffer(capacity: capacity)
  }

  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// An object around what `members` writes.
  package mutating func object<Failure: Error>(
    _ members: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    beginObject()
    try members(&self)
    endObject()
  }

  /// An array around what `elements` writes.
  package mutating func array<Failure: Error>(
    _ elements: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    beginArray()
    try elements(&self)
    endArray()
  }

  /// A key that is written in the program and needs no escape.
  package mutating func key(_ name: StaticString) {
    place()
    buffer.append(UInt8(ascii: "\""))
    buffer.append(name)
    buffer.append(UInt8(ascii: "\""))
    endKey()
  }

  /// A key that comes from the input.
  package mutating func key(escaping name: String) {
    place()
    buffer.append(jsonString: name)
    endKey()
  }

  package mutating func string(_ text: String) {
    place()
    buffer.append(jsonString: text)
  }

  package mutating func integer(_ number: Int) {
    place()
    buffer.append(decimal: number)
  }

  package mutating func boolean(_ value: Bool) {
    place()
    buffer.append(value ? "true" : "false")
  }

  package mutating func null() {
    place()
    buffer.append("null")
  }

  /// A value that is JSON text already.
  package mutating func encoded(_ bytes: UnsafeRawBufferPointer) {
    place()
    buffer.append(bytes: bytes)
  }

  package mutating func field(_ key: StaticString, _ text: String) {
    self.key(key)
    string(text)
  }

  package mutating func field(_ key: StaticString, _ number: Int) {
    self.key(key)
    integer(number)
  }

  package mutating func field(_ key: StaticString, _ value: Bool) {
    self.key(key)
    boolean(value)
  }

  /// Ends a document or a record of NDJSON with a line break; the next value stands alone again.
  package mutating func endLine() {
    buffer.append(UInt8(ascii: "\n"))
    follows = false
  }

  private mutating func begin(_ bracket: UInt8) {
    place()
    buffer.append(bracket)
    depth += 1
    follows = false
  }

  private mutating func end(_ bracket: UInt8) {
    depth -= 1
    if follows && form == .pretty { breakLine() }
    buffer.append(bracket)
    follows = true
  }

  private mutating func endKey() {
    buffer.append(UInt8(ascii: ":"))
    if form == .pretty { buffer.append(UInt8(ascii: " ")) }
    afterKey = true
  }

  /// Writes what must stand before a key or a value.
  private mutating func place() {
    if afterKey {
      afterKey = false
      return
    }
    if follows { buffer.append(UInt8(ascii: ",")) }
    if form == .pretty && depth > 0 { breakLine() }
    follows = true
  }

  private mutating func breakLine() {
    buffer.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { buffer.append("  ") }
  }
}
