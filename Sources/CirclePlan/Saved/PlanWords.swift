import CircleModel

/// The words by which a plan file calls things, next to those that the domain has already.
enum PlanFileWord {
  /// What a plan may run; `markManaged` of the log is two here.
  static func of(_ kind: OperationKind) -> String {
    switch kind {
    case .markServer: "markServer"
    case .markUser: "markUser"
    default: kind.word
    }
  }

  static let operations: [OperationKind] = [
    .createServer, .updateServer, .destroyServer, .addTags, .removeTags, .inviteUser, .joinServer, .removeUsers,
    .addModerator, .removeModerator, .registerUser, .updateUser, .setDevices, .renameHandle, .adoptServer,
    .setServerSettings, .markServer, .markUser, .withdrawInvitation,
  ]

  static func operation(_ word: String) -> OperationKind? {
    operations.first { of($0).utf8.elementsEqual(word.utf8) }
  }

  static func rule(_ word: String) -> Rule? {
    Rule.allCases.first { $0.word.utf8.elementsEqual(word.utf8) }
  }

  private static let listings: [(Listing, String)] = [(.member, "member"), (.moderator, "moderator")]

  static func of(_ listing: Listing) -> [String] {
    listings.filter { listing.contains($0.0) }.map { $0.1 }
  }

  static func listing(_ word: String) -> Listing? {
    listings.first { $0.1.utf8.elementsEqual(word.utf8) }?.0
  }

  private static let serverMasks: [(FieldMask, String)] =
    ServerField.allCases.map { (FieldMask($0), $0.word) } + [
      (.tags, "tags"), (.moderators, "moderators"), (.members, "members"),
    ]

  private static let userMasks: [(FieldMask, String)] =
    UserField.allCases.map { (FieldMask($0), $0.word) } + [(.devices, "devices")]

  static func of(_ mask: FieldMask, ofUser: Bool) -> [String] {
    (ofUser ? userMasks : serverMasks).filter { mask.contains($0.0) }.map { $0.1 }
  }

  static func mask(_ word: String, ofUser: Bool) -> FieldMask? {
    (ofUser ? userMasks : serverMasks).first { $0.1.utf8.elementsEqual(word.utf8) }?.0
  }
}
