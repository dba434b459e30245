import CircleModel
import Testing

struct MemberSetTests {
  @Test func `many additions, changes and removals leave what a dictionary would hold`() {
    var set = MemberSet()
    var expected: [UInt32: Member] = [:]
    var state: UInt32 = 1
    for step in 0..<40_000 {
      state = state &* 1_664_525 &+ 1_013_904_223
      let user = UserIndex((state >> 8) % 9000)
      if state >> 28 < 4 {
        #expect(set.remove(user) == expected.removeValue(forKey: user.raw))
      } else {
        let member = Member(user, .user, joinedAt: Int64(step))
        set.set(member)
        expected[user.raw] = member
      }
    }
    #expect(set.count == expected.count)
    #expect(Array(set.sorted()) == expected.values.sorted { $0.user.raw < $1.user.raw })
    #expect((0..<9000).allSatisfy { set[UserIndex($0)] == expected[UInt32($0)] })
    #expect(Array(set.all()) == expected.values.sorted { $0.user.raw < $1.user.raw })
  }

  @Test func `listings are forgotten in what is settled and in what is recent`() {
    var set = MemberSet([Member(UserIndex(1), .user, listing: .member, joinedAt: 0)])
    set.set(Member(UserIndex(2), .user, listing: .moderator, joinedAt: 0))
    set.forgetListings()
    #expect(set.sorted().map(\.listing) == [[], []])
  }
}
