import CircleKit
import CircleModel
import CirclePlan
import CircleReport
import CircleState
import CircleTables
import CommandTree
import Diagnostics

/// One import of members or tags, from the rows that were read to the report.
struct ListImportJob: ImportJob {
  typealias Findings = ListImport.Reading

  let run: CommandRun
  let table: ListTable
  let list: ListImport
  let errors: ReplacedFile?
  let skips: Bool

  var scan: TableScan { table.scan }

  /// What it may do beyond the guards.
  let allowed: PlanOptions

  static let options: [OptionSpec] =
    [.flag("dry-run", "Show the plan and write nothing."), .planDetail] + OptionSpec.tables + OptionSpec.tableFaults
    + OptionSpec.guards

  static func run(_ run: CommandRun, _ kind: ListTable.Kind) throws(Failure) -> ExitStatus {
    try run.refuseReports(over: run.arguments.arguments("files"), "table")
    let errors = try run.outputFile("errors", what: "file of refused rows")
    var options = PlanOptions()
    try run.takeGuards(into: &options)
    let table = ListTable(
      kind, try run.tableOptions(for: kind == .members ? .members : .tags), keepsRefused: errors != nil,
      interrupted: run.interruption.arrived)
    let job = ListImportJob(
      run: run, table: table, list: ListImport(table, options: options, now: run.now, idSeed: run.idSeed),
      errors: errors, skips: run.arguments.value("on-error") == "skip", allowed: options)
    let isWhole = try run.readTables(table.scan) { (input, progress) throws(TableStop) in
      try table.read(input, progress: progress)
    }
    guard isWhole else { throw try job.refusal(with: nil) }
    return try run.arguments.flag("dry-run") ? job.show() : job.carryOut()
  }

  // MARK: Planning

  private func load(from store: StateStore) throws(Failure) -> ListImport.Basis {
    try run.phase(.loading) { () throws(Failure) in
      let basis = try run.onState { () throws(StateError) in try list.load(from: store) }
      run.stopwatch.count(basis.loaded.head.totals.memberships)
      keepUntilExit(basis)
      return basis
    }
  }

  private func plan(on basis: ListImport.Basis) throws(Failure) -> ListImport.Reading {
    try run.phase(.planning) { () throws(Failure) in
      let reading = try run.onTables { () throws(TableStop) in
        try list.plan(on: basis) { (row, error) throws(TableStop) in try table.giveBack(row, error: error) }
      }
      run.stopwatch.count(reading.plan.outcome.records.count)
      keepUntilExit(reading)
      return reading
    }
  }

  /// The plan, and where rows are refused how many were read and how many refused.
  private func sections(_ reading: ListImport.Reading, isApplied: Bool = false) -> [ReportSection] {
    let refused = refusedCount(reading)
    return [run.section(reading.plan, of: scan.files, isApplied: isApplied)] + .guards(allowed)
      + (refused == 0 ? [] : [.imported(ImportSummary(rows: scan.rowCount, refused: refused))])
  }

  /// `--dry-run`: the plan alone, and what is wrong.
  private func show() throws(Failure) -> ExitStatus {
    let state = try run.openForReading()
    let reading = try plan(on: load(from: state.store))
    let status = status(ofRehearsal: reading)
    let isBlocked = reading.plan.isBlocked && (skips || status == .done)
    try run.writeRefused(scan, to: errors)
    print(with: reading)
    let result: ReportResult =
      switch status {
      case .badInput where !isBlocked: .badInput
      case .refused: .refused
      default: ReportResult(of: reading.plan)
      }
    try run.deliver(report(result, sections(reading), with: reading))
    if isBlocked { throw refusal(of: reading.plan) }
    return status
  }

  /// That the plan is refused as a whole, whatever becomes of single rows.
  private func refusal(of plan: Plan) -> Failure {
    var failure = run.refusal(plan.refusals, of: "the import")
    if skips || errors != nil {
      failure.next.append(
        "--on-error and --errors are for rows that are wrong by themselves or name what is not there; a rule, a limit or a guard refuses the whole import."
      )
    }
    return failure
  }

  // MARK: Writing

  /// Plans without the lock, so that a run that has nothing to write, or may not, leaves the state untouched; planned anew
  /// if the state has moved when the lock is held.
  private func carryOut() throws(Failure) -> ExitStatus {
    let existing = try run.existingState()
    let basis = try load(from: existing.store)
    let reading = try plan(on: basis)
    guard try isWorthWriting(reading) else { return try finish(.unchanged, sections(reading), with: reading) }
    run.checkTime(against: basis.loaded.head)
    let store = try run.openForWriting()
    return try run.holdingLock(of: store) { () throws(Failure) in
      let head = try run.onState { () throws(StateError) in try store.head() }
      guard head.revision != basis.loaded.head.revision else { return try commit(reading, on: basis, to: store) }
      let basis = try load(from: store)
      let reading = try plan(on: basis)
      guard try isWorthWriting(reading) else { return try finish(.unchanged, sections(reading), with: reading) }
      return try commit(reading, on: basis, to: store)
    }
  }

  private func isWorthWriting(_ reading: ListImport.Reading) throws(Failure) -> Bool {
    guard skips || refusedCount(reading) == 0 else { throw try refusal(with: reading) }
    if reading.plan.isBlocked {
      print(with: reading)
      try run.writeRefused(scan, to: errors)
      try run.deliver(report(.refused, sections(reading), with: reading))
      throw refusal(of: reading.plan)
    }
    return !reading.plan.isEmpty
  }

  private func commit(
    _ reading: ListImport.Reading, on basis: ListImport.Basis, to store: StateStore
  ) throws(Failure) -> ExitStatus {
    let written = try run.phase(.writing) { () throws(Failure) in
      let written = try run.onState { () throws(StateError) in
        try list.commit(reading.plan, on: basis, to: store, command: run.command, writer: run.writer)
      }
      run.noteWritten(to: store)
      run.stopwatch.count(written.recordCount)
      return written
    }
    let sections =
      sections(reading, isApplied: true) + [
        .run(written), .events(EventsSection(ofRun: written, in: store)),
      ]
    return try finish(.done, sections, with: reading, after: written)
  }
}
