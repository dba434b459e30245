import CircleModel
package import CirclePlan
package import CircleState
package import CircleTables
package import Diagnostics
import SideThread

/// Brings the members or the tags of tables into a state: finds the servers and users that the rows name, and plans.
package struct ListImport {
  /// What the tables ask for, and what is wrong with it beside the state.
  package struct Reading {
    package var plan: Plan
    /// Rows that name a server or a user that there is not, and what of them is told.
    package var refused = 0
    package var diagnostics: DiagnosticCollector

    init(plan: Plan, limit: Int) {
      self.plan = plan
      diagnostics = DiagnosticCollector(limit: limit)
    }
  }

  private let table: ListTable
  private let options: PlanOptions
  private let now: Int64
  private let idSeed: [UInt8]

  /// - Parameters:
  ///   - options: only what concerns the guards counts.
  ///   - now: the run's clock, Unix milliseconds.
  package init(_ table: ListTable, options: PlanOptions, now: Int64, idSeed: [UInt8]) {
    self.table = table
    self.options = options
    self.now = now
    self.idSeed = idSeed
  }

  /// What the import builds on: the part of the state that bears on the tables, and ids for what is new.
  package struct Basis {
    package let loaded: Loaded
    fileprivate let ids: IDSource
  }

  /// Of the ids of new tags so many at most are made while the state is loaded.
  private static let idsAhead = 1 << 20

  package func load(from store: StateStore) throws(StateError) -> Basis {
    let making = table.kind == .tags ? try makeIDs(for: store) : nil
    let servers = table.servers
    let names = (0..<servers.count).map { servers[$0] }
    let loaded = try store.load(
      Scope(servers: names, members: table.kind == .members ? .all : .none), names: table.users)
    if let made = making?.join(), made.nextSeq == loaded.head.nextSeq { return Basis(loaded: loaded, ids: made) }
    return Basis(loaded: loaded, ids: IDSource(seed: idSeed, nextSeq: loaded.head.nextSeq))
  }

  private func makeIDs(for store: StateStore) throws(StateError) -> SideThread<IDSource> {
    let ids = IDSource(seed: idSeed, nextSeq: try store.head().nextSeq)
    let count = min(table.rows.count, Self.idsAhead)
    return SideThread.start { ids.ahead(count) }
  }

  /// What the import would do, decided to the end.
  ///
  /// - Parameter giveBack: gets the rows that are refused, with what is wrong with each.
  package func plan(
    on basis: Basis, giveBack: (Int, String) throws(TableStop) -> Void
  ) throws(TableStop) -> Reading {
    let loaded = basis.loaded
    let context = RunContext(kind: .import, time: max(now, loaded.head.time), ids: basis.ids)
    var requests = Requests(table, loaded.snapshot)
    try requests.take(giveBack)
    let plan = CirclePlan.plan(requests.all, actual: loaded.snapshot, options: options, context: context)
    var reading = Reading(plan: plan, limit: table.scan.options.maxErrors)
    reading.refused = requests.refused
    reading.diagnostics.append(contentsOf: requests.diagnostics)
    return reading
  }

  /// Writes the plan in one transaction, and gives up the lock with it.
  /// - Throws: `.stale` when the state is no longer as it was loaded; nothing is written then.
  package func commit(
    _ plan: Plan, on basis: Basis, to store: StateStore, command: String, writer: RunRequest.Writer
  ) throws(StateError) -> Run {
    let request = RunRequest(
      kind: .import, command: command, reason: options.reason?.string, maxRemovals: options.maxRemovals.text,
      allowances: options.allow.map(\.text), writer: writer)
    let files = table.scan.files
    return try store.commit(
      plan.outcome, result: plan.result, on: basis.loaded, time: plan.context.time, request: request,
      path: { files.path(of: $0) })
  }
}

/// The rows of a table by server, each user and each tag once.
private struct Requests {
  private(set) var all: [ServerRequest] = []
  private(set) var refused = 0
  private(set) var diagnostics: DiagnosticCollector
  private let table: ListTable
  private let rows: ContiguousArray<ListRow>
  private let tags: ByteNames
  private let snapshot: Snapshot
  /// By the table's number of a server, its request, or -1 where there is no such server.
  private var requests: [Int] = []

  init(_ table: ListTable, _ snapshot: Snapshot) {
    self.table = table
    self.snapshot = snapshot
    rows = table.rows
    tags = table.tags
    diagnostics = DiagnosticCollector(limit: table.scan.options.maxErrors)
  }

  mutating func take(_ giveBack: (Int, String) throws(TableStop) -> Void) throws(TableStop) {
    findServers()
    // By server, in the order of the tables.
    var sorted = ContiguousArray<UInt64>()
    sorted.reserveCapacity(rows.count)
    var last = Place.none
    for (position, row) in rows.enumerated() {
      let request = requests[Int(row.server)]
      if let fault = fault(row, request) {
        // A list of tags is several rows here, and one in its table.
        if row.place == last { continue }
        last = row.place
        refused += 1
        diagnostics.appendError { fault.code.error(fault.message, at: fault.place, help: fault.help()) }
        try giveBack(position, fault.message)
        continue
      }
      checkRole(row, request)
      sorted.append(UInt64(request) << 32 | UInt64(position))
    }
    if !zip(sorted, sorted.dropFirst()).allSatisfy({ $0 < $1 }) { sorted.sort() }
    var start = 0
    while start < sorted.count {
      let request = sorted[start] >> 32
      let end = sorted[start...].firstIndex { $0 >> 32 != request } ?? sorted.count
      take(sorted[start..<end], to: Int(request))
      start = end
    }
  }

