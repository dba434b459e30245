import CircleModel
import Diagnostics

/// The number with its noun: "1 server", "2 servers".
func counted(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
  "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
}

/// The same with as many columns for one as for several, so that numbers stand below each other.
func countedEvenly(_ number: Int, _ singular: String) -> String {
  counted(number, singular) + (number == 1 ? " " : "")
}

/// "a", "a and b", "a, b and c".
package func enumerated(_ parts: [String]) -> String {
  guard parts.count > 1, let last = parts.last else { return parts.first ?? "" }
  return "\(parts.dropLast().joined(separator: ", ")) and \(last)"
}

/// A value that someone gave, harmless for a terminal and cut to a width; "unset" without quotes where there is none.
func quoted(_ value: Text?, to width: Int?) -> String {
  guard let value else { return "unset" }
  let safe = terminalSafe(value.string)
  return "\"\(width.map { truncated(safe, to: $0) } ?? safe)\""
}

extension UnsafeBufferPointer<UInt8> {
  /// An id, harmless for a terminal.
  var terminalText: String { terminalSafe(String(decoding: self, as: UTF8.self)) }
}
