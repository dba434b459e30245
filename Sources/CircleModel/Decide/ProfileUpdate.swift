/// What of a profile someone asks to set, sorted into what can be set and what can't.
///
/// A field goes by its name, or by the number of its update tag, as the SDK's `updateUserInfo` keys it; under the number
/// of Gender its values are `0` to `2`. Unknown fields, invalid values and, for a client, what only an administrator may
/// set are filtered out.
package struct ProfileUpdate: Equatable, Sendable {
  /// A field that is not set, and why.
  package struct Filtered: Equatable, Sendable {
    /// As it was asked for.
    package var key: Text
    package var cause: CircleErrorName
    /// One sentence without a full stop; never carries the value.
    package var reason: String
  }

  /// In the order given.
  package private(set) var settings: [FieldSetting<UserField>] = []
  package private(set) var filtered: [Filtered] = []

  /// - Parameters:
  ///   - values: nil clears a field.
  ///   - isClient: whether a user asks for it, not an administrator.
  package init(_ values: [(key: Text, value: Text?)], isClient: Bool) {
    for (key, value) in values {
      do throws(CircleError) {
        settings.append(try setting(key, value, isClient))
      } catch {
        filtered.append(Filtered(key: key, cause: error.name, reason: error.reason))
      }
    }
  }

  private func setting(
    _ key: Text, _ value: Text?, _ isClient: Bool
  ) throws(CircleError) -> FieldSetting<UserField> {
    let isTag = !key.isEmpty && key.string.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    let field = UserField.allCases.first { field in
      isTag ? field.updateTag.map { Text(String($0)) } == key : Text(field.word) == key
    }
    guard let field else {
      throw CircleError(.invalidParam, "there is no \(isTag ? "update tag" : "field") '\(key)'")
    }
    guard !isClient || field.updateTag != nil else {
      throw CircleError(.noPermission, "only an administrator may set \(field.word)")
    }
    guard !settings.contains(where: { $0.field == field }) else {
      throw CircleError(.invalidParam, "\(field.word) is given twice")
    }
    guard let value else { return FieldSetting(field, nil) }
    return FieldSetting(field, try Self.checked(value, as: field, byTag: isTag))
  }

  /// A value that keeps its rule, as it is set.
  ///
  /// - Parameter byTag: whether the field goes by its update tag, under which Gender is a number.
  package static func checked(_ value: Text, as field: UserField, byTag: Bool) throws(CircleError) -> Text {
    let value = byTag && field == .gender ? try gender(value) : value
    if let violation = TextRule.check(value, as: field) { throw CircleError(violation.name, violation.reason) }
    return value
  }

  private static func gender(_ number: Text) throws(CircleError) -> Text {
    switch number {
    case "0": "unknown"
    case "1": "male"
    case "2": "female"
    case "": ""
    default: throw CircleError(.invalidParam, "the gender is not 0, 1 or 2")
    }
  }
}
