/// What an import of tables read, and of users what it did with them, or would do.
package struct ImportSummary: Equatable, Sendable {
  /// Read, with those that were refused; several may be about one user.
  package var rows: Int
  /// Whether the counts of users mean anything; what an import of tags or members does is a plan.
  package var isOfUsers = true
  package var new: Int
  package var changed: Int
  /// How many users have a field changed, in the order of the fields; none that is 0.
  package var fields: [(name: String, count: Int)]
  package var unchanged: Int
  /// Rows.
  package var refused: Int
  /// Whether it was done: "registered" instead of "to register".
  package var isDone: Bool

  package init(
    rows: Int, new: Int, changed: Int, fields: [(name: String, count: Int)], unchanged: Int, refused: Int,
    isDone: Bool
  ) {
    self.rows = rows
    self.new = new
    self.changed = changed
    self.fields = fields
    self.unchanged = unchanged
    self.refused = refused
    self.isDone = isDone
  }

  /// Of an import of tags or members.
  package init(rows: Int, refused: Int) {
    self.init(rows: rows, new: 0, changed: 0, fields: [], unchanged: 0, refused: refused, isDone: true)
    isOfUsers = false
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.rows == right.rows && left.isOfUsers == right.isOfUsers && left.new == right.new
      && left.changed == right.changed
      && left.unchanged == right.unchanged && left.refused == right.refused && left.isDone == right.isDone
      && left.fields.elementsEqual(right.fields) { $0 == $1 }
  }

  /// For people, with a full stop.
  var sentence: String {
    guard isOfUsers else { return "\(counted(rows, "row")) read, \(counted(refused, "row")) refused." }
    var parts = [
      "\(counted(new, "user")) \(isDone ? "registered" : "to register")",
      "\(counted(changed, "user")) \(isDone ? "changed" : "to change")" + details, "\(unchanged) unchanged",
    ]
    if refused > 0 { parts.append("\(counted(refused, "row")) refused") }
    return "\(counted(rows, "row")) read: \(enumerated(parts))."
  }

  private var details: String {
    fields.isEmpty ? "" : " (" + fields.map { "\($0.name) \($0.count)" }.joined(separator: ", ") + ")"
  }
}
