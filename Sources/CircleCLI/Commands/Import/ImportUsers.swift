import CircleKit
import CircleModel
import CircleReport
import CircleState
import CircleTables
import CommandTree
import Diagnostics

/// `circlectl import users`: users from tables, in one transaction and in fixed memory.
enum ImportUsers {
  static let spec = CommandSpec<Action>(
    "users", "Register and change users from tables.",
    discussion: """
      Only the columns that are there change, and an empty cell leaves its field. All rows are imported, or none: each \
      row that is wrong is told with its place, and --errors gives them back to be mended. --dry-run says what would \
      happen.
      """,
    examples: [
      Example("circlectl import users customers.csv --dry-run", "Tells what would be registered and changed."),
      Example(
        "circlectl import users shop.csv --encoding big5 --map userId=Shop",
        "Reads another encoding, and ids from a column of another name."),
    ],
    arguments: [.tables],
    options: [
      .value(
        "mode", "MODE",
        choices: [
          Choice("upsert", "Registers who is new and changes who is there."),
          Choice("insert", "Who is there is an error."), Choice("update", "Who is not there is an error."),
        ], default: "upsert", "Whom to take."),
      .flag("clear-empty", "An empty cell clears its field."),
      .flag("dry-run", "Tell what would be done and write nothing."),
      .value(
        "to-manifest", "FILE", completion: .files, "Write the users as a manifest, and leave the state alone."),
      .value("reason", "TEXT", "Why; it is kept in the history."),
    ] + OptionSpec.tables + OptionSpec.tableFaults,
    refuses: OptionSpec.acting, action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    try run.refuseReportsOverTables()
    let errors = try run.outputFile("errors", what: "file of refused rows")
    let manifest = try run.outputFile("to-manifest", what: "manifest")
    let mode = run.arguments.value("mode").flatMap(UserImport.Mode.init) ?? .upsert
    var options = UserTable.Options()
    options.scan = try run.tableOptions()
    options.clearsEmpty = run.arguments.flag("clear-empty")
    options.keepsRefused = errors != nil
    options.keepsAll = errors != nil && mode != .upsert && manifest == nil
    let table = UserTable(options, interrupted: run.interruption.arrived)
    let isWhole = try run.readTables(table.scan) { (input, progress) throws(TableStop) in
      try table.read(input, progress: progress)
    }
    let job = UserImportJob(
      run: run, table: table, mode: mode, errors: errors, skips: run.arguments.value("on-error") == "skip")
    guard isWhole else { throw try job.refusal(with: nil) }
    if let manifest { return try job.write(to: manifest) }
    return try run.arguments.flag("dry-run") ? job.rehearse() : job.carryOut()
  }
}

/// One import of users, from the rows that were read to the report.
private struct UserImportJob {
  let run: CommandRun
  let table: UserTable
  let mode: UserImport.Mode
  let errors: ReplacedFile?
  let skips: Bool

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
    let isRefused = table.scan.refusedCount + users.refused > 0
    let result: ReportResult =
      isRefused && !skips ? .badInput : users.tally.new + users.tally.changed > 0 ? .different : .unchanged
    if isRefused || skips { try run.writeRefused(table.scan, to: errors) }
    print(with: users)
    try run.deliver(Report(command: run.command, result: result, sections: sections(users, isDone: false)))
    guard isRefused else { return .done }
    return skips ? .badInput : status(of: users)
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
    guard skips || table.scan.refusedCount == 0 else { throw try refusal(with: nil) }
    let merge = try run.onTables { () throws(TableStop) in try table.spool.sorted() }
    var duplicates = DiagnosticCollector(limit: table.scan.options.maxErrors)
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
    table.scan.diagnostics.append(contentsOf: duplicates)
    let found = table.scan.diagnostics
    run.print(found, of: table.scan)
    try run.writeRefused(table.scan, to: errors)
    let isPartial = table.scan.refusedCount > 0
    let sentence = "'\(file.path)' has \(grouped(count, "user")); the state was left alone"
    try run.deliver(
      Report(
        command: run.command, result: isPartial ? .partial : .done,
        sections: (found.isEmpty ? [] : [.faults(FaultList(found, files: table.scan.files))]) + [.message(sentence)]))
    return isPartial ? .badInput : .done
  }

  // MARK: Writing

  /// Looks without the lock first, so that a run that has nothing to write, or may not, leaves the state untouched; it
  /// looks no further than the first change where rows can't be refused by what the state has.
  func carryOut() throws(Failure) -> ExitStatus {
    guard skips || table.scan.refusedCount == 0 else {
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
    let files = table.scan.files
    let written = try run.phase(.writing) { () throws(Failure) in
      let written = try run.onState { () throws(StateError) in
        try store.commit(users, time: run.now, request: request) { files.path(of: $0) }
      }
      if written != nil { run.hasWritten = true }
      return written
    }
    if written == nil {
      if let stop = users.stop { throw run.failure(stop) }
      if !users.mayCommit() { throw try refusal(with: users) }
    }
    return try finish(users, written)
  }

  private func finish(_ users: UserImport, _ written: Run?) throws(Failure) -> ExitStatus {
    let isPartial = table.scan.refusedCount + users.refused > 0
    print(with: users)
    var sections = sections(users, isDone: true)
    if written == nil { sections.append(.message("Nothing changes.")) }
    if let written { sections.append(.run(written)) }
    let report = Report(
      command: run.command, result: isPartial ? .partial : written == nil ? .unchanged : .done, sections: sections)
    try run.deliver(report, after: written)
    try run.writeRefused(table.scan, to: errors)
    return isPartial ? .badInput : .done
  }

  // MARK: What is told

  private func diagnostics(with users: UserImport?) -> DiagnosticCollector {
    var all = table.scan.diagnostics
    if let users { all.append(contentsOf: users.diagnostics) }
    return all
  }

  private func print(with users: UserImport) {
    run.print(diagnostics(with: users), of: table.scan)
  }

  private func sections(_ users: UserImport, isDone: Bool) -> [ReportSection] {
    let names = UserField.allCases.map(\.word) + ["devices"]
    let fields = zip(names, users.tally.fields).filter { $0.1 > 0 }.map { (name: $0.0, count: $0.1) }
    let summary = ImportSummary(
      rows: table.scan.rowCount, new: users.tally.new, changed: users.tally.changed, fields: fields,
      unchanged: users.tally.unchanged, refused: table.scan.refusedCount + users.refused, isDone: isDone)
    let found = diagnostics(with: users)
    return (found.isEmpty ? [] : [.faults(FaultList(found, files: table.scan.files))]) + [.imported(summary)]
  }

  /// Bad input where the tables alone show it, else a refusal.
  private func status(of users: UserImport?) -> ExitStatus {
    table.scan.diagnostics.hasErrors || users == nil ? .badInput : .refused
  }

  /// Tells that nothing was imported, and gives the refused rows back.
  func refusal(with users: UserImport?) throws(Failure) -> Failure {
    try run.tableRefusal(
      table.scan, diagnostics(with: users), rows: table.scan.refusedCount + (users?.refused ?? 0), errors: errors,
      kind: status(of: users) == .refused ? .refused : .badInput)
  }
}
