import CircleModel
import Testing

struct UserNamesTests {
  private static let orders = [
    ["alice", "bob", "carol"], ["carol", "Bob", "alice"], ["b", "a"], ["a"], [],
    ["averylongname.that.goes.on.1", "averylongname.that.goes.on.0", "averylongname.that"],
  ]

  @Test(arguments: orders) func `ranks are the order by lower-cased id, however the ids came`(ids: [String]) {
    var names = UserNames()
    for id in ids { _ = names.intern(id) }
    let sorted = ids.map { $0.lowercased() }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let ranks = names.ranks()
    #expect(ranks.map { sorted[Int($0)] } == ids.map { $0.lowercased() })
  }

  @Test func `an id is folded into a buffer that held another`() {
    var names = UserNames()
    let long = names.intern("A.Long-Name@Example")
    let short = names.intern("Bob_9")
    var buffer: [UInt8] = []
    for user in [long, short, long] {
      names.fold(user, into: &buffer)
      #expect(buffer == Array(names[user].lowercased().utf8))
      #expect(buffer == names.folded(user))
    }
  }

  /// Were they all looked for in the same place, this would be slow.
  @Test func `many ids that begin alike are told apart`() {
    var names = UserNames()
    let ids = (0..<5_000).map { "organisation-team-member-\($0)" }
    let users = ids.map { names.intern($0) }
    #expect(names.count == ids.count)
    for (id, user) in zip(ids, users) {
      #expect(names.find(id) == user && names.intern("ORGANISATION-Team\(id.dropFirst(17))") == user)
    }
    #expect(names.count == ids.count)
    #expect(names.find("organisation-team-member-5000") == nil)
  }
}
