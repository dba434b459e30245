/// A part of the program that reads what comes from outside, and what holds of it whatever the bytes are.
struct FuzzTarget: Sendable {
  /// Also the name of its folder in `Corpus`, and of its dictionary.
  let name: String
  /// Throws `Broken` where something does not hold; a crash and a hang tell of themselves.
  let check: @Sendable ([UInt8]) throws -> Void

  static let all: [FuzzTarget] = [
    .commandLine, .dump, .escapes, .manifest, .plan, .rows, .state, .table, .url, .yaml,
  ]
}

/// What does not hold.
struct Broken: Error, CustomStringConvertible {
  let description: String
}

func hold(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws {
  if !condition { throw Broken(description: otherwise()) }
}

/// Holds where two values are the same, and shows both where they are not.
func holdEqual<Value: Equatable>(_ left: Value, _ right: Value, _ what: @autoclosure () -> String) throws {
  if left != right {
    throw Broken(description: "\(what()):\n\(String(reflecting: left))\n\(String(reflecting: right))")
  }
}
