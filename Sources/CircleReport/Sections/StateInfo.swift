package import CircleState

/// What a state says of itself: the same for all stores, so neither its place nor its size.
package struct StateInfo: Equatable, Sendable {
  /// The version of the stored format.
  package var format: Int
  package var head: Head
  /// Where the log was cut.
  package var checkpoint: Checkpoint?

  package init(format: Int, head: Head, checkpoint: Checkpoint? = nil) {
    self.format = format
    self.head = head
    self.checkpoint = checkpoint
  }
}

/// What a check of a state found.
package struct Verification: Equatable, Sendable {
  /// What was checked.
  package enum Subject: String, Sendable {
    case state, log
  }

  /// One sentence each; empty for what is sound.
  package var faults: [String]
  package var head: Head
  package var subject: Subject
  /// Where the log was cut.
  package var checkpoint: Checkpoint?

  package init(faults: [String], head: Head, subject: Subject = .state, checkpoint: Checkpoint? = nil) {
    self.faults = faults
    self.head = head
    self.subject = subject
    self.checkpoint = checkpoint
  }
}
