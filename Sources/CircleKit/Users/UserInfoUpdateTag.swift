package import CircleModel

/// What a user may change of his own profile, with the SDK's numbers.
public enum UserInfoUpdateTag: Int, CaseIterable, Sendable {
  case nick = 3
  case avatar = 4
  case sign = 5
  case gender = 6
  case email = 7
  case birth = 8
  case mobile = 9
  case ex = 10

  /// The field that the tag stands for.
  package var field: UserField {
    switch self {
    case .nick: .nickName
    case .avatar: .avatarUrl
    case .sign: .sign
    case .gender: .gender
    case .email: .email
    case .birth: .birth
    case .mobile: .mobile
    case .ex: .userInfoExt
    }
  }

  /// The field's name, such as `nickName`; of `ex` it is `userInfo.ext`.
  public var fieldName: String { field.word }
}

/// What became of an update: every value that was given is in one of the two lists, or was so already.
public struct UserInfoUpdate: Equatable, Sendable {
  /// A value that was left out, and why.
  public struct Filtered: Equatable, Sendable {
    /// As it was given; it may be none of `UserInfoUpdateTag`.
    public var tag: Int
    /// One sentence for a person, without a full stop and without the value.
    public var reason: String

    /// A value that was left out.
    public init(tag: Int, reason: String) {
      self.tag = tag
      self.reason = reason
    }
  }

  /// The fields that have another value now, in the order of their tags.
  public var changed: [UserInfoUpdateTag]
  /// In the order of their tags.
  public var filtered: [Filtered]

  /// An answer; both lists in the order of their tags.
  public init(changed: [UserInfoUpdateTag] = [], filtered: [Filtered] = []) {
    self.changed = changed
    self.filtered = filtered
  }

  /// Parts what may be applied from what may not.
  ///
  /// - Returns: the values as a state stores them: `gender` as its word, and a blank text, which clears its field, as "".
  package static func sort(
    _ values: [Int: String]
  ) -> (accepted: [UserInfoUpdateTag: String], filtered: [Filtered]) {
    var accepted: [UserInfoUpdateTag: String] = [:]
    var filtered: [Filtered] = []
    for (number, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let tag = UserInfoUpdateTag(rawValue: number) else {
        filtered.append(Filtered(tag: number, reason: "there is no update tag \(number)"))
        continue
      }
      do throws(Refused) {
        let checked = try ProfileUpdate.checked(Text(value), as: tag.field, byTag: true)
        // What is stored as unset is told as a cleared field, but for the gender, which has a word for it.
        accepted[tag] = tag == .gender ? checked.string : TextRule.stored(checked, as: tag.field)?.string ?? ""
      } catch {
        filtered.append(Filtered(tag: number, reason: error.reason))
      }
    }
    return (accepted, filtered)
  }
}
