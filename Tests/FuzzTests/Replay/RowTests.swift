import Testing
import Testkit

@testable import CircleState

struct RowTests {
  @Test(arguments: ["club", "archived"])
  func `each row of a state is encoded as it was decoded`(state: String) throws {
    let rows = try FuzzedState.rows(try CorpusTests.kept(state, of: .state))
    var kinds: Set<PackedRow> = []
    try rows.forEachItem { (item) throws(StateError) in
      guard case .row(let table, let key, let value) = item, let kind = PackedRow(table, key) else { return }
      kinds.insert(kind)
      let again = try kind.again(value)
      #expect(again == Array(value), "\(table) \(key)")
    }
    #expect(kinds.count >= 7)
  }
}
