import CircleModel
import Testing
import Testkit

@testable import CircleCLI

struct UserRegisterTests {
  @Test func `users are registered with profile and devices, all or none`() throws {
    let run = try TestRun()
    let ending = try run("user register Al bo AL --set nickName=N --set 6=2 --set gender= --devices phone,mac")
    #expect(ending.status == 64, "gender is there twice")
    let line = "user register Al bo AL --set nickName=N --set 6=2 --set userInfo.ext=e --devices phone,mac"
    let json = try run("\(line) -o json")
    #expect(json.status == 0)
    #expect(
      json.output.contains(
        #"{"userId":"Al","nickName":"N","gender":"female","userInfo.ext":"e","devices":["phone","mac"],"owned":0,"#))
    #expect(try run("user register zoe bo").errors.contains("repeatedOperation 114"))
    #expect(try !run("user list").output.contains("zoe"))
  }

  @Test(arguments: [
    "a!b", "x --set nobody=1", "x --set nickName", "x --set gender=1", "x --devices a,a", "x --devices a,",
  ])
  func `a bad id, field or device is wrong usage`(arguments: String) throws {
    let run = try TestRun()
    #expect(try run("user register \(arguments)").status == 64)
    #expect(run.folder.names() == [])
  }

  @Test func `only administrators register`() throws {
    #expect(try TestCircle()("user register zoe --as alice").errors.contains("noPermission"))
  }

  @Test func `records name the fields as the domain does`() {
    #expect(Set(UserRecords.fields.map(\.field)) == Set(UserField.allCases))
    for field in UserRecords.fields { #expect("\(field.key)" == field.field.word) }
  }
}
