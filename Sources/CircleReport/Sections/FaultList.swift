package import Diagnostics

/// What was found wrong, with the files that its places mean.
package struct FaultList: Sendable {
  /// Those that were kept, in the order of their places.
  package var diagnostics: [Diagnostic]
  /// All errors, also those not kept; likewise the warnings.
  package var errors: Int
  package var warnings: Int
  package var files: SourceFiles

  package init(_ collector: DiagnosticCollector, files: SourceFiles) {
    diagnostics = collector.sorted()
    errors = collector.errorCount
    warnings = collector.warningCount
    self.files = files
  }

  package init(_ diagnostics: [Diagnostic], files: SourceFiles) {
    self.diagnostics = diagnostics
    errors = diagnostics.count { $0.severity == .error }
    warnings = diagnostics.count { $0.severity == .warning }
    self.files = files
  }
}
