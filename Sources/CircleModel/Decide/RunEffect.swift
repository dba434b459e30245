/// What one run did, as its log tells it: the state before it and after it.
///
/// Users and servers have the same indices in both; a server that the run destroyed stays, marked, as it was.
package struct RunEffect: Sendable {
  package var run: UInt32
  package var kind: RunKind
  /// As the history calls it.
  package var command: String
  /// The stack of an apply; nil for commands.
  package var stack: Text?
  package var before: Snapshot
  package var after: Snapshot
  /// The servers that its records name, each once.
  package var servers: [ServerIndex] = []
  /// The users whom it registered or whose fields, devices or marks it changed, each once.
  package var users: [UserIndex] = []

  package init(run: UInt32, kind: RunKind = .command, command: String, stack: Text?, before: Snapshot, after: Snapshot)
  {
    self.run = run
    self.kind = kind
    self.command = command
    self.stack = stack
    self.before = before
    self.after = after
  }
}
