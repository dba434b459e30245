package import CircleModel

extension PackedWriter {
  package mutating func values<Field>(_ values: FieldValues<Field>) {
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
    var values = UserProfile()
    for _ in 0..<(try count()) {
      let field = try userField()
      values[field] = try textValue()
    }
    return values
  }

  package mutating func serverAttributes() throws(StateError) -> ServerAttributes {
    var values = ServerAttributes()
    for _ in 0..<(try count()) {
      let field = try serverField()
      values[field] = try textValue()
    }
    return values
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
