import CircleModel
import Testing

struct UserDetailsTests {
  private func detail(_ devices: Text...) -> UserDetail {
    var detail = UserDetail()
    detail.devices = devices
    return detail
  }

  @Test func `a removed detail leaves the others where they are found`() {
    var details = UserDetails()
    details[UserIndex(7)] = detail("a")
    details[UserIndex(2)] = detail("b", "c")
    details[UserIndex(9)] = detail()
    details[UserIndex(7)] = nil
    #expect(details[UserIndex(7)] == nil)
    #expect(details[UserIndex(2)] == detail("b", "c"))
    #expect(details[UserIndex(9)] == detail())
    #expect(details[UserIndex(100)] == nil)
    #expect(details.count == 2)
    #expect(Set(details.map(\.key)) == [UserIndex(2), UserIndex(9)])
  }

  @Test func `devices are counted however they are set`() {
    var details = UserDetails()
    let user = UserIndex(3)
    #expect(details.deviceCount(of: user) == 0)
    details[user, default: UserDetail()].devices = ["a", "b"]
    #expect(details.deviceCount(of: user) == 2)
    details[user] = detail("a")
    #expect(details.deviceCount(of: user) == 1)
    details[user] = nil
    #expect(details.deviceCount(of: user) == 0)
    #expect(details.deviceCount(of: UserIndex(100)) == 0)
  }
}
