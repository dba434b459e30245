import CircleModel

/// Someone who hears events: a user, or one of his devices.
struct Recipient {
  var user: Text
  /// nil: on whichever device.
  var device: Text?

  init(parsing text: String) throws(Failure) {
    let slash = text.utf8.firstIndex(of: UInt8(ascii: "/"))
    user = Text(String(text[..<(slash ?? text.endIndex)]))
    device = slash.map { Text(String(text[text.utf8.index(after: $0)...])) }
    guard 1...64 ~= user.string.utf8.count, device.map({ 1...64 ~= $0.string.utf8.count }) ?? true else {
      throw Failure(.usage, "'\(text)' is no recipient", next: ["--recipient takes USER or USER/DEVICE."])
    }
  }
}
