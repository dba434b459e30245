import CircleState

/// Why a state could not be read or written: nothing was changed, unless it says so.
public struct CircleStoreError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Kind: String, CaseIterable, Sendable {
    /// There is no state at that place.
    case missing
    /// What is there is no state.
    case notAState
    /// A later version wrote it.
    case newerFormat
    /// It does not hold together.
    case damaged
    /// Another process holds its lock, or writes, for longer than the time limit.
    case locked
    /// The system refused to read or write.
    case io
  }

  /// What kind of failure it is.
  public let kind: Kind
  /// One sentence for a person, without a full stop.
  public let description: String

  init(_ error: StateError) {
    switch error {
    case .missing(let path): (kind, description) = (.missing, "there is no state at '\(path)'")
    case .notAState(let sentence): (kind, description) = (.notAState, sentence)
    case .newerFormat(let found, let supported):
      kind = .newerFormat
      description = "the state has format \(found), and none after \(supported) is known"
    case .damaged(let sentence): (kind, description) = (.damaged, "the state is damaged: \(sentence)")
    case .busy: (kind, description) = (.locked, "the state is being written by another process")
    case .conflict: (kind, description) = (.locked, "the state is being written by others, again and again")
    case .locked(let lock):
      (kind, description) = (.locked, "the state is locked by process \(lock.process) on '\(lock.host)'")
    case .stale: (kind, description) = (.locked, "the state was changed by another process meanwhile")
    case .archived(let seq):
      (kind, description) = (.io, "the events up to \(seq) have gone into an archive")
    case .interrupted: (kind, description) = (.io, "a signal came")
    case .io(let sentence): (kind, description) = (.io, sentence)
    }
  }
}
