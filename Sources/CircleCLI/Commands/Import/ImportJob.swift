import CircleKit
import CircleReport
import CircleState
import CircleTables
import Diagnostics

/// What an import finds in the tables by the side of the state.
protocol ImportFindings {
  /// Rows refused by what the state has.
  var refused: Int { get }
  /// Why, and what is doubtful.
  var diagnostics: DiagnosticCollector { get }
}

extension UserImport: ImportFindings {}
extension ListImport.Reading: ImportFindings {}

/// One import, from the rows that were read to the report: what all kinds have in common is how it ends.
///
/// Findings are nil where the state was not looked at.
protocol ImportJob {
  associatedtype Findings: ImportFindings

  var run: CommandRun { get }
  var scan: TableScan { get }
  /// Where refused rows go.
  var errors: ReplacedFile? { get }
  /// Whether the other rows are imported where some are refused.
  var skips: Bool { get }
}

extension ImportJob {
  func refusedCount(_ findings: Findings?) -> Int { scan.refusedCount + (findings?.refused ?? 0) }

  private func diagnostics(with findings: Findings?) -> DiagnosticCollector {
    var all = scan.diagnostics
    if let findings { all.append(contentsOf: findings.diagnostics) }
    return all
  }

  /// Prints what was found.
  func print(with findings: Findings?) {
    run.tell(diagnostics(with: findings), of: scan.files)
  }

  private func faults(with findings: Findings?) -> FaultList? {
    let found = diagnostics(with: findings)
    return found.isEmpty ? nil : FaultList(found, files: scan.files)
  }

  /// A report of the import: what was found, then the sections.
  func report(_ result: ReportResult, _ sections: [ReportSection], with findings: Findings?) -> Report {
    let found = faults(with: findings).map { [ReportSection.faults($0)] } ?? []
    return Report(command: run.command, result: result, sections: found + sections)
  }

  /// How rows that are refused end the command: bad input where the tables alone show it, else a refusal.
  func status(of findings: Findings?) -> ExitStatus {
    scan.diagnostics.hasErrors || findings == nil ? .badInput : .refused
  }

  /// How a dry run ends, as far as rows are refused: as the import would.
  func status(ofRehearsal findings: Findings) -> ExitStatus {
    refusedCount(findings) == 0 ? .done : skips ? .badInput : status(of: findings)
  }

  /// Tells what was done, and gives the rows back that were refused.
  ///
  /// - Parameters:
  ///   - result: of an import that took all rows.
  ///   - written: nil for a run that had nothing to write.
  func finish(
    _ result: ReportResult, _ sections: [ReportSection], with findings: Findings?, after written: Run? = nil
  ) throws(Failure) -> ExitStatus {
    let isPartial = refusedCount(findings) > 0
    print(with: findings)
    try run.deliver(report(isPartial ? .partial : result, sections, with: findings), after: written)
    try run.after(written) { () throws(Failure) in try run.writeRefused(scan, to: errors) }
    return isPartial ? .badInput : .done
  }

  /// Tells that nothing was imported, and gives the refused rows back.
  func refusal(with findings: Findings?) throws(Failure) -> Failure {
    print(with: findings)
    try run.writeRefused(scan, to: errors)
    let rows = refusedCount(findings)
    var what: [String] = []
    if rows > 0 { what.append("\(grouped(rows, "row")) of \(grouped(scan.rowCount)) refused") }
    if !scan.isWhole || rows == 0 { what.append("the tables can't be read\(rows > 0 ? " to their ends" : "")") }
    var next: [String] = []
    if rows > 0 {
      let way = scan.isWhole ? "; --on-error skip imports the others." : "."
      next.append(
        errors.map { "'\($0.path)' has the refused rows, to be mended and imported again." }
          ?? "--errors FILE gives the refused rows back\(way)")
    }
    return Failure(
      status(of: findings) == .refused ? .refused : .badInput,
      "\(what.joined(separator: ", and ")); nothing was imported", next: next,
      faults: faults(with: findings))
  }
}
