/// What is wrong with a text: the error that an operation with it ends in, and a sentence for a person.
package struct RuleViolation: Equatable, Sendable {
  /// `queryParamReachesLimit` for a text that is too long, else `invalidParam`.
  package var name: CircleErrorName
  /// What kind of text it is, such as "nickName".
  private var subject: String
  /// What is wrong with it, such as "is empty"; never carries the text itself.
  private var fault: String

  init(_ name: CircleErrorName, _ subject: StaticString, _ fault: String) {
    self.name = name
    self.subject = "\(subject)"
    self.fault = fault
  }

  /// One sentence without a full stop.
  package var reason: String { reason(whose: "") }

  /// The same with whose text it is, such as " of user 'al'".
  package func reason(whose owner: String) -> String { "the \(subject)\(owner) \(fault)" }
}
