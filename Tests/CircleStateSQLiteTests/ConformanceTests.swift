import CircleState
import CircleStateSQLite
import StateConformance
import Testing

struct ConformanceTests {
  @Test(arguments: StateCheck.all)
  func `memory does what a store must do`(check: StateCheck) {
    let rows = MemoryRows()
    #expect(check.faults { () throws(StateError) in MemoryRows(sharing: rows) } == [])
  }

  @Test(arguments: StateCheck.all)
  func `a file does what a store must do`(check: StateCheck) throws {
    let folder = try Folder()
    let faults = check.faults { () throws(StateError) in
      try SQLiteRows.open(path: folder.path("state.db"), mode: .write(create: true))
    }
    #expect(faults == [])
    #expect(folder.names == ["state.db"])
  }
}
