import Testing

@testable import CircleCLI

struct UserUpdateTests {
  @Test func `an administrator sets and clears any field, in full or not at all`() throws {
    let circle = try TestCircle()
    let ending = try circle("user update alice --set alias=A --set 5=S --clear nickName -o json")
    #expect(ending.status == 0)
    #expect(ending.output.contains(#"{"userId":"alice","field":"nickName","before":"Alice"}"#))
    #expect(ending.output.contains(#"{"userId":"alice","field":"sign","after":"S"}"#))
    let bad = try circle("user update alice --set sign=T --set nickNmae=x")
    #expect(bad.status == 64)
    #expect(bad.errors.contains("Did you mean 'nickName'?"))
    #expect(try circle("user update alice --set sign=S").output.contains("nothing changes"))
    #expect(try circle("user update alice --set sign=\(String(repeating: "x", count: 257))").status == 3)
  }

  @Test func `what a user may not or can't set is left out with a warning, and the rest is applied`() throws {
    let circle = try TestCircle()
    let line = "user update bob --set 3=Bob --set 11=x --set 8=2001-02-30 --set alias=x --set 6=1 --set 6=3 --as bob"
    let ending = try circle("\(line) -o json")
    #expect(ending.status == 0)
    for warning in ["'11' was left out", "'8' was left out", "'alias' was left out", "'6' was left out"] {
      #expect(ending.errors.contains("circlectl: warning: \(warning)"), "\(warning)")
    }
    #expect(ending.output.contains(#"{"userId":"bob","field":"gender","after":"male"}"#))
    #expect(ending.output.contains(#"{"field":"alias","cause":"noPermission","message":"only an administrator"#))
    #expect(try circle("user update bob --set 11=x --as bob").status == 64)
    #expect(try circle("user update bob --clear serverExt --as bob").status == 64)
  }

  @Test func `nobody updates another`() throws {
    let circle = try TestCircle()
    #expect(try circle("user update bob --set 3=x --as carol").errors.contains("noPermission"))
    #expect(try circle("user update nobody --set 3=x").errors.contains("notRegistered"))
    #expect(try circle("user update bob").status == 64)
  }
}
