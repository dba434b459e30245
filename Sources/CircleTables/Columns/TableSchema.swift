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
    /// Of a field with a list, the one that has a single text of it.
    var singleField: Int?

    init(_ name: String, _ synonyms: [String] = [], key: Int? = nil, listOf singleField: Int? = nil) {
      self.name = name
      self.synonyms = synonyms
      self.key = key
      self.singleField = singleField
    }
  }

  package let fields: [Field]

  private static let userNames = ["id", "username", "account", "accid", "user", "用户id"]

  /// `userId`, then the fields of a user in the order of their numbers, then `devices`.
  package static let users = TableSchema(
    fields: [Field("userId", userNames, key: 0)]
      + UserField.allCases.map { Field($0.word, synonyms(of: $0)) } + [Field("devices")])

  package static let tags = TableSchema(fields: [
    server, Field("tag", key: 1), Field("tags", ["标签"], key: 1, listOf: 1), Field("action"),
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

  /// What is wrong with the entries of `--map` by themselves, and what helps; nil when nothing is.
  package func problem(ofMap map: [(field: String, column: String)]) -> (message: String, help: String)? {
    var columns: [Int: String] = [:]
    for entry in map {
      guard let field = field(named: entry.field) else {
        return (
          "--map names a field '\(entry.field)', which there is not",
          "The fields are \(fields.map(\.name).joined(separator: ", "))."
        )
      }
      let name = fields[field].name
      if let other = columns[field] {
        return (
          "--map names two columns for '\(name)': '\(other)' and '\(entry.column)'", "One column stands for a field."
        )
      }
      if let other = columns.first(where: { Self.isSame($0.value, entry.column) })?.key {
        return (
          "--map names the column '\(entry.column)' for two fields: '\(fields[other].name)' and '\(name)'",
          "A column stands for one field."
        )
      }
      columns[field] = entry.column
    }
    return nil
  }

  /// Whether two names of columns are one.
  static func isSame(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8) || plain(left) == plain(right)
  }

  /// The name as it is compared: in lower case, without `_`, `-` and blanks.
  static func plain(_ name: String) -> String {
    let dropped: Set<Unicode.Scalar> = ["_", "-", " ", "\t", "\u{A0}", "\u{3000}", "\u{FEFF}"]
    var kept = String.UnicodeScalarView()
    kept.append(contentsOf: name.unicodeScalars.filter { !dropped.contains($0) })
    return String(kept).lowercased()
  }
}
