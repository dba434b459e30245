import CircleKit
import CircleModel
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct UserDirectoryTests {
  private func names(_ directory: UserDirectory, _ ids: String...) async -> [String] {
    await directory.users(ids).map(\.shownName)
  }

  // MARK: The order

  @Test func `without a delegate the hosted profile is shown, and the id of who has none`() async {
    let directory = UserDirectory(hosted: TestProfiles(["amy": "Amy"]), currentUser: nil)
    #expect(await names(directory, "amy", "bob") == ["Amy", "bob"])
    #expect(await directory.localUser("amy") == nil)
    #expect(await names(UserDirectory(), "amy") == ["amy"])
  }

  @Test func `with a delegate it is the source, and without it the state is again`() async {
    let directory = UserDirectory(hosted: TestProfiles(["amy": "Amy"]), currentUser: nil)
    let delegate = TestDelegate(local: ["bob": "Bob"])
    await directory.addDelegate(delegate)
    #expect(await names(directory, "amy", "bob") == ["amy", "Bob"])
    await directory.removeDelegate(delegate)
    #expect(await names(directory, "amy", "bob") == ["Amy", "bob"])
  }

  @Test func `what is local is not fetched, what was fetched is not fetched again`() async {
    let directory = UserDirectory()
    let delegate = TestDelegate(local: ["amy": "Amy"], remote: ["amy": "Other", "bob": "Bob"])
    await directory.addDelegate(delegate)
    #expect(await names(directory, "amy", "bob", "zoe") == ["Amy", "Bob", "zoe"])
    #expect(await names(directory, "amy", "bob", "zoe") == ["Amy", "Bob", "zoe"])
    #expect(delegate.calls == [["bob", "zoe"]])
    #expect(await directory.localUser("bob")?.shownName == "Bob")
    #expect(await directory.localUser("stranger") == nil, "nobody asked for him")
  }

  @Test func `of several delegates the first answer wins, for each user`() async {
    let directory = UserDirectory()
    let first = TestDelegate(remote: ["amy": "Amy 1"])
    let second = TestDelegate(local: ["amy": "Amy 2", "bob": "Bob 2"], remote: ["zoe": "Zoe 2"])
    for delegate in [first, second] { await directory.addDelegate(delegate) }
    #expect(await names(directory, "amy", "bob", "zoe") == ["Amy 1", "Bob 2", "Zoe 2"])
    #expect(first.calls == [["amy", "bob", "zoe"]])
    #expect(second.calls == [["zoe"]])
  }

  @Test func `a delegate may leave out every method`() async {
    let directory = UserDirectory()
    let delegate = TestDelegate(remote: ["amy": "Amy"])
    await directory.addDelegate(SilentDelegate())
    await directory.addDelegate(delegate)
    #expect(await names(directory, "amy") == ["Amy"])
  }

  // MARK: Asking little

  @Test func `each user is asked for once, in batches of 150`() async {
    let directory = UserDirectory()
    let delegate = TestDelegate()
    await directory.addDelegate(delegate)
    let ids = (0..<400).map { "user\($0)" }
    _ = await directory.users(ids + ids + ids.map { $0.uppercased() })
    #expect(delegate.calls.map(\.count) == [150, 150, 100])
    #expect(delegate.calls.flatMap { $0 } == ids)
  }

  @Test func `ids that can't be ids are nobody's question`() async {
    let directory = UserDirectory()
    let delegate = TestDelegate()
    await directory.addDelegate(delegate)
    let ids = ["", "@amy", "a b", String(repeating: "x", count: 65)]
    #expect(await directory.users(ids).map(\.userId) == ids)
    #expect(delegate.calls.isEmpty)
  }

  @Test func `readers at the same time wait for one fetch`() async {
    let directory = UserDirectory()
    let delegate = TestDelegate(remote: ["amy": "Amy", "bob": "Bob"], held: true)
    await directory.addDelegate(delegate)
    async let first = names(directory, "amy")
    while delegate.calls.isEmpty { await Task.yield() }
    async let second = names(directory, "AMY", "bob")
    while delegate.calls.count < 2 { await Task.yield() }
    delegate.release()
    #expect(await first == ["Amy"])
    #expect(await second == ["Amy", "Bob"])
    #expect(delegate.calls == [["amy"], ["bob"]])
  }

  @Test func `answers hold for an hour, failures for a minute`() async {
    let clock = TestClock()
    let directory = UserDirectory(now: clock.now)
    let delegate = TestDelegate(remote: ["amy": "Amy"])
    await directory.addDelegate(delegate)
    func read() async -> Int {
      _ = await directory.users(["amy", "bob"])
      return delegate.calls.count
    }
    #expect(await read() == 1)
    clock.advance(59)
    #expect(await read() == 1)
    clock.advance(1)
    #expect(await read() == 2)
    #expect(delegate.calls.last == ["bob"])
    clock.advance(3539)
    _ = await directory.users(["amy"])
    #expect(delegate.calls.count == 2)
    clock.advance(1)
    _ = await directory.users(["amy"])
    #expect(delegate.calls.count == 3)
  }

  @Test func `a fetch that fails shows ids, and is tried again after a minute`() async {
    let clock = TestClock()
    let directory = UserDirectory(now: clock.now)
    let delegate = TestDelegate(remote: ["amy": "Amy"])
    delegate.contents.withLock { $0.isFailing = true }
    await directory.addDelegate(delegate)
    #expect(await names(directory, "amy") == ["amy"])
    delegate.contents.withLock { $0.isFailing = false }
    #expect(await names(directory, "amy") == ["amy"])
    clock.advance(60)
    #expect(await names(directory, "amy") == ["Amy"])
  }

  @Test func `the user who was read least recently goes first`() async {
    var settings = UserDirectory.Settings()
    settings.capacity = 2
    let directory = UserDirectory(settings: settings)
    let delegate = TestDelegate(remote: ["amy": "A", "bob": "B", "zoe": "Z"])
    await directory.addDelegate(delegate)
    for id in ["amy", "bob", "amy", "zoe", "amy", "bob"] { _ = await directory.user(id) }
    #expect(delegate.calls == [["amy"], ["bob"], ["zoe"], ["bob"]])
  }

  // MARK: Time limits and observers

  @Test func `a read with a time limit shows ids in time, and the fetch goes on`() async {
    let directory = UserDirectory()
    let observer = TestObserver()
    let delegate = TestDelegate(local: ["bob": "Bob"], remote: ["amy": "Amy"], held: true)
    await directory.addDelegate(delegate)
    await directory.addObserver(observer)
    #expect(await directory.users(["amy", "bob"], within: .milliseconds(20)).map(\.shownName) == ["amy", "Bob"])
    #expect(observer.calls.isEmpty)
    delegate.release()
    #expect(await names(directory, "amy") == ["Amy"])
    #expect(delegate.calls.count == 1)
    #expect(observer.calls == [["amy"]])
    #expect(await directory.users(["amy"], within: .zero).map(\.shownName) == ["Amy"])
  }

  @Test func `observers hear of who is shown otherwise, until they are removed`() async {
    let clock = TestClock()
    let directory = UserDirectory(now: clock.now)
    let (observer, gone) = (TestObserver(), TestObserver())
    let delegate = TestDelegate(remote: ["amy": "Amy", "bob": "Bob"])
    await directory.addDelegate(delegate)
    for one in [observer, gone] { await directory.addObserver(one) }
    await directory.removeObserver(gone)
    _ = await directory.users(["amy", "bob"])
    #expect(observer.calls.isEmpty, "they are shown for the first time")
    delegate.contents.withLock { $0.remote["amy"]?.userInfo?.nickName = "Amélie" }
    clock.advance(3600)
    _ = await directory.users(["amy", "bob"])
    #expect(observer.calls == [["amy"]])
    #expect(gone.calls.isEmpty)
  }

  @Test func `what a removed delegate still answers is not kept`() async {
    let directory = UserDirectory()
    let delegate = TestDelegate(remote: ["amy": "Amy"], held: true)
    await directory.addDelegate(delegate)
    async let reading = names(directory, "amy")
    while delegate.calls.isEmpty { await Task.yield() }
    await directory.removeDelegate(delegate)
    delegate.release()
    #expect(await reading == ["amy"])
    #expect(await directory.localUser("amy") == nil)
  }
}
