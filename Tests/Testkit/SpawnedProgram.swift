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
  ///   - output: where standard output goes, instead of a file that `wait` reads.
  package init(
    _ name: String, _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:],
    input: String = "/dev/null", output: String? = nil
  ) throws {
    self.folder = try TemporaryFolder()
    let path = name.contains("/") ? name : "\(Self.binaries)/\(name)"
    let files = (output ?? self.folder.path("output"), self.folder.path("errors"))
    process = try Self.turn.withLock { _ in
      try Self.spawn(path, arguments, in: folder.path, environment, input: input, output: files.0, errors: files.1)
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
    let ending = Ending(status: code, output: output, errors: try folder.read("errors"))
    self.ending = ending
    return ending
  }

  private static func spawn(
    _ path: String, _ arguments: [String], in folder: String, _ environment: [String: String], input: String,
    output: String, errors: String
  ) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT, 0o600)
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
