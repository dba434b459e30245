import CircleState

/// What an error of the server means for a state. Only its sentence goes into the text, which names tables and roles, never
/// its details, which may hold values.
struct Failure {
  /// SQLSTATE.
  var code: String
  var sentence: String
  /// What was tried, as in "can't write".
  var action: String
  /// The state's location.
  var place: String

  var error: StateError {
    switch code {
    // The last two: another process has just made the same table, or the same row.
    case "40001", "40P01", "42P07", "23505": .conflict
    case "55P03": .busy
    // No such table, no such column: what the format promises is not there. Then: damage that the server sees itself.
    case "42P01", "42703", "42804", "XX001", "XX002": .damaged("'\(place)': \(sentence)")
    default: .io("can't \(action) '\(place)': \(sentence) (SQLSTATE \(code))")
    }
  }
}
