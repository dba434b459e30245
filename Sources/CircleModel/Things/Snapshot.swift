/// The part of a state that a run looks at, as values: what `decide` reads and what its outcomes change.
package struct Snapshot: Sendable {
  package var names = UserNames()
  /// One a name, at the same place; a name that the state does not know is there too, unregistered.
  package var users = ContiguousArray<User>()
  package var details = UserDetails()
  /// In the order in which they were loaded and created; destroyed ones stay, marked.
  package var servers = ContiguousArray<Server>()
  /// By handle; a name that is taken by a server which is not loaded leads to `.none`, likewise in `serverIDs`.
  package var handles: [Text: ServerIndex] = [:]
  package var serverIDs: [Text: ServerIndex] = [:]
  package var limits = Limits()
  /// Of the whole state, whatever part is loaded.
  package var totals = Totals()

  package struct Totals: Equatable, Sendable {
    package var users = 0
    package var servers = 0
    package var memberships = 0
    package init() {}
  }

  package init() {}

  package subscript(_ server: ServerIndex) -> Server {
    @inlinable @inline(__always) _read { yield servers[server.position] }
    @inlinable @inline(__always) _modify { yield &servers[server.position] }
  }

  package subscript(_ user: UserIndex) -> User {
    @inlinable @inline(__always) _read { yield users[user.position] }
    @inlinable @inline(__always) _modify { yield &users[user.position] }
  }

  /// Interns the id and gives it a row, so that `users` stays as long as `names`.
  package mutating func intern(_ id: UnsafeBufferPointer<UInt8>) -> UserIndex {
    let user = names.intern(id)
    if user.position == users.count { users.append(User()) }
    return user
  }

  package mutating func intern(_ id: String) -> UserIndex {
    Text(id).withBytes { intern($0) }
  }

  /// Takes the names of a manifest set: each gets a row, unregistered until a load finds it.
  package mutating func adopt(_ names: UserNames) {
    self.names = names
    users = ContiguousArray(repeating: User(), count: names.count)
  }

  package func handle(of server: ServerIndex) -> Text { servers[server.position].handle }
}
