import CircleState
import CircleStatePostgres
import StateConformance
import Testing
import Testkit

@Suite(.enabled(if: PostgresServer.shared != nil, "\(PostgresServer.reason)"))
struct ConformanceTests {
  @Test(arguments: StateCheck.all)
  func `a server does what a store must do`(check: StateCheck) throws {
    let url = try ServerURL(#require(PostgresServer.shared).newSchema())
    let faults = check.faults { () throws(StateError) in
      try PostgresRows.open(url, mode: .write(create: true))
    }
    #expect(faults == [])
  }
}
