package import Diagnostics

/// Why a provider, or what is written down about providers, gives nothing.
package struct ProviderError: Error, Sendable {
  package enum Kind: Equatable, Sendable {
    /// A file can't be read.
    case unreadable
    /// A file or an answer is not what it has to be.
    case malformed
    /// The command ended otherwise than well, or could not be started.
    case failed
    case timedOut
    /// The answer is larger than is taken.
    case tooBig
    /// The run was asked to stop.
    case interrupted
    /// It failed a moment ago and was not asked again.
    case failedBefore
    /// The file of providers is not what this program writes.
    case damagedConfiguration
    /// There is no folder for it, or it can't be written.
    case noFolder
  }

  package var kind: Kind
  /// One sentence without a full stop, with the provider's name.
  package var message: String
  /// What to do next, a line each.
  package var next: [String]
  /// What is wrong in the file or the answer, with its place.
  package var faults: [Diagnostic]
  package var files: SourceFiles
  /// Whether it was a time limit of the caller, shorter than the provider's own, that ended it.
  package var isCutShort = false

  init(
    _ kind: Kind, _ message: String, next: [String] = [], faults: [Diagnostic] = [], files: SourceFiles = SourceFiles()
  ) {
    self.kind = kind
    self.message = message
    self.next = next
    self.faults = faults
    self.files = files
  }
}

/// What is doubtful in what a provider gave; it was used all the same, without the values that are wrong.
package struct ProviderWarnings: Sendable {
  package var diagnostics: DiagnosticCollector
  package var files: SourceFiles

  init(_ diagnostics: DiagnosticCollector, files: SourceFiles) {
    self.diagnostics = diagnostics
    self.files = files
  }
}
