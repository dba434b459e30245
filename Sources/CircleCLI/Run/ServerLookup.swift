import CircleModel
import CircleState

extension CommandRun {
  /// What a command that only reads calls a server: its handle, or else its id, or else a beginning of its name that no
  /// other server's name has.
  /// - Returns: nil when there is none.
  /// - Throws: a refusal when the beginning fits several.
  func findServer(_ name: String, in store: StateStore) throws(Failure) -> Server? {
    let name = Text(name)
    let named = try onState { () throws(StateError) in try store.load(Scope(servers: [name])).snapshot }
    if let server = named.handles[name] ?? named.serverIDs[name], server != .none { return named[server] }
    guard !name.isEmpty else { return nil }
    let all = try onState { () throws(StateError) in try store.load(Scope(everyServer: true)).snapshot }
    let found = all.servers.filter { $0.attributes[.name]?.begins(with: name) ?? false }
    guard found.count > 1 else { return found.first }
    let handles = found.map(\.handle).sorted()
    let some = handles.prefix(5).map(\.string).joined(separator: ", ")
    throw Failure(
      .refused, "the names of \(grouped(found.count)) servers begin with '\(name)'",
      next: ["Their handles are \(some)\(handles.count > 5 ? ", …" : "")."])
  }

  func noServer(_ name: String) -> Failure {
    Failure(.refused, "there is no server '\(name)'", next: ["Servers are named by their handle or their id."])
  }
}