  /// Takes the rows of one server.
  private mutating func take(_ entries: ArraySlice<UInt64>, to request: Int) {
    reserve(entries.count, in: request)
    if !hasTwins(entries) {
      for entry in entries { add(CollectionOfOne(rows[Self.row(entry)]), to: request) }
      return
    }
    // Rows about the same member or tag come together.
    let sorted = entries.map { UInt64(rows[Self.row($0)].object) << 32 | $0 & 0xFFFF_FFFF }.sorted()
    var start = 0
    while start < sorted.count {
      let object = sorted[start] >> 32
      let end = sorted[start...].firstIndex { $0 >> 32 != object } ?? sorted.count
      let rows = rows
      add(sorted[start..<end].lazy.map { rows[Self.row($0)] }, to: request)
      start = end
    }
    // The tags of a server are added in the order of the table.
    if table.kind == .tags { all[request].tags.sort { $0.place < $1.place } }
  }

  private static func row(_ entry: UInt64) -> Int { Int(entry & 0xFFFF_FFFF) }

  /// Whether two rows are about the same member or tag, or perhaps: of many rows it is not looked at.
  private func hasTwins(_ entries: ArraySlice<UInt64>) -> Bool {
    guard entries.count <= 32 else { return true }
    for position in entries.indices {
      let object = rows[Self.row(entries[position])].object
      for other in entries.startIndex..<position where rows[Self.row(entries[other])].object == object { return true }
    }
    return false
  }

  private mutating func findServers() {
    let servers = table.servers
    all.reserveCapacity(servers.count)
    requests.reserveCapacity(servers.count)
    // By server, its request, or -1.
    var known = ContiguousArray<Int>(repeating: -1, count: snapshot.servers.count)
    for number in 0..<servers.count {
      let name = servers[number]
      guard let server = snapshot.handles[name] ?? snapshot.serverIDs[name], server != .none else {
        requests.append(-1)
        continue
      }
      if known[server.position] < 0 {
        known[server.position] = all.count
        all.append(ServerRequest(server))
      }
      requests.append(known[server.position])
    }
  }

  private func fault(
    _ row: ListRow, _ request: Int
  ) -> (code: TableFault, message: String, place: Place, help: () -> String?)? {
    guard request >= 0 else {
      let name = table.servers[Int(row.server)]
      return (
        .unknownServer, "'\(table.serverColumn(of: row))' is '\(name)': there is no such server", row.serverPlace,
        { nearestName(to: name.string, among: snapshot.servers.map(\.handle.string)).map { "did you mean '\($0)'?" } }
      )
    }
    guard table.kind == .members, row.action == .add else { return nil }
    guard !snapshot.users[Int(row.object)].isRegistered else { return nil }
    let told = "'\(table.userColumn(of: row))' is '\(snapshot.names[UserIndex(row.object)])'"
    return (
      .unknownUser, "\(told): there is no such user", row.userPlace,
      { "'circlectl import users' or 'circlectl user register' registers users" }
    )
  }

  /// Warns of a role for the owner, which is left as it is, as where he stands among a manifest's moderators.
  private mutating func checkRole(_ row: ListRow, _ request: Int) {
    guard table.kind == .members, row.role != nil else { return }
    let server = all[request].server
    guard snapshot.servers[server.position].owner == UserIndex(row.object) else { return }
    diagnostics.append(
      TableFault.value.warning(
        "'\(snapshot.names[UserIndex(row.object)])' is the owner of '\(snapshot.handle(of: server))', whose role stays",
        at: row.userPlace))
  }

  private mutating func reserve(_ count: Int, in request: Int) {
    switch table.kind {
    case .members: all[request].members.reserveCapacity(count)
    case .tags: all[request].tags.reserveCapacity(count)
    }
  }

  /// The later row wins, cell by cell.
  private mutating func add(_ rows: some Sequence<ListRow>, to request: Int) {
    var last: ListRow?
    var role: Role?
    // Of rows that say the same the first one counts, which keeps the order of tags.
    var place = Place.none
    for row in rows {
      if row.action != last?.action || row.role != last?.role { place = row.place }
      if let earlier = last, earlier.action != row.action || (row.role != nil && role != nil && row.role != role) {
        diagnostics.append(warning(earlier, row))
      }
      if let given = row.role { role = given }
      last = row
    }
    guard let last else { return }
    if table.kind == .members {
      all[request].members.append(
        .init(
          UserIndex(last.object), isRemoved: last.action == .remove, role: last.action == .remove ? nil : role,
          place: place))
    } else {
      all[request].tags.append(
        .init(tags[Int(last.object)], isRemoved: last.action == .remove, place: place))
    }
  }

  private func warning(_ earlier: ListRow, _ later: ListRow) -> Diagnostic {
    let what =
      table.kind == .members
      ? "member '\(snapshot.names[UserIndex(later.object)])'" : "tag '\(table.tags[Int(later.object)])'"
    let place = later.place
    return TableFault.duplicateRow.warning(
      "\(what) of '\(table.servers[Int(later.server)])' has another row in line \(earlier.place.line), which asks for something else; this one wins",
      at: Place(file: place.file, line: place.line, column: 0))
  }
}
