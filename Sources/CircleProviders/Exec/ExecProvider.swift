package import CircleKit
import Diagnostics
import JSONText
import SideThread

/// A command that is given user ids as JSON lines, `{"userId":"bob"}`, and answers with users as JSON lines.
package final class ExecProvider: UserInfoDelegate {
  /// The largest answer that is taken, in bytes.
  package static let largestAnswer = 4 << 20

  /// How a command is run.
  package struct Surroundings: Sendable {
    package var environment: [String: String]
    /// Where it runs; empty for the process's own folder.
    package var folder: String
    /// Whether the run was asked to stop.
    package var isCancelled: @Sendable () -> Bool

    package init(
      environment: [String: String], folder: String = "", isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
      self.environment = environment
      self.folder = folder
      self.isCancelled = isCancelled
    }
  }

  /// What a command has answered.
  package struct Answer: Sendable {
    package var users: [User]
    package var warnings: ProviderWarnings?
    /// The first of what it said on standard error, line by line.
    package var remarks: [String]
  }

  package let definition: ProviderDefinition
  private let command: String
  private let surroundings: Surroundings

  package init(_ definition: ProviderDefinition, command: String, in surroundings: Surroundings) {
    self.definition = definition
    self.command = command
    self.surroundings = surroundings
  }

  package func fetchUserInfo(accountList: [String]) async throws -> [User] {
    try await ask(accountList).users
  }

  /// Asks the command on a thread of its own, since it may take long.
  ///
  /// - Parameter limit: on `MonotonicClock`, in milliseconds, where the caller has less time than the provider's limit.
  func ask(_ ids: [String], until limit: Int64 = .max) async throws(ProviderError) -> Answer {
    let result = await withCheckedContinuation { continuation in
      _ = SideThread.start {
        let result: Result<Answer, ProviderError>
        do throws(ProviderError) {
          result = .success(try self.askNow(ids, until: limit))
        } catch {
          result = .failure(error)
        }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  /// Asks the command and waits for its answer.
  func askNow(_ ids: [String], until limit: Int64 = .max) throws(ProviderError) -> Answer {
    let own = MonotonicClock.now() + Int64(definition.timeout)
    let shell = ShellCommand(
      command: command, environment: surroundings.environment.map { "\($0.key)=\($0.value)" },
      folder: surroundings.folder, largestOutput: Self.largestAnswer)
    let result: ShellCommand.Result
    do throws(ShellCommand.Failure) {
      result = try shell.run(
        input: Self.question(ids), until: min(own, limit), isCancelled: surroundings.isCancelled)
    } catch {
      throw failure(.failed, "its command can't be started: \(error.reason)", remarks: [])
    }
    let remarks = Self.lines(of: result.errors)
    switch result.end {
    case .exited(0): return try read(result.output, remarks)
    case .exited(let status):
      let meaning = status == 127 ? " (command not found)" : status == 126 ? " (not executable)" : ""
      throw failure(.failed, "its command ended with exit status \(status)\(meaning)", remarks: remarks)
    case .killed(let signal):
      throw failure(.failed, "its command was ended by signal \(signal)", remarks: remarks)
    case .lost: throw failure(.failed, "nothing tells how its command ended", remarks: remarks)
    case .tooMuchOutput:
      throw failure(.tooBig, "its answer is larger than \(Self.largestAnswer >> 20) MiB", remarks: remarks)
    case .cancelled:
      throw failure(.interrupted, "it was interrupted", remarks: [])
    case .timedOut:
      var error = failure(.timedOut, "it did not answer in time", remarks: remarks)
      error.isCutShort = limit < own
      if !error.isCutShort {
        error.message = "provider '\(definition.name)' did not answer within \(Self.span(definition.timeout))"
      }
      throw error
    }
  }

  private static func question(_ ids: [String]) -> [UInt8] {
    var writer = JSONWriter()
    for id in ids {
      writer.object { $0.field("userId", id) }
      writer.endLine()
    }
    return writer.buffer.bytes
  }

  private func read(_ output: [UInt8], _ remarks: [String]) throws(ProviderError) -> Answer {
    var files = SourceFiles()
    let file = files.add(path: "answer of '\(definition.name)'", bytes: output)
    var diagnostics = DiagnosticCollector(limit: 10)
    var users: [User] = []
    var reader = JSONLineReader(output)
    do throws(JSONFault) {
      while try reader.next() == .value {
        guard let value = reader.value else { continue }
        let record = UserRecord(value, at: Place(file: file, line: reader.line, column: 1))
        diagnostics.append(contentsOf: record.warnings)
        if let user = record.user { users.append(user) }
      }
    } catch {
      var failure = failure(
        .malformed, "its answer is malformed in line \(error.line): \(error.sentence)", remarks: remarks)
      failure.faults = [error.diagnostic(in: file)]
      failure.files = files
      throw failure
    }
    let warnings = diagnostics.isEmpty ? nil : ProviderWarnings(diagnostics, files: files)
    return Answer(users: users, warnings: warnings, remarks: remarks)
  }

  private func failure(_ kind: ProviderError.Kind, _ sentence: String, remarks: [String]) -> ProviderError {
    ProviderError(
      kind, "provider '\(definition.name)' failed: \(sentence)",
      next: remarks.prefix(3).map { "It said: \($0)" })
  }

  /// The first lines, each cut to what a person reads.
  private static func lines(of errors: [UInt8]) -> [String] {
    errors.split(separator: 0x0A).prefix(10).map { line in
      let text = String(decoding: line, as: UTF8.self)
      return text.unicodeScalars.count <= 200 ? text : "\(String(text.unicodeScalars.prefix(200)))…"
    }
  }

  private static func span(_ milliseconds: Int) -> String {
    milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
