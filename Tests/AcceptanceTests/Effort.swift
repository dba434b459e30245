import Glibc
import Testkit

/// How many times a random fault is tried: few in the suite, many with `make faults`.
enum Effort {
  /// Kills of one command.
  static let kills = number("CIRCLE_KILLS") ?? 10
  /// Flipped bits in one state.
  static let flips = number("CIRCLE_FLIPS") ?? 1500

  private static func number(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }
  }
}

extension Scene {
  /// Writes a file again under another name, whatever was there, and removes what stood beside that.
  func copy(_ name: String, to other: String) throws {
    for old in folder.names() where old == other || old.hasPrefix(other + "-") || old.hasPrefix(other + ".") {
      unlink(folder.path(old))
    }
    try folder.write(try bytes(name), to: other)
    chmod(folder.path(other), 0o600)
  }
}

extension SpawnedProgram.Ending {
  /// The lines in which the program says that something went wrong.
  var complaints: [Substring] {
    errors.split(separator: "\n").filter { $0.hasPrefix("circlectl: error: ") }
  }
}
