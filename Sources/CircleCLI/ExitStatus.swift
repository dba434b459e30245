import CircleState

/// How a command ended, as its exit code. This is the one place where failures become codes; each code has one meaning
/// in every command.
enum ExitStatus: Int32, CaseIterable {
  case done = 0
  case failed = 1
  case differs = 2
  case refused = 3
  case stale = 4
  case locked = 5
  case usage = 64
  case badInput = 65
  case interrupted = 130
  case terminated = 143

  var meaning: String {
    switch self {
    case .done: "Done, or nothing to do."
    case .failed: "Failed: input or output, a damaged state, an internal error."
    case .differs: "Only with --exit-code: something is pending, or has drifted."
    case .refused:
      "Refused: a permission, a limit, `protect`, a guard, an owner change, an object that does not exist, \"no\" at the prompt; a diff with anything blocked."
    case .stale:
      "Stale: what a saved plan was made for, or what an undo would take back, has changed; or the state changed while a person was asked."
    case .locked: "Locked by another run."
    case .usage: "Wrong usage, or a bad value of an option or argument."
    case .badInput:
      "Bad input: what manifests, tables or plan files alone show to be wrong, or a named input that can't be read; an import that skipped rows."
    case .interrupted: "Interrupted; the state is as before the command."
    case .terminated: "Terminated, or the terminal was closed; the state is as before the command."
    }
  }

  init(_ kind: Failure.Kind) {
    self =
      switch kind {
      case .usage: .usage
      case .badInput: .badInput
      case .refused: .refused
      case .stale: .stale
      case .locked: .locked
      case .failed: .failed
      case .interrupted(let signal): signal == Signals.interrupt ? .interrupted : .terminated
      }
  }
}
