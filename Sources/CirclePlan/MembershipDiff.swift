import CircleModel
import Diagnostics

/// One user whose membership, role or invitation in a server is not as the manifest has it.
struct MembershipStep {
  var user: UserIndex
  /// What the user is before, nil for one who is no member.
  var role: Role?
  var rule: Rule
  var kind: Change.Kind
  /// What the manifest lists him as.
  var listing: Listing
  var place: Place
}

/// What differs between the members of one server and its lists: found by merging arrays sorted by user, since a
/// manifest set may list a million.
struct MembershipDiff {
  private(set) var withdrawals = ContiguousArray<MembershipStep>()
  private(set) var removals = ContiguousArray<MembershipStep>()
  private(set) var demotions = ContiguousArray<MembershipStep>()
  /// Listed users who are no members; whether they join or are invited is the server's setting.
  private(set) var arrivals = ContiguousArray<MembershipStep>()
  private(set) var promotions = ContiguousArray<MembershipStep>()
  /// Listed users who refused an invitation earlier and are not asked again.
  private(set) var refused = ContiguousArray<(user: UserIndex, refusal: Refusal, place: Place)>()
  /// Whether the base lists someone else, or otherwise, than the manifest does, whom no step of the plan notes.
  private(set) var listingsDiffer = false
  /// Members whom no list names and who stay.
  private(set) var unmanaged = ContiguousArray<UserIndex>()

  private let lists: DesiredLists
  private let owner: UserIndex
  private let base: ServerBase
  /// Whether the last apply saw to it that none but the listed were members.
  private let wasExact: Bool
  private let refusals: [UserIndex: Refusal]
  private let asksAgain: Bool
  private let invitations: Invitations
  private var absenteesMet = 0

  /// - Parameters:
  ///   - server: as it is; nil for one to be created.
  ///   - asksAgain: whether a changed `welcome` asks those again who refused.
  init(_ lists: DesiredLists, owner: UserIndex, server: Server?, asksAgain: Bool) {
    self.lists = lists
    self.owner = owner
    base = server?.base ?? ServerBase()
    wasExact = base.managed.contains(.members) && server?.settings.membership == .exact
    refusals = lists.join == .direct ? [:] : server?.refusals ?? [:]
    self.asksAgain = asksAgain
    invitations = server?.invitations ?? Invitations()
    merge(with: server?.members.sorted() ?? [])
    findWithdrawals()
    listingsDiffer = listingsDiffer || absenteesMet != base.absentees.count
  }

  /// How many users there are to be sorted.
  var stepCount: Int {
    withdrawals.count + removals.count + demotions.count + arrivals.count + promotions.count + refused.count
  }

  var hasRemovals: Bool { !removals.isEmpty || !demotions.isEmpty }

  mutating func sort(by order: UserOrder) {
    order.sort(&withdrawals) { $0.user }
    order.sort(&removals) { $0.user }
    order.sort(&demotions) { $0.user }
    order.sort(&arrivals) { $0.user }
    order.sort(&promotions) { $0.user }
    order.sort(&refused) { $0.user }
  }

  private mutating func merge(with actual: ContiguousArray<Member>) {
    var members = ListCursor(lists.members?.value ?? [])
    var moderators = ListCursor(lists.moderators?.value ?? [])
    var absent = ListCursor(lists.absent)
    var position = 0
    while true {
      let head = position < actual.count ? actual[position].user.raw : UInt32.max
      let others = min(moderators.head, absent.head)
      // Nearly all of a million: listed as a member, known as listed, and no more than that.
      if head == members.head, head < others, actual[position].isPlain {
        members.advance()
        position += 1
        continue
      }
      let next = min(min(members.head, others), head)
      if next == UInt32.max { break }
      let user = UserIndex(next)
      let entry = ListEntry(
        member: members.take(next), moderator: moderators.take(next), absent: absent.take(next))
      if head == next {
        if user != owner { compare(actual[position], with: entry) }
        position += 1
      } else if user != owner, !entry.listing.isEmpty {
        welcome(user, entry)
      }
    }
  }

