package import CircleModel
package import Diagnostics

/// What a table of members or tags asks of one server, each user and each tag once.
package struct ServerRequest: Sendable {
  package struct Member: Sendable {
    package var user: UserIndex
    package var isRemoved: Bool
    /// nil leaves it, and is `user` for one who joins.
    package var role: Role?
    package var place: Place

    package init(_ user: UserIndex, isRemoved: Bool, role: Role?, place: Place) {
      self.user = user
      self.isRemoved = isRemoved
      self.role = role
      self.place = place
    }
  }

  package struct TagEntry: Sendable {
    package var name: Text
    package var isRemoved: Bool
    package var place: Place

    package init(_ name: Text, isRemoved: Bool, place: Place) {
      self.name = name
      self.isRemoved = isRemoved
      self.place = place
    }
  }

  package var server: ServerIndex
  package var members = ContiguousArray<Member>()
  /// In the order of the table.
  package var tags: [TagEntry] = []

  package init(_ server: ServerIndex) {
    self.server = server
  }
}

/// Decides what an import of members or tags would do: the same operations in the same order, under the same rules, limits
/// and guards, as an apply.
///
/// What is as it is asked for already is no change; who is no member can't be removed again.
/// - Parameters:
///   - requests: no server twice.
///   - options: only what concerns the guards counts.
///   - context: of an import.
package func plan(
  _ requests: [ServerRequest], actual: Snapshot, options: PlanOptions, context: RunContext
) -> Plan {
  var planner = Planner(DesiredState(), actual, options, context)
  // In the order of the handles, in which many tables are.
  let handles = requests.map { actual.handle(of: $0.server) }
  let isSorted = zip(handles, handles.dropFirst()).allSatisfy { $0 < $1 }
  let positions = isSorted ? Array(requests.indices) : requests.indices.sorted { handles[$0] < handles[$1] }
  var lists = positions.map { ListSteps(requests[$0], in: actual) }
  let (members, tags) = lists.reduce(into: (0, 0)) { $0 = ($0.0 + $1.memberCount, $0.1 + $1.tagCount) }
  let order = UserOrder(actual.names, for: members)
  for position in lists.indices { lists[position].sort(by: order) }
  planner.reserve(members + tags, texts: tags)
  planner.decideLists(lists)
  return planner.plan
}

/// What differs between one server and what a table asks of it.
struct ListSteps {
  let server: ServerIndex
  private(set) var removals = ContiguousArray<MembershipStep>()
  private(set) var demotions = ContiguousArray<MembershipStep>()
  private(set) var arrivals = ContiguousArray<MembershipStep>()
  private(set) var promotions = ContiguousArray<MembershipStep>()
  private(set) var removedTags: [TagStep] = []
  private(set) var addedTags: [Given<Text>] = []

  init(_ request: ServerRequest, in actual: Snapshot) {
    server = request.server
    let position = server.position
    arrivals.reserveCapacity(request.members.count)
    let owner = actual.servers[position].owner
    for entry in request.members {
      compare(entry, actual.servers[position].members[entry.user], isOwner: entry.user == owner)
    }
    let tags = actual.servers[position].tags
    addedTags.reserveCapacity(request.tags.count)
    for tag in request.tags {
      // A server has a handful.
      let id = tags.first { $0.name == tag.name }?.id
      if !tag.isRemoved, id == nil { addedTags.append(Given(tag.name, at: tag.place)) }
      if tag.isRemoved, id != nil {
        removedTags.append(TagStep(name: tag.name, id: id, kind: .pending, place: tag.place))
      }
    }
  }

  var memberCount: Int { removals.count + demotions.count + arrivals.count + promotions.count }
  var tagCount: Int { removedTags.count + addedTags.count }

