import CircleModel

/// The lists of one server, as its manifest entry has them.
struct DesiredLists {
  let members: Given<ContiguousArray<Listed>>?
  let moderators: Given<ContiguousArray<Listed>>?
  let absent: ContiguousArray<Listed>
  let mode: MembershipMode
  let join: JoinMode
  /// Whether listed users come in otherwise than by the last apply.
  let joinsOtherwise: Bool

  /// - Parameters:
  ///   - settings: as last applied.
  ///   - type: after the plan.
  ///   - typeBefore: as last applied.
  init(_ entry: DesiredServer, settings: ServerSettings, type: ServerType, typeBefore: ServerType) {
    members = entry.members
    moderators = entry.moderators
    absent = entry.absent
    mode = entry.membership?.value ?? settings.membership ?? .managed
    join = entry.join?.value ?? settings.join ?? .usual(for: type)
    joinsOtherwise = join != settings.join ?? .usual(for: typeBefore)
  }

  /// Whether `members` says that one whom no list names is not to be a member, and by which rule.
  /// - Parameters:
  ///   - listing: what the last apply listed him as.
  ///   - role: nil for one who is only invited.
  func removal(listing: Listing, role: Role?) -> Rule? {
    guard members != nil else { return nil }
    switch mode {
    case .additive: return nil
    case .exact: return role == .moderator && moderators == nil ? nil : .exactMembership
    case .managed:
      let wasListed = listing.contains(.member) || (listing.contains(.moderator) && moderators != nil)
      return wasListed ? .noLongerListed : nil
    }
  }
}

extension JoinMode {
  /// What holds where no apply gave it.
  fileprivate static func usual(for type: ServerType) -> JoinMode { type == .private ? .invite : .direct }
}

extension ContiguousArray where Element == Listed {
  /// The user's entry, in a list that is sorted by user.
  func listed(_ user: UserIndex) -> Listed? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].user.raw < user.raw { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low].user == user ? self[low] : nil
  }
}
