import CircleKit
import CircleTables
import CommandTree

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
        ], default: "upsert", "Whom to take; beside --to-manifest only upsert."),
      .flag("clear-empty", "An empty cell clears its field."),
      .flag("dry-run", "Tell what would be done and write nothing."),
      .value(
        "to-manifest", "FILE", completion: .files, "Write the users as a manifest, and leave the state alone."),
      .value("reason", "TEXT", "Why; it is kept in the history."),
    ] + OptionSpec.tables + OptionSpec.tableFaults,
    refuses: OptionSpec.acting, action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    try run.refuseReports(over: run.arguments.arguments("files"), "table")
    let errors = try run.outputFile("errors", what: "file of refused rows")
    let manifest = try run.outputFile("to-manifest", what: "manifest")
    let isDryRun = run.arguments.flag("dry-run")
    if let errors, let manifest,
      FilePlace(run.context.resolve(errors.path)).isSame(as: run.context.resolve(manifest.path))
    {
      throw manifest.wouldReplace("the file of refused rows")
    }
    let mode = run.arguments.value("mode").flatMap(UserImport.Mode.init) ?? .upsert
    guard manifest == nil || mode == .upsert else {
      throw Failure(
        .usage, "--mode \(mode.rawValue) asks who is registered, and --to-manifest leaves the state alone",
        next: ["A manifest takes all users of the tables: leave --mode out, or import without --to-manifest."])
    }
    var options = UserTable.Options()
    options.scan = try run.tableOptions(for: .users)
    options.clearsEmpty = run.arguments.flag("clear-empty")
    options.keepsRefused = errors != nil
    options.keepsAll = errors != nil && mode != .upsert
    let table = UserTable(options, interrupted: run.interruption.arrived)
    let isWhole = try run.readTables(table.scan) { (input, progress) throws(TableStop) in
      try table.read(input, progress: progress)
    }
    let job = UserImportJob(
      run: run, table: table, mode: mode, errors: errors, skips: run.arguments.value("on-error") == "skip")
    guard isWhole else { throw try job.refusal(with: nil) }
    if isDryRun { return try job.rehearse() }
    if let manifest { return try job.write(to: manifest) }
    return try job.carryOut()
  }
}
