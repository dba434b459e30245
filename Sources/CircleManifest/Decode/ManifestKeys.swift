import Diagnostics
import Glibc

/// A closed set of keys that a mapping can have.
protocol ManifestKey: CaseIterable, RawRepresentable, Sendable where RawValue == UInt8 {
  var word: StaticString { get }
}

extension ManifestKey {
  static func find(_ text: UnsafeBufferPointer<UInt8>) -> Self? {
    guard let start = text.baseAddress else { return nil }
    var number: UInt8 = 0
    // Keys are numbered from 0 on; `allCases` would make an array each time.
    while let key = Self(rawValue: number) {
      let word = key.word
      if word.utf8CodeUnitCount == text.count, memcmp(word.utf8Start, start, text.count) == 0 { return key }
      number += 1
    }
    return nil
  }

  static var words: [String] { allCases.map { $0.word.description } }
}

enum TopKey: UInt8, ManifestKey {
  case version, groups, users, servers, defaults

  var word: StaticString {
    switch self {
    case .version: "version"
    case .groups: "groups"
    case .users: "users"
    case .servers: "servers"
    case .defaults: "defaults"
    }
  }
}

enum DefaultsKey: UInt8, ManifestKey {
  case server

  var word: StaticString { "server" }
}

enum FromKey: UInt8, ManifestKey {
  case from

  var word: StaticString { "from" }
}

/// A user's fields have the raw values of `UserField`.
enum UserKey: UInt8, ManifestKey {
  case alias, ext, serverExt, nickName, avatarUrl, sign, gender, email, birth, mobile, userInfoExt, thumbAvatarUrl
  case devices

  var word: StaticString {
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
    case .devices: "devices"
    }
  }
}

enum ServerKey: UInt8, ManifestKey {
  case name, type, icon, background, desc, ext
  case owner, tags, moderators, members, membership, join, welcome, protect, absent, renamedFrom, serverID

  var word: StaticString {
    switch self {
    case .name: "name"
    case .type: "type"
    case .icon: "icon"
    case .background: "background"
    case .desc: "desc"
    case .ext: "ext"
    case .owner: "owner"
    case .tags: "tags"
    case .moderators: "moderators"
    case .members: "members"
    case .membership: "membership"
    case .join: "join"
    case .welcome: "welcome"
    case .protect: "protect"
    case .absent: "absent"
    case .renamedFrom: "renamedFrom"
    case .serverID: "serverId"
    }
  }

  /// Whether `defaults.server` can give it.
  var isDefault: Bool {
    switch self {
    case .type, .icon, .background, .desc, .ext, .owner, .membership, .join, .welcome, .protect, .absent: true
    case .name, .tags, .moderators, .members, .renamedFrom, .serverID: false
    }
  }
}

/// The keys of one mapping that were met so far, and where.
struct SeenKeys {
  private var mask: UInt32 = 0
  private var places = InlineArray<17, Place>(repeating: .none)

  func contains(_ key: some ManifestKey) -> Bool {
    mask & (1 << UInt32(key.rawValue)) != 0
  }

  func place(of key: some ManifestKey) -> Place {
    places[Int(key.rawValue)]
  }

  mutating func insert(_ key: some ManifestKey, at place: Place) {
    mask |= 1 << UInt32(key.rawValue)
    places[Int(key.rawValue)] = place
  }
}
