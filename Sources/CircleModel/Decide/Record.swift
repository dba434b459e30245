package import Diagnostics

/// What one operation changed: a line of the log, from which its events, the next state, undo and `why` are read.
///
/// A join is told by the record alone; what needs more has it in `Outcome.details` at `detail`.
package struct Record: Sendable {
  package var kind: OperationKind
  package var rule: Rule
  /// Whether an administrator acted, in the actor's name.
  package var isAdministrative: Bool
  package var roleBefore: Role?
  package var roleAfter: Role?
  /// What the base had him listed as, and has afterwards, as a member or (before a join, after leaving) as an absentee.
  package var listingBefore: Listing
  package var listingAfter: Listing
  /// Joined by accepting an invitation (before the record, for one who goes).
  package var accepted: Bool
  package var server: ServerIndex
  package var actor: UserIndex
  /// The member, invitee or user concerned.
  package var user: UserIndex
  /// Receivers of the server event whose audience is a number of members; see `EventName.audience`.
  package var audience: UInt32
  /// The actor's other devices, which hear the multi-device event; 0: there is none.
  package var devices: UInt32
  /// Index into `Outcome.details`, or -1.
  package var detail: Int32
  package var place: Place
  /// Before the record, for one who was a member; else 0. Unix milliseconds.
  package var joinedAt: Int64

  package init(_ kind: OperationKind, server: ServerIndex, actor: UserIndex, user: UserIndex = .none) {
    self.kind = kind
    self.server = server
    self.actor = actor
    self.user = user
    rule = .command
    isAdministrative = false
    listingBefore = []
    listingAfter = []
    accepted = false
    audience = 0
    devices = 0
    detail = -1
    place = .none
    joinedAt = 0
  }
}

/// A member as he was before he was removed.
package struct RemovedMember: Equatable, Sendable {
  package var member: Member
  package var rule: Rule
  package var place: Place
  /// What the base keeps of him: an apply that removes him forgets, any other write remembers.
  package var listingAfter: Listing

  package init(_ member: Member, rule: Rule, place: Place, listingAfter: Listing) {
    self.member = member
    self.rule = rule
    self.place = place
    self.listingAfter = listingAfter
  }
}

/// What a record can't hold in itself. The rare, big cases are boxed, since a run may have a detail for each user.
package enum Detail: Sendable {
  indirect case created(Server)
  /// With the attributes that an update event carries (as they are afterwards), and where each change was asked for.
  case updated([FieldChange<ServerField>], places: [Place], attributes: ServerAttributes)
  /// The tags added or removed, a removed one as it was; where each was asked for.
  case tags([Tag], places: [Place])
  case removed([RemovedMember])
  /// The server's name and icon as the event carries them; `replaced` is the same pair's earlier invitation.
  indirect case invitation(Invitation, replaced: Invitation?, serverName: Text?, icon: Text?, refusalBefore: Refusal?)
  /// The invitation that was accepted or declined.
  case answered(Invitation)
  case withdrawn([Invitation])
  case registered(UserProfile, devices: [Text], managed: FieldMask)
  case profile([FieldChange<UserField>], places: [Place])
  case devices(before: [Text], after: [Text])
  case handle(before: Text, after: Text)
  case stack(before: Text?, after: Text?)
  indirect case settings(before: ServerSettings, after: ServerSettings)
  case serverMarks(before: FieldMask, after: ServerMarks)
  /// `before` is what was managed, `after` what this apply names: it is added, since the base of a field is what the
  /// last apply that named it wrote, of whichever stack.
  case userMarks(before: FieldMask, after: FieldMask)
  case limit(LimitKind, before: Int, after: Int)
}

/// What a run has decided so far, in order; `decide` appends to a caller's.
package struct Outcome: Sendable {
  package var records = ContiguousArray<Record>()
  package var details = ContiguousArray<Detail>()

  package init() {}

  package mutating func append(_ record: Record, _ detail: Detail? = nil) {
    var record = record
    if let detail {
      record.detail = Int32(truncatingIfNeeded: details.count)
      details.append(detail)
    }
    records.append(record)
  }

  package func detail(of record: Record) -> Detail? {
    record.detail < 0 ? nil : details[Int(record.detail)]
  }

  /// Forgets what was decided after `mark` records and `details`: an all-or-none operation that failed half-way.
  package mutating func rollBack(to mark: (records: Int, details: Int)) {
    records.removeLast(records.count - mark.records)
    details.removeLast(details.count - mark.details)
  }
}
