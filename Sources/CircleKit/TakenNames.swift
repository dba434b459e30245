import CircleModel
import CircleState

extension StateStore {
  /// Notes which of the handles and ids that new servers may get are taken, so that creating one needs no other server
  /// loaded.
  ///
  /// - Parameters:
  ///   - ids: from which the new servers get theirs.
  ///   - snapshot: a name that is taken leads to `.none` in it, where its server is not loaded.
  func noteTakenNames(
    for operations: [CircleModel.Operation], ids: IDSource, in snapshot: inout Snapshot
  ) throws(StateError) {
    var creations = 0
    for operation in operations {
      guard case .createServer(let new) = operation else { continue }
      creations += 1
      for handle in try takenHandles(for: new) where snapshot.handles[handle] == nil {
        snapshot.handles[handle] = ServerIndex.none
      }
    }
    guard creations > 0 else { return }
    var ids = ids
    // Tags of the same run take some too.
    for _ in 0..<(16 + 2 * creations) {
      let id = ids.next()
      if snapshot.serverIDs[id] == nil, try contains(id, in: .serverIDs) { snapshot.serverIDs[id] = ServerIndex.none }
    }
  }

  /// The handle given, if it is taken, or all that begin like the one made of the name.
  private func takenHandles(for new: NewServer) throws(StateError) -> [Text] {
    if let handle = new.handle { return try contains(handle, in: .handles) ? [handle] : [] }
    let slug = HandleSlug.slug(of: new.attributes[.name] ?? "") ?? "server-"
    // A long one is cut for its number.
    return try names(in: .handles, prefix: Array(slug.utf8.prefix(48))).map { Text($0) }
  }
}
