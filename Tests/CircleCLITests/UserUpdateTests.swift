import Testing

@testable import CircleCLI

struct UserUpdateTests {
  @Test func `an administrator sets and clears any field, and what is wrong is left out with a warning`() throws {
    let circle = try TestCircle()
    let ending = try circle("user update alice --set alias=A --set 5=S --clear nickName -o json")
    #expect(ending.status == 0)
    #expect(ending.output.contains(#"{"userId":"alice","field":"nickName","before":"Alice"}"#))
    #expect(ending.output.contains(#"{"userId":"alice","field":"sign","after":"S"}"#))
    let some = try circle("user update alice --set sign=T --set nickNmae=x -o json")
    #expect(some.status == 0)
    #expect(some.errors.contains("warning: 'nickNmae' was left out: "))
    #expect(some.errors.contains("; did you mean 'nickName'?"))
    #expect(some.output.contains(#"{"userId":"alice","field":"sign","before":"S","after":"T"}"#))
    #expect(try circle("user update alice --set sign=T").output.contains("nothing changes"))
    for nothing in ["nickNmae=x", "sign=\(String(repeating: "x", count: 257))"] {
      let ending = try circle("user update alice --set \(nothing)")
      #expect(ending.status == 64)
      #expect(ending.errors.contains("no field is left to update"))
    }
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

  @Test func `without a user it is the one of --as`() throws {
    let circle = try TestCircle()
    let updated = try circle("user update --set 3=Bo --as bob -o json").output
    #expect(updated.contains(#""userId":"bob","field":"nickName""#))
    for line in ["user get", "user fetch"] {
      #expect(try circle("\(line) --as bob -o json").output.contains(#""userId":"bob""#), "\(line)")
    }
    for line in ["user get", "user fetch", "user update --set 3=x"] {
      #expect(try circle(line).errors.contains("no USER is named, and there is no --as"), "\(line)")
    }
  }
}
