import CircleKit
import CircleProviders
import CircleReport
import Diagnostics

extension CommandRun {
  var providerFolders: ProviderFolders { ProviderFolders(environment: context.environment) }

  /// The providers that the user has named, none where there is no place for them.
  func providerList() throws(Failure) -> [ProviderDefinition] {
    try onProviders { () throws(ProviderError) in try ConfiguredProviders(providerFolders).load() }
  }

  /// The providers, ready to be asked for these users.
  func providers(for users: [String], _ mode: CachedProvider.Mode) throws(Failure) -> ProviderSet {
    let interruption = self.interruption
    return ProviderSet(
      try providerList(), for: users, mode: mode,
      surroundings: .init(
        environment: context.environment, folder: context.folder, isCancelled: { interruption.arrived() != 0 }),
      cacheFolder: providerFolders.cache, now: context.clock)
  }

  /// What providers show of the user without running anything, and which of them; that they can't be read is no failure.
  func providersAnswer(of userID: String) -> (provider: String, user: CircleKit.User)? {
    do throws(Failure) {
      return try providers(for: [userID], .asked).known(userID)
    } catch {
      return nil
    }
  }

  /// Runs what speaks of providers, with its errors in a person's words.
  func onProviders<R>(_ body: () throws(ProviderError) -> R) throws(Failure) -> R {
    do throws(ProviderError) {
      return try body()
    } catch {
      try checkInterrupted()
      tell(error.faults, error.files)
      throw Failure(error)
    }
  }

  /// Tells what providers gave that is doubtful, and what their commands said although they ended well.
  func tellWarnings(of providers: ProviderSet) {
    for warnings in providers.warnings { tell(warnings.diagnostics, of: warnings.files) }
    for remark in providers.remarks { note("provider '\(remark.provider)' says: \(remark.line)") }
  }

  func tell(_ faults: [Diagnostic], _ files: SourceFiles) {
    let printer = DiagnosticPrinter(files: files, colour: colourOnErrors)
    for fault in faults { console.say(printer.text(of: fault)) }
  }
}

extension Failure {
  init(_ error: ProviderError) {
    let kind: Kind =
      switch error.kind {
      case .unreadable, .malformed, .damagedConfiguration: .badInput
      case .failed, .timedOut, .tooBig, .interrupted, .failedBefore, .noFolder: .failed
      }
    let faults = error.faults.isEmpty ? nil : FaultList(error.faults, files: error.files)
    self.init(kind, error.message, next: error.next, faults: faults)
  }
}
