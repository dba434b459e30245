import CircleModel
import CircleState
import CircleStatePostgres

/// A state that managers work on: one in memory, or one in a file or on a server that other processes may use at the same
/// time.
///
/// Managers of one store see each other's events at once; what another process does to the same state within half a
/// second.
public actor CircleStore {
  private let executor = StoreExecutor()
  private let store: StateStore
  private var hub = EventHub()
  private let isShared: Bool
  private let lockTimeout: Int
  private let clock: @Sendable () -> Int64
  private var seeds: SeedSource
  private var watch: Task<Void, Never>?

  /// The queue on which its work runs, so that waiting for another process's lock blocks nobody else.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// A state in memory, that ends with the store.
  ///
  /// - Parameters:
  ///   - clock: Unix milliseconds, UTC; the system's when left out.
  ///   - idSeed: the ids of servers and tags are made from it, so that runs are alike; random when left out.
  public init(clock: (@Sendable () -> Int64)? = nil, idSeed: String? = nil) {
    store = StateStore(MemoryRows())
    isShared = false
    lockTimeout = 0
    self.clock = clock ?? { systemMilliseconds() }
    seeds = SeedSource(idSeed)
  }

  /// The state in a file or on a PostgreSQL server; it is made where there is none.
  ///
  /// - Parameters:
  ///   - path: of the file, or a URL `postgres://…` without a password, as libpq reads it.
  ///   - lockTimeout: how long to wait for another process that writes.
  ///   - clock: Unix milliseconds, UTC; the system's when left out.
  ///   - idSeed: the ids of servers and tags are made from it, so that runs are alike; random when left out.
  /// - Throws: `CircleStoreError` when what is there is no state, is damaged, or can't be read or made.
  public init(
    path: String, lockTimeout: Duration = .seconds(10), clock: (@Sendable () -> Int64)? = nil, idSeed: String? = nil
  ) throws {
    let milliseconds = Int(lockTimeout / .milliseconds(1))
    do throws(StateError) {
      let place: StatePlace
      do throws(ServerURL.Refusal) { place = try StatePlace(path) } catch {
        throw .notAState("the URL of the state holds a password, or is none that libpq understands")
      }
      store = StateStore(try place.open(.write(create: true), timeout: milliseconds), timeout: milliseconds)
    } catch {
      throw CircleStoreError(error)
    }
    isShared = true
    self.lockTimeout = milliseconds
    self.clock = clock ?? { systemMilliseconds() }
    seeds = SeedSource(idSeed)
  }

  deinit {
    watch?.cancel()
  }

  // MARK: What managers do

  /// Decides operations and writes them, all or none; then the listeners are told.
  ///
  /// - Parameters:
  ///   - command: as the history calls it.
  ///   - answer: what the caller wants to know of the state afterwards.
  func perform<R: Sendable>(
    as caller: Session.Caller, _ command: String, in scope: Scope, users: [String] = [],
    _ operations: (Snapshot) throws(Refused) -> [CircleModel.Operation],
    answer: (Session.Decision) throws(Refused) -> R
  ) throws -> R {
    let session = Session(store, as: caller, now: clock(), idSeed: seeds.next())
    let result = try describing {
      try store.takeLock(now: clock(), timeout: lockTimeout)
      // A commit gives the lock up itself.
      var isLocked = true
      defer { if isLocked { store.releaseLock() } }
      let decision = try session.decide(in: scope, users: users, operations)
      let result = try refusing { () throws(Refused) in try answer(decision) }
      if decision.changesSomething {
        let writer = RunRequest.Writer(host: StateLock.thisHost(), process: thisProcess(), version: "CircleKit")
        _ = try session.commit(decision, command: command, writer: writer)
        isLocked = false
      }
      return result
    }
    tellNews()
    return result
  }

  /// Reads with the caller's rights, all of one moment.
  func read<R: Sendable>(
    as caller: Session.Caller, _ scope: Scope, users: [String] = [],
    _ body: (Snapshot, Authority) throws(Refused) -> R
  ) throws -> R {
    let session = Session(store, as: caller, now: clock(), idSeed: [])
    return try describing { try session.read(scope, users: users, body) }
  }

  // MARK: Listening

  func listen(_ listener: EventHub.Listener) throws -> EventHub.Token {
    let token = try describing { try hub.add(listener, to: store) }
    watchOthers()
    return token
  }

  /// Listens for a delegate, which is removed by what it is.
  func listen(_ listener: EventHub.Listener, for delegate: AnyObject) throws {
    var listener = listener
    listener.delegate = ObjectIdentifier(delegate)
    _ = try listen(listener)
  }

  func remove(_ delegate: any AnyObject & Sendable, of user: String, _ device: String?) {
    hub.remove(delegate: ObjectIdentifier(delegate), of: user, device)
    stopWatchingIfAlone()
  }

  func stopListening(_ token: EventHub.Token) {
    hub.remove(token)
    stopWatchingIfAlone()
  }

  private func stopWatchingIfAlone() {
    if hub.isEmpty {
      watch?.cancel()
      watch = nil
    }
  }

  /// Looks for what other processes have written, as long as somebody listens.
  private func watchOthers() {
    guard isShared, watch == nil else { return }
    watch = Task { [weak self] in
      while !Task.isCancelled {
        do { try await Task.sleep(for: .milliseconds(200)) } catch { return }
        guard let self else { return }
        await self.tellNews()
      }
    }
  }

  /// Tells the listeners what has happened. A state that is busy or out of reach now is asked again soon.
  private func tellNews() {
    do throws(StateError) { try hub.deliver(from: store) } catch { return }
  }

  // MARK: Errors

  private func refusing<R>(_ body: () throws(Refused) -> R) throws(SessionError) -> R {
    do throws(Refused) { return try body() } catch { throw .refused(error) }
  }

  /// Runs `body`, with all errors as callers know them.
  private func describing<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch SessionError.refused(let error) {
      throw CircleError(error)
    } catch SessionError.state(let error) {
      throw CircleStoreError(error)
    } catch let error as StateError {
      throw CircleStoreError(error)
    }
  }
}
