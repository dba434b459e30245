import CircleKit
import Diagnostics
import Testing

@testable import CircleProviders

struct UserTableTests {
  private func table(_ text: String, _ format: String) throws -> (users: [String], faults: [String]) {
    let table = UserTable(Array(text.utf8), as: try #require(UserTable.Format(rawValue: format)), file: 0)
    let faults = table.diagnostics.sorted().map { "\($0.place.line):\($0.place.column) \($0.code)" }
    return (table.users.values.map { "\($0.userId)=\($0.shownName)" }.sorted(), faults)
  }

  @Test(arguments: [
    ("csv", "userId,nickName\nbob,Bob\n\namy,\"A, \"\"B\"\"\"\n"),
    (
      "json",
      "[{\"userId\":\"bob\",\"nickName\":\"Bob\"},\n{\"nickName\":\"A, \\\"B\\\"\",\"userId\":\"amy\",\"more\":[1]}]"
    ),
    (
      "ndjson",
      "{\"userId\":\"bob\",\"nickName\":\"Bob\"}\n\n{\"userId\":\"amy\",\"nickName\":\"A, \\\"B\\\"\",\"sign\":null}\n"
    ),
  ])
  func `each format gives its users`(format: String, text: String) throws {
    let table = try table(text, format)
    #expect(table.users == ["amy=A, \"B\"", "bob=Bob"])
    #expect(table.faults == [])
  }

  @Test func `every field has its name`() throws {
    let text = """
      {"userId":"bob","alias":"a","ext":"e","serverExt":"s","nickName":"n","avatarUrl":"https://a.example/1",\
      "sign":"g","gender":2,"email":"b@c.example","birth":"2000-02-29","mobile":13800138000,"userInfo.ext":"x",\
      "thumbAvatarUrl":"https://a.example/2"}
      """
    let user = try #require(UserTable(Array(text.utf8), as: .ndjson, file: 0).users[UserKey("BOB")])
    let info = UserInfo(
      nickName: "n", avatarUrl: "https://a.example/1", thumbAvatarUrl: "https://a.example/2", sign: "g",
      gender: .female, email: "b@c.example", birth: "2000-02-29", mobile: "13800138000", ext: "x")
    #expect(user == User(userId: "bob", alias: "a", ext: "e", serverExt: "s", userInfo: info))
  }

  @Test(arguments: [
    (
      "csv", "userId,nickName,gender\nbob,\(String(repeating: "x", count: 65)),3\n",
      ["2:5 provider.invalid-value", "2:71 provider.invalid-value"]
    ),
    ("csv", "userId,nickname\nbob,Bob\n", ["1:8 provider.unknown-column"]),
    ("csv", "userId,nickName\nbob,bob\nBOB,Other\n", ["3:1 provider.repeated-user"]),
    ("csv", "userId\nbob\n@amy\n", ["3:1 provider.missing-user-id"]),
    ("json", "[{\"userId\":\"bob\",\"email\":\"x\"}]", ["1:2 provider.invalid-value"]),
    (
      "json", "[{\"userId\":\"bob\",\"sign\":[1]}, 7]",
      ["1:2 provider.wrong-type", "1:31 provider.wrong-type"]
    ),
    ("ndjson", "{\"userId\":\"bob\"}\n{\"nickName\":\"x\"}\n", ["2:1 provider.missing-user-id"]),
  ])
  func `what breaks a rule is dropped with a warning`(format: String, text: String, faults: [String]) throws {
    let table = try table(text, format)
    #expect(table.faults == faults)
    #expect(table.users == ["bob=bob"])
  }

  @Test(arguments: [
    ("csv", "name\nbob\n", "1:1 provider.missing-user-id"), ("csv", "userId,sign,sign\n", "1:13 provider.syntax"),
    ("csv", "userId\n\"bob\n", "2:1 provider.syntax"), ("csv", "\u{0}", "1:1 provider.syntax"),
    ("json", "{\"userId\":\"bob\"}", "1:1 provider.syntax"), ("json", "[{\"userId\":\"bob\"}", "1:18 provider.syntax"),
    ("ndjson", "{\"userId\":\"bob\"}\n{\"userId\":\n", "2:11 provider.syntax"),
  ])
  func `what is no table is an error with its place`(format: String, text: String, fault: String) throws {
    #expect(try table(text, format).faults.contains(fault))
    #expect(UserTable(Array(text.utf8), as: try #require(.init(rawValue: format)), file: 0).diagnostics.hasErrors)
  }

  @Test(arguments: [
    ("csv", "nickName,userId,sign\nB,bob,s\nA,AMY,s\nZ,zoe,\u{1}\nX\n"),
    ("json", "[{\"userId\":\"bob\"},{\"nickName\":\"A\",\"userId\":\"AMY\"},{\"userId\":\"zoe\",\"email\":\"x\"},{}]"),
    (
      "ndjson",
      "{\"userId\":\"bob\"}\n{\"nickName\":\"A\",\"userId\":\"AMY\"}\n{\"userId\":\"zoe\",\"email\":\"x\"}\n{}\n"
    ),
  ])
  func `of users who are not wanted nothing is kept nor told`(format: String, text: String) throws {
    let format = try #require(UserTable.Format(rawValue: format))
    let table = UserTable(Array(text.utf8), as: format, file: 0, wanted: [UserKey("amy")])
    #expect(table.users.values.map(\.shownName) == ["A"])
    #expect(table.diagnostics.isEmpty)
    #expect(UserTable(Array("\"[{".utf8), as: format, file: 0, wanted: []).diagnostics.hasErrors)
  }

  @Test func `UTF-16 is told apart from damage`() {
    let table = UserTable([0xFF, 0xFE, 0x75, 0x00], as: .csv, file: 0)
    #expect(table.diagnostics.errors.first?.message.contains("UTF-16") == true)
  }

  @Test(arguments: [("a.csv", "csv"), ("A.JSON", "json"), ("x.y.ndjson", "ndjson"), ("a.txt", nil), ("csv", nil)])
  func `the end of the name tells the format`(path: String, format: String?) {
    #expect(UserTable.Format(path: path)?.rawValue == format)
  }
}
