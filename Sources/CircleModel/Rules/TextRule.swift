/// What a text of one kind may be: its length, its pattern, and whether it may be blank.
///
/// Lengths count UTF-16 code units, the strictest reading of the SDK's "characters", except where bytes are named.
/// Control characters other than LF and TAB are refused everywhere. A blank text equals an unset one.
package struct TextRule: Sendable {
  package enum Unit: Sendable { case codeUnits, bytes }

  /// How the rule is called in a sentence.
  package let subject: StaticString
  /// `Int.max` where the shape alone says how long the text is.
  package let limit: Int
  package let unit: Unit
  /// Whether a blank text is refused, rather than taken for unset.
  package let isRequired: Bool
  let shape: TextShape

  init(
    _ subject: StaticString, _ limit: Int, in unit: Unit = .codeUnits, required: Bool = false,
    _ shape: TextShape = .free
  ) {
    self.subject = subject
    self.limit = limit
    self.unit = unit
    isRequired = required
    self.shape = shape
  }

  package static let userID = TextRule("user id", 64, in: .bytes, required: true, .userID)
  package static let handle = TextRule("handle", 63, in: .bytes, required: true, .handle)
  package static let serverID = TextRule("server id", .max, required: true, .serverID)
  package static let device = TextRule("device name", 64, in: .bytes, required: true)
  package static let tag = TextRule("tag", 20, required: true)
  package static let welcome = TextRule("welcome", 500)

  /// The rule of a server's attribute.
  package static func of(_ field: ServerField) -> TextRule { server[Int(field.rawValue)] }
  /// The rule of a user's field.
  package static func of(_ field: UserField) -> TextRule { user[Int(field.rawValue)] }

  /// In the order of `ServerField`'s raw values.
  private static let server: [TextRule] = [
    TextRule("name", 50, required: true),
    TextRule("type", .max, .serverType),
    TextRule("icon", 500, .url),
    TextRule("background", 500, .url),
    TextRule("desc", 500),
    TextRule("ext", 500),
  ]

  /// In the order of `UserField`'s raw values.
  private static let user: [TextRule] = [
    TextRule("alias", 128),
    TextRule("ext", 1024),
    TextRule("serverExt", 1024),
    TextRule("nickName", 64),
    TextRule("avatarUrl", 1024, in: .bytes, .url),
    TextRule("sign", 256),
    TextRule("gender", .max, .gender),
    TextRule("email", 64, .email),
    TextRule("birth", .max, .date),
    TextRule("mobile", 32, .mobile),
    TextRule("userInfo.ext", 1024),
    TextRule("thumbAvatarUrl", 1024, in: .bytes, .url),
  ]

  /// The shape as a regular expression of ECMA 262, for schemas; nil where the length is all.
  package var pattern: String? { shape.pattern(limit) }

  package static func check(_ text: Text, as rule: TextRule) -> RuleViolation? { rule.check(text) }
  package static func check(_ text: Text, as field: ServerField) -> RuleViolation? { of(field).check(text) }
  package static func check(_ text: Text, as field: UserField) -> RuleViolation? { of(field).check(text) }

  package func check(_ text: Text) -> RuleViolation? {
    text.withBytes { check($0) }
  }

  /// nil when the bytes, valid UTF-8, keep the rule.
  package func check(_ bytes: UnsafeBufferPointer<UInt8>) -> RuleViolation? {
    let facts = TextFacts(bytes)
    let length = unit == .bytes ? bytes.count : facts.codeUnits
    if facts.isBlank {
      return isRequired ? RuleViolation(.invalidParam, subject, "is empty") : nil
    }
    if length > limit { return tooLong(length) }
    if facts.hasControl {
      return RuleViolation(.invalidParam, subject, "has a control character")
    }
    if !shape.matches(bytes, facts) {
      return RuleViolation(.invalidParam, subject, "is not \(shape.sentence)")
    }
    return nil
  }

  private func tooLong(_ length: Int) -> RuleViolation {
    let what = unit == .bytes ? "bytes" : "characters (UTF-16 code units)"
    return RuleViolation(.queryParamReachesLimit, subject, "has \(length) \(what), more than the \(limit) allowed")
  }
}

// MARK: - What is stored

extension TextRule {
  /// The value as it is stored: nil for a blank one, and for `type: public`, the default.
  package static func stored(_ value: Text?, as field: ServerField) -> Text? {
    guard let value = unlessBlank(value) else { return nil }
    return field == .type && value.string.utf8.elementsEqual("public".utf8) ? nil : value
  }

  /// The value as it is stored: nil for a blank one, and for `gender: unknown`, the default.
  package static func stored(_ value: Text?, as field: UserField) -> Text? {
    guard let value = unlessBlank(value) else { return nil }
    return field == .gender && value.withBytes(isUnknown) ? nil : value
  }

  /// Whether the bytes, valid UTF-8, are a value that is not stored: a blank one, or `gender: unknown`.
  package static func isUnset(_ bytes: UnsafeBufferPointer<UInt8>, as field: UserField) -> Bool {
    isBlank(bytes) || field == .gender && isUnknown(bytes)
  }

  private static func isUnknown(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { bytes.elementsEqual("unknown".utf8) }

  /// Whether the bytes, valid UTF-8, are nothing or nothing but white space, which equals an unset text.
  package static func isBlank(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if let first = bytes.first, first > 0x20, first < 0x7F { return false }
    return TextFacts(bytes).isBlank
  }

  /// nil for an empty or all-blank text, which equals an unset one.
  package static func unlessBlank(_ value: Text?) -> Text? {
    guard let value else { return nil }
    // Visible ASCII at the beginning, as in nearly all texts, settles it.
    if let first = value.string.utf8.first, first > 0x20, first < 0x7F { return value }
    return value.withBytes { TextFacts($0).isBlank } ? nil : value
  }
}
