import CircleManifest
import CircleModel
import CircleReport
import CircleState
import CommandTree
import JSONText

/// `circlectl export`: a state as manifests, or parts of it as tables.
enum Export {
  static let spec = CommandSpec<Action>(
    "export", "Write users and servers as a manifest, or as tables.",
    discussion: """
      Writes all users, and the servers of one stack, those named, or all. Applied to an empty state with the same \
      limits it gives the same servers and members; applied to its own state it changes nothing. Server ids, pending \
      invitations and the times of joining are left out.

      --table writes all users, or the tags or members of all servers (or of those named, or of one stack), as a table \
      that 'circlectl import' reads.
      """,
    usage: ["[options] [--stack NAME]", "[options] SERVER…", "[options] --all", "[options] --table TABLE [SERVER…]"],
    examples: [
      Example("circlectl export > communities.yaml", "Writes the servers of the stack 'default'."),
      Example("circlectl export swift-fans", "Writes one server, and all users."),
      Example(
        "circlectl export --table users --bom --formula-safe > users.csv",
        "Writes all users for a spreadsheet program."),
    ],
    arguments: [
      ArgumentSpec(
        "servers", shown: "SERVER", cardinality: .zeroOrMore, completion: .kind("server"),
        "Servers, by handle, id or the beginning of the name.")
    ],
    options: [
      .value("stack", "NAME", default: "default", "The stack whose servers are written."),
      .flag("all", "Write the servers of all stacks, and of none."),
    ] + ExportTable.options,
    refuses: OptionSpec.acting, action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    try ServerSelection.check(run)
    if let table = try ExportTable(run) {
      let state = try run.openForReading()
      let isChosen = !run.arguments.arguments("servers").isEmpty || run.arguments.isGiven("stack")
      return try table.write(isChosen ? ServerSelection(run, state.store) : nil, from: state.store)
    }
    if run.arguments.isGiven("output"), run.options.output != .text {
      throw Failure(
        .usage, "an export is a manifest, not \(run.options.output.rawValue)", next: ["Leave --output out."])
    }
    let state = try run.openForReading()
    let selection = try ServerSelection(run, state.store)
    let snapshot = try run.phase(.loading) { () throws(Failure) in
      try run.onState { () throws(StateError) in try state.store.load(selection.scope).snapshot }
    }
    let servers = selection.servers(of: snapshot)
    try run.phase(.reporting) { () throws(Failure) in try write(servers, of: snapshot, run) }
    let sentence = "exported \(grouped(snapshot.totals.users, "user")) and \(grouped(servers.count, "server"))"
    try run.deliverToFiles(Report(command: run.command, result: .done, sections: [.message(sentence)]))
    return .done
  }

  private static func write(_ servers: [Server], of snapshot: Snapshot, _ run: CommandRun) throws(Failure) {
    let ranks = snapshot.names.ranks()
    var writer = ManifestWriter(names: snapshot.names, ranks: ranks)
    let users = snapshot.users.indices.filter { snapshot.users[$0].isRegistered }.sorted { ranks[$0] < ranks[$1] }
    for position in users {
      let user = UserIndex(position)
      let detail = snapshot.details[user]
      writer.writeUser(user, profile: detail?.profile ?? UserProfile(), devices: detail?.devices ?? [])
      try drain(&writer, run)
    }
    for server in servers {
      let members = server.members.sorted()
      writer.writeServer(
        handle: server.handle, owner: server.owner, attributes: server.attributes, tags: server.tags.map(\.name),
        moderators: members.filter { $0.role == .moderator }.map(\.user),
        members: members.filter { $0.role == .user }.map(\.user), settings: server.settings)
      try drain(&writer, run)
    }
    try drain(&writer, run, all: true)
  }

  private static func drain(_ writer: inout ManifestWriter, _ run: CommandRun, all: Bool = false) throws(Failure) {
    guard all || writer.buffer.count >= ByteBuffer.piece else { return }
    try run.checkInterrupted()
    try writer.buffer.drain(atLeast: 1) { (bytes) throws(Failure) in try run.console.write(bytes) }
  }
}
