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
    table.options.scan.binding.map = [("shoe", "name")]
    #expect(try table.users().diagnostics.first?.help?.contains("nickName") == true)
  }

  @Test func `a nameless column may hold nothing`() throws {
    let read = try TableText("userId,nick,\na,b,\nc,d,e\n").users()
    #expect(read.rows == ["a nickName=b"])
    #expect(read.faults == ["table.value 3:5"])
  }
}
