/// The profile that a user shows to others.
public struct UserInfo: Sendable {
  /// At most 64 characters (UTF-16 code units), like all lengths here.
  public var nickName: String?
  /// A URL of at most 1024 bytes.
  public var avatarUrl: String?
  /// Read-only for clients.
  public var thumbAvatarUrl: String?
  /// At most 256 characters.
  public var sign: String?
  /// `unknown` where nothing was said.
  public var gender: Gender
  /// At most 64 characters.
  public var email: String?
  /// `yyyy-MM-dd`.
  public var birth: String?
  /// Digits, with a country code such as `+86-` before them or none.
  public var mobile: String?
  /// The profile's own extension; `User.ext` is another.
  public var ext: String?

  /// A profile; the fields' rules are not checked.
  public init(
    nickName: String? = nil, avatarUrl: String? = nil, thumbAvatarUrl: String? = nil, sign: String? = nil,
    gender: Gender = .unknown, email: String? = nil, birth: String? = nil, mobile: String? = nil, ext: String? = nil
  ) {
    self.nickName = nickName
    self.avatarUrl = avatarUrl
    self.thumbAvatarUrl = thumbAvatarUrl
    self.sign = sign
    self.gender = gender
    self.email = email
    self.birth = birth
    self.mobile = mobile
    self.ext = ext
  }
}

extension UserInfo: Equatable {
  /// Whether all texts have the same bytes.
  public static func == (left: UserInfo, right: UserInfo) -> Bool {
    User(userId: "", userInfo: left) == User(userId: "", userInfo: right)
  }
}
