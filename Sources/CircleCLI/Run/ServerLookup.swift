import CircleKit
import CircleModel
import CircleState
import Diagnostics

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
    let found = try knownServers(in: store).filter { $0.attributes[.name]?.begins(with: name) ?? false }
    guard found.count > 1 else { return found.first }
    let handles = found.map(\.handle).sorted()
    let some = handles.prefix(5).map(\.string).joined(separator: ", ")
    throw Failure(
      .refused, "the names of \(grouped(found.count)) servers begin with '\(name)'",
      next: ["Their handles are \(some)\(handles.count > 5 ? ", …" : "")."])
  }

  /// The handles that a message may name to whoever runs the command.
  func knownHandles(in store: StateStore) throws(Failure) -> [String] {
    guard case .user = try caller() else {
      return try onState { () throws(StateError) in try store.names(in: .handles) }
    }
    return try knownServers(in: store).map(\.handle.string)
  }

  /// All servers, but for a user only those that he may know of: public ones, and those that he is in.
  private func knownServers(in store: StateStore) throws(Failure) -> [Server] {
    let caller = try caller()
    guard case .user(let id, _) = caller, TextRule.userID.check(Text(id)) == nil else {
      return try onState { () throws(StateError) in
        Array(try store.load(Scope(everyServer: true)).snapshot.servers)
      }
    }
    var names = UserNames()
    let user = names.intern(id)
    let scope = Scope(everyServer: true, members: .named, serversOfUsers: true)
    let snapshot = try onState { () throws(StateError) in try store.load(scope, names: names).snapshot }
    return snapshot.servers.indices.filter {
      snapshot.servers[$0].type == .public || snapshot.role(of: user, in: ServerIndex($0)) != nil
    }.map { snapshot.servers[$0] }
  }

  /// - Parameter store: where the nearest handle is looked for.
  func noServer(_ name: String, in store: StateStore? = nil) -> Failure {
    let near = store.flatMap { nearestHandle(to: name, in: $0) }.map { "; did you mean '\($0)'?" } ?? ""
    return Failure(
      .refused, "there is no server '\(name)'\(near)", next: ["Servers are named by their handle or their id."])
  }

  private func nearestHandle(to name: String, in store: StateStore) -> String? {
    do throws(Failure) {
      return nearestName(to: name, among: try knownHandles(in: store))
    } catch {
      // That there is no such server is worth more than what is wrong with the look-up of another.
      return nil
    }
  }
}
