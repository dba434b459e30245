package import CircleModel
package import CircleState

/// Events on their way from the log to the output: never all in memory.
package struct EventsSection {
  /// Gets one event after the other, until it answers false; with the users who receive it, where audiences are
  /// expanded: sorted by lower-cased id, devices as `USER/DEVICE`.
  package typealias Receiver = (LoggedEvent, UserNames, [String]?) throws(StateError) -> Bool
  /// Calls the receiver for each event in order; called once for each rendering.
  package typealias Stream = (Receiver) throws(StateError) -> Void

  package enum Purpose: Sendable {
    /// The events are what was asked for: a line each, bare in NDJSON.
    case listing
    /// They follow from what a run did: as text a count of each name, in NDJSON lines of the type `event`.
    case consequence
  }

  package var purpose: Purpose
  package var stream: Stream

  package init(_ purpose: Purpose, stream: @escaping Stream) {
    self.purpose = purpose
    self.stream = stream
  }
}
