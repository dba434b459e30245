import CircleKit
import CircleModel
import CirclePlan
import CircleReport
import CircleState
import CircleTables
import CommandTree
import Diagnostics

/// One import of members or tags, from the rows that were read to the report.
struct ListImportJob {
  let run: CommandRun
  let table: ListTable
  let list: ListImport
  let errors: ReplacedFile?
  let skips: Bool

  static let options: [OptionSpec] =
    [.flag("dry-run", "Show the plan and write nothing."), .planDetail] + OptionSpec.tables + OptionSpec.tableFaults
    + OptionSpec.guards

  static func run(_ run: CommandRun, _ kind: ListTable.Kind) throws(Failure) -> ExitStatus {
    try run.refuseReportsOverTables()
    let errors = try run.outputFile("errors", what: "file of refused rows")
    var options = PlanOptions()
    try run.takeGuards(into: &options)
    let table = ListTable(
      kind, try run.tableOptions(), keepsRefused: errors != nil, interrupted: run.interruption.arrived)
    let job = ListImportJob(
      run: run, table: table, list: ListImport(table, options: options, now: run.now, idSeed: run.idSeed),
      errors: errors, skips: run.arguments.value("on-error") == "skip")
    let isWhole = try run.readTables(table.scan) { (input, progress) throws(TableStop) in
      try table.read(input, progress: progress)
    }
    guard isWhole else { throw try job.refusal(with: nil) }
    return try run.arguments.flag("dry-run") ? job.show() : job.carryOut()
  }

  // MARK: Planning

  private func load(from store: StateStore) throws(Failure) -> Loaded {
    try run.phase(.loading) { () throws(Failure) in
      let loaded = try run.onState { () throws(StateError) in try list.load(from: store) }
      run.stopwatch.count(loaded.head.totals.memberships)
      keepUntilExit(loaded)
      return loaded
    }
  }

  private func plan(on loaded: Loaded) throws(Failure) -> ListImport.Reading {
    try run.phase(.planning) { () throws(Failure) in
      let reading = try run.onTables { () throws(TableStop) in
        try list.plan(on: loaded) { (row, error) throws(TableStop) in try table.giveBack(row, error: error) }
      }
      run.stopwatch.count(reading.plan.outcome.records.count)
      keepUntilExit(reading)
      return reading
    }
  }

  private func section(
    _ reading: ListImport.Reading, isApplied: Bool = false
  ) -> ReportSection {
    let detail = run.arguments.value("detail").flatMap(PlanDetail.init) ?? .changes
    return .plan(
      PlanSection(reading.plan, files: table.scan.files, detail: detail, isApplied: isApplied))
  }

  /// `--dry-run`: the plan alone, and what is wrong.
  private func show() throws(Failure) -> ExitStatus {
    let state = try run.openForReading()
    let reading = try plan(on: load(from: state.store))
    let isPartial = refusedCount(reading) > 0
    try run.writeRefused(table.scan, to: errors)
    print(reading)
    let result: ReportResult = isPartial && !skips ? .badInput : ReportResult(of: reading.plan)
    try run.deliver(
      Report(command: run.command, result: result, sections: faults(reading) + [section(reading)]))
    if isPartial { return skips ? .badInput : status(reading) }
    if reading.plan.isBlocked { throw run.refusal(reading.plan.refusals, of: "the import") }
    return .done
  }

  // MARK: Writing

  /// Plans without the lock, so that a run that has nothing to write, or may not, leaves the state untouched; planned anew
  /// if the state has moved when the lock is held.
  private func carryOut() throws(Failure) -> ExitStatus {
    let existing = try run.existingState()
    let loaded = try load(from: existing.store)
    let reading = try plan(on: loaded)
    guard try isWorthWriting(reading) else { return try finish(reading, nil, nil) }
    let store = try run.openForWriting()
    return try run.holdingLock(of: store) { () throws(Failure) in
      let head = try run.onState { () throws(StateError) in try store.head() }
      guard head.revision != loaded.head.revision else { return try commit(reading, on: loaded, to: store) }
      let loaded = try load(from: store)
      let reading = try plan(on: loaded)
      guard try isWorthWriting(reading) else { return try finish(reading, nil, nil) }
      return try commit(reading, on: loaded, to: store)
    }
  }

  private func isWorthWriting(_ reading: ListImport.Reading) throws(Failure) -> Bool {
    guard skips || refusedCount(reading) == 0 else { throw try refusal(with: reading) }
    if reading.plan.isBlocked {
      print(reading)
      try run.writeRefused(table.scan, to: errors)
      try run.deliver(
        Report(command: run.command, result: .refused, sections: faults(reading) + [section(reading)]))
      throw run.refusal(reading.plan.refusals, of: "the import")
    }
    return !reading.plan.isEmpty
  }

  private func commit(
    _ reading: ListImport.Reading, on loaded: Loaded, to store: StateStore
  ) throws(Failure) -> ExitStatus {
    let written = try run.phase(.writing) { () throws(Failure) in
      let written = try run.onState { () throws(StateError) in
        try list.commit(reading.plan, on: loaded, to: store, command: run.command, writer: run.writer)
      }
      run.hasWritten = true
      run.stopwatch.count(written.recordCount)
      return written
    }
    return try finish(reading, written, store)
  }

  private func finish(
    _ reading: ListImport.Reading, _ written: Run?, _ store: StateStore?
  ) throws(Failure) -> ExitStatus {
    let isPartial = refusedCount(reading) > 0
    print(reading)
    var sections = faults(reading) + [section(reading, isApplied: written != nil)]
    if let written, let store { sections += [.run(written), .events(EventsSection(ofRun: written, in: store))] }
    let report = Report(
      command: run.command, result: isPartial ? .partial : written == nil ? .unchanged : .done, sections: sections)
    try run.deliver(report, after: written)
    try run.writeRefused(table.scan, to: errors)
    return isPartial ? .badInput : .done
  }

  // MARK: What is told

  private func refusedCount(_ reading: ListImport.Reading) -> Int { table.scan.refusedCount + reading.refused }

  private func diagnostics(with reading: ListImport.Reading?) -> DiagnosticCollector {
    var all = table.scan.diagnostics
    if let reading { all.append(contentsOf: reading.diagnostics) }
    return all
  }

  private func print(_ reading: ListImport.Reading) {
    run.print(diagnostics(with: reading), of: table.scan)
  }

  private func faults(_ reading: ListImport.Reading) -> [ReportSection] {
    let found = diagnostics(with: reading)
    return found.isEmpty ? [] : [.faults(FaultList(found, files: table.scan.files))]
  }

  private func status(_ reading: ListImport.Reading?) -> ExitStatus {
    table.scan.diagnostics.hasErrors || reading == nil ? .badInput : .refused
  }

  /// Tells that nothing was imported, and gives the refused rows back.
  private func refusal(with reading: ListImport.Reading?) throws(Failure) -> Failure {
    try run.tableRefusal(
      table.scan, diagnostics(with: reading), rows: table.scan.refusedCount + (reading?.refused ?? 0), errors: errors,
      kind: status(reading) == .refused ? .refused : .badInput)
  }
}
