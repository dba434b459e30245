import JSONText

/// What a JSON value may be, as JSON Schema (2020-12) says it. Objects stay open: within a format keys may be added.
indirect enum Schema: Sendable {
  case text
  case number
  case flag
  /// UTC with milliseconds.
  case time
  /// One of these words.
  case word([String])
  case exactly(Int)
  /// What `$defs` has under this name.
  case reference(String)
  case list(Schema)
  /// Keys that nobody lists, each with such a value.
  case map(Schema)
  case anyOf([Schema])
  case object([Member], others: Schema? = nil, rules: [Rule] = [])

  struct Member: Sendable {
    let key: String
    let schema: Schema
    let isRequired: Bool
    let description: String?

    /// A member that is always there.
    static func required(_ key: String, _ schema: Schema, _ description: String? = nil) -> Member {
      Member(key: key, schema: schema, isRequired: true, description: description)
    }

    /// A member that is left out where there is nothing to say.
    static func optional(_ key: String, _ schema: Schema, _ description: String? = nil) -> Member {
      Member(key: key, schema: schema, isRequired: false, description: description)
    }
  }

  /// Where a key has one of these words, further members are there.
  struct Rule: Sendable {
    let key: String
    let words: [String]
    let required: [String]
  }

  /// Writes the keywords into the object that is open.
  func write(to writer: inout JSONWriter) {
    switch self {
    case .text: writer.field("type", "string")
    case .number: writer.field("type", "integer")
    case .flag: writer.field("type", "boolean")
    case .time:
      writer.field("type", "string")
      writer.field("format", "date-time")
    case .word(let words): writer.words("enum", words)
    case .exactly(let number): writer.field("const", number)
    case .reference(let name): writer.field("$ref", "#/$defs/\(name)")
    case .list(let element):
      writer.field("type", "array")
      writer.key("items")
      writer.object { element.write(to: &$0) }
    case .map(let value):
      writer.field("type", "object")
      writer.key("additionalProperties")
      writer.object { value.write(to: &$0) }
    case .anyOf(let schemas):
      writer.key("anyOf")
      writer.array {
        for schema in schemas { $0.object { schema.write(to: &$0) } }
      }
    case .object(let members, let others, let rules): Self.write(members, others, rules, to: &writer)
    }
  }

  private static func write(_ members: [Member], _ others: Schema?, _ rules: [Rule], to writer: inout JSONWriter) {
    writer.field("type", "object")
    writer.key("properties")
    writer.object {
      for member in members {
        $0.key(escaping: member.key)
        $0.object {
          if let description = member.description { $0.field("description", description) }
          member.schema.write(to: &$0)
        }
      }
    }
    writer.words("required", members.filter(\.isRequired).map(\.key))
    if let others {
      writer.key("additionalProperties")
      writer.object { others.write(to: &$0) }
    }
    guard !rules.isEmpty else { return }
    writer.key("allOf")
    writer.array {
      for rule in rules { $0.object { rule.write(to: &$0) } }
    }
  }
}

extension Schema.Rule {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.key("if")
    writer.object {
      $0.key("properties")
      $0.object {
        $0.key(escaping: key)
        $0.object { $0.words("enum", words) }
      }
    }
    writer.key("then")
    writer.object { $0.words("required", required) }
  }
}

extension JSONWriter {
  fileprivate mutating func words(_ key: StaticString, _ words: [String]) {
    self.key(key)
    array { for word in words { $0.string(word) } }
  }
}
