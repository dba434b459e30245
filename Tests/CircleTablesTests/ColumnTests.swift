import Diagnostics
import Testing

@testable import CircleTables

struct ColumnTests {
  @Test(arguments: [
    ("userId,nick,nickName\na,b,c\n", "table.columns", "'nick', 'nickName'"),
    ("nick,phone\na,b\n", "table.columns", "no column stands for 'userId'"),
    ("name,phone\na,b\n", "table.columns", "no column stands for 'userId'"),
  ])
  func `columns that are not clear are an error that lists them`(text: String, code: String, words: String) throws {
    let read = try TableText(text).users()
    let fault = try #require(read.diagnostics.first { $0.severity == .error })
    #expect(fault.code == code)
    #expect("\(fault.message) \(fault.help ?? "")".contains(words))
    #expect(fault.help?.contains("the columns are") == true)
    #expect(read.rows == [])
  }

  @Test func `a column of no field draws one warning, or with strict an error`() throws {
    var table = TableText("userId,shoe size,name,error\na,1,2,x\nb,3,4,y\n")
    let read = try table.users()
    #expect(read.faults == ["table.unknown-column 1:8", "table.unknown-column 1:18"])
    #expect(read.rows == ["a", "b"])
    table.options.scan.binding.isStrict = true
    let strict = try table.users()
    #expect(strict.diagnostics.first?.severity == .error)
    #expect(strict.rows == [])
  }

  @Test func `map overrules`() throws {
    var table = TableText("userId,name,nickName,shop code\nx,Alice,wrong,a1\n")
    table.options.scan.binding.map = [("id", "shop code"), ("nickName", "name")]
    let read = try table.users()
    #expect(read.rows == ["a1 nickName=Alice"])
    #expect(read.faults == [])
    table.options.scan.binding.map = [("userId", "nothing")]
    #expect(try table.users().diagnostics.first?.help?.contains("'shop code'") == true)
  }

  @Test(arguments: [
    ([("shoe", "name")], "a field 'shoe', which there is not"),
    ([("userId", "foo"), ("nickName", "Foo")], "the column 'Foo' for two fields: 'userId' and 'nickName'"),
    ([("nickName", "foo"), ("nick", "id")], "two columns for 'nickName': 'foo' and 'id'"), ([("id", "x")], ""),
  ])
  func `a map that contradicts itself is a problem of its own`(map: [(String, String)], words: String) {
    let problem = TableSchema.users.problem(ofMap: map.map { (field: $0.0, column: $0.1) })
    #expect(problem?.message.contains(words) ?? words.isEmpty)
  }

  @Test func `strict names all columns of no field`() throws {
    var table = TableText("userId,shoe,hat,coat\na,1,2,3\n")
    table.options.scan.binding.isStrict = true
    let read = try table.users()
    #expect(
      read.faults.sorted() == ["table.unknown-column 1:13", "table.unknown-column 1:17", "table.unknown-column 1:8"])
    #expect(read.diagnostics.allSatisfy { $0.severity == .error })
  }

  @Test func `what is no cell is a fault only in a column that is read`() throws {
    let row = #"{"userId":"a b","groups":[{"x":1}],"address":{"street":{"name":"x"}},"size":1.5}"#
    let yaml = "- userId: a b\n  groups: [{x: 1}]\n  address: {street: {name: x}}\n"
    for (name, text) in [("u.ndjson", row), ("u.json", "[\(row)]"), ("u.yaml", yaml)] {
      let read = try TableText(text, name: name).users()
      let errors = read.diagnostics.filter { $0.severity == .error }
      #expect(errors.map(\.code) == ["table.value"], "\(name)")
      #expect(errors.first?.message.contains("'userId' is 'a b'") == true)
      #expect(read.diagnostics.count { $0.severity == .warning } == (name == "u.yaml" ? 2 : 3))
    }
    let both = try TableText(#"{"userId":"a","nickName":[{}],"email":"b","sign":2.5}"#, name: "u.ndjson").users()
    #expect(
      both.diagnostics.map(\.message).map { $0.prefix(16) }.sorted() == [
        "'email' is 'b': ", "'nickName' is a ", "'sign' is a numb",
      ])
    #expect(both.rows == [])
  }

  @Test(arguments: [
    ("u.ndjson", "{\"userId\":\"a\n{\"nick\":\"b\"}\n", ["table.syntax 1:13", "table.missing-key 2:1"]),
    ("u.json", "[{\"userId\" \"a\"}, {\"nick\":\"b\"}]", ["table.syntax 1:12", "table.missing-key 1:18"]),
    ("u.json", "[{\"nick\":\"a\"} {\"userId\":\"b\"}]", ["table.missing-key 1:2", "table.syntax 1:15"]),
  ])
  func `of columns that were not seen nobody says that there are none`(
    name: String, text: String, faults: [String]
  ) throws {
    #expect(try TableText(text, name: name).users().faults == faults)
  }

  @Test func `a nameless column may hold nothing`() throws {
    let read = try TableText("userId,nick,\na,b,\nc,d,e\n").users()
    #expect(read.rows == ["a nickName=b"])
    #expect(read.faults == ["table.value 3:5"])
  }
}
