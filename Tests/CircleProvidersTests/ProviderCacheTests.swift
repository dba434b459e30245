import CircleKit
import Synchronization
import Testing
import Testkit

@testable import CircleProviders

struct ProviderCacheTests {
  /// A clock of Unix milliseconds that a test moves.
  private final class Clock: Sendable {
    let time = Atomic<Int64>(1_735_787_045_678)
    var now: @Sendable () -> Int64 { { self.time.load(ordering: .relaxed) } }
    func advance(seconds: Int64) { time.wrappingAdd(seconds * 1000, ordering: .relaxed) }
  }

  private let folder: TemporaryFolder
  private let clock = Clock()

  init() throws {
    folder = try TemporaryFolder()
  }

  private func cache(_ command: String = "c") -> ProviderCache {
    ProviderCache(
      ProviderDefinition(name: "ldap", source: .exec(command)), in: folder.path("cache"), now: clock.now)
  }

  private let file = "cache/ldap.users.ndjson"

  private func bob(_ name: String = "Bob") -> CacheEntry.Answer {
    .user(User(userId: "bob", nickName: name, avatarUrl: "https://a.example/b"))
  }

  private func provider(_ command: String, mode: CachedProvider.Mode = .asked) -> ProviderSet {
    ProviderSet(
      [ProviderDefinition(name: "ldap", source: .exec(command), timeout: 60_000)], for: [], mode: mode,
      surroundings: .init(environment: ["PATH": "/usr/bin:/bin"], folder: folder.path),
      cacheFolder: folder.path("cache"),
      now: clock.now)
  }

  @Test func `answers are there in the next run, users for an hour, all else for a minute`() {
    let first = cache()
    first.learn(bob(), of: "bob")
    first.learn(.absent, of: "zoe")
    first.learn(.failed("broken"), of: "Amy")
    first.save()
    let second = cache()
    #expect(second.entry(of: UserKey("BOB"))?.answer == bob())
    #expect(second.entry(of: UserKey("zoe"))?.answer == .absent)
    #expect(second.entry(of: UserKey("amy"))?.answer == .failed("broken"))
    clock.advance(seconds: 60)
    #expect(cache().entry(of: UserKey("zoe")) == nil)
    clock.advance(seconds: 3539)
    #expect(cache().entry(of: UserKey("bob")) != nil)
    clock.advance(seconds: 1)
    #expect(cache().entry(of: UserKey("bob")) == nil)
    clock.advance(seconds: -7200)
    #expect(cache().entry(of: UserKey("bob")) == nil, "a clock that was set back")
  }

  @Test(arguments: [
    "", "x", "{\"circlectlUserCache\":2}\n",
    "{\"circlectlUserCache\":1,\"provider\":\"ldap\",\"definition\":\"other\"}\n", "\u{0}",
  ])
  func `a file that is damaged or foreign is ignored and replaced`(text: String) throws {
    try folder.write(text, to: file)
    #expect(cache().entry(of: UserKey("bob")) == nil)
    let fresh = cache()
    fresh.learn(bob(), of: "bob")
    fresh.save()
    #expect(cache().entry(of: UserKey("bob"))?.answer == bob())
  }

  @Test func `a file that is damaged further down is ignored as a whole`() throws {
    let first = cache()
    first.learn(bob(), of: "bob")
    first.save()
    try folder.write(try folder.read(file) + "{\"userId\":\"am", to: file)
    #expect(cache().entry(of: UserKey("bob")) == nil)
  }

  @Test func `another command under the same name knows nothing`() {
    let first = cache("one")
    first.learn(bob(), of: "bob")
    first.save()
    #expect(cache("two").entry(of: UserKey("bob")) == nil)
    ProviderSet.forget("ldap", cacheFolder: folder.path("cache"))
    #expect(cache("one").entry(of: UserKey("bob")) == nil)
  }

  @Test func `two runs at once lose nothing of each other, and the later answer stays`() {
    let (first, second) = (cache(), cache())
    _ = (first.entry(of: UserKey("x")), second.entry(of: UserKey("x")))
    first.learn(.absent, of: "amy")
    first.learn(bob("old"), of: "bob")
    clock.advance(seconds: 1)
    second.learn(bob("new"), of: "bob")
    second.save()
    first.save()
    #expect(cache().entry(of: UserKey("amy"))?.answer == .absent)
    #expect(cache().entry(of: UserKey("bob"))?.answer == bob("new"))
  }

