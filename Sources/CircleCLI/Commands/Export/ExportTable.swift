import CircleModel
import CircleReport
import CircleState
import CircleTables
import CommandTree
import Diagnostics
import JSONText

/// `circlectl export --table`: users, tags or members as a table, the inverse of `circlectl import`.
struct ExportTable {
  enum Kind: String, CaseIterable {
    case users, tags, members

    var summary: String {
      switch self {
      case .users: "All users with their profiles and devices."
      case .tags: "A row for each tag of each server."
      case .members: "A row for each member of each server, the owners left out."
      }
    }
  }

  static let options: [OptionSpec] = [
    .value(
      "table", "TABLE", choices: Kind.allCases.map { Choice($0.rawValue, $0.summary) }, group: "Tables",
      "Write a table instead of a manifest, as --output says: csv (the default), tsv, ndjson or yaml."),
    .value(
      "encoding", "NAME", group: "Tables", default: "utf-8",
      "The table's encoding, such as gb18030 or utf-16, which begins with a byte order mark."),
    .flag("bom", group: "Tables", "Begin with a byte order mark, by which spreadsheet programs know Unicode."),
    .flag(
      "formula-safe", group: "Tables",
      "Put an apostrophe before =, +, - and @, so that no spreadsheet program takes a text for a formula."),
  ]

  private let run: CommandRun
  private let format: TableWriter.Format
  private let encoder: TextEncoder?
  private let hasMark: Bool

  /// - Returns: nil where the command line asks for a manifest.
  init?(_ run: CommandRun) throws(Failure) {
    guard run.arguments.isGiven("table") else {
      for option in ["encoding", "bom", "formula-safe"] where run.arguments.isGiven(option) {
        throw Failure(.usage, "--\(option) is of a table, and there is no --table")
      }
      return nil
    }
    if run.arguments.value("table") == Kind.users.rawValue,
      !run.arguments.arguments("servers").isEmpty || run.arguments.isGiven("stack")
    {
      throw Failure(
        .usage, "the table of users has all users, whatever servers there are",
        next: ["Name no server and no stack; --table members takes both."])
    }
    self.run = run
    format = try Self.format(run)
    hasMark = run.arguments.flag("bom")
    guard let encoding = TableEncoding(named: run.arguments.value("encoding") ?? "utf-8") else {
      throw Failure(.usage, "'\(run.arguments.value("encoding") ?? "")' is no name of an encoding")
    }
    do throws(TextEncoder.Failure) {
      encoder = try TextEncoder.to(encoding)
    } catch {
      throw Self.failure(error)
    }
    guard !hasMark || encoder?.hasMark != false else {
      throw Failure(
        .usage, "--bom begins with a byte order mark, which \(encoding.name) does not have",
        next: ["Leave --bom out; Unicode alone has a mark."])
    }
  }

  private static func format(_ run: CommandRun) throws(Failure) -> TableWriter.Format {
    if let format = run.options.table { return format }
    switch run.options.output {
    case .ndjson: return .ndjson
    case .text where !run.arguments.isGiven("output"): return .csv
    default:
      throw Failure(
        .usage, "a table is not written as \(run.options.output.rawValue)",
        next: ["--output takes csv, tsv, ndjson or yaml here."])
    }
  }

  private static func failure(_ failure: TextEncoder.Failure) -> Failure {
    switch failure {
    case .unknown(let name): Failure(.usage, "the system knows no encoding '\(name)'")
    case .cannotWrite(let character, let encoding):
      Failure(
        .failed, "the character '\(character)' can't be written in \(encoding); the table is not whole",
        next: ["--encoding utf-8 and gb18030 have every character."])
    }
  }

