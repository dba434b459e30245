package import CircleModel
package import CircleState

/// One caller of a state: operations and reads with his rights, each decided by the same rules.
///
/// Synchronous, and from one thread: the command line uses it as it is, `CircleStore` from its actor.
package struct Session {
  /// On whose behalf.
  package enum Caller: Equatable, Sendable {
    case administrator
    /// Exactly that user's rights; he acts on `device`, or on none of his registered ones.
    case user(String, device: String?)
  }

  package var store: StateStore
  package var caller: Caller
  /// The clock, Unix milliseconds; a run is never earlier than the log's last.
  package var now: Int64
  /// From which the ids of new servers and tags are made.
  package var idSeed: [UInt8]

  package init(_ store: StateStore, as caller: Caller, now: Int64, idSeed: [UInt8]) {
    self.store = store
    self.caller = caller
    self.now = now
    self.idSeed = idSeed
  }

  /// What a session has decided and not yet written.
  package struct Decision {
    package let loaded: Loaded
    package let outcome: Outcome
    /// The state with the outcome in it.
    package let result: Snapshot
    package let context: RunContext

    /// Whether there is something to write.
    package var changesSomething: Bool { !outcome.records.isEmpty }
  }

  /// Decides operations, each on the state that its predecessors left: all or none.
  ///
  /// - Parameters:
  ///   - scope: what of the state they need; the details of the users named are always loaded.
  ///   - users: ids of the users that the operations are about.
  ///   - make: the operations, from what was loaded.
  /// - Throws: `.refused` with the reason of the first that is refused.
  package func decide(
    in scope: Scope, users: [String] = [], kind: RunKind = .command,
    _ make: (Snapshot) throws(Refused) -> [CircleModel.Operation]
  ) throws(SessionError) -> Decision {
    let (loaded, authority) = try load(scope, users)
    var snapshot = loaded.snapshot
    var context = RunContext(
      kind: kind, time: max(now, loaded.head.time), ids: IDSource(seed: idSeed, nextSeq: loaded.head.nextSeq))
    var outcome = Outcome()
    let operations: [CircleModel.Operation]
    do throws(Refused) {
      operations = try make(snapshot)
    } catch {
      throw .refused(error)
    }
    do throws(StateError) {
      try store.noteTakenNames(for: operations, ids: context.ids, in: &snapshot)
    } catch {
      throw .state(error)
    }
    do throws(Refused) {
      for operation in operations {
        let decided = outcome.records.count
        try CircleModel.decide(
          operation, by: authority, from: .command, in: snapshot, context: &context, into: &outcome)
        for record in outcome.records[decided...] { snapshot.apply(record, of: outcome, in: context) }
      }
    } catch {
      throw .refused(error)
    }
    return Decision(loaded: loaded, outcome: outcome, result: snapshot, context: context)
  }

  /// Writes a decision in one transaction, and gives up the lock with it.
  ///
  /// - Parameters:
  ///   - command: as the history calls it.
  ///   - writer: who writes.
  /// - Throws: `.stale` when the state is no longer as it was loaded; nothing is written then.
  package func commit(
    _ decision: Decision, command: String, stack: Text? = nil, reason: String? = nil, writer: RunRequest.Writer
  ) throws(StateError) -> Run {
    var device: Text?
    if case .user(_, let name?) = caller { device = Text(name) }
    let request = RunRequest(
      kind: decision.context.kind, command: command, stack: stack, reason: reason, device: device, writer: writer)
    return try store.commit(
      decision.outcome, result: decision.result, on: decision.loaded, time: decision.context.time, request: request)
  }

  /// Reads with the caller's rights, all of one moment.
  package func read<R>(
    _ scope: Scope, users: [String] = [],
    _ body: (Snapshot, Authority) throws(Refused) -> R
  ) throws(SessionError) -> R {
    let (loaded, authority) = try load(scope, users)
    do throws(Refused) {
      return try body(loaded.snapshot, authority)
    } catch {
      throw .refused(error)
    }
  }

  private func load(_ scope: Scope, _ users: [String]) throws(SessionError) -> (Loaded, Authority) {
    var names = UserNames()
    var scope = scope
    scope.userDetails = true
    var authority = Authority.administrator
    if case .user(let id, let device) = caller {
      authority = .user(try Self.intern(id, in: &names), device: device.map { Text($0) })
    }
    for id in users { _ = try Self.intern(id, in: &names) }
    do throws(StateError) {
      return (try store.load(scope, names: names), authority)
    } catch {
      throw .state(error)
    }
  }

  private static func intern(_ id: String, in names: inout UserNames) throws(SessionError) -> UserIndex {
    if let violation = Text(id).withBytes({ TextRule.userID.check($0) }) {
      throw .refused(Refused(violation.name, actor: Text(id), violation.reason))
    }
    return names.intern(id)
  }
}

/// Why a session did not do what it was asked for.
package enum SessionError: Error {
  /// A rule of the domain says no; nothing was changed.
  case refused(Refused)
  case state(StateError)
}

extension Snapshot {
  /// The server of that handle, or else of that id.
  /// - Throws: `notFound`.
  package func server(named name: String) throws(Refused) -> ServerIndex {
    let name = Text(name)
    guard let server = handles[name] ?? serverIDs[name], server != .none else {
      throw Refused(.notFound, server: name, "there is no server '\(name)'")
    }
    return server
  }

  /// The user of that id, registered or not; one whom the session was told of, or who was loaded.
  package func user(named id: String) -> UserIndex { names.find(id) ?? .none }

  /// The users of these ids in the order given, one named twice once.
  package func users(named ids: [String]) -> [UserIndex] {
    var seen: Set<UserIndex> = []
    return ids.map { user(named: $0) }.filter { seen.insert($0).inserted }
  }
}
