import CircleKit
import CircleModel
import Diagnostics
import JSONText

/// One user as a file or an answer writes him, put together value by value; what breaks a rule is left out and noted.
struct UserRecord {
  /// nil as long as no valid `userId` has come.
  private(set) var user: CircleKit.User?
  private(set) var warnings: [Diagnostic] = []
  private var values: [(field: UserField, text: String)] = []
  private var userID: String?
  private let place: Place

  /// - Parameter place: of the record.
  init(at place: Place) {
    self.place = place
  }

  /// Reads an object with the fields of a user; keys that are none are passed over.
  init(_ node: JSONNode, at place: Place) {
    self.init(at: place)
    guard node.kind == .object else {
      warn(.wrongType, "a user is an object in braces, such as {\"userId\":\"bob\",\"nickName\":\"Bob\"}", at: place)
      return
    }
    node.forEachMember { key, value in
      let name = String(decoding: key, as: UTF8.self)
      let field = UserField(word: name)
      guard field != nil || name == "userId" else { return }
      switch value.kind {
      case .null: break
      case .string: set(field, to: value.string ?? "", at: place)
      case .integer: set(field, to: "\(value.integer ?? 0)", at: place)
      case .boolean, .number, .array, .object: warn(.wrongType, "the value of '\(name)' is no text", at: place)
      }
    }
    finish()
  }

  /// Takes a value.
  ///
  /// - Parameters:
  ///   - field: nil for the user id.
  mutating func set(_ field: UserField?, to text: String, at place: Place) {
    guard let field else {
      if let violation = TextRule.check(Text(text), as: .userID) {
        warn(.missingUserID, "the record is passed over: \(violation.reason)", at: place)
      } else {
        userID = text
      }
      return
    }
    // Tables have the number of a gender as well as its word.
    let value = field == .gender ? Gender(text)?.word ?? text : text
    if let violation = TextRule.check(Text(value), as: field) {
      warn(.invalidValue, "\(violation.reason); it is dropped", at: place)
    } else if let stored = TextRule.stored(Text(value), as: field) {
      values.append((field, stored.string))
    }
  }

  /// To be called after the last value.
  mutating func finish() {
    guard let userID else {
      if warnings.allSatisfy({ $0.code != ProviderFault.missingUserID.rawValue }) {
        warn(.missingUserID, "the record is passed over: it has no 'userId'", at: place)
      }
      return
    }
    var user = CircleKit.User(userId: userID)
    for value in values { user[value.field] = value.text }
    self.user = user
  }

  private mutating func warn(_ fault: ProviderFault, _ sentence: String, at place: Place) {
    warnings.append(fault.warning(sentence, at: place))
  }
}

extension JSONWriter {
  /// Writes the members of a user by the names of his fields, the id first; nothing for what is unset.
  mutating func members(of user: CircleKit.User) {
    field("userId", user.userId)
    for field in UserField.allCases {
      guard let value = user[field] else { continue }
      key(escaping: field.word)
      string(value)
    }
  }
}
