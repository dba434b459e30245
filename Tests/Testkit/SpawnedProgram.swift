import Glibc
import Synchronization

/// A program that runs as a process of its own, its output in two files.
package final class SpawnedProgram {
  /// How a process ended, with what it wrote.
  package struct Ending: Equatable, Sendable {
    /// The exit code, or the negative number of the signal that killed it.
    package var status: Int32
    package var output: String
    package var errors: String
  }

  /// What one of its descriptors is.
  package enum Stream: Sendable {
    case file(String)
    /// A descriptor of this process.
    case descriptor(Int32)
    case closed
  }

  package let process: Int32
  private let folder: TemporaryFolder
  private var ending: Ending?

  /// Spawning sets inherited descriptors for a moment, which parallel tests would see in each other.
  private static let turn = Mutex(())

  /// The folder where the tests and the programs were built.
  package static let binaries: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  }()

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - name: a path, or the name of a program that was built beside the tests.
  ///   - folder: where it runs.
  ///   - input: what standard input is.
  ///   - output: where standard output goes, instead of a file that `wait` reads.
  ///   - streams: what its descriptors are instead.
  package init(
    _ name: String, _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:],
    input: String = "/dev/null", output: String? = nil, streams: [Int32: Stream] = [:]
  ) throws {
    self.folder = try TemporaryFolder()
    let path = name.contains("/") ? name : "\(Self.binaries)/\(name)"
    let usual: [Int32: Stream] = [
      0: .file(input), 1: .file(output ?? self.folder.path("output")), 2: .file(self.folder.path("errors")),
    ]
    process = try Self.turn.withLock { _ in
      try Self.spawn(path, arguments, in: folder.path, environment, usual.merging(streams) { $1 })
    }
  }

  deinit {
    if ending == nil {
      Glibc.kill(process, SIGKILL)
      var status: Int32 = 0
      waitpid(process, &status, 0)
    }
  }

  /// Sends a signal.
  package func send(_ signal: Int32) {
    if ending == nil { Glibc.kill(process, signal) }
  }

  /// Waits for its end.
  package func wait() throws -> Ending {
    if let ending { return ending }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    let code = signal == 0 ? (status >> 8) & 0xFF : -signal
    let output = folder.exists("output") ? try folder.read("output") : ""
    let errors = folder.exists("errors") ? try folder.read("errors") : ""
    let ending = Ending(status: code, output: output, errors: errors)
    self.ending = ending
    return ending
  }

  private static func spawn(
    _ path: String, _ arguments: [String], in folder: String, _ environment: [String: String],
    _ streams: [Int32: Stream]
  ) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, stream) in streams.sorted(by: { $0.key < $1.key }) {
      switch stream {
      case .file(let path):
        let mode = descriptor == 0 ? O_RDONLY : O_WRONLY | O_CREAT
        posix_spawn_file_actions_addopen(&actions, descriptor, path, mode | O_NOCTTY, 0o600)
      case .descriptor(let own): posix_spawn_file_actions_adddup2(&actions, own, descriptor)
      case .closed: posix_spawn_file_actions_addclose(&actions, descriptor)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    // There is no call here that starts a program in another folder; env becomes the program, in the same process.
    let changing = ["/usr/bin/env", "-C", folder, path]
    var words: [UnsafeMutablePointer<CChar>?] = (changing + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer {
      for word in words { free(word) }
      for variable in variables { free(variable) }
    }
    var process = pid_t()
    let code = posix_spawn(&process, changing[0], &actions, &attributes, &words, &variables)
    guard code == 0 else {
      throw TemporaryFolder.Failure(description: "can't start \(path): \(String(cString: strerror(code)))")
    }
    return process
  }
}