  /// - Parameter selection: the servers; nil for all.
  func write(_ selection: ServerSelection?, from store: StateStore) throws(Failure) -> ExitStatus {
    let kind = run.arguments.value("table").flatMap(Kind.init) ?? .users
    if hasMark || encoder?.needsMark == true { try put("\u{FEFF}") }
    let rows = try run.phase(.reporting) { () throws(Failure) in
      switch kind {
      case .users: try writeUsers(from: store)
      case .tags: try writeTags(of: servers(selection, from: store, members: .none))
      case .members: try writeMembers(of: servers(selection, from: store, members: .all))
      }
    }
    if let encoder { try encoder.end { (bytes) throws(Failure) in try run.console.write(bytes) } }
    try run.deliverToFiles(
      Report(command: run.command, result: .done, sections: [.message("exported \(grouped(rows, "row"))")]))
    return .done
  }

  private func servers(
    _ selection: ServerSelection?, from store: StateStore, members: Scope.Members
  ) throws(Failure) -> (servers: [Server], snapshot: Snapshot) {
    var scope = selection?.scope ?? Scope(everyServer: true, members: members == .none ? .none : .everything)
    if members == .none { scope.members = .none }
    scope.everyUser = members != .none
    scope.userDetails = false
    let snapshot = try run.onState { () throws(StateError) in try store.load(scope).snapshot }
    let found = selection?.servers(of: snapshot) ?? snapshot.servers.sorted { $0.handle < $1.handle }
    return (found, snapshot)
  }

  // MARK: Rows

  private func writer(_ columns: [String]) -> TableWriter {
    TableWriter(format, columns: columns, isFormulaSafe: run.arguments.flag("formula-safe"))
  }

  private func writeUsers(from store: StateStore) throws(Failure) -> Int {
    var writer = writer(["userId"] + UserField.allCases.map(\.word) + ["devices"])
    var rows = 0
    var failure: Failure?
    try run.onState { () throws(StateError) in
      try store.forEachUser { id, detail in
        writer.cell(id)
        for field in UserField.allCases { writer.cell(detail.profile[field] ?? "") }
        writer.cell(detail.devices)
        writer.endRow()
        rows += 1
        do throws(Failure) { try drain(&writer) } catch { failure = error }
        return failure == nil
      }
    }
    if let failure { throw failure }
    try drain(&writer, all: true)
    return rows
  }

  private func writeTags(of found: (servers: [Server], snapshot: Snapshot)) throws(Failure) -> Int {
    var writer = writer(["server", "tag"])
    var rows = 0
    for server in found.servers {
      for tag in server.tags {
        writer.cell(server.handle)
        writer.cell(tag.name)
        writer.endRow()
        rows += 1
      }
      try drain(&writer)
    }
    try drain(&writer, all: true)
    return rows
  }

  private func writeMembers(of found: (servers: [Server], snapshot: Snapshot)) throws(Failure) -> Int {
    var writer = writer(["server", "user", "role"])
    let names = found.snapshot.names
    let ranks = names.ranks()
    var rows = 0
    for server in found.servers {
      let members = server.members.sorted().filter { $0.role != .owner }
        .sorted { ranks[$0.user.position] < ranks[$1.user.position] }
      for member in members {
        writer.cell(server.handle)
        names.withSpelling(of: member.user) { writer.cell($0) }
        writer.cell(Text(member.role.word))
        writer.endRow()
        rows += 1
        try drain(&writer)
      }
    }
    try drain(&writer, all: true)
    return rows
  }

  // MARK: Bytes

  private func drain(_ writer: inout TableWriter, all: Bool = false) throws(Failure) {
    try writer.drain(atLeast: all ? 1 : ByteBuffer.piece) { (bytes) throws(Failure) in
      try run.checkInterrupted()
      try put(bytes)
    }
  }

  private func put(_ text: String) throws(Failure) {
    try Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(Failure) in try put(UnsafeRawBufferPointer(bytes)) }
  }

  private func put(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    guard let encoder else { return try run.console.write(bytes) }
    try encoder.convert(bytes, failure: Self.failure) { (bytes) throws(Failure) in try run.console.write(bytes) }
  }
}
