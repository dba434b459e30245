/// A value three ways: before a run, after it, and now.
enum UndoneValue: Equatable {
  /// The run did not change it, or it is already as it was before.
  case nothing
  /// It is as the run left it.
  case back
  /// Something else has changed it since.
  case stale

  init<Value: Equatable>(before: Value, after: Value, now: Value) {
    if before == after || now == before {
      self = .nothing
    } else {
      self = now == after ? .back : .stale
    }
  }
}
