import CircleKit
import CircleModel
import Synchronization
import Testing

struct UserUpdateTests {
  @Test func `unknown tags and invalid values are filtered, the rest is applied`() async throws {
    let profiles = TestProfiles(["me": "Me"])
    let directory = UserDirectory(hosted: profiles, currentUser: "me")
    let observer = TestObserver()
    await directory.addObserver(observer)
    _ = await directory.user("me")
    let update = try await directory.updateUserInfo(values: [
      3: "I", 6: "3", 7: "no address", 8: "2001-02-29", 9: "+86-13800138000", 10: "", 11: "x", 5: "hello",
    ])
    #expect(update.changed == [.nick, .sign, .mobile])
    #expect(update.filtered.map(\.tag) == [6, 7, 8, 11])
    #expect(update.filtered.last?.reason == "there is no update tag 11")
    #expect(update.filtered.allSatisfy { !$0.reason.contains("2001-02-29") && !$0.reason.contains("no address") })
    let user = await directory.user("me")
    #expect(user.userInfo?.nickName == "I")
    #expect(user.userInfo?.mobile == "+86-13800138000")
    #expect(observer.calls == [["me"]])
  }

  @Test(arguments: [("0", "unknown"), ("1", "male"), ("2", "female"), ("", "")])
  func `gender takes its number`(value: String, stored: String) {
    #expect(UserInfoUpdate.sort([6: value]).accepted == [.gender: stored == "unknown" ? "unknown" : stored])
  }

  @Test(arguments: ["male", "3", "-1", "01", "+1", " 1"])
  func `gender takes nothing else`(value: String) {
    #expect(UserInfoUpdate.sort([6: value]).filtered.map(\.tag) == [6])
  }

  @Test func `a value that is so already is neither changed nor filtered`() async throws {
    let directory = UserDirectory(hosted: TestProfiles(["me": "Me"]), currentUser: "me")
    #expect(try await directory.updateUserInfo(values: [.nick: "Me"]) == UserInfoUpdate())
  }

  @Test func `the first delegate that takes updates gets them, and is asked anew after`() async throws {
    let directory = UserDirectory(hosted: TestProfiles(["me": "Me"]), currentUser: "me")
    let delegate = TestDelegate(remote: ["me": "Me"])
    for one in [SilentDelegate(), delegate] as [any UserInfoDelegate] { await directory.addDelegate(one) }
    _ = await directory.user("me")
    let update = try await directory.updateUserInfo(values: [3: "I", 99: "x"])
    #expect(update == UserInfoUpdate(changed: [.nick], filtered: [.init(tag: 99, reason: "there is no update tag 99")]))
    #expect(delegate.contents.withLock { $0.updates } == [[.nick: "I"]])
    delegate.contents.withLock { $0.remote["me"]?.userInfo?.nickName = "I" }
    #expect(await directory.user("me").shownName == "I")
    #expect(try await directory.updateUserInfo(values: [3: "I"]).changed == [])
  }

  @Test func `where nothing takes updates they are unsupported`() async throws {
    let directory = UserDirectory(hosted: TestProfiles(["me": "Me"]), currentUser: "me")
    await directory.addDelegate(SilentDelegate())
    let refused = await #expect(throws: CircleKit.CircleError.self) {
      try await directory.updateUserInfo(values: [3: "I"])
    }
    #expect(refused?.name == .unsupported)
    await #expect(throws: CircleKit.CircleError.self) { try await UserDirectory().updateUserInfo(values: [3: "I"]) }
  }
}

struct UserTests {
  @Test func `a user is made of the two fields that lists show`() {
    let user = User(userId: "amy", nickName: "Amy", avatarUrl: "https://a.example/b.png")
    #expect(user.userInfo?.avatarUrl == "https://a.example/b.png")
    #expect(user.shownName == "Amy")
    #expect(User(userId: "amy", nickName: "", avatarUrl: nil).shownName == "amy")
  }

  @Test func `users are told apart by their bytes`() {
    let composed = User(userId: "amy", nickName: "\u{E9}", avatarUrl: nil)
    let decomposed = User(userId: "amy", nickName: "e\u{301}", avatarUrl: nil)
    #expect(composed != decomposed)
    #expect(composed.userInfo != decomposed.userInfo)
    #expect(composed == composed)
  }

  @Test func `the update tags have the documented numbers`() {
    for tag in UserInfoUpdateTag.allCases { #expect(tag.field.updateTag == tag.rawValue) }
    #expect(UserInfoUpdateTag.allCases.map(\.rawValue) == Array(3...10))
    #expect(UserInfoUpdateTag.ex.fieldName == "userInfo.ext")
  }

  @Test func `errors have the names and numbers of the domain`() {
    #expect(CircleKit.CircleError.Name.allCases.map(\.rawValue) == CircleErrorName.allCases.map(\.rawValue))
    #expect(CircleKit.CircleError(.reachLimit, "full").number == 113)
  }
}
