import CircleModel
import CommandTree
import Diagnostics

extension OptionSpec {
  static let set = value(
    "set", "FIELD=VALUE", repeatable: true,
    "Set a field, by its name or the number of its update tag; an empty value clears it.")
  static let devices = value(
    "devices", "NAME,…", repeatable: true, "Devices on which the user is signed in.")
}

extension CommandRun {
  /// What `--set` and, where there is one, `--clear` ask for.
  func profileUpdate(clears: Bool, isClient: Bool) throws(Failure) -> ProfileUpdate {
    var values: [(key: Text, value: Text?)] = []
    for text in arguments.values("set") {
      guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
        throw Failure(.usage, "'\(text)' is no FIELD=VALUE", next: ["--set takes such as nickName=Bob or 3=Bob."])
      }
      values.append((Text(String(text[..<equals])), Text(String(text[text.utf8.index(after: equals)...]))))
    }
    if clears { values += arguments.values("clear").map { (Text($0), nil) } }
    return ProfileUpdate(values, isClient: isClient)
  }

  /// The field whose name is like one that is none.
  func fieldMeant(by fault: ProfileUpdate.Filtered) -> String? {
    let words = UserField.allCases.map(\.word)
    guard fault.cause == .invalidParam, !words.contains(where: { Text($0) == fault.key }) else { return nil }
    return nearestName(to: fault.key.string, among: words)
  }

  /// The fields of a new user are all right, or nothing is done.
  func settings(of update: ProfileUpdate) throws(Failure) -> [FieldSetting<UserField>] {
    guard let fault = update.filtered.first else { return update.settings }
    let hint = fieldMeant(by: fault).map { ["Did you mean '\($0)'?"] } ?? []
    throw Failure(CircleModel.CircleError(fault.cause, fault.reason), next: hint + ["Nothing was written."])
  }
}
