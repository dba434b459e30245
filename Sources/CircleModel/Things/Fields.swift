/// A text attribute of a server. `type` is stored as its word.
package enum ServerField: UInt8, CaseIterable, Sendable {
  case name, type, icon, background, desc, ext

  /// The SDK's spelling, as in a manifest.
  package var word: String {
    switch self {
    case .name: "name"
    case .type: "type"
    case .icon: "icon"
    case .background: "background"
    case .desc: "desc"
    case .ext: "ext"
    }
  }

  package init?(word: some StringProtocol) {
    guard let field = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = field
  }
}

/// A field of a user: `alias`, `ext`, `serverExt` and `thumbAvatarUrl` belong to the administrator, the others are the
/// profile that the user himself may update.
package enum UserField: UInt8, CaseIterable, Sendable {
  case alias, ext, serverExt, nickName, avatarUrl, sign, gender, email, birth, mobile, userInfoExt, thumbAvatarUrl

  /// The spelling in a manifest or a table: `ext` is the User's, `userInfo.ext` the profile's.
  package var word: String {
    switch self {
    case .alias: "alias"
    case .ext: "ext"
    case .serverExt: "serverExt"
    case .nickName: "nickName"
    case .avatarUrl: "avatarUrl"
    case .sign: "sign"
    case .gender: "gender"
    case .email: "email"
    case .birth: "birth"
    case .mobile: "mobile"
    case .userInfoExt: "userInfo.ext"
    case .thumbAvatarUrl: "thumbAvatarUrl"
    }
  }

  package init?(word: some StringProtocol) {
    guard let field = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = field
  }

  /// The number by which `updateUserInfo` keys the field; nil where a client may not write it.
  package var updateTag: Int? {
    switch self {
    case .nickName: 3
    case .avatarUrl: 4
    case .sign: 5
    case .gender: 6
    case .email: 7
    case .birth: 8
    case .mobile: 9
    case .userInfoExt: 10
    case .alias, .ext, .serverExt, .thumbAvatarUrl: nil
    }
  }
}

/// A set of fields or lists that a manifest manages: the base for drift is what the last apply gave them.
package struct FieldMask: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }
  package init(_ field: ServerField) { rawValue = 1 << UInt16(field.rawValue) }
  package init(_ field: UserField) { rawValue = 1 << UInt16(field.rawValue) }

  /// The lists of a server.
  package static let tags = FieldMask(rawValue: 1 << 8)
  package static let moderators = FieldMask(rawValue: 1 << 9)
  package static let members = FieldMask(rawValue: 1 << 10)
  /// The devices of a user.
  package static let devices = FieldMask(rawValue: 1 << 12)
}

/// One attribute before and after; nil is unset.
package struct FieldChange<Field: Sendable & Equatable>: Equatable, Sendable {
  package var field: Field
  package var before: Text?
  package var after: Text?

  package init(_ field: Field, before: Text?, after: Text?) {
    self.field = field
    self.before = before
    self.after = after
  }
}

/// A field that is set, by its number.
package struct FieldEntry: Equatable, Sendable {
  package let key: UInt8
  package var value: Text

  package init(key: UInt8, value: Text) {
    self.key = key
    self.value = value
  }
}

/// The fields that are set, in the order of their numbers; most users have two or three of the twelve.
package struct FieldList: Equatable, Sendable {
  package private(set) var entries: [FieldEntry] = []

  package init() {}

  /// - Parameter entries: ascending by key.
  package init(_ entries: [FieldEntry]) {
    self.entries = entries
  }

  package subscript(_ key: UInt8) -> Text? {
    get {
      for entry in entries where entry.key >= key { return entry.key == key ? entry.value : nil }
      return nil
    }
    set {
      let position = entries.firstIndex { $0.key >= key } ?? entries.count
      let present = position < entries.count && entries[position].key == key
      switch (newValue, present) {
      case (let value?, true): entries[position].value = value
      case (let value?, false): entries.insert(FieldEntry(key: key, value: value), at: position)
      case (nil, true): entries.remove(at: position)
      case (nil, false): break
      }
    }
  }
}

/// A `FieldList` of one kind of fields. The list is beneath, free of the type parameter, since its arrays are on the
/// path that sees hundreds of thousands of users.
package struct FieldValues<Field: RawRepresentable & CaseIterable & Sendable>: Equatable, Sendable
where Field.RawValue == UInt8 {
  package var list: FieldList

  package init(_ list: FieldList = FieldList()) {
    self.list = list
  }

  package var entries: [FieldEntry] { list.entries }
  package var isEmpty: Bool { list.entries.isEmpty }

  package subscript(_ field: Field) -> Text? {
    get { list[field.rawValue] }
    set { list[field.rawValue] = newValue }
  }
}

package typealias ServerAttributes = FieldValues<ServerField>
package typealias UserProfile = FieldValues<UserField>
