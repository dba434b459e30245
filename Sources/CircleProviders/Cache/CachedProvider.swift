package import CircleKit
import Diagnostics
import Synchronization

/// A command whose answers are kept between runs, and what became of asking it.
///
/// Once it has failed it is not asked again in the same run, however many batches are left.
package final class CachedProvider: UserInfoDelegate {
  /// How eager the run is for new answers.
  package enum Mode: Equatable, Sendable {
    /// Names beside something else: they may take so long, in milliseconds from now.
    case casual(limit: Int)
    /// Users are what was asked for.
    case asked
    /// Likewise, and nothing that is kept counts.
    case refreshing
  }

  private struct Log {
    var failures: [ProviderError] = []
    var warnings: [ProviderWarnings] = []
    var remarks: [String] = []
    /// Set once the command has failed in this run.
    var failure: ProviderError?
  }

  private let provider: ExecProvider
  private let cache: ProviderCache
  private let mode: Mode
  private let deadline: Int64
  private let log = Mutex(Log())

  package var definition: ProviderDefinition { provider.definition }

  init(_ provider: ExecProvider, cache: ProviderCache, mode: Mode) {
    self.provider = provider
    self.cache = cache
    self.mode = mode
    if case .casual(let limit) = mode {
      deadline = MonotonicClock.now() + Int64(limit)
    } else {
      deadline = .max
    }
  }

  package var failures: [ProviderError] { log.withLock { $0.failures } }
  package var warnings: [ProviderWarnings] { log.withLock { $0.warnings } }
  /// What the command said on standard error although it ended well.
  package var remarks: [String] { log.withLock { $0.remarks } }
  /// The users whom it can show without being run.
  package var userIDs: [String] { cache.userIDs }

  /// Whether the user's answer was got in this run.
  package func wasFetched(_ userID: String) -> Bool { cache.learnt(of: UserKey(userID)) != nil }

  /// Keeps the answers for later runs.
  package func finish() { cache.save() }

  package func getUserInfo(account: String) -> User? {
    let key = UserKey(account)
    return (mode == .refreshing ? cache.learnt(of: key) : cache.entry(of: key))?.user
  }

  package func fetchUserInfo(accountList: [String]) async throws -> [User] {
    let asked = accountList.filter { !wasTriedLately($0) }
    if asked.isEmpty { return [] }
    if let failure = log.withLock({ $0.failure }) { throw failure }
    do throws(ProviderError) {
      let answer = try await provider.ask(asked, until: deadline)
      return take(answer, asked)
    } catch {
      take(error, asked)
      throw error
    }
  }

  /// Whether the user was asked for in vain within the minute.
  private func wasTriedLately(_ userID: String) -> Bool {
    guard mode != .refreshing, let entry = cache.entry(of: UserKey(userID)) else { return false }
    switch entry.answer {
    case .user: return false
    case .absent: return true
    case .cutShort:
      guard case .casual = mode else { return false }
      noteFailure(of: "provider '\(definition.name)' did not answer in time")
      return true
    case .failed(let reason):
      noteFailure(of: reason)
      return true
    }
  }

  /// That it failed in an earlier run is told once.
  private func noteFailure(of reason: String) {
    let failure = ProviderError(
      .failedBefore, "\(reason) (less than a minute ago)", next: ["--refresh asks it again at once."])
    log.withLock { log in
      if !log.failures.contains(where: { $0.kind == .failedBefore }) { log.failures.append(failure) }
    }
  }

  private func take(_ answer: ExecProvider.Answer, _ asked: [String]) -> [User] {
    var missing: [UserKey: String] = [:]
    for id in asked { missing[UserKey(id)] = id }
    var users: [User] = []
    for user in answer.users where missing.removeValue(forKey: UserKey(user.userId)) != nil {
      cache.learn(.user(user), of: user.userId)
      users.append(user)
    }
    for id in missing.values { cache.learn(.absent, of: id) }
    log.withLock { log in
      if let warnings = answer.warnings { log.warnings.append(warnings) }
      log.remarks += answer.remarks.prefix(max(10 - log.remarks.count, 0))
    }
    return users
  }

  private func take(_ failure: ProviderError, _ asked: [String]) {
    log.withLock { log in
      log.failures.append(failure)
      log.failure = failure
    }
    guard failure.kind != .interrupted else { return }
    for id in asked { cache.learn(failure.isCutShort ? .cutShort : .failed(failure.message), of: id) }
  }
}
