import Testing

@testable import CircleCLI

struct InvitationListTests {
  private func some() throws -> TestCircle {
    let circle = try TestCircle()
    circle.run.time += 40 * 86_400_000
    #expect(try circle("invitation send pub erin dave --as bob").status == 0)
    return circle
  }

  @Test(arguments: [
    ("", ["priv frank", "pub frank", "pub dave", "pub erin"]), ("pub", ["pub frank", "pub dave", "pub erin"]),
    ("The_pr", ["priv frank"]), ("--older-than 30d", ["priv frank", "pub frank"]), ("--older-than 41d", []),
    ("--older-than 5w", ["priv frank", "pub frank"]), ("--older-than 6w", []),
    ("--older-than 0s --inviter BOB", ["pub dave", "pub erin"]), ("--invitee frank", ["priv frank", "pub frank"]),
    ("--inviter bob --invitee erin", ["pub erin"]), ("--inviter nobody", []),
    ("--as frank", ["priv frank", "pub frank"]),
    ("--as bob", ["pub dave", "pub erin"]), ("pub --as alice", ["pub frank"]), ("--as mona", []),
    ("--sort invitee", ["pub dave", "pub erin", "priv frank", "pub frank"]),
    ("--sort server --reverse --limit 2", ["pub frank", "pub erin"]),
  ])
  func `invitations are chosen and sorted`(options: String, expected: [String]) throws {
    let circle = try some()
    let line = "invitation list \(options)"
    let servers = try circle.values("server", of: "invitation", line)
    let invitees = try circle.values("invitee", of: "invitation", line)
    #expect(zip(servers, invitees).map { "\($0) \($1)" } == expected)
  }

  @Test func `what is no age or no server is refused`() throws {
    let circle = try some()
    #expect(try circle("invitation list --older-than long").status == 64)
    #expect(try circle("invitation list nowhere").status == 3)
    #expect(try circle("invitation list --as nobody").status == 3)
  }
}
