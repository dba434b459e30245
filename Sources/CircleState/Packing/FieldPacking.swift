package import CircleModel

extension PackedWriter {
  package mutating func values(_ values: FieldList) {
    if values.isEmpty { byte(0) } else { raw(values.packed) }
  }

  package mutating func texts(_ values: [Text]) {
    count(values.count)
    for value in values { text(value) }
  }
}

extension PackedReader {
  package mutating func userField() throws(StateError) -> UserField {
    guard let field = UserField(rawValue: try byte()) else { throw Self.damaged }
    return field
  }

  package mutating func serverField() throws(StateError) -> ServerField {
    guard let field = ServerField(rawValue: try byte()) else { throw Self.damaged }
    return field
  }

  package mutating func userProfile() throws(StateError) -> UserProfile {
    UserProfile(try fields(below: UInt8(UserField.allCases.count)))
  }

  package mutating func serverAttributes() throws(StateError) -> ServerAttributes {
    ServerAttributes(try fields(below: UInt8(ServerField.allCases.count)))
  }

  /// Fields with ascending numbers below `limit`.
  private mutating func fields(below limit: UInt8) throws(StateError) -> FieldList {
    let start = position
    let count = try count()
    guard count <= limit, position == start + 1 else { throw Self.damaged }
    var next: UInt8 = 0
    for _ in 0..<count {
      let key = try byte()
      guard key >= next, key < limit else { throw Self.damaged }
      next = key + 1
      let text = try text()
      // All bytes at once, which takes a fraction of the time of one after the other.
      let isASCII = text.reduce(0, |) < 0x80
      guard isASCII || String(validating: text, as: UTF8.self) != nil else { throw Self.damaged }
    }
    return count == 0 ? FieldList() : FieldList(packed: read(since: start))
  }

  package mutating func texts() throws(StateError) -> [Text] {
    var values: [Text] = []
    for _ in 0..<(try count()) { values.append(try textValue()) }
    return values
  }

  package mutating func mask() throws(StateError) -> FieldMask {
    FieldMask(rawValue: UInt16(truncatingIfNeeded: try number()))
  }
}
