import CircleKit
import CircleModel
import CircleReport
import CircleState
import CircleTables
import CommandTree
import Diagnostics

/// One import of users, from the rows that were read to the report.
struct UserImportJob: ImportJob {
  typealias Findings = UserImport

  let run: CommandRun
  let table: UserTable
  let mode: UserImport.Mode
  let errors: ReplacedFile?
  let skips: Bool

  var scan: TableScan { table.scan }

  private func makeImport(givesBack: Bool) throws(Failure) -> UserImport {
    let stopwatch = run.stopwatch
    let total = max(table.spool.count, 1)
    return try run.onTables { () throws(TableStop) in
      try UserImport(
        table, mode: mode, skips: skips, givesBack: givesBack, time: run.now,
        progress: { stopwatch.count($0, share: $0 * 1024 / total) }, interrupted: run.interruption.arrived)
    }
  }

  // MARK: Without writing

  /// `--dry-run`: what would be done, and what is wrong.
  func rehearse() throws(Failure) -> ExitStatus {
    let state = try run.openForReading()
    let users = try makeImport(givesBack: true)
    _ = try rehearse(users, on: state.store)
    let status = status(ofRehearsal: users)
    let result: ReportResult =
      switch status {
      case .refused: .refused
      case .badInput: .badInput
      default: users.tally.new + users.tally.changed > 0 ? .different : .unchanged
      }
    try run.writeRefused(scan, to: errors)
    print(with: users)
    try run.deliver(report(result, [summary(users, isDone: false)], with: users))
    return status
  }

  private func rehearse(
    _ users: UserImport, on store: StateStore, stopsAtChange: Bool = false
  ) throws(Failure) -> Bool {
    let changes = try run.phase(.checking) { () throws(Failure) in
      try run.onState { () throws(StateError) in try store.rehearse(users, stopsAtChange: stopsAtChange) }
    }
    if let stop = users.stop { throw run.failure(stop) }
    return changes
  }

  /// `--to-manifest`: the same users as a manifest.
  func write(to file: ReplacedFile) throws(Failure) -> ExitStatus {
    guard skips || scan.refusedCount == 0 else { throw try refusal(with: nil) }
    let merge = try run.onTables { () throws(TableStop) in try table.spool.sorted() }
    var duplicates = DiagnosticCollector(limit: scan.options.maxErrors)
    var count = 0
    try run.phase(.reporting) { () throws(Failure) in
      try file.write(in: run.context) { (descriptor) throws(Failure) in
        var manifest = UserManifest()
        count = try manifest.write { () throws(Failure) in
          try run.onTables { () throws(TableStop) in
            try merge.next(
              duplicate: { duplicates.append(UserImport.warning(of: $0, $1, $2)) }, UserManifest.Entry.init)
          }
        } drain: { (bytes) throws(Failure) in
          try run.checkInterrupted()
          try file.write(bytes, to: descriptor)
        }
      }
    }
    scan.diagnostics.append(contentsOf: duplicates)
    let sentence = "'\(file.path)' has \(grouped(count, "user")); the state was left alone"
    return try finish(.done, [.message(sentence)], with: nil)
  }

  // MARK: Writing

  /// Looks without the lock first, so that a run that has nothing to write, or may not, leaves the state untouched; it
  /// looks no further than the first change where rows can't be refused by what the state has.
  func carryOut() throws(Failure) -> ExitStatus {
    guard skips || scan.refusedCount == 0 else {
      // Rows may be refused by what the state has too, and all are to be told.
      guard mode != .upsert else { throw try refusal(with: nil) }
      let users = try makeImport(givesBack: true)
      _ = try rehearse(users, on: run.existingState().store)
      throw try refusal(with: users)
    }
    let existing = try run.existingState()
    let users = try makeImport(givesBack: !skips)
    let changes = try rehearse(users, on: existing.store, stopsAtChange: mode == .upsert)
    if users.refused > 0, !skips { throw try refusal(with: users) }
    guard changes else { return try finish(mode == .upsert ? users : try again(on: existing.store), nil) }
    run.checkTime(against: try run.onState { () throws(StateError) in try existing.store.head() })
    let store = try run.openForWriting()
    return try run.holdingLock(of: store) { () throws(Failure) in try commit(to: store) }
  }

  /// The same without writing, for rows that are to be given back.
  private func again(on store: StateStore) throws(Failure) -> UserImport {
    let users = try makeImport(givesBack: true)
    _ = try rehearse(users, on: store)
    return users
  }

  private func commit(to store: StateStore) throws(Failure) -> ExitStatus {
    let users = try makeImport(givesBack: true)
    let request = RunRequest(
      kind: .import, command: run.command, reason: run.arguments.value("reason"), writer: run.writer)
    let files = scan.files
    let written = try run.phase(.writing) { () throws(Failure) in
      let written = try run.onState { () throws(StateError) in
        try store.commit(users, time: run.now, request: request) { files.path(of: $0) }
      }
      if written != nil { run.noteWritten(to: store) }
      return written
    }
    if written == nil {
      if let stop = users.stop { throw run.failure(stop) }
      if !users.mayCommit() { throw try refusal(with: users) }
    }
    return try finish(users, written)
  }

  private func finish(_ users: UserImport, _ written: Run?) throws(Failure) -> ExitStatus {
    let end: ReportSection = written.map { .run($0) } ?? .message("Nothing changes.")
    return try finish(
      written == nil ? .unchanged : .done, [summary(users, isDone: true), end], with: users, after: written)
  }

  private func summary(_ users: UserImport, isDone: Bool) -> ReportSection {
    let names = UserField.allCases.map(\.word) + ["devices"]
    let fields = zip(names, users.tally.fields).filter { $0.1 > 0 }.map { (name: $0.0, count: $0.1) }
    return .imported(
      ImportSummary(
        rows: scan.rowCount, new: users.tally.new, changed: users.tally.changed, fields: fields,
        unchanged: users.tally.unchanged, refused: refusedCount(users), isDone: isDone))
  }
}
