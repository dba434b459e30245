import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl server update`: sets and clears a server's attributes.
enum ServerUpdate {
  static let spec = CommandSpec<Action>(
    "update", "Change a server's attributes.",
    discussion: "For its owner and moderators. All members but the one who does it hear of it, if anything changes.",
    examples: [
      Example("circlectl server update swift-fans --desc 'All of Swift' --clear icon", "Sets one and clears another.")
    ],
    arguments: [.server],
    options: [.value("name", "NAME", "Its name, 1 to 50 characters.")] + OptionSpec.serverAttributes + [
      .value(
        "clear", "FIELD", repeatable: true,
        choices: ServerField.allCases.filter { $0 != .name }.map { Choice($0.word) }, "Leave an attribute unset.")
    ],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let name = try run.required("server")
    let cleared = run.arguments.values("clear")
    var settings: [FieldSetting<ServerField>] = []
    for field in ServerField.allCases {
      let isCleared = cleared.contains(field.word)
      guard let value = run.arguments.value(field.word) else {
        if isCleared { settings.append(FieldSetting(field, nil)) }
        continue
      }
      guard !isCleared else { throw Failure(.usage, "\(field.word) can't be both set and cleared") }
      settings.append(FieldSetting(field, Text(value)))
    }
    guard !settings.isEmpty else {
      throw Failure(.usage, "no attribute is named", next: ["--name, --desc and others set one, --clear clears one."])
    }
    return try run.perform(
      OperationRequest(
        scope: Scope(servers: [Text(name)], members: .named), nothing: "'\(name)' is so already; nothing changes",
        done: { decision in
          decision.outcome.records.map {
            .records(ServerRecords(run: run, snapshot: decision.result).details([$0.server]))
          }
        },
        operations: { (snapshot) throws(CircleModel.CircleError) in
          [.updateServer(try snapshot.server(named: name), settings)]
        }))
  }
}
