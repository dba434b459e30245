import CircleState
import CircleStateSQLite
import CommandTree
import Glibc
import Synchronization
import Testkit

@testable import CircleCLI

/// A folder in which command lines are run within the test's own process, with nothing of the real world in reach: no
/// environment, no terminal, a clock that stands still, and the same "random" bytes each time.
final class TestRun {
  struct Ending: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  let folder: TemporaryFolder
  var environment: [String: String] = [:]
  /// What a person types, who sits at a terminal; nil: there is no terminal.
  var answer: String?
  /// What happens while the person looks at the plan.
  var whileAsked: (@Sendable () -> Void)?
  /// What stands in standard input, without a terminal.
  var input = ""
  /// The signal that arrives once the program has asked so many times whether one has.
  var signal: (number: Int32, after: Int)?
  var time: Int64 = 1_735_787_045_678
  /// Where results go instead of a file of the test.
  var output: String?

  init(_ files: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(text, to: name) }
  }

  /// Runs a command line, its words parted by blanks.
  func callAsFunction(_ line: String) throws -> Ending {
    try run(line.split(separator: " ").map(String.init))
  }

  func run(_ words: [String]) throws -> Ending {
    try streams.write(answer ?? input, to: "input")
    let context = try context()
    defer { for descriptor in [context.input, context.output, context.errors] { close(descriptor) } }
    let status = CircleCLI.run(CommandWords(words), context)
    return Ending(
      status: status, output: output == nil ? try streams.read("output") : "", errors: try streams.read("errors"))
  }

  /// Runs a command line as a process of its own, at the real time: for what waits on others, whom parallel tests in this
  /// process would keep from their turn.
  func spawn(_ line: String) throws -> Ending {
    let words = line.split(separator: " ").map(String.init)
    let ending = try SpawnedProgram("circlectl", words, in: folder, environment: environment).wait()
    return Ending(status: ending.status, output: ending.output, errors: ending.errors)
  }

  /// The lines of the history, one a run.
  func history(_ options: String = "") throws -> [Substring] {
    try self("state history -o ndjson \(options)").output.split(separator: "\n").filter {
      $0.contains("\"type\":\"run\"")
    }
  }

  /// A name for the folder instead of its path, which differs from run to run.
  func shown(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: folder.path) {
      result += rest[..<range.lowerBound] + "TEST"
      rest = rest[range.upperBound...]
    }
    return result + rest
  }

  // Beside the folder, so that tests see what a program leaves in it.
  private lazy var streams: TemporaryFolder = {
    guard let folder = try? TemporaryFolder() else { preconditionFailure("no folder for the streams of a test") }
    return folder
  }()

  private func context() throws -> Context {
    let isAsked = answer != nil
    let whileAsked = self.whileAsked
    let input = try open("input", O_RDONLY)
    let time = self.time
    let signal = self.signal
    let asked = Counter()
    return Context(
      input: input, output: try output.map { try Self.opened($0) } ?? open("output", O_WRONLY),
      errors: try open("errors", O_WRONLY), environment: environment, folder: folder.path, clock: { time },
      isTerminal: { descriptor in
        if descriptor == input { whileAsked?() }
        return isAsked
      }, columns: { _ in nil },
      randomBytes: { count in (0..<count).map { UInt8(truncatingIfNeeded: $0) } },
      interrupted: {
        guard let signal else { return 0 }
        return asked.next() > signal.after ? signal.number : 0
      })
  }

  private func open(_ name: String, _ mode: Int32) throws -> Int32 {
    if mode != O_RDONLY { try streams.write("", to: name) }
    return try Self.opened(streams.path(name), mode)
  }

  private static func opened(_ path: String, _ mode: Int32 = O_WRONLY) throws -> Int32 {
    let descriptor = Glibc.open(path, mode | O_CLOEXEC)
    guard descriptor >= 0 else { throw TemporaryFolder.Failure(description: "can't open \(path)") }
    return descriptor
  }
}

private final class Counter: Sendable {
  private let value = Atomic<Int>(0)
  func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// Two communities with a few people.
let twoServers = """
  version: 1
  users:
    alice: {nickName: Alice, devices: [phone, mac]}
    bob: {}
    carol: {}
    dave: {}
  servers:
    swift-fans:
      name: Swift 爱好者
      owner: alice
      tags: [swift, ios]
      moderators: [bob]
      members: [carol, dave]
    garden:
      name: Garden
      owner: bob
      members: [alice]

  """

extension String {
  /// The text with each place of `old` replaced.
  func replacing(_ old: String, by new: String) -> String {
    var result = ""
    var rest = self[...]
    while let range = rest.firstRange(of: old) {
      result += rest[..<range.lowerBound] + new
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}
