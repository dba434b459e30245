import CircleState
import Glibc
import StateConformance
import Synchronization
import Testing

@testable import CircleStateSQLite

struct TransactionTests {
  let folder: Folder

  init() throws {
    folder = try Folder()
  }

  private func open(_ name: String, _ mode: OpeningMode = .write(create: true)) throws(StateError) -> SQLiteRows {
    try SQLiteRows.open(path: folder.path(name), mode: mode, timeout: 100)
  }

  private func fill(_ rows: SQLiteRows, _ range: Range<UInt32>, with byte: UInt8) throws(StateError) {
    for number in range { try rows.put(.users, RowKey(number), bytes: [UInt8](repeating: byte, count: 500)) }
  }

  /// A file as a writer that is killed in the middle leaves it: pages already changed, and the journal that undoes it.
  private func cutOff() throws -> [UInt8] {
    let rows = try open("a.db")
    try rows.write { () throws(StateError) in try fill(rows, 0..<1000, with: 1) }
    let whole = folder.read("a.db")
    // A small cache, so that pages go into the file before the end.
    try rows.connection.execute("PRAGMA cache_size = 10", "read")
    try rows.begin(writing: true, timeout: 0)
    try fill(rows, 0..<3000, with: 2)
    let changed = folder.read("a.db")
    #expect(changed != whole)
    folder.write(changed, to: "b.db")
    folder.write(folder.read("a.db-journal"), to: "b.db-journal")
    rows.rollback()
    return whole
  }

  @Test(arguments: [false, true])
  func `a commit into a file that the path no longer leads to is an error`(isReplaced: Bool) throws {
    let rows = try open("a.db")
    try rows.write { () throws(StateError) in try fill(rows, 0..<10, with: 1) }
    let before = folder.read("a.db")
    try rows.begin(writing: true, timeout: 0)
    try fill(rows, 0..<10, with: 2)
    unlink(folder.path("a.db"))
    if isReplaced { folder.write(before, to: "a.db") }
    #expect { try rows.commit() } throws: { error in
      guard case .io(let message)? = error as? StateError else { return false }
      return message.hasSuffix("was removed or replaced while this ran; nothing was written")
    }
    if isReplaced { #expect(folder.read("a.db") == before) }
  }

  @Test(arguments: [OpeningMode.read, .write(create: false), .write(create: true)])
  func `what a killed writer left is rolled back by the next opening`(mode: OpeningMode) throws {
    let whole = try cutOff()
    let rows = try open("b.db", mode)
    #expect(folder.read("b.db") == whole)
    #expect(folder.names == ["a.db", "b.db"])
    #expect(try rows.keys(.users).count == 1000)
    #expect(try rows.bytes(.users, RowKey(999))?.first == 1)
    #expect(try rows.checkStore() == [])
  }

  @Test
  func `a killed writer's rest is rolled back by a reader that is open already`() throws {
    let rows = try open("b.db")
    _ = rows
    let reader = try open("b.db", .read)
    let whole = try cutOff()
    try reader.begin(writing: false, timeout: 100)
    #expect(folder.read("b.db") == whole)
    #expect(try reader.keys(.users).count == 1000)
    try reader.commit()
  }

  @Test
  func `a state whose making was cut off is missing`() throws {
    _ = try open("a.db")
    let firstPage = Array(folder.read("a.db").prefix(8192))
    folder.write([], to: "b.db")
    let maker = try Connection.open(folder.path("b.db"), access: .write, interrupted: { 0 })
    try maker.execute("PRAGMA page_size = 8192; PRAGMA cache_size = 1; BEGIN IMMEDIATE", "write")
    for statement in Schema.migrations.joined() { try maker.execute(statement, "write") }
    try maker.execute("INSERT INTO users VALUES (1, zeroblob(90000)), (2, zeroblob(90000))", "write")
    // The journal says that there was nothing before.
    let journal = folder.read("b.db-journal")
    maker.rollback()
    for name in ["b.db", "c.db"] {
      folder.write(firstPage, to: name)
      folder.write(journal, to: "\(name)-journal")
    }
    #expect(throws: StateError.missing(folder.path("b.db"))) { try open("b.db", .read) }
    #expect(try open("c.db").isNew)
    #expect(try open("c.db").checkStore() == [])
  }

  @Test
  func `a signal before the commit leaves the old state`() throws {
    let signal = Signal()
    let rows = try SQLiteRows.open(
      path: folder.path("a.db"), mode: .write(create: true), interrupted: { signal.pending })
    try rows.write { () throws(StateError) in try rows.put(.users, RowKey(1), bytes: [1]) }
    let whole = folder.read("a.db")
    try rows.begin(writing: true, timeout: 0)
    try rows.put(.users, RowKey(1), bytes: [2])
    signal.pending = SIGTERM
    #expect(throws: StateError.interrupted(signal: SIGTERM)) { try rows.commit() }
    rows.rollback()
    #expect(folder.read("a.db") == whole)
    signal.pending = 0
    #expect(try rows.bytes(.users, RowKey(1)) == [1])
  }

