import Testing

@testable import CircleCLI

struct MemberJoinTests {
  @Test func `users join in the order given, one named twice once`() throws {
    let circle = try TestCircle()
    let joined = try circle.records("member", "member join pub erin dave ERIN")
    #expect(joined.count == 2)
    #expect(joined.first?.contains(#""userId":"erin""#) == true)
    #expect(joined.first?.contains(#""role":"user""#) == true)
    #expect(try circle("events list --recipient erin").output.contains("dave"))
  }

  @Test func `several users join all or none`() throws {
    let circle = try TestCircle()
    let runs = try circle.run.history().count
    let ending = try circle("member join pub dave carol")
    #expect(ending.status == 3)
    #expect(ending.errors.contains("repeatedOperation 114"))
    #expect(ending.errors.contains("Nothing was written."))
    #expect(try circle("member check pub dave").output.contains("no"))
    #expect(try circle.run.history().count == runs)
  }

  @Test func `without a user the one of --as is meant`() throws {
    let circle = try TestCircle()
    #expect(try circle("member join pub --as dave").status == 0)
    #expect(try circle("member join pub").status == 64)
    #expect(try circle("member join pub erin --as dave").errors.contains("noPermission"))
    #expect(try circle("member join pub a!b").status == 64)
  }

  @Test func `a private server takes an invitation, or an administrator`() throws {
    let circle = try TestCircle()
    #expect(try circle("member join priv --as dave").errors.contains("privateServer"))
    #expect(try circle("member join priv dave").status == 0)
    #expect(try circle("member join priv frank").status == 0)
    #expect(try circle.values("server", of: "invitation", "invitation list") == ["pub"])
  }

  @Test func `a mistyped user is answered with the nearest one`() throws {
    let ending = try TestCircle()("member join pub davee")
    #expect(ending.status == 3)
    #expect(ending.errors.contains("notRegistered"))
    #expect(ending.errors.contains("Did you mean 'dave'?"))
  }
}
