import Testing

@testable import CircleCLI

struct TagAddTests {
  @Test func `the report has the tags that were added, with their ids`() throws {
    let circle = try TestCircle()
    let added = try circle.records("tag", "tag add pub tea cake cake --as bob")
    #expect(added.count == 1)
    #expect(added.first?.contains(#""name":"cake","tagId":""#) == true)
    #expect(try circle("tag add pub tea cake").output.contains("nothing changes"))
    #expect(try circle.events("tag add pub more").isEmpty)
  }

  @Test func `ten tags are the limit`() throws {
    let circle = try TestCircle()
    #expect(try circle("tag add pub 1 2 3 4 5 6 7 8 9").status == 0)
    #expect(try circle("tag add pub 10").errors.contains("reachLimit 113"))
    #expect(
      try circle("tag add priv \(String(repeating: "x", count: 21))").errors.contains("queryParamReachesLimit 112"))
    #expect(try circle.run.run(["tag", "add", "priv", ""]).status == 64)
  }
}