  @Test
  func `a signal stops a long scan, a long write and a wait`() throws {
    let signal = Signal()
    let rows = try SQLiteRows.open(
      path: folder.path("a.db"), mode: .write(create: true), interrupted: { signal.pending })
    try rows.write { () throws(StateError) in try fill(rows, 0..<2000, with: 1) }
    let stopped = StateError.interrupted(signal: SIGINT)
    #expect(throws: stopped) {
      try rows.scan(.users) { (_, _) throws(StateError) in
        signal.pending = SIGINT
        return true
      }
    }
    signal.pending = 0
    try rows.begin(writing: true, timeout: 0)
    #expect(throws: stopped) {
      for number: UInt32 in 0..<10_000 {
        if number == 100 { signal.pending = SIGINT }
        try rows.put(.users, RowKey(number), bytes: [2])
      }
    }
    // Whatever comes after it gives the same error, and nothing is written.
    #expect(throws: stopped) { try rows.put(.users, RowKey(1), bytes: [2]) }
    #expect(throws: stopped) { try rows.commit() }
    rows.rollback()
    signal.pending = 0
    #expect(try rows.bytes(.users, RowKey(1))?.first == 1)

    let other = try open("a.db")
    try other.begin(writing: true, timeout: 0)
    signal.pending = SIGINT
    #expect(throws: stopped) { try rows.begin(writing: true, timeout: 60_000) }
  }

  @Test
  func `a reader in the way makes the commit busy, and nothing is written`() throws {
    let writer = try open("a.db")
    let reader = try open("a.db", .read)
    try reader.begin(writing: false, timeout: 0)
    try writer.begin(writing: true, timeout: 0)
    try writer.put(.users, RowKey(1), bytes: [1])
    #expect(throws: StateError.busy) { try writer.commit() }
    writer.rollback()
    #expect(try reader.keys(.users) == [])
    try reader.commit()
    try writer.write { () throws(StateError) in try writer.put(.users, RowKey(2), bytes: [2]) }
    #expect(try reader.keys(.users) == [RowKey(2)])
  }

  @Test
  func `a writer waits until the other has ended`() async throws {
    let path = folder.path("a.db")
    _ = try open("a.db")
    let held = Signal()
    let other = Task.detached {
      let rows = try SQLiteRows.open(path: path, mode: .write(create: false))
      try rows.begin(writing: true, timeout: 10_000)
      held.pending = 1
      try rows.put(.users, RowKey(1), bytes: [1])
      usleep(100_000)
      try rows.commit()
    }
    while held.pending == 0 { await Task.yield() }
    let rows = try open("a.db")
    try rows.begin(writing: true, timeout: 60_000)
    #expect(try rows.keys(.users) == [RowKey(1)])
    try rows.commit()
    try await other.value
  }

  @Test
  func `several who make the same state make one`() async throws {
    let path = folder.path("a.db")
    folder.write([], to: "a.db")
    let made = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number: UInt32 in 0..<6 {
        group.addTask {
          let rows = try SQLiteRows.open(path: path, mode: .write(create: true), timeout: 60_000)
          try rows.begin(writing: true, timeout: 60_000)
          try rows.put(.users, RowKey(number), bytes: [])
          try rows.commit()
          return rows.isNew
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(made == 1)
    #expect(try open("a.db", .read).keys(.users).count == 6)
  }

  @Test
  func `flipped bits are found, and never more than an error`() throws {
    let rows = try open("a.db")
    try rows.write { () throws(StateError) in
      try fill(rows, 0..<200, with: 1)
      for number: UInt32 in 0..<500 {
        try rows.putName(Array("user-\(number)".utf8), number, in: .users)
        try rows.put(.logByServer, RowKey(number, 1, 2), bytes: [])
      }
    }
    let whole = folder.read("a.db")
    var found = 0
    for page in 0..<whole.count / 8192 {
      // The page's own header: its kind, how many cells it has, where they begin.
      for place in [0, 3, 5] {
        var bytes = whole
        bytes[page * 8192 + place + (page == 0 ? 100 : 0)] ^= 0x55
        folder.write(bytes, to: "b.db")
        do throws(StateError) {
          let rows = try open("b.db", .read)
          let faults = try rows.checkStore()
          if !faults.isEmpty { found += 1 }
          for table in StateTable.allCases { _ = try rows.keys(table) }
          _ = try rows.names(.users, prefix: [])
        } catch {
          guard case .damaged = error else {
            Issue.record("page \(page), byte \(place): \(error)")
            continue
          }
          found += 1
        }
      }
    }
    #expect(found >= whole.count / 8192 * 2)
  }

  @Test
  func `a full disk is an error that names it, and leaves the old state`() throws {
    let rows = try open("a.db")
    try rows.write { () throws(StateError) in try fill(rows, 0..<10, with: 1) }
    // The same result code as a full disk, without one.
    try rows.connection.execute("PRAGMA max_page_count = 30", "read")
    try rows.begin(writing: true, timeout: 0)
    let full = StateError.io("can't write '\(folder.path("a.db"))': No space left on device")
    #expect(throws: full) { try fill(rows, 0..<5000, with: 2) }
    #expect(throws: full) { try rows.commit() }
    rows.rollback()
    #expect(try rows.keys(.users).count == 10)
    #expect(try rows.bytes(.users, RowKey(9))?.first == 1)
  }
}

/// A signal that a test sends by hand.
private final class Signal: Sendable {
  private let number = Atomic<Int32>(0)

  var pending: Int32 {
    get { number.load(ordering: .relaxed) }
    set { number.store(newValue, ordering: .relaxed) }
  }
}
