/// What is wrong with a text: the error that an operation with it ends in, and a sentence for a person.
package struct RuleViolation: Equatable, Sendable {
  /// `queryParamReachesLimit` for a text that is too long, else `invalidParam`.
  package var name: CircleErrorName
  /// Without a full stop; never carries the text itself.
  package var reason: String

  package init(_ name: CircleErrorName, _ reason: String) {
    self.name = name
    self.reason = reason
  }
}
