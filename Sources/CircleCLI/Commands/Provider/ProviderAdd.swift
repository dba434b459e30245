import CircleProviders
import CircleReport
import CommandTree
import Diagnostics
import Glibc

/// `circlectl provider add`: names a source of user information.
enum ProviderAdd {
  static let spec = CommandSpec<Action>(
    "add", "Name a source of user information: a file or a command.",
    discussion: """
      A file is a table of users: .csv with a line of column names, .json with a list of objects, or .ndjson with an \
      object a line. Its fields are named as in manifests, with 'userId' as the key.

      A command is run by /bin/sh in the folder where circlectl is started. It reads ids as JSON lines, {"userId":"bob"}, at most 150 at a time, and writes users \
      as JSON lines, {"userId":"bob","nickName":"Bob"}; whom it doesn't know it leaves out. Its answers are kept for an \
      hour in the folder for caches.

      Providers belong to you and not to a state: they are kept in $XDG_CONFIG_HOME/circlectl/providers.json, or in \
      ~/.config. They are asked in the order in which they were added; for each user the first answer is shown.
      """,
    usage: ["NAME --file FILE", "NAME --exec COMMAND [--timeout TIME]"],
    examples: [
      Example("circlectl provider add staff --file users.csv", "Shows the nicknames of a table."),
      Example("circlectl provider add ldap --exec ldap-users --timeout 10s", "Asks a program for them."),
    ],
    arguments: [ArgumentSpec("name", "A name for it: letters, digits, and . _ - after the first.")],
    options: [
      .value("file", "FILE", completion: .files, "A table of users that ends with .csv, .json or .ndjson."),
      .value("exec", "COMMAND", "A command that is run for users who are not known otherwise."),
      .value("timeout", "TIME", default: "5s", "How long the command may take for 150 users, up to an hour."),
    ],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let definition = try definition(run)
    let extent = try check(definition, run)
    var isThere = false
    let done = try run.onProviders { () throws(ProviderError) in
      try ConfiguredProviders(run.providerFolders).change { (providers) throws(Failure) in
        if let other = providers.first(where: { $0.name == definition.name }) {
          guard other == definition else { throw isTaken(definition.name) }
          isThere = true
          return
        }
        providers.append(definition)
      }
    }
    try done.get()
    if isThere {
      let sentence = "there is this provider '\(definition.name)' already; nothing changes"
      try run.deliver(Report(command: run.command, result: .unchanged, sections: [.message(sentence)]))
      return .done
    }
    ProviderSet.forget(definition.name, cacheFolder: run.providerFolders.cache)
    try run.deliver(
      Report(
        command: run.command, result: .done,
        sections: [.message("the provider '\(definition.name)' was added\(extent)")]))
    return .done
  }

  private static func definition(_ run: CommandRun) throws(Failure) -> ProviderDefinition {
    let name = run.arguments.argument("name") ?? ""
    guard ProviderDefinition.isName(name) else {
      throw Failure(
        .usage, "'\(name)' can't be the name of a provider",
        next: ["A name has 1 to 64 of A-Z a-z 0-9 . _ - and begins with a letter or a digit."])
    }
    switch (run.arguments.value("file"), run.arguments.value("exec")) {
    case (let file?, nil):
      guard !run.arguments.isGiven("timeout") else {
        throw Failure(.usage, "--timeout is for commands; a file is read at once", next: ["Leave it out."])
      }
      guard !file.isEmpty else { throw Failure(.usage, "--file names no file") }
      return ProviderDefinition(name: name, source: .file(try absolute(file, run)))
    case (nil, let command?):
      guard !command.utf8.allSatisfy({ $0 <= 0x20 }) else { throw Failure(.usage, "--exec names no command") }
      return ProviderDefinition(name: name, source: .exec(command), timeout: try timeout(run))
    case (nil, nil), (_?, _?):
      throw Failure(.usage, "a provider is either a file or a command", next: ["Give --file or --exec."])
    }
  }

  private static func timeout(_ run: CommandRun) throws(Failure) -> Int {
    guard let text = run.arguments.value("timeout") else { return ProviderDefinition.defaultTimeout }
    guard let span = TimeSpan(text), (1...ProviderDefinition.longestTimeout).contains(span.milliseconds) else {
      throw Failure(
        .usage, "'\(text)' is no time that a command could have",
        next: ["--timeout takes 10s, 500ms, 2m or a number of seconds, from 1ms to 1h."])
    }
    return span.milliseconds
  }

  /// The path from the root on: the provider holds wherever the program is started.
  private static func absolute(_ path: String, _ run: CommandRun) throws(Failure) -> String {
    let path = run.context.resolve(path)
    if path.utf8.first == UInt8(ascii: "/") { return path }
    guard let folder = getcwd(nil, 0) else {
      throw Failure(.failed, "the current folder can't be told: \(String(cString: strerror(errno)))")
    }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
  }

  /// Reads a file, so that what is wrong with it is told now; a command is not run.
  /// - Returns: what to add to the sentence that tells of success.
  private static func check(_ definition: ProviderDefinition, _ run: CommandRun) throws(Failure) -> String {
    guard case .file(let path) = definition.source else { return "; 'circlectl user fetch' asks it" }
    let provider = FileProvider(definition, path: path)
    let count = try run.onProviders { () throws(ProviderError) in try provider.load() }
    if let warnings = provider.warnings { run.tell(warnings.diagnostics, of: warnings.files) }
    return "; it knows \(grouped(count, "user"))"
  }

  private static func isTaken(_ name: String) -> Failure {
    Failure(
      .refused, "refused: there is another provider '\(name)' (repeatedOperation 114)",
      next: ["'circlectl provider remove \(name)' removes it."])
  }
}
