package import CircleState

/// One part of a report.
package enum ReportSection {
  case validation(ValidationSummary)
  /// Faults in the input or in the running. As text they are printed by `DiagnosticPrinter` where the faults go, so the
  /// text of a report leaves them out.
  case faults(FaultList)
  case plan(PlanSection)
  /// Of a plan that is not applied; of one that is, the run tells it.
  case guards(LiftedGuards)
  /// What an import read, and of users what it did, or would do.
  case imported(ImportSummary)
  /// The history entry that was written.
  case run(Run)
  case events(EventsSection)
  /// First to last.
  case history([HistoryEntry])
  case info(StateInfo)
  case verification(Verification)
  /// Who holds the lock, or held it.
  case lock(StateLock?)
  case version(String)
  case records(RecordList)
  /// In the order asked for.
  case users([UserRow])
  /// In the order in which they are asked.
  case providers([ProviderRow])
  /// One line for people, without a full stop at the end where it is no sentence; several are allowed.
  case message(String)
}
