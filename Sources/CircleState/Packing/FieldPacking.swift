package import CircleModel

extension PackedWriter {
  package mutating func values(_ values: FieldList) {
    count(values.entries.count)
    for entry in values.entries {
      byte(entry.key)
      text(entry.value)
    }
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
    let count = try count()
    guard count <= limit else { throw Self.damaged }
    var entries: [FieldEntry] = []
    entries.reserveCapacity(count)
    for _ in 0..<count {
      let key = try byte()
      guard key < limit, entries.last.map({ $0.key < key }) ?? true else { throw Self.damaged }
      entries.append(FieldEntry(key: key, value: try textValue()))
    }
    return FieldList(entries)
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
