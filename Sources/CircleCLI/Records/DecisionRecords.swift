import CircleKit
import CircleModel
import CircleState

/// What a decision made, for the records of a report.
extension Session.Decision {
  /// The members whom the records made or changed, as they are now.
  var membersAfterwards: [ShownMember] {
    outcome.records.compactMap { record in
      result[record.server].members[record.user].map { ShownMember(server: record.server, member: $0) }
    }
  }

  /// The members who are gone, as they were.
  var membersGone: [ShownMember] {
    outcome.records.flatMap { record -> [ShownMember] in
      if case .removed(let removed)? = outcome.detail(of: record) {
        return removed.map { ShownMember(server: record.server, member: $0.member) }
      }
      guard record.kind == .leaveServer else { return [] }
      return (loaded.snapshot[record.server].members[record.user]).map {
        [ShownMember(server: record.server, member: $0)]
      } ?? []
    }
  }

  /// The invitations that were sent, answered or withdrawn.
  var invitations: [Query.Invited] {
    outcome.records.flatMap { record -> [Query.Invited] in
      let invitations: [Invitation] =
        switch outcome.detail(of: record) {
        case .invitation(let invitation, _, _, _, _)?: [invitation]
        case .answered(let invitation)?: [invitation]
        case .withdrawn(let withdrawn)?: withdrawn
        default: []
        }
      return invitations.map { Query.Invited(server: record.server, invitation: $0) }
    }
  }

  /// The tags that were added or removed.
  var tags: [Tag] {
    outcome.records.flatMap { record -> [Tag] in
      if case .tags(let tags, _)? = outcome.detail(of: record) { return tags }
      return []
    }
  }
}
