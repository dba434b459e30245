import CircleModel
import CircleState
import JSONText

extension EventsSection {
  /// Encodes one event after the other and lends the bytes of each to `take`.
  func encode(
    to sink: inout ByteSink, _ take: (borrowing ByteBuffer, inout ByteSink) throws(OutputError) -> Void
  ) throws(RenderError) {
    var encoder = EventEncoder()
    var line = ByteBuffer()
    try forEach { (event, names, users) throws(OutputError) in
      line.removeAll()
      encoder.append(event, names, users: users, to: &line)
      try take(line, &sink)
    }
  }

  /// Calls `body` for each event with its audience, where audiences are expanded.
  func forEach(
    _ body: (LoggedEvent, UserNames, [String]?) throws(OutputError) -> Void
  ) throws(RenderError) {
    var failure: OutputError?
    do throws(StateError) {
      try stream { (event, names, users) throws(StateError) in
        do throws(OutputError) {
          try body(event, names, users)
          return true
        } catch {
          failure = error
          return false
        }
      }
    } catch {
      throw .state(error)
    }
    if let failure { throw .output(failure) }
  }
}
