extension JSONWriter {
  /// A value of any kind, its members in the order given.
  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .boolean(let flag): boolean(flag)
    case .integer(let number): integer(number)
    case .string(let text): string(text)
    case .number: canonicalJSON(value).withUnsafeBytes { encoded($0) }
    case .array(let elements):
      array { for element in elements { $0.value(element) } }
    case .object(let members):
      object {
        for member in members {
          $0.key(escaping: member.key)
          $0.value(member.value)
        }
      }
    }
  }
}
