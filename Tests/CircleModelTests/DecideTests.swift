import CircleModel
import Diagnostics
import Testing

/// A row for each line of the table of operations: who, what, and its events or its refusal.
struct DecideTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var title: String
    var operation: Operation
    var authority: Authority
    var before: [Operation]
    var expected: Expected

    enum Expected: Sendable {
      case events([String])
      case refused(CircleErrorName, Int?)
      /// Nothing changes, nothing is emitted, nothing is wrong.
      case nothing
    }

    init(
      _ title: String, _ operation: Operation, by authority: Authority = .administrator,
      after before: [Operation] = [], _ expected: Expected
    ) {
      self.title = title
      self.operation = operation
      self.authority = authority
      self.before = before
      self.expected = expected
    }

    var testDescription: String { title }
  }

  private static func check(_ row: Row) throws {
    var world = try World()
    for operation in row.before { try world.run(operation) }
    switch row.expected {
    case .events(let events):
      let record = try world.run(row.operation, by: row.authority)
      #expect(record?.kind == row.operation.kind)
      #expect(World.events(of: record) == events)
    case .refused(let name, let number):
      #expect(world.refusal(row.operation, by: row.authority) == name)
      #expect(name.number == number)
    case .nothing:
      #expect(try world.run(row.operation, by: row.authority) == nil)
    }
  }

  @Test(arguments: ServerRows.all)
  func `servers and tags`(row: Row) throws { try Self.check(row) }

  @Test(arguments: MemberRows.all)
  func `members and roles`(row: Row) throws { try Self.check(row) }

  @Test(arguments: InvitationRows.all)
  func `invitations and their answers`(row: Row) throws { try Self.check(row) }

  @Test(arguments: AdministrationRows.all)
  func `administrative operations`(row: Row) throws { try Self.check(row) }
}

extension ServerRows {
  static func tags(_ names: Text...) -> [Given<Text>] { names.map { Given($0, at: .none) } }
}
