import CircleModel
import Diagnostics
import YAMLEvents

extension ManifestDecoder {
  /// Reads a list of user ids, `"@group"`s and `{from: PATH}`s; nil when it is no list, which was reported.
  mutating func decodeUserList(_ subject: String) throws(YAMLFault) -> UserList? {
    guard source.kind == .sequenceStart else {
      if isNull {
        reportNull(subject, isList: true)
      } else {
        reportWrongType(subject, "a list of users", help: "write the user in brackets: [alice]")
      }
      try source.skip()
      return nil
    }
    var list = UserList()
    var fromLists: [ContiguousArray<Listed>] = []
    while true {
      try source.advance()
      switch source.kind {
      case .scalar: decodeListed(into: &list)
      case .sequenceEnd:
        pending.flush(into: &list.users, &draft)
        finish(&list, fromLists)
        return list
      case .mappingStart:
        // Users are numbered in the order in which they are read.
        pending.flush(into: &list.users, &draft)
        if let users = try decodeFrom() { fromLists.append(users) }
      default:
        report(
          .invalidUser, "a list in a list of users\(ownerPhrase)", at: source.place,
          help: "name the users in a group and write \"@group\"")
        try source.skip()
      }
    }
  }

  /// The element at hand: nearly always a plain user id, so that is tried first.
  private mutating func decodeListed(into list: inout UserList) {
    let isUser = source.withText { text in
      guard Self.isUserID(text), text.count != 4 || !CoreScalar.isNull(text) || !source.isPlain else { return false }
      pending.append(text, at: source.place)
      return true
    }
    if !isUser { decodeUnusualListed(into: &list) }
    if pending.isFull { pending.flush(into: &list.users, &draft) }
  }

  private mutating func decodeUnusualListed(into list: inout UserList) {
    if isNull {
      if source.isBroken { return }
      let (place, end) = (source.place, source.end)
      let isWord = source.withText { $0.count == 4 }
      report(
        .null, "an empty entry in a list of users\(ownerPhrase)", at: place, end: end,
        help: isWord ? "put the user id in quotes if it is one" : nil)
      return
    }
    if let name = source.withText({ Self.groupName($0) }) {
      let group = draft.groupIndex(of: name)
      list.groups.append(GroupUse(group: group, place: source.place, end: source.end))
      return
    }
    reportInvalidUser()
  }

  /// The user whose id the scalar at hand is; nil when it is none.
  mutating func internUser() -> UserIndex? {
    source.withText { Self.isUserID($0) ? draft.intern($0) : nil }
  }

  /// Reports the scalar at hand, which is no user id.
  mutating func reportInvalidUser() {
    let (place, end) = (source.place, source.end)
    let (id, violation) = source.withText {
      (String(decoding: $0.prefix(200), as: UTF8.self), TextRule.userID.check($0))
    }
    let reason = violation?.reason ?? "a group can't stand here"
    report(
      .invalidUser, "'\(excerpt(id))'\(ownerPhrase) is no user id: \(reason)", at: place, end: end)
  }

  /// Whether the bytes are a user id: `A-Z a-z 0-9 _ @ . -`, 1 to 64 of them, no `@` first.
  static func isUserID(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count > 0, text.count <= 64, text[0] != UInt8(ascii: "@") else { return false }
    for byte in text {
      let isLetter = (byte | 0x20) &- 97 < 26
      if isLetter || byte &- 48 < 10 { continue }
      switch byte {
      case UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "."), UInt8(ascii: "-"): continue
      default: return false
      }
    }
    return true
  }

  /// The name in `@name`.
  static func groupName(_ text: UnsafeBufferPointer<UInt8>) -> Text? {
    guard text.count > 1, text[0] == UInt8(ascii: "@") else { return nil }
    let name = UnsafeBufferPointer(rebasing: text.dropFirst())
    return isGroupName(name) ? Text(name) : nil
  }

  /// Any text of 1 to 64 bytes without blanks and controls that does not begin with `@`.
  static func isGroupName(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.count > 0 && name.count <= 64 && name[0] != UInt8(ascii: "@") && name.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }

  private mutating func finish(_ list: inout UserList, _ fromLists: [ContiguousArray<Listed>]) {
    var repeated: [(Listed, Listed)] = []
    UserList.arrange(&list.users) { first, again in
      if repeated.count < draft.diagnostics.limit { repeated.append((first, again)) }
    }
    for (first, again) in repeated {
      // Only what will be shown is worth a look at its line.
      let isShown = draft.diagnostics.warningCount < draft.diagnostics.limit
      let (id, end) = isShown ? draft.written(again.user, at: again.place) : ("", 0)
      draft.warn(
        .repeatedUser, "user '\(id)' is listed twice\(ownerPhrase)", at: again.place, end: end,
        notes: [Diagnostic.Note("first listed here", at: first.place)])
    }
    if !fromLists.isEmpty { list.users = UserList.union([list.users] + fromLists) }
    if list.groups.count > 1 {
      var seen: Set<Int> = []
      list.groups.removeAll { !seen.insert($0.group).inserted }
    }
  }

  // MARK: Lists of texts

  /// Reads a list of texts, each once; nil when it is no list, which was reported. `maximum` is how many may stand there.
  mutating func decodeTexts(
    _ key: StaticString, _ rule: TextRule, maximum: Int = .max
  ) throws(YAMLFault) -> [Given<Text>]? {
    guard source.kind == .sequenceStart else {
      if isNull {
        reportNull("'\(key)'", isList: true)
      } else {
        reportWrongType("'\(key)'", "a list", help: "write the value in brackets: [value]")
      }
      try source.skip()
      return nil
    }
    var texts: [Given<Text>] = []
    var seen: [Text: Place] = [:]
    var twins = TwinFinder()
    while true {
      try source.advance()
      if source.kind == .sequenceEnd { return texts }
      guard source.kind == .scalar else {
        reportWrongType("an entry of '\(key)'", "text")
        try source.skip()
        continue
      }
      if isNull {
        reportNull("an entry of '\(key)'")
        continue
      }
      guard case .text(let text) = try decodeText(key, rule) else { continue }
      let (place, end) = (source.place, source.end)
      if let first = seen[text] {
        report(
          .repeatedEntry, "the \(rule.subject) '\(excerpt(text.string))' is listed twice\(ownerPhrase)", at: place,
          end: end, notes: [Diagnostic.Note("first listed here", at: first)])
        continue
      }
      seen[text] = place
      if texts.count == maximum {
        report(.tooManyTags, "more than \(maximum) entries in '\(key)'\(ownerPhrase)", at: place, end: end)
      }
      if let twin = twins.add(text, at: place) {
        draft.warnOfTwins(text, twin, at: place, end: end)
      }
      texts.append(Given(text, at: place))
    }
  }
}