  private mutating func compare(_ member: Member, with entry: ListEntry) {
    var step = MembershipStep(
      user: member.user, role: member.role, rule: .absent, kind: .pending, listing: entry.listing, place: .none)
    if let place = entry.absent {
      step.place = place
      removals.append(step)
      return
    }
    if entry.listing.isEmpty {
      if let rule = lists.removal(listing: member.listing, role: member.role) {
        step.rule = rule
        step.place = lists.members?.place ?? .none
        step.kind = kindOfRemoval(rule, listing: member.listing)
        removals.append(step)
        return
      }
      unmanaged.append(member.user)
    }
    if let moderators = lists.moderators {
      if let place = entry.moderator, member.role == .user {
        step.rule = .manifest
        step.place = place
        step.kind = member.listing.contains(.moderator) ? .drift : .pending
        promotions.append(step)
        return
      }
      if entry.moderator == nil, member.role == .moderator {
        step.rule = .moderatorsComplete
        step.place = moderators.place
        step.kind = base.managed.contains(.moderators) && !member.listing.contains(.moderator) ? .drift : .pending
        demotions.append(step)
        return
      }
    }
    if member.listing != entry.listing { listingsDiffer = true }
  }

  /// A listed user who is no member.
  private mutating func welcome(_ user: UserIndex, _ entry: ListEntry) {
    let before = base.absentees.isEmpty ? nil : base.absentees[user]
    if before != nil { absenteesMet += 1 }
    if lists.join == .invite, before != entry.listing { listingsDiffer = true }
    let place = entry.member ?? entry.moderator ?? .none
    // Whom the last apply left invited, and who is to be a member now, has not gone astray: that is new.
    let isDrift = before != nil && !lists.joinsOtherwise
    var step = MembershipStep(
      user: user, role: nil, rule: .manifest, kind: isDrift ? .drift : .pending, listing: entry.listing, place: place)
    if !refusals.isEmpty, let refusal = refusals[user], !invitations.isInvited(user) {
      guard asksAgain else {
        refused.append((user, refusal, place))
        return
      }
      step.kind = .pending
    }
    arrivals.append(step)
    guard let place = entry.moderator, lists.join == .direct else { return }
    step.role = .user
    step.place = place
    step.kind = isDrift && before?.contains(.moderator) ?? false ? .drift : .pending
    promotions.append(step)
  }

  private mutating func findWithdrawals() {
    for user in invitations.invitees where user != owner && !isListed(user) {
      var step = MembershipStep(
        user: user, role: nil, rule: .absent, kind: .pending, listing: [], place: .none)
      if let absent = lists.absent.listed(user) {
        step.place = absent.place
      } else if let rule = lists.removal(listing: base.absentees[user] ?? [], role: nil) {
        step.rule = rule
        step.place = lists.members?.place ?? .none
        step.kind = kindOfRemoval(rule, listing: base.absentees[user] ?? [])
      } else {
        continue
      }
      withdrawals.append(step)
    }
  }

  private func kindOfRemoval(_ rule: Rule, listing: Listing) -> Change.Kind {
    rule == .exactMembership && wasExact && listing.isEmpty ? .drift : .pending
  }

  private func isListed(_ user: UserIndex) -> Bool {
    lists.members?.value.listed(user) != nil || lists.moderators?.value.listed(user) != nil
  }
}

/// Where the lists of a server name one user.
private struct ListEntry {
  let member: Place?
  let moderator: Place?
  let absent: Place?

  var listing: Listing {
    Listing(
      rawValue: (member == nil ? 0 : Listing.member.rawValue) | (moderator == nil ? 0 : Listing.moderator.rawValue))
  }
}

extension Member {
  /// A user whom the last apply listed as a member only.
  fileprivate var isPlain: Bool { role == .user && listing.rawValue == Listing.member.rawValue }
}

/// A place in a list that is sorted by user.
private struct ListCursor {
  private let list: ContiguousArray<Listed>
  private var position = 0
  /// The next user's number; the greatest there is at the end.
  private(set) var head: UInt32

  init(_ list: ContiguousArray<Listed>) {
    self.list = list
    head = list.first?.user.raw ?? UInt32.max
  }

  /// Steps over the next user if it is this one.
  mutating func take(_ user: UInt32) -> Place? {
    guard head == user else { return nil }
    let place = list[position].place
    advance()
    return place
  }

  mutating func advance() {
    position += 1
    head = position < list.count ? list[position].user.raw : UInt32.max
  }
}

extension Invitations {
  /// Those who have a pending one, by user index, each once.
  fileprivate var invitees: ContiguousArray<UserIndex> {
    guard !isEmpty else { return [] }
    var invitees = ContiguousArray(pairs.keys.lazy.map(\.invitee))
    invitees.sort { $0.raw < $1.raw }
    var unique = ContiguousArray<UserIndex>()
    for user in invitees where unique.last != user { unique.append(user) }
    return unique
  }
}
