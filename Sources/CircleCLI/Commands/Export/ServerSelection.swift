import CircleModel
import CircleState
import CommandTree

/// Which servers are written.
enum ServerSelection {
  case all
  case stack(Text)
  /// By id.
  case some(Set<Text>)

  static func check(_ run: CommandRun) throws(Failure) {
    let ways = [!run.arguments.arguments("servers").isEmpty, run.arguments.flag("all"), run.arguments.isGiven("stack")]
    guard ways.count(where: { $0 }) <= 1 else {
      throw Failure(.usage, "servers, --stack and --all say different things", next: ["Give one of them."])
    }
  }

  init(_ run: CommandRun, _ store: StateStore) throws(Failure) {
    let names = run.arguments.arguments("servers")
    if run.arguments.flag("all") {
      self = .all
    } else if names.isEmpty {
      self = .stack(try run.stackName())
    } else {
      var ids: Set<Text> = []
      for name in names {
        guard let server = try run.findServer(name, in: store) else { throw run.noServer(name, in: store) }
        ids.insert(server.id)
      }
      self = .some(ids)
    }
  }

  var scope: Scope {
    switch self {
    case .all: .everything
    case .stack(let stack):
      Scope(everyServer: true, members: .all, stack: stack, everyUser: true, userDetails: true)
    case .some(let ids): Scope(servers: ids.sorted(), members: .all, everyUser: true, userDetails: true)
    }
  }

  /// By the bytes of their handles.
  func servers(of snapshot: Snapshot) -> [Server] {
    let found: [Server]
    switch self {
    case .all: found = Array(snapshot.servers)
    case .stack(let stack): found = snapshot.servers.filter { $0.stack == stack }
    case .some(let ids): found = snapshot.servers.filter { ids.contains($0.id) }
    }
    return found.sorted { $0.handle < $1.handle }
  }
}
