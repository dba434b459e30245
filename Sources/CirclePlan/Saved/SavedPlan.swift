package import CircleModel
package import Diagnostics
package import Digest

/// A plan that is kept in a file: the operations in their order, and the values they were decided on.
///
/// What a person reads of it is made from the operations themselves, so that a file can't show one thing and do another.
package struct SavedPlan: Sendable {
  /// The version of the format that this program writes; it reads none after it.
  package static let version = 1

  /// The plan. Of one that was read, `result` knows no more of users and servers than the file tells.
  package internal(set) var plan: Plan
  /// What it was made with; the reason and the allowances are those of the apply as well.
  package internal(set) var options: PlanOptions
  /// Paths of the manifests that places name, by the file of a place.
  package internal(set) var paths: [String] = []
  /// By server of `plan.result`, for those that were there before.
  var facts: [ServerIndex: ServerFacts] = [:]
  /// Of a plan that was read.
  var knownDigest: SHA256.Digest?

  /// What was known of a server beside what its operations say.
  struct ServerFacts: Equatable, Sendable {
    /// The stack that it belonged to.
    var stack: Text?
    var members = 0
    var moderators = 0
    /// The names of its tags.
    var tags: [Text] = []
    /// Attributes and tags that something else than an apply had changed.
    var overridden: [ServerField] = []
    var lostTags: [Text] = []
    /// Of a server to be destroyed: a digest of all that goes with it.
    var content: SHA256.Digest?
  }

  init(plan: Plan, options: PlanOptions) {
    self.plan = plan
    self.options = options
  }

  /// - Parameters:
  ///   - plan: which nothing blocks.
  ///   - actual: the state that it was made on.
  ///   - path: shows an input file.
  package init(_ plan: Plan, options: PlanOptions, on actual: Snapshot, path: (FileIndex) -> String) {
    self.init(plan: plan, options: options)
    var destroyed: Set<ServerIndex> = []
    for record in plan.outcome.records where record.kind == .destroyServer { destroyed.insert(record.server) }
    for server in serversNamed where server.position < actual.servers.count {
      facts[server] = ServerFacts(actual[server], in: actual, isDestroyed: destroyed.contains(server))
    }
    keepPaths(path)
  }

  /// The paths of those files alone that places name, numbered anew in the order in which they are met.
  private mutating func keepPaths(_ path: (FileIndex) -> String) {
    var kept: [FileIndex: FileIndex] = [:]
    plan.mapPlaces { place in
      guard place.isKnown else { return place }
      if kept[place.file] == nil {
        kept[place.file] = UInt32(paths.count)
        paths.append(path(place.file))
      }
      return place.inFile(kept[place.file] ?? 0)
    }
  }

  /// The digest by which `apply --digest` knows it: SHA-256 of the file's text without its last member, however the
  /// file is laid out.
  package var digest: SHA256.Digest {
    if let knownDigest { return knownDigest }
    var hash = SHA256()
    SavedPlanEncoder(self).write { hash.update($0) }
    return hash.finish()
  }

  /// Hands the file's text to the sink piece by piece, and answers the digest that it ends with.
  @discardableResult
  package func write<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> SHA256.Digest {
    var hash = SHA256()
    try SavedPlanEncoder(self).write { (bytes) throws(Failure) in
      hash.update(bytes)
      try sink(bytes)
    }
    let digest = hash.finish()
    let end = Array(",\n\"digest\": \"\(digest.hex)\"\n}\n".utf8)
    let result: Result<Void, Failure> = end.withUnsafeBytes { bytes in
      do throws(Failure) { return .success(try sink(bytes)) } catch { return .failure(error) }
    }
    try result.get()
    return digest
  }
}

extension SavedPlan {
  /// The servers that operations, notes and unmanaged changes name, by their place in `plan.result`, each once.
  var serversNamed: [ServerIndex] {
    var isNamed = ContiguousArray(repeating: false, count: plan.result.servers.count)
    func mark(_ server: ServerIndex) { if server.position < isNamed.count { isNamed[server.position] = true } }
    for record in plan.outcome.records { mark(record.server) }
    for change in plan.changes where change.kind == .unmanaged { mark(change.server) }
    for note in plan.notes {
      mark(note.server)
      mark(note.lookalike)
    }
    return isNamed.indices.filter { isNamed[$0] }.map { ServerIndex($0) }
  }
}

extension SavedPlan.ServerFacts {
  init(_ server: Server, in snapshot: Snapshot, isDestroyed: Bool) {
    stack = server.stack
    members = server.memberCount
    moderators = server.moderatorCount
    tags = server.tags.map(\.name)
    overridden = server.base.overrides.map(\.field).sorted { $0.rawValue < $1.rawValue }
    lostTags = server.base.lostTags.sorted()
    content = isDestroyed ? server.contentDigest(by: snapshot.names) : nil
  }
}

extension Server {
  /// A digest of all that goes when the server is destroyed: attributes, tags, members with their roles, invitations.
  /// All of them have to be loaded.
  func contentDigest(by names: UserNames) -> SHA256.Digest {
    var hash = SHA256()
    func add(_ word: String, _ text: String) { hash.update("\(word) \(text.utf8.count) \(text)\n") }
    func folded(_ user: UserIndex) -> String {
      user.position < names.count ? String(decoding: names.folded(user), as: UTF8.self) : ""
    }
    add("handle", handle.string)
    for entry in attributes.entries { add("attribute \(entry.key)", entry.value.string) }
    for tag in tags.sorted(by: { $0.name < $1.name }) { add("tag", tag.name.string) }
    let all = members.sorted().sorted { names.precedes($0.user, $1.user) }
    for member in all { add("member \(member.role.rawValue)", folded(member.user)) }
    let pairs = invitations.map { "\(folded($0.key.invitee)) \(folded($0.key.inviter))" }
    for pair in pairs.sorted() { add("invitation", pair) }
    return hash.finish()
  }
}