  private mutating func compare(_ entry: ServerRequest.Member, _ member: Member?, isOwner: Bool) {
    // Nobody makes the owner more or less of a member; to remove him is for `decide` to refuse.
    if isOwner, !entry.isRemoved { return }
    var step = MembershipStep(
      user: entry.user, role: isOwner ? .owner : member?.role, rule: .command, kind: .pending, listing: [],
      place: entry.place)
    if entry.isRemoved {
      if step.role != nil { removals.append(step) }
      return
    }
    if step.role == nil {
      arrivals.append(step)
      step.role = .user
    }
    if entry.role == .moderator, step.role == .user { promotions.append(step) }
    if entry.role == .user, step.role == .moderator { demotions.append(step) }
  }

  mutating func sort(by order: UserOrder) {
    order.sort(&removals) { $0.user }
    order.sort(&demotions) { $0.user }
    order.sort(&arrivals) { $0.user }
    order.sort(&promotions) { $0.user }
  }
}

extension Planner {
  /// In the order of a run: removals, demotions, tag removals, tag additions, joins, promotions.
  mutating func decideLists(_ lists: [ListSteps]) {
    for list in lists { remove(list) }
    for list in lists {
      for step in list.demotions {
        let verdict = perform(.removeModerator(list.server, step.user), step, on: list.server)
        add(.update, .role, step, to: .user, on: list.server, verdict)
      }
    }
    for list in lists { removeTags(list) }
    for list in lists { addTags(list) }
    var refused: [UInt64: Int32] = [:]
    for list in lists {
      for step in list.arrivals {
        let verdict = perform(.joinServer(list.server, step.user), step, on: list.server)
        if case .blocked(let refusal) = verdict { refused[Self.key(list.server, step.user)] = refusal }
        add(.create, .membership, step, to: .user, on: list.server, verdict)
      }
    }
    for list in lists {
      for step in list.promotions {
        let verdict =
          refused[Self.key(list.server, step.user)].map { .blocked($0) }
          ?? perform(.addModerator(list.server, step.user), step, on: list.server)
        add(.update, .role, step, to: .moderator, on: list.server, verdict)
      }
    }
    plan.guardSets(from: actual, options)
  }

  private static func key(_ server: ServerIndex, _ user: UserIndex) -> UInt64 {
    UInt64(server.raw) << 32 | UInt64(user.raw)
  }

  private mutating func perform(_ operation: Operation, _ step: MembershipStep, on server: ServerIndex) -> Verdict {
    perform(operation, Origin(.command, at: step.place), for: actual.handle(of: server), on: server)
  }

  private mutating func add(
    _ action: Change.Action, _ object: Change.Object, _ step: MembershipStep, to role: Role?, on server: ServerIndex,
    _ verdict: Verdict
  ) {
    var change = Change(action, object, .pending, server: server, user: step.user, rule: .command, at: step.place)
    if action != .create { change.roleBefore = step.role }
    change.roleAfter = role
    add(change, verdict)
  }

  private mutating func remove(_ list: ListSteps) {
    guard let first = list.removals.first else { return }
    let removals = list.removals.map { Removal($0.user, .command, at: $0.place) }
    let verdict = perform(.removeUsers(list.server, removals), first, on: list.server)
    for step in list.removals { add(.delete, .membership, step, to: nil, on: list.server, verdict) }
  }

  private mutating func removeTags(_ list: ListSteps) {
    guard let first = list.removedTags.first else { return }
    let verdict = perform(
      .removeTags(list.server, list.removedTags.compactMap(\.id)), Origin(.command, at: first.place),
      for: actual.handle(of: list.server), on: list.server)
    for step in list.removedTags {
      add(
        Change(.delete, .tag, .pending, server: list.server, rule: .command, at: step.place), verdict,
        text: ChangeText(before: step.name))
    }
  }

  private mutating func addTags(_ list: ListSteps) {
    guard let first = list.addedTags.first else { return }
    let verdict = perform(
      .addTags(list.server, list.addedTags), Origin(.command, at: first.place), for: actual.handle(of: list.server),
      on: list.server)
    for tag in list.addedTags {
      add(
        Change(.create, .tag, .pending, server: list.server, rule: .command, at: tag.place), verdict,
        text: ChangeText(after: tag.value))
    }
  }
}
