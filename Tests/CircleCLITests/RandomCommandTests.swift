import Testing
import Testkit

@testable import CircleCLI

/// Commands at random on a few users and servers: whatever is done or refused, the state stays sound.
struct RandomCommandTests {
  @Test(arguments: [UInt64(1), 20_250_102])
  func `the state is sound after a long random sequence`(seed: UInt64) throws {
    var lines = RandomLines(seed: seed)
    let run = try TestRun()
    var done: [String: Int] = [:]
    for line in [
      "user register u0 u1 u2 u3 u4", "server create A --handle s0 --owner u0",
      "server create B --handle s1 --owner u1",
    ] { #expect(try run(line).status == 0) }
    for number in 0..<600 {
      run.time += 1000
      let line = lines.next()
      let ending = try run(line)
      #expect([0, 3].contains(ending.status), "seed \(seed), line \(number): \(line): \(ending.errors)")
      let verb = line.split(separator: " ").prefix(2).joined(separator: " ")
      if ending.status == 0 { done[verb, default: 0] += 1 }
    }
    let verified = try run("state verify")
    #expect(verified.status == 0, "seed \(seed): \(verified.output)")
    #expect(done.count >= 18, "seed \(seed): only \(done.sorted { $0.key < $1.key }) were done at all")
  }
}

private struct RandomLines {
  private var numbers: SplitMix

  init(seed: UInt64) { numbers = SplitMix(seed: seed) }

  private mutating func random(_ bound: Int) -> Int { Int(numbers.next() % UInt64(bound)) }

  private mutating func user() -> String { "u\(random(random(8) == 0 ? 6 : 5))" }
  private mutating func server() -> String { "s\(random(3))" }
  private mutating func users() -> String { random(3) == 0 ? "\(user()) \(user())" : user() }
  private mutating func caller() -> String { random(4) > 0 ? "" : " --as \(user())" }

  mutating func next() -> String {
    let (user, server) = (user(), server())
    switch random(36) {
    case 0, 1: return "user register \(users()) --devices a,b --set nickName=N\(random(9))"
    case 2, 3: return "server create Name\(random(9)) --handle \(server) --owner \(user)"
    case 4: return "server create N --handle \(server) --type private --as \(user)"
    case 5:
      return "server update \(server) --desc d\(random(5)) --type \(random(2) == 0 ? "public" : "private")" + caller()
    case 6: return "server update \(server) --clear desc --clear icon" + caller()
    case 7: return random(6) == 0 ? "server destroy \(server) --yes" + caller() : "server get \(server)" + caller()
    case 8 where random(3) == 0: return "server rename \(server) \(self.server())"
    case 9: return "tag add \(server) t\(random(6)) t\(random(5 + random(2)))" + caller()
    case 10: return "tag remove \(server) t\(random(5 + random(2)))" + caller()
    case 11, 12, 30, 31, 32: return "invitation send \(server) \(users())" + caller()
    case 13, 26, 27: return "invitation accept \(server) \(user) --inviter \(self.user())"
    case 14, 28, 29: return "invitation decline \(server) --inviter \(self.user()) --as \(user)"
    case 15: return "invitation withdraw \(server) \(users())" + caller()
    case 16, 17: return "member join \(server) \(users())"
    case 18: return "member join \(server) --as \(user)"
    case 19: return "member leave \(server) \(user)"
    case 20 where random(2) == 0: return "member remove \(server) \(users())" + caller()
    case 21, 33, 34: return "moderator add \(server) \(users())" + caller()
    case 22, 35: return "moderator remove \(server) \(user)" + caller()
    case 23: return "user update \(user) --set nickName=M\(random(9)) --clear sign"
    case 24: return random(2) == 0 ? "user devices \(user) a c" : "user devices \(user) --none"
    default: return random(8) == 0 ? "user offboard \(user) --yes" : "moderator list --all"
    }
  }
}
