import CircleModel
import CircleReport
import CircleState
import CommandTree
import Diagnostics

/// Why a command ends without having done what it was asked for, in the words that a person reads.
struct Failure: Error {
  /// What sort of failure it is; `ExitStatus` says with which code each ends.
  enum Kind: Equatable {
    case usage
    case badInput
    case refused
    case stale
    case locked
    case failed
    case interrupted(signal: Int32)
  }

  var kind: Kind
  /// One line without a full stop; nil when all has been said already.
  var message: String?
  /// What to do next, a line each.
  var next: [String]
  /// What is wrong with the input, for reports.
  var faults: FaultList?
  /// The operation or read that the domain refused, for reports.
  var refusal: CircleModel.CircleError?
  /// The command, as far as it is known.
  var command = ""
  /// What `circlectl.yaml` gives as the format of results.
  var format: OutputFormat?
  /// Whether the run's reports tell it already.
  var isReported = false

  init(_ kind: Kind, _ message: String?, next: [String] = [], faults: FaultList? = nil) {
    self.kind = kind
    self.message = message?.withoutPasswords
    self.next = next.map(\.withoutPasswords)
    self.faults = faults
  }

  init(_ error: UsageError, program: String) {
    self.init(.usage, error.text, next: ["'\(error.helpCommand(program: program))' tells more."])
    command = error.path.joined(separator: " ")
  }

  /// What to do about a damaged state.
  static let verifyTellsMore =
    "'circlectl state verify' tells all that is wrong; a copy made before the damage is the way back."

  /// - Parameter location: the state's, as people know it.
  init(_ error: StateError, location: String) {
    switch error {
    case .missing(let path):
      self.init(.refused, "there is no state at '\(path)'", next: ["'circlectl state init' creates one."])
    case .notAState(let sentence):
      self.init(.failed, sentence, next: ["--state names another file."])
    case .newerFormat(let found, let supported):
      self.init(
        .failed,
        "the state '\(location)' has format \(found), and this version of circlectl knows none after \(supported)",
        next: ["A later version of circlectl reads it."])
    case .damaged(let sentence):
      self.init(
        .failed, "the state '\(location)' is damaged: \(sentence)",
        next: [Self.verifyTellsMore])
    case .busy:
      self.init(
        .locked, "the state '\(location)' is being written by another process",
        next: ["--lock-timeout sets how long to wait for it."])
    case .conflict:
      self.init(
        .locked, "the state '\(location)' is being written by others, again and again",
        next: ["Nothing was written; run the command again."])
    case .locked(let lock): self.init(lock)
    case .stale(let expected, let found):
      self.init(
        .stale, "the state changed in the meantime: it was at revision \(expected) and is at \(found)",
        next: ["Nothing was written; run the command again to see what it would do now."])
    case .archived(let seq):
      self.init(
        .refused, "the events up to \(seq) have gone into an archive, and the log of '\(location)' begins after them",
        next: [
          "'circlectl events list --since \(seq)' lists all that the log has; --archive FILE lists what an archive holds."
        ])
    case .interrupted(let signal):
      self.init(interruptedBy: signal)
    case .io(let sentence):
      self.init(.failed, sentence)
    }
  }

  init(interruptedBy signal: Int32) {
    let word = signal == Signals.interrupt ? "interrupted" : "terminated"
    self.init(.interrupted(signal: signal), "\(word); the state is as it was before")
  }

  private init(_ lock: StateLock) {
    let since = UTCTime.text(lock.since)
    let isHere = lock.host == StateLock.thisHost()
    self.init(
      .locked, "the state is locked by process \(lock.process) on '\(lock.host)' since \(since)",
      next: [
        isHere
          ? "Wait for it to end, or set how long to wait with --lock-timeout."
          : "If that process has ended, 'circlectl state unlock' removes its lock."
      ])
  }

  /// As it is printed: `circlectl: error: …`, then what to do next.
  func text(colour: Bool) -> String {
    guard let message else { return "" }
    let word: String
    if case .interrupted = kind { word = "" } else { word = colour ? "\u{1B}[1;31merror:\u{1B}[0m " : "error: " }
    let lines = ["circlectl: \(word)\(terminalSafe(message))"] + next.map { "  \(terminalSafe($0))" }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension String {
  /// The text with an ellipsis in the place of what may be a password in a URL: a location that stands where none belongs
  /// is told of all the same.
  var withoutPasswords: String {
    guard utf8.contains(UInt8(ascii: "@")), utf8.contains(UInt8(ascii: ":")) else { return self }
    var result: [UInt8] = []
    var word: [UInt8] = []
    for byte in Array(utf8) + [0x20] {
      if byte > 0x20, byte != UInt8(ascii: "'"), byte != UInt8(ascii: "\"") {
        word.append(byte)
      } else {
        result += Self.withoutPassword(word)
        result.append(byte)
        word.removeAll(keepingCapacity: true)
      }
    }
    return String(decoding: result.dropLast(), as: UTF8.self)
  }

  /// Of `postgres://user:password@host` what stands between the colon after the user and the last at sign.
  private static func withoutPassword(_ word: [UInt8]) -> [UInt8] {
    guard let begin = word.firstRange(of: Array("postgres".utf8)), let at = word.lastIndex(of: UInt8(ascii: "@")),
      let scheme = word[begin.upperBound...].firstIndex(of: UInt8(ascii: ":")), scheme < at,
      let user = word[(scheme + 1)..<at].firstIndex(where: { $0 != UInt8(ascii: "/") }),
      let colon = word[user..<at].firstIndex(of: UInt8(ascii: ":"))
    else { return word }
    return word[...colon] + Array("…".utf8) + word[at...]
  }
}
