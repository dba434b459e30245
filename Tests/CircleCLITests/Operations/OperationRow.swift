import CircleKit
import Testing

/// A name of the two source documents, the Swift call and the command that stand for it, and both at work.
struct OperationRow: Sendable, CustomTestStringConvertible {
  /// As the document has it.
  let name: String
  let swift: String
  let command: String
  /// A command line of the command, run on the state of `TestCircle`; several are parted by `;`.
  let line: String
  /// Of which records of the last command line which text field is the answer.
  let answer: (type: String, key: String)?
  /// The same by the Swift call, and its answer.
  let call: @Sendable (OperationWorld) async throws -> [String]

  init(
    _ name: String, _ swift: String, _ command: String, _ line: String, answer: (String, String)? = nil,
    _ call: @escaping @Sendable (OperationWorld) async throws -> [String]
  ) {
    self.name = name
    self.swift = swift
    self.command = command
    self.line = line
    self.answer = answer.map { (type: $0.0, key: $0.1) }
    self.call = call
  }

  var testDescription: String { name }
}

/// What a Swift call works on.
struct OperationWorld: Sendable {
  let store: CircleStore
  /// The server `pub`.
  let server: String

  func manager(_ user: String, _ device: String? = nil) -> CircleManager {
    CircleManager(store: store, userId: user, device: device)
  }

  var alice: CircleManager { manager("alice") }
  var carol: CircleManager { manager("carol") }
  var dave: CircleManager { manager("dave") }
  var frank: CircleManager { manager("frank") }
}
