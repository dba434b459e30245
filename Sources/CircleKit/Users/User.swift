package import CircleModel

/// A user as he is shown: who he is, and the profile inside.
///
/// Two are equal when all their texts have the same bytes; Swift's own equality would take two spellings of é for one.
public struct User: Sendable {
  /// Two ids that differ only in ASCII case are the same user.
  public var userId: String
  /// Set by an administrator.
  public var alias: String?
  /// Not the profile's: `UserInfo.ext` is another.
  public var ext: String?
  /// Read-only for clients.
  public var serverExt: String?
  /// The profile.
  public var userInfo: UserInfo?

  /// A user; the fields' rules are not checked.
  public init(
    userId: String, alias: String? = nil, ext: String? = nil, serverExt: String? = nil, userInfo: UserInfo? = nil
  ) {
    self.userId = userId
    self.alias = alias
    self.ext = ext
    self.serverExt = serverExt
    self.userInfo = userInfo
  }

  /// A user with the two fields that lists show.
  public init(userId: String, nickName: String?, avatarUrl: String?) {
    self.init(userId: userId, userInfo: UserInfo(nickName: nickName, avatarUrl: avatarUrl))
  }

  /// The nickname, or the user id where there is none.
  public var shownName: String {
    guard let name = userInfo?.nickName, !name.isEmpty else { return userId }
    return name
  }
}

// MARK: - By field

extension User {
  /// The value of a field as text; nil where it is unset, `gender` also where it is `unknown`.
  package subscript(_ field: UserField) -> String? {
    get {
      switch field {
      case .alias: alias
      case .ext: ext
      case .serverExt: serverExt
      case .nickName: userInfo?.nickName
      case .avatarUrl: userInfo?.avatarUrl
      case .sign: userInfo?.sign
      case .gender: userInfo.flatMap { $0.gender == .unknown ? nil : $0.gender.word }
      case .email: userInfo?.email
      case .birth: userInfo?.birth
      case .mobile: userInfo?.mobile
      case .userInfoExt: userInfo?.ext
      case .thumbAvatarUrl: userInfo?.thumbAvatarUrl
      }
    }
    set {
      switch field {
      case .alias: alias = newValue
      case .ext: ext = newValue
      case .serverExt: serverExt = newValue
      default:
        var info = userInfo ?? UserInfo()
        info.set(field, to: newValue)
        userInfo = info
      }
    }
  }
}

extension UserInfo {
  fileprivate mutating func set(_ field: UserField, to value: String?) {
    switch field {
    case .nickName: nickName = value
    case .avatarUrl: avatarUrl = value
    case .sign: sign = value
    case .gender: gender = value.flatMap { Gender($0) } ?? .unknown
    case .email: email = value
    case .birth: birth = value
    case .mobile: mobile = value
    case .userInfoExt: ext = value
    case .thumbAvatarUrl: thumbAvatarUrl = value
    case .alias, .ext, .serverExt: break
    }
  }
}

extension User: Equatable {
  /// Whether all texts have the same bytes.
  public static func == (left: User, right: User) -> Bool {
    left.userId.utf8.elementsEqual(right.userId.utf8)
      && UserField.allCases.allSatisfy { left[$0].map { Text($0) } == right[$0].map { Text($0) } }
  }
}
