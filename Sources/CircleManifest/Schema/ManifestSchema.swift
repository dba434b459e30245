import CircleModel
package import JSONText

/// The JSON Schema of a manifest, for editors that speak with a YAML language server: it completes keys and tells what is
/// wrong while one types. What only `validate` can see (groups, files, limits over several files) it does not.
package enum ManifestSchema {
  /// Draft 7, which all of those editors know.
  package static var document: JSONValue {
    object([
      ("$schema", .string("http://json-schema.org/draft-07/schema#")),
      ("title", .string("circlectl manifest")),
      ("description", .string("Communities as they shall be: users, groups of users, and servers.")),
      ("type", .string("object")),
      ("additionalProperties", .boolean(false)),
      ("properties", properties(TopKey.self, topLevel)),
      ("definitions", definitions),
    ])
  }

  private static func topLevel(_ key: TopKey) -> JSONValue {
    switch key {
    case .version:
      described("The format, 1; required in the first document of each file.", [("const", .integer(1))])
    case .groups:
      map(
        "Lists of users: \"@name\", quoted, stands for them wherever users are listed.", of: reference("users"),
        nullable: true)
    case .users:
      map(
        "Registers users; a user that is named with nothing more is registered too.", of: reference("user"),
        names: .userID, nullable: true)
    case .servers: map("The communities, each by its handle.", of: reference("server"), names: .handle, nullable: true)
    case .defaults:
      described(
        "For the servers of this file that leave these out.",
        closed([("server", closed(ServerKey.allCases.filter(\.isDefault).map { ($0.word.description, server($0)) }))]))
    }
  }

  private static var definitions: JSONValue {
    object([
      ("user", nullable(closed(UserKey.allCases.map { ($0.word.description, user($0)) }))),
      ("server", nullable(closed(ServerKey.allCases.map { ($0.word.description, server($0)) }))),
      (
        "users",
        object([
          ("type", .string("array")),
          (
            "items",
            object([
              (
                "anyOf",
                .array([
                  described("A user id.", text(.userID)),
                  described(
                    "The users of a group.", [("type", .string("string")), ("pattern", .string("^@.+$"))]),
                  described(
                    "The users of a file, relative to this one: an id a line, or CSV with a column 'user'.",
                    closed([(FromKey.from.word.description, object([("type", .string("string"))]))])
                      + [("required", .array([.string(FromKey.from.word.description)]))]),
                ])
              )
            ])
          ),
        ])
      ),
    ])
  }

  // MARK: Users and servers

  private static func user(_ key: UserKey) -> JSONValue {
    guard let field = UserField(rawValue: key.rawValue) else {
      return described(
        "Names of the devices on which the user is signed in.",
        [("type", .string("array")), ("items", object(text(.device)))])
    }
    let rule = TextRule.of(field)
    if field == .gender { return described("Gender.", choices(["unknown", "male", "female"], orNull: true)) }
    if field == .ext || field == .serverExt || field == .userInfoExt { return extra(key.word.description, rule.limit) }
    return described("The user's \(key.word)\(length(rule)).", text(rule, orNull: true))
  }

  private static func server(_ key: ServerKey) -> JSONValue {
    switch key {
    case .name:
      described("The name; needed to create the server\(length(TextRule.of(.name))).", text(TextRule.of(.name)))
    case .type: described("Whether anybody joins it, or only who is invited.", choices(["public", "private"]))
    case .icon, .background:
      described("A URL\(length(TextRule.of(.icon))).", text(TextRule.of(.icon), orNull: true))
    case .desc: described("What it is about\(length(TextRule.of(.desc))).", text(TextRule.of(.desc), orNull: true))
    case .ext: extra("ext", TextRule.of(ServerField.ext).limit)
    case .owner: described("The owner; needed to create the server, and fixed from then on.", text(.userID))
    case .tags:
      described(
        "All tags, at most \(Limits.tagsAServer): others are removed.",
        [
          ("type", .string("array")), ("maxItems", .integer(Limits.tagsAServer)), ("items", object(text(.tag))),
        ])
    case .moderators:
      users("All moderators: others are demoted, or removed where 'membership' says so.")
    case .members: users("Members; 'membership' says what becomes of others.")
    case .membership:
      described(
        "What becomes of members who are not listed: managed removes those whom the last apply listed, exact everyone, "
          + "additive nobody.", choices(MembershipMode.allCases.map(\.word)))
    case .join:
      described("Whether listed users are added at once or invited.", choices(JoinMode.allCases.map(\.word)))
    case .welcome: described("The text of invitations\(length(.welcome)).", text(.welcome, orNull: true))
    case .protect: described("Whether destroying the server is refused.", [("type", .string("boolean"))])
    case .absent: users("Users who must not be members, nor invited.")
    case .renamedFrom:
      described(
        "Earlier handles: the server keeps its id, events and members.",
        [
          (
            "anyOf",
            .array([object(text(.handle)), object([("type", .string("array")), ("items", object(text(.handle)))])])
          )
        ])
    case .serverID: described("Takes over the server that has this id.", text(.serverID))
    }
  }

  private static func users(_ description: String) -> JSONValue {
    described(description, [("allOf", .array([reference("users")]))])
  }

  private static func extra(_ name: String, _ limit: Int) -> JSONValue {
    described(
      "What the application keeps with it, as text or as a mapping or list that becomes JSON (at most \(limit) UTF-16 units).",
      [("type", .array(["string", "number", "boolean", "object", "array", "null"].map { .string($0) }))])
  }

  // MARK: Pieces

  /// A text: plain YAML numbers and booleans are taken for what is written.
  private static func text(_ rule: TextRule, orNull: Bool = false) -> [(String, JSONValue)] {
    var types = ["string", "number", "boolean"]
    if orNull { types.append("null") }
    var members: [(String, JSONValue)] = [("type", .array(types.map { .string($0) }))]
    if rule.limit < 1 << 20 { members.append(("maxLength", .integer(rule.limit))) }
    if rule.isRequired { members.append(("minLength", .integer(1))) }
    if let pattern = rule.pattern { members.append(("pattern", .string(pattern))) }
    return members
  }

  private static func choices(_ words: [String], orNull: Bool = false) -> [(String, JSONValue)] {
    [("enum", .array(words.map { .string($0) } + (orNull ? [.null] : [])))]
  }

  private static func length(_ rule: TextRule) -> String {
    guard rule.limit < 1 << 20 else { return "" }
    return ", at most \(rule.limit) \(rule.unit == .bytes ? "bytes" : "UTF-16 units")"
  }

  private static func closed(_ properties: [(String, JSONValue)]) -> [(String, JSONValue)] {
    [
      ("type", .string("object")), ("additionalProperties", .boolean(false)), ("properties", object(properties)),
    ]
  }

  private static func closed(_ properties: [(String, JSONValue)]) -> JSONValue { object(closed(properties)) }

  private static func nullable(_ members: [(String, JSONValue)]) -> JSONValue {
    object(members.map { $0.0 == "type" ? ("type", .array([$0.1, .string("null")])) : $0 })
  }

  private static func map(
    _ description: String, of value: JSONValue, names: TextRule? = nil, nullable isNullable: Bool
  ) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("type", isNullable ? .array([.string("object"), .string("null")]) : .string("object")),
      ("additionalProperties", value),
    ]
    if let pattern = names?.pattern { members.append(("propertyNames", object([("pattern", .string(pattern))]))) }
    return described(description, members)
  }

  private static func properties<Key: ManifestKey>(_ keys: Key.Type, _ value: (Key) -> JSONValue) -> JSONValue {
    object(Key.allCases.map { ($0.word.description, value($0)) })
  }

  private static func reference(_ name: String) -> JSONValue {
    object([("$ref", .string("#/definitions/\(name)"))])
  }

  private static func described(_ description: String, _ members: [(String, JSONValue)]) -> JSONValue {
    object([("description", .string(description))] + members)
  }

  private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(members.map { JSONValue.Member($0.0, $0.1) })
  }
}
