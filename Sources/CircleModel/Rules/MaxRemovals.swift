/// How many of a set's ten or more an apply may remove without being asked: `--max-removals`.
package enum MaxRemovals: Equatable, Sendable {
  case percent(Int)
  case number(Int)

  /// Reads `30%` or `12`.
  /// - Returns: nil for what is neither, below 0 or above 100%.
  package init?(_ text: String) {
    let isPercent = text.utf8.last == UInt8(ascii: "%")
    guard let value = decimal(isPercent ? text.dropLast() : text[...]) else { return nil }
    guard !isPercent || value <= 100 else { return nil }
    self = isPercent ? .percent(value) : .number(value)
  }

  /// As it is written on the command line, and kept in the history.
  package var text: String {
    switch self {
    case .percent(let value): "\(value)%"
    case .number(let value): "\(value)"
    }
  }

  /// Whether so many removals from a set of this size are more than allowed.
  package func isExceeded(by removals: Int, of base: Int) -> Bool {
    switch self {
    case .percent(let value): removals * 100 > value * base
    case .number(let value): removals > value
    }
  }
}

/// A decimal number without sign, at most nine digits.
package func decimal(_ text: Substring) -> Int? {
  guard !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
  return Int(text)
}
