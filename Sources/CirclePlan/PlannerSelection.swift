package import CircleModel

/// What `--only` and `--exclude` leave out, and what depends on that.
extension Planner {
  /// Whether changes of a server are taken in; those that are not are counted.
  ///
  /// - Parameters:
  ///   - position: in `diffs`.
  ///   - count: how many changes; with 0 the answer alone is wanted.
  ///   - dependsOnLeftOut: whether they need something that is left out, so that they are left out too.
  mutating func takes(
    _ action: Change.Action, _ kind: Selector.Kind, of position: Int, _ count: Int = 1, dependsOnLeftOut: Bool = false
  ) -> Bool {
    if options.selection.isEverything { return true }
    let isChosen = options.selection.chooses(action, kind, on: diffs[position].selected)
    if isChosen, !dependsOnLeftOut { return true }
    if count > 0 { diffs[position].hasLeftOut = true }
    leaveOut(count, isChosen: isChosen)
    return false
  }

  /// Likewise of a user.
  mutating func takesUsers(_ action: Change.Action, _ count: Int = 1) -> Bool {
    if options.selection.chooses(action, .user, on: nil) { return true }
    leaveOut(count, isChosen: false)
    return false
  }

  /// Likewise of a server that no manifest names; its handle does not become free where it stays.
  mutating func takesDestroying(_ server: ServerIndex) -> Bool {
    if chooses(.delete, server) { return true }
    heldHandles.insert(actual[server].handle)
    leaveOut(1, isChosen: false)
    return false
  }

  /// Whether all renames of a circle are meant; else they are left out.
  mutating func takesAll(_ positions: [Int]) -> Bool {
    if options.selection.isEverything { return true }
    let isChosen = positions.allSatisfy { options.selection.chooses(.update, .server, on: diffs[$0].selected) }
    if isChosen { return true }
    for position in positions { _ = takes(.update, .server, of: position, dependsOnLeftOut: true) }
    return false
  }

  /// Whether a change of a server that no manifest names is meant.
  func chooses(_ action: Change.Action, _ server: ServerIndex) -> Bool {
    if options.selection.isEverything { return true }
    let row = actual[server]
    return options.selection.chooses(
      action, .server, on: SelectedServer(handles: [row.handle], tags: Set(row.tags.map(\.name))))
  }

  /// Whether the bookkeeping of a server is meant: it counts as a change of the server.
  func settles(_ position: Int) -> Bool {
    options.selection.chooses(.update, .server, on: diffs[position].selected) || diffs[position].isNew
  }

  /// Whether anything of a server is done, so that it has to come under the stack before.
  func touches(_ position: Int) -> Bool {
    if options.selection.isEverything || settles(position) { return true }
    let diff = diffs[position]
    let steps: [(Change.Action, Selector.Kind, Bool)] = [
      (.delete, .member, diff.membership.removals.isEmpty && diff.membership.withdrawals.isEmpty),
      (.create, .member, diff.membership.arrivals.isEmpty),
      (.update, .moderator, diff.membership.demotions.isEmpty && diff.membership.promotions.isEmpty),
      (.delete, .tag, diff.removedTags.isEmpty), (.create, .tag, diff.addedTags.isEmpty),
    ]
    return steps.contains { action, kind, isEmpty in
      !isEmpty && options.selection.chooses(action, kind, on: diff.selected)
    }
  }

  private mutating func leaveOut(_ count: Int, isChosen: Bool) {
    plan.counts.leftOut += count
    if isChosen { plan.counts.dependent += count }
  }
}

/// The selectors that name tags or a glob of handles, and fit no server of the manifests or the state.
package func idleSelectors(_ selection: Selection, _ desired: DesiredState, _ actual: Snapshot) -> [String] {
  let selectors = (selection.only + selection.exclude).filter(\.namesServers)
  guard !selectors.isEmpty else { return [] }
  var tags: [Text: Set<Text>] = [:]
  for (handle, index) in actual.handles { tags[handle] = Set(actual[index].tags.map(\.name)) }
  for server in desired.servers {
    tags[server.handle, default: []].formUnion(server.tags?.value.map(\.value) ?? [])
  }
  return selectors.filter { selector in
    !tags.contains { selector.fits(SelectedServer(handles: [$0.key], tags: $0.value)) }
  }.map(\.text)
}

/// The handles that selectors name in full and that neither the manifests nor the state have.
package func unknownHandles(_ selection: Selection, _ desired: DesiredState, _ actual: Snapshot) -> [Text] {
  let named = (selection.only + selection.exclude).flatMap(\.handles)
  guard !named.isEmpty else { return [] }
  let known = Set(desired.servers.map(\.handle))
  return named.filter { !known.contains($0) && actual.handles[$0] == nil }
}
