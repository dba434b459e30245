import CircleKit
import CircleModel
import CircleReport
import CircleState
import Digest
import Glibc

extension Checkup {
  /// The state and what is around it; where there is none, only that.
  mutating func state(of run: CommandRun) throws(Failure) {
    let location = run.options.state.path
    var file: StateFile?
    if case .file(let path) = run.options.state.place(in: run.context) { file = StateFile(path, location) }
    // Opening it rolls back what an interrupted run has left.
    let hadJournal = file?.hasJournal ?? false
    let state: OpenState
    do throws(Failure) {
      state = try run.existingState()
    } catch {
      if case .interrupted = error.kind { throw error }
      fail(
        .state, "opening", error.message ?? "", next: error.next.isEmpty ? [Self.otherPlace] : error.next,
        kind: error.kind)
      file?.look(into: &self, hadJournal: hadJournal)
      return
    }
    guard !state.isMissing else {
      ok(
        .state, "opening",
        "there is no state at '\(location)' yet; 'state init' or the first command that writes makes one")
      file?.lookAtPlace(into: &self)
      return
    }
    ok(.state, "opening", "'\(location)' can be read")
    format(of: state.store)
    file?.look(into: &self, hadJournal: hadJournal)
    do throws(StateError) {
      lock(try state.store.rows.lock(), run)
      let faults = try state.store.faults()
      let head: Head
      do throws(StateError) { head = try state.store.head() } catch .damaged(let sentence) {
        fail(.log, "head", sentence, next: [Self.wayBack])
        return report(faults, Head(), nil)
      }
      // What is wrong with it stands among the faults.
      var checkpoint: Checkpoint?
      do throws(StateError) { checkpoint = try state.store.checkpoint() } catch .damaged { checkpoint = nil }
      report(faults, head, checkpoint)
      clock(head, run)
    } catch {
      let failure = Failure(error, location: location)
      if case .interrupted = failure.kind { throw failure }
      fail(.state, "reading", failure.message ?? "", next: failure.next, kind: failure.kind)
    }
  }

  private static let otherPlace =
    "See that the place is right, is there, and may be used by this user; --state, CIRCLECTL_STATE or circlectl.yaml names it."
  private static let wayBack =
    "A copy made before the damage is the way back: 'state restore' of a dump, or the file of a backup."

  private mutating func format(of store: StateStore) {
    let format = store.rows.format
    guard format < StateFormat.newest else {
      return ok(.state, "format", "\(format), the newest")
    }
    warn(
      .state, "format", "\(format), and the newest is \(StateFormat.newest)",
      "The next command that writes brings it up to date; of a file a copy is kept, on a server make a backup before.")
  }

  // MARK: What 'state verify' finds

  private mutating func report(_ faults: [StateFault], _ head: Head, _ checkpoint: Checkpoint?) {
    let runs = "\(grouped(Int(head.run), "run")), \(grouped(Int(head.nextSeq) - 1, "event"))"
    let begin = checkpoint.map { "; it begins after run \($0.run), what came before has gone into archives" } ?? ""
    report(faults, .store, .state, "store", "the store finds no fault in itself")
    // What is broken below says nothing of what stands on it.
    guard !faults.contains(where: { $0.area == .store }) else { return }
    report(
      faults, .references, .references, "rows",
      "\(grouped(head.totals.users, "user")), \(grouped(head.totals.servers, "server")) and "
        + "\(grouped(head.totals.memberships, "membership")) fit together")
    report(faults, .log, .log, "chain", "\(runs), head \(head.hash.hex)\(begin)")
    guard !faults.contains(where: { $0.area == .log }) else { return }
    report(faults, .fold, .log, "state", "the log gives the state")
  }

  private mutating func report(
    _ faults: [StateFault], _ kind: StateFault.Area, _ area: Check.Area, _ what: String, _ sound: String
  ) {
    let found = faults.filter { $0.area == kind }
    guard !found.isEmpty else { return ok(area, what, sound) }
    for (number, fault) in found.enumerated() {
      fail(area, what, fault.sentence, next: number == found.count - 1 ? [Self.wayBack] : [])
    }
  }

  // MARK: Around it

  private mutating func lock(_ lock: StateLock?, _ run: CommandRun) {
    guard let lock else { return ok(.lock, "lock", "no run holds it") }
    let age = max(0, run.context.clock() - lock.since) / 1000
    let holder =
      "process \(lock.process) on '\(lock.host)' holds it since \(UTCTime.text(lock.since)), for \(Self.words(age))"
    if lock.hasEnded {
      warn(.lock, "lock", "\(holder); that process has ended", "The next command that writes clears it.")
    } else if lock.host != StateLock.thisHost() {
      warn(
        .lock, "lock", "\(holder); whether it still runs can't be seen from here",
        "If it has ended, 'circlectl state unlock' removes the lock.")
    } else if age > 3600 {
      warn(.lock, "lock", "\(holder), and still runs", "Look what it waits for; other runs that write wait for it.")
    } else {
      ok(.lock, "lock", "\(holder), and still runs")
    }
  }

  private static func words(_ seconds: Int64) -> String {
    switch seconds {
    case ..<120: grouped(Int(seconds), "second")
    case ..<7200: grouped(Int(seconds / 60), "minute")
    case ..<172_800: grouped(Int(seconds / 3600), "hour")
    default: grouped(Int(seconds / 86_400), "day")
    }
  }

  private mutating func clock(_ head: Head, _ run: CommandRun) {
    let now = run.now
    guard head.time > now else { return ok(.clock, "now", "\(UTCTime.text(now)), not earlier than the last run") }
    warn(
      .clock, "now", "\(UTCTime.text(now)) is earlier than the last run, of \(UTCTime.text(head.time))",
      "Set the clock right. Runs until then get the time of the last one.")
  }
}