  @Test func `10,000 users are kept, those used last`() {
    let first = cache()
    for number in 0..<10_000 { first.learn(.user(User(userId: "user\(number)")), of: "user\(number)") }
    first.save()
    let second = cache()
    _ = second.entry(of: UserKey("user0"))
    second.save()
    let third = cache()
    third.learn(bob(), of: "bob")
    third.save()
    let last = cache()
    #expect(last.entry(of: UserKey("user0")) != nil)
    #expect(last.entry(of: UserKey("user1")) == nil)
    #expect(last.entry(of: UserKey("user2")) != nil)
    #expect(last.entry(of: UserKey("bob")) != nil)
  }

  @Test func `without a folder nothing is kept, and nothing fails`() {
    let cache = ProviderCache(ProviderDefinition(name: "ldap", source: .exec("c")), in: nil, now: clock.now)
    cache.learn(bob(), of: "bob")
    cache.save()
    let blocked = ProviderCache(
      ProviderDefinition(name: "ldap", source: .exec("c")), in: "/dev/null/nowhere", now: clock.now)
    blocked.learn(bob(), of: "bob")
    blocked.save()
    #expect(blocked.entry(of: UserKey("bob")) != nil)
  }

  // MARK: With a command

  private func names(_ set: ProviderSet, _ ids: String...) async -> [String] {
    let directory = UserDirectory()
    for delegate in set.delegates { await directory.addDelegate(delegate) }
    let names = await directory.users(ids).map(\.shownName)
    set.finish()
    return names
  }

  private let answering =
    "echo x >>calls; echo '{\"userId\":\"bob\",\"nickName\":\"Bob\"}'; echo '{\"userId\":\"eve\"}'"

  private var calls: Int { ((try? folder.read("calls")) ?? "").utf8.count / 2 }

  @Test func `a command is not run again for what it answered, nor for whom it does not know`() async {
    for _ in 0..<3 { #expect(await names(provider(answering), "bob", "zoe") == ["Bob", "zoe"]) }
    #expect(calls == 1)
    #expect(await names(provider(answering), "eve") == ["eve"])
    #expect(calls == 2, "users who were not asked for are not kept")
    #expect(await names(provider(answering, mode: .refreshing), "bob") == ["Bob"])
    #expect(calls == 3)
    clock.advance(seconds: 60)
    #expect(await names(provider(answering), "zoe") == ["zoe"])
    #expect(calls == 4)
  }

  @Test func `a failure is told again for a minute without running anything`() async {
    let failing = "echo x >>calls; exit 1"
    let first = provider(failing)
    _ = await names(first, "bob")
    #expect(first.failures.map(\.kind) == [.failed])
    let second = provider(failing)
    _ = await names(second, "bob")
    #expect(second.failures.map(\.kind) == [.failedBefore])
    #expect(calls == 1)
  }

  @Test func `after a failure the other batches are not tried`() async {
    let set = provider("echo x >>calls; exit 1")
    let directory = UserDirectory()
    for delegate in set.delegates { await directory.addDelegate(delegate) }
    _ = await directory.users((0..<400).map { "user\($0)" })
    #expect(calls == 1)
  }

  @Test func `who had no time to wait does not keep others from asking`() async {
    let slow = "sleep 1; echo '{\"userId\":\"bob\",\"nickName\":\"Bob\"}'"
    let casual = CachedProvider.Mode.casual(limit: 50)
    let (first, second) = (provider(slow, mode: casual), provider(slow, mode: casual))
    #expect(await names(first, "bob") == ["bob"])
    #expect(first.failures.map(\.isCutShort) == [true])
    #expect(await names(second, "bob") == ["bob"])
    #expect(second.failures.map(\.kind) == [.failedBefore], "it is not asked again within the minute")
    #expect(await names(provider(slow), "bob") == ["Bob"])
    #expect(await names(provider(slow, mode: casual), "bob") == ["Bob"])
  }
}
