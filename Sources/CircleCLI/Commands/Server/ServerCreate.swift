import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl server create`: a new server with its owner.
enum ServerCreate {
  static let spec = CommandSpec<Action>(
    "create", "Create a server.",
    discussion: """
      The owner never changes afterwards. Without --handle the server gets one made of its name: 'Swift Fans' becomes \
      swift-fans, or swift-fans-2 where that is taken.
      """,
    examples: [
      Example("circlectl server create 'Swift Fans' --owner alice", "An administrator creates a server for alice."),
      Example("circlectl server create 读书会 --handle books --as alice", "Alice creates one with a handle of its own."),
    ],
    arguments: [ArgumentSpec("name", "Its name, 1 to 50 characters.")],
    options: [
      .value("owner", "USER", completion: .kind("user"), "Its owner; the user of --as when left out."),
      .value("handle", "HANDLE", "Its handle, unique in the state."),
    ] + OptionSpec.serverAttributes,
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let name = try run.required("name")
    let owner = try owner(run)
    let handle = run.arguments.value("handle").map { Text($0) }
    var attributes = ServerAttributes()
    attributes[.name] = Text(name)
    for field in ServerField.allCases where field != .name {
      attributes[field] = run.arguments.value(field.word).map { Text($0) }
    }
    return try run.perform(
      OperationRequest(
        scope: Scope(), users: [owner], nothing: "nothing changes",
        done: { decision in
          let created = decision.outcome.records.map(\.server)
          return created.map { .records(ServerRecords(run: run, snapshot: decision.result).details([$0])) }
        },
        operations: { (snapshot) in
          [.createServer(NewServer(handle: handle, attributes: attributes, owner: snapshot.user(named: owner)))]
        }))
  }

  private static func owner(_ run: CommandRun) throws(Failure) -> String {
    let named = run.arguments.value("owner")
    guard case .user(let caller, _) = try run.caller() else {
      if let named { return named }
      throw Failure(.usage, "a server needs an owner", next: ["--owner names one, or --as who creates it."])
    }
    guard let named, Text(named).folded != Text(caller).folded else { return caller }
    throw Failure(
      .usage, "--owner and --as name different users",
      next: ["A user creates servers of his own; an administrator leaves --as out."])
  }
}
