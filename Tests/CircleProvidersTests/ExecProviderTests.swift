import CircleKit
import Diagnostics
import Glibc
import Testing
import Testkit

@testable import CircleProviders

/// Commands that answer, and all that a command can do instead.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ExecProviderTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func provider(
    _ command: String, timeout: Int = 60_000, isCancelled: @escaping @Sendable () -> Bool = { false }
  )
    -> ExecProvider
  {
    ExecProvider(
      ProviderDefinition(name: "test", source: .exec(command), timeout: timeout), command: command,
      in: .init(
        environment: ["PATH": "/usr/bin:/bin", "GREETING": "hello"], folder: folder.path, isCancelled: isCancelled))
  }

  private func failure(
    _ command: String, timeout: Int = 60_000, ids: [String] = ["bob"],
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) -> ProviderError? {
    do throws(ProviderError) {
      _ = try provider(command, timeout: timeout, isCancelled: isCancelled).askNow(ids)
      return nil
    } catch {
      return error
    }
  }

  /// Open descriptors, and children that are not reaped.
  private func leaks() -> (descriptors: Int, children: Bool) {
    let descriptors = (0..<256).filter { fcntl($0, F_GETFD) >= 0 }.count
    var info = siginfo_t()
    let hasChild = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo != 0
    return (descriptors, hasChild)
  }

  @Test func `a command gets the ids as JSON lines and answers with users`() async throws {
    let command = "cat > asked; echo '{\"userId\":\"bob\",\"nickName\":\"'$GREETING'\"}'; echo note >&2"
    let users = try await provider(command).fetchUserInfo(accountList: ["bob", "amy"])
    #expect(users == [User(userId: "bob", nickName: "hello", avatarUrl: nil)])
    #expect(try folder.read("asked") == "{\"userId\":\"bob\"}\n{\"userId\":\"amy\"}\n")
    #expect(try provider(command).askNow(["bob"]).remarks == ["note"])
  }

  @Test func `values that break a rule are dropped, and blank lines passed over`() throws {
    let answer = try provider("printf '\\n{\"userId\":\"bob\",\"email\":\"x\"}\\n{\"nickName\":\"y\"}\\n'").askNow([
      "bob"
    ])
    #expect(answer.users == [User(userId: "bob")])
    #expect(
      answer.warnings?.diagnostics.sorted().map { "\($0.place.line) \($0.code)" } == [
        "2 provider.invalid-value", "3 provider.missing-user-id",
      ])
  }

  @Test(arguments: [
    ("exit 1", ProviderError.Kind.failed, "exit status 1"),
    ("no-such-command", .failed, "exit status 127 (command not found)"),
    ("kill -9 $$", .failed, "signal 9"), ("echo '{\"userId\":\"bob\"}'; echo '{'", .malformed, "line 2"),
    ("head -c 65536 /dev/urandom", .malformed, "line 1"), ("printf '\\0\\0\\0'", .malformed, "line 1"),
    ("head -c 100000000 /dev/zero", .tooBig, "4 MiB"), ("yes", .tooBig, "4 MiB"),
    ("echo '{\"userId\":\"bob\"}'; exit 3", .failed, "exit status 3"),
    ("head -c 2000000 /dev/zero | tr '\\0' x", .malformed, "line 1"),
  ])
  func `what is no answer is an error that names the provider`(command: String, kind: ProviderError.Kind, part: String)
  {
    let failure = failure(command)
    #expect(failure?.kind == kind)
    #expect(failure?.message.hasPrefix("provider 'test' failed: ") == true)
    #expect(failure?.message.contains(part) == true, "\(failure?.message ?? "none")")
  }

  @Test func `what a failing command says is quoted, not all of it`() {
    let failure = failure("i=0; while [ $i -lt 5000 ]; do echo line $i >&2; i=$((i+1)); done; exit 2")
    #expect(failure?.next == ["It said: line 0", "It said: line 1", "It said: line 2"])
  }

  @Test func `a command that hangs is killed with its children in time`() throws {
    let start = MonotonicClock.now()
    let failure = failure("sleep 60 & echo $! > child; trap '' TERM; sleep 60", timeout: 300)
    #expect(MonotonicClock.now() - start < 30_000)
    #expect(failure?.kind == .timedOut)
    #expect(failure?.message == "provider 'test' did not answer within 300 ms")
    let child = try #require(Int32(folder.read("child").split(separator: "\n").first ?? ""))
    // Killed; whoever adopted it may not have reaped it yet.
    for _ in 0..<200 where kill(child, 0) == 0 && !isZombie(child) { usleep(10_000) }
    #expect(kill(child, 0) != 0 || isZombie(child))
  }

  private func isZombie(_ process: Int32) -> Bool {
    guard let file = fopen("/proc/\(process)/stat", "r") else { return true }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, 256, file) != nil else { return true }
    return String(decoding: line.map(UInt8.init(bitPattern:)), as: UTF8.self).contains(") Z")
  }

  @Test func `a child that keeps the output open holds nothing up`() throws {
    let start = MonotonicClock.now()
    let answer = try provider("sleep 60 & echo '{\"userId\":\"bob\"}'", timeout: 60_000).askNow(["bob"])
    #expect(answer.users.count == 1)
    #expect(MonotonicClock.now() - start < 30_000)
    #expect(
      try provider("setsid sleep 2 & echo '{\"userId\":\"bob\"}'", timeout: 60_000).askNow(["bob"]).users.count == 1)
  }

  @Test func `a command that reads nothing, or not all, does no harm`() throws {
    let ids = (0..<150).map { "user-\($0)-\(String(repeating: "x", count: 50))" }
    let many = Array(repeating: ids, count: 40).flatMap { $0 }
    #expect(try provider("exec <&-; echo '{\"userId\":\"bob\"}'").askNow(many).users.count == 1)
    #expect(try provider("head -n 1 >/dev/null; echo '{\"userId\":\"bob\"}'").askNow(many).users.count == 1)
    #expect(try provider("exec <&- >&- 2>&-; sleep 0.1").askNow(many).users.isEmpty)
  }

  @Test func `a run that is asked to stop ends the command`() {
    let start = MonotonicClock.now()
    let failure = failure("sleep 60", timeout: 60_000) { MonotonicClock.now() - start > 100 }
    #expect(failure?.kind == .interrupted)
    #expect(MonotonicClock.now() - start < 30_000)
  }

  @Test func `nothing is left of any of them`() {
    for command in ["echo", "exit 1", "sleep 60 & echo", "yes", "exec >&-"] { _ = failure(command, timeout: 500) }
    let before = leaks()
    for command in ["echo", "exit 1", "sleep 60 & echo", "yes", "exec >&-", "sleep 60", "kill -9 $$"] {
      _ = failure(command, timeout: 500)
    }
    var after = leaks()
    // Other tests have some open for a while; what leaked stays.
    let start = MonotonicClock.now()
    while after.descriptors > before.descriptors + 2, MonotonicClock.now() - start < 20_000 {
      usleep(50_000)
      after = leaks()
    }
    #expect(after.descriptors <= before.descriptors + 2)
    #expect(!after.children)
  }

  @Test func `commands inherit neither ignored signals nor descriptors`() throws {
    signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, SIG_DFL) }
    let kept = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(kept) }
    // A writer that ignores SIGPIPE would report an error instead of ending by the signal.
    let failure = failure(
      "(yes; echo $? >code) | head -n 1 >/dev/null; sed -n 's/^SigIgn:[^0-9a-f]*//p' /proc/self/status >signals; ls /proc/self/fd >descriptors; false"
    )
    #expect(failure?.kind == .failed)
    let ignored = try #require(UInt64(folder.read("signals").split(separator: "\n").first ?? "", radix: 16))
    #expect(ignored & 1 << UInt64(SIGPIPE - 1) == 0)
    #expect(try folder.read("descriptors").split(separator: "\n").count <= 4)
  }
}
