import Testing

@testable import CircleCLI

struct MemberCheckTests {
  @Test func `the answer is yes or no, and both end with 0`() throws {
    let circle = try TestCircle()
    for (line, answer) in [
      ("pub carol", "yes"), ("pub dave", "no"), ("priv --as alice", "yes"), ("priv --as dave", "no"),
    ] {
      let ending = try circle("member check \(line)")
      #expect(ending.status == 0)
      #expect(ending.output.contains("member  \(answer)\n"), "\(line)")
    }
    #expect(try circle("member check pub dave -o json").output.contains("\"isMember\":false"))
  }

  @Test func `a user asks of himself only`() throws {
    let circle = try TestCircle()
    #expect(try circle("member check pub carol --as bob").errors.contains("noPermission"))
    #expect(try circle("member check nowhere --as bob").errors.contains("notFound"))
    #expect(try circle("member check pub nobody").errors.contains("notRegistered"))
    #expect(try circle("member check pub").status == 64)
  }
}
