/// The kind of a run: applies write the base for drift, anything else remembers what it was.
package enum RunKind: UInt8, Sendable, CaseIterable {
  case command = 0
  case apply = 1
  case `import` = 2
  case undo = 3
  /// A cut of the log, which changes nothing else.
  case archive = 4

  package var word: String {
    switch self {
    case .command: "command"
    case .apply: "apply"
    case .import: "import"
    case .undo: "undo"
    case .archive: "archive"
    }
  }
}

/// What all operations of one run share. Same operations, same snapshot, same context: same outcome.
package struct RunContext: Sendable {
  package var kind: RunKind
  /// Unix milliseconds, UTC; never earlier than the log's last.
  package var time: Int64
  package var ids: IDSource
  /// Handles for servers that are created without one.
  var freeHandles = FreeHandles()

  package init(kind: RunKind, time: Int64, ids: IDSource) {
    self.kind = kind
    self.time = time
    self.ids = ids
  }
}
