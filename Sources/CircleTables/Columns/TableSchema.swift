import CircleModel

/// The fields of one kind of table, and the names that their columns may have.
package struct TableSchema: Sendable {
  package struct Field: Sendable {
    /// As in the documentation.
    package var name: String
    /// Other names, as they are compared: in lower case, without `_`, `-` and blanks.
    var synonyms: [String]
    /// Fields without one of which a table can't be read; several with the same number stand in for each other.
    var key: Int?

    init(_ name: String, _ synonyms: [String] = [], key: Int? = nil) {
      self.name = name
      self.synonyms = synonyms
      self.key = key
    }
  }

  package let fields: [Field]

  private static let userNames = ["id", "username", "account", "accid", "user", "用户id"]

  /// `userId`, then the fields of a user in the order of their numbers, then `devices`.
  package static let users = TableSchema(
    fields: [Field("userId", userNames, key: 0)]
      + UserField.allCases.map { Field($0.word, synonyms(of: $0)) } + [Field("devices")])

  package static let tags = TableSchema(fields: [
    server, Field("tag", key: 1), Field("tags", ["标签"], key: 1), Field("action"),
  ])

  package static let members = TableSchema(fields: [
    server, Field("user", userNames + ["userid"], key: 1), Field("role"), Field("action"),
  ])

  private static let server = Field("server", ["serverid", "handle", "社区"], key: 0)

  private static func synonyms(of field: UserField) -> [String] {
    switch field {
    case .nickName: ["nick", "displayname", "昵称"]
    case .avatarUrl: ["avatar", "icon", "头像"]
    case .gender: ["性别"]
    case .email: ["邮箱"]
    case .birth: ["birthday", "生日"]
    case .mobile: ["phone", "手机"]
    case .sign: ["签名"]
    case .alias, .ext, .serverExt, .userInfoExt, .thumbAvatarUrl: []
    }
  }

  /// The field that a column's name stands for.
  package func field(named name: String) -> Int? {
    let plain = Self.plain(name)
    return fields.firstIndex { Self.plain($0.name) == plain || $0.synonyms.contains(plain) }
  }

  /// The name as it is compared: in lower case, without `_`, `-` and blanks.
  static func plain(_ name: String) -> String {
    let dropped: Set<Unicode.Scalar> = ["_", "-", " ", "\t", "\u{A0}", "\u{3000}", "\u{FEFF}"]
    var kept = String.UnicodeScalarView()
    kept.append(contentsOf: name.unicodeScalars.filter { !dropped.contains($0) })
    return String(kept).lowercased()
  }
}
