import Glibc

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
  package let value: Text

  package init(key: UInt8, value: Text) {
    self.key = key
    self.value = value
  }
}

/// The fields that are set, in the order of their numbers; most users have two or three of the twelve.
///
/// Packed as they are stored, in one piece of memory: a run copies the fields of a million users from a table into a
/// row and into the log, and looks into few of them.
package struct FieldList: Equatable, Sendable {
  /// Nothing where no field is set; else how many are, and for each its number, the length of its text as LEB128 and its
  /// text.
  package private(set) var packed: [UInt8] = []

  package init() {}

  /// - Parameter packed: well-formed, with at least one field.
  package init(packed: UnsafeRawBufferPointer) {
    self.packed = [UInt8](packed)
  }

  package var isEmpty: Bool { packed.isEmpty }
  package var count: Int { packed.isEmpty ? 0 : Int(packed[0]) }

  package mutating func reserve(_ bytes: Int) { packed.reserveCapacity(bytes) }

  /// Adds a field whose number is greater than those before.
  package mutating func append(_ key: UInt8, _ text: UnsafeBufferPointer<UInt8>) {
    if packed.isEmpty { packed.append(0) }
    packed[0] += 1
    packed.append(key)
    var length = text.count
    while length >= 0x80 {
      packed.append(UInt8(truncatingIfNeeded: length) | 0x80)
      length >>= 7
    }
    packed.append(UInt8(truncatingIfNeeded: length))
    packed.append(contentsOf: text)
  }

  package mutating func append(_ key: UInt8, _ text: Text) {
    text.withBytes { append(key, $0) }
  }

  /// Lends each field's number and text.
  @inline(__always)
  package func forEach<E: Error>(_ body: (UInt8, UnsafeBufferPointer<UInt8>) throws(E) -> Void) throws(E) {
    try packed.withUnsafeBufferPointer { (bytes) throws(E) in
      var position = 1
      while position < bytes.count {
        let key = bytes[position]
        position += 1
        var length = 0
        var shift = 0
        while bytes[position] >= 0x80 {
          length |= Int(bytes[position] & 0x7F) << shift
          shift += 7
          position += 1
        }
        length |= Int(bytes[position]) << shift
        position += 1
        try body(key, UnsafeBufferPointer(rebasing: bytes[position..<position + length]))
        position += length
      }
    }
  }

  /// Whether the field is set, and to this text.
  package func holds(_ text: UnsafeBufferPointer<UInt8>, at key: UInt8) -> Bool {
    var isSame = false
    forEach { other, bytes in
      guard other == key, bytes.count == text.count else { return }
      guard let x = bytes.baseAddress, let y = text.baseAddress else { return isSame = true }
      isSame = memcmp(x, y, text.count) == 0
    }
    return isSame
  }

  /// Whether the field's text, nil for unset, is this one.
  package func holds(_ text: Text?, at key: UInt8) -> Bool {
    if let text { return text.withBytes { holds($0, at: key) } }
    var isSet = false
    forEach { other, _ in if other == key { isSet = true } }
    return !isSet
  }

  package var entries: [FieldEntry] {
    var entries: [FieldEntry] = []
    entries.reserveCapacity(count)
    forEach { entries.append(FieldEntry(key: $0, value: Text($1))) }
    return entries
  }

  /// Without some of the fields, told by bit `1 << number`.
  package func without(_ keys: FieldMask) -> FieldList {
    var rest = FieldList()
    forEach { key, text in
      if keys.rawValue & 1 << UInt16(key) == 0 { rest.append(key, text) }
    }
    return rest
  }

  package subscript(_ key: UInt8) -> Text? {
    get {
      var found: Text?
      forEach { other, text in if other == key { found = Text(text) } }
      return found
    }
    set {
      var list = FieldList()
      var isPending = newValue != nil
      func place(before next: Int) {
        guard isPending, Int(key) < next, let newValue else { return }
        list.append(key, newValue)
        isPending = false
      }
      forEach { other, text in
        place(before: Int(other))
        if other != key { list.append(other, text) }
      }
      place(before: .max)
      self = list
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
  package var isEmpty: Bool { list.isEmpty }

  /// Whether the field's text, nil for unset, is this one.
  package func holds(_ text: Text?, _ field: Field) -> Bool { list.holds(text, at: field.rawValue) }

  package subscript(_ field: Field) -> Text? {
    get { list[field.rawValue] }
    set { list[field.rawValue] = newValue }
  }
}

package typealias ServerAttributes = FieldValues<ServerField>
package typealias UserProfile = FieldValues<UserField>
