/// What an import of users did, or would do.
package struct ImportSummary: Equatable, Sendable {
  /// Read, with those that were refused; several may be about one user.
  package var rows: Int
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

  package static func == (left: Self, right: Self) -> Bool {
    left.rows == right.rows && left.new == right.new && left.changed == right.changed
      && left.unchanged == right.unchanged && left.refused == right.refused && left.isDone == right.isDone
      && left.fields.elementsEqual(right.fields) { $0 == $1 }
  }

  /// For people, with a full stop.
  var sentence: String {
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
