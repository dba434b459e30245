import CircleModel
import Testing

private func text(_ count: Int, _ letter: String = "a") -> Text {
  Text(String(repeating: letter, count: count))
}

struct TextRuleTests {
  struct Length: Sendable {
    var rule: TextRule
    var limit: Int

    init(_ rule: TextRule, _ limit: Int) {
      self.rule = rule
      self.limit = limit
    }
  }

  @Test(arguments: [
    Length(.of(ServerField.name), 50), Length(.of(ServerField.desc), 500), Length(.of(ServerField.ext), 500),
    Length(.tag, 20), Length(.welcome, 500), Length(.of(UserField.alias), 128), Length(.of(UserField.ext), 1024),
    Length(.of(UserField.serverExt), 1024), Length(.of(UserField.nickName), 64), Length(.of(UserField.sign), 256),
    Length(.of(UserField.userInfoExt), 1024), Length(.userID, 64), Length(.device, 64), Length(.handle, 63),
  ])
  func `a text may be as long as its limit and no longer`(row: Length) {
    #expect(row.rule.check(text(row.limit)) == nil)
    #expect(row.rule.check(text(row.limit + 1))?.name == .queryParamReachesLimit)
  }

  @Test func `lengths count UTF-16 code units, those of devices and avatars bytes`() {
    #expect(TextRule.tag.check(text(20, "界")) == nil)
    #expect(TextRule.tag.check(text(10, "🎉")) == nil)
    #expect(TextRule.tag.check(text(11, "🎉"))?.name == .queryParamReachesLimit)
    #expect(TextRule.device.check(text(21, "界")) == nil)
    #expect(TextRule.device.check(text(22, "界"))?.name == .queryParamReachesLimit)
    let url = "https://e.example/"
    let avatar = Text(url + String(repeating: "a", count: 1024 - url.utf8.count))
    #expect(TextRule.check(avatar, as: UserField.avatarUrl) == nil)
    #expect(TextRule.check(Text(avatar.string + "a"), as: UserField.avatarUrl)?.name == .queryParamReachesLimit)
    #expect(
      TextRule.check(Text(url + String(repeating: "界", count: 340)), as: UserField.thumbAvatarUrl)?.name
        == .queryParamReachesLimit)
  }

  @Test(arguments: ["a\u{0}", "a\u{1B}[0m", "a\u{7F}", "a\u{85}", "a\u{9B}", "a\r\n"])
  func `control characters are refused`(written: String) {
    #expect(TextRule.of(ServerField.desc).check(Text(written))?.name == .invalidParam)
  }

  @Test(arguments: ["a\nb", "a\tb", "  a  ", "é\u{301}", "\u{200B}", "👩‍👩‍👧"])
  func `line feeds, tabs and blanks around a text are kept`(written: String) {
    #expect(TextRule.of(ServerField.desc).check(Text(written)) == nil)
    #expect(TextRule.stored(Text(written), as: ServerField.desc) == Text(written))
  }

  @Test(arguments: ["", " ", "\t\n ", "\u{3000}", "\u{A0}\u{2003}"])
  func `a blank text is unset, and refused where one is required`(written: String) {
    #expect(TextRule.check(Text(written), as: ServerField.icon) == nil)
    #expect(TextRule.stored(Text(written), as: ServerField.icon) == nil)
    #expect(TextRule.check(Text(written), as: UserField.email) == nil)
    #expect(TextRule.check(Text(written), as: ServerField.name)?.name == .invalidParam)
    #expect(TextRule.tag.check(Text(written))?.name == .invalidParam)
    #expect(TextRule.device.check(Text(written))?.name == .invalidParam)
  }

  @Test func `a text is seen through wherever what is special stands`() {
    for position in 0..<20 {
      let before = String(repeating: "a", count: position)
      let after = String(repeating: "b", count: 20 - position)
      for control in ["\u{1}", "\u{7F}", "\u{85}"] {
        #expect(TextRule.of(UserField.sign).check(Text(before + control + after)) != nil, "\(position)")
      }
      #expect(TextRule.of(UserField.avatarUrl).check(Text("https://" + before + " " + after)) != nil, "\(position)")
      // 256 code units at the most: 20 letters, 235 more, and one that counts for two.
      let tail = String(repeating: "c", count: 234)
      #expect(TextRule.of(UserField.sign).check(Text(before + "😀" + after + tail)) == nil, "\(position)")
      #expect(TextRule.of(UserField.sign).check(Text(before + "😀" + after + tail + "c")) != nil, "\(position)")
    }
  }

  @Test func `the default of type and of gender is unset`() {
    #expect(TextRule.stored("public", as: ServerField.type) == nil)
    #expect(TextRule.stored("private", as: ServerField.type) == "private")
    #expect(TextRule.stored("unknown", as: UserField.gender) == nil)
    #expect(TextRule.stored("female", as: UserField.gender) == "female")
  }

  struct Shape: Sendable {
    var rule: TextRule
    var good: [Text]
    var bad: [Text]
  }

  @Test(arguments: [
    Shape(
      rule: .userID, good: ["a", "A_b@c.d-9", "-", "a@", "007"],
      bad: ["@a", "a b", "a/b", "é", "a\n", "", "用户"]),
    Shape(rule: .handle, good: ["a", "0", "a-", "a--b"], bad: ["-a", "A", "a_b", "", "ä"]),
    Shape(
      rule: .serverID, good: ["0123456789ABCDEFGHabcd"], bad: ["0123456789ABCDEFGHabc", "0123456789ABCDEFGH-bcd"]),
    Shape(rule: .of(ServerField.type), good: ["public", "private"], bad: ["Public", "0", "secret", "confidential"]),
    Shape(
      rule: .of(ServerField.icon), good: ["http://a", "https://a.example/b?c#d", "https://é"],
      bad: ["ftp://a", "http:/a", "http:///a", "https://", "http://a b", "HTTP://a", "http://a\u{3000}b", "a"]),
    Shape(rule: .of(UserField.gender), good: ["unknown", "male", "female"], bad: ["0", "Male", "x"]),
    Shape(
      rule: .of(UserField.email), good: ["a@b.c", "a.b+c@d..e", "用@户.中"],
      bad: ["a", "a@b", "@b.c", "a@.c", "a@b.", "a@@b.c", "a@b@c.d", "a b@c.d", "a@b .c"]),
    Shape(
      rule: .of(UserField.birth), good: ["2000-02-29", "1999-12-31", "2024-02-29", "0001-01-01"],
      bad: [
        "1900-02-29", "2023-02-29", "2024-04-31", "2024-13-01", "2024-00-10", "2024-01-00", "2024-1-01", "24-01-01",
        "2024/01/01", "0000-01-01", "2024-01-0a", "2024-01-01T00:00",
      ]),
    Shape(
      rule: .of(UserField.mobile), good: ["1", "13800000000", "+86-13800000000", "+1-2", "+1234-5"],
      bad: ["+86", "+-1", "+12345-6", "86-1", "+86-", "+8a-1", "1 2", "１"]),
  ])
  func `patterns accept what they should and nothing else`(row: Shape) {
    for text in row.good { #expect(row.rule.check(text) == nil, "\(row.rule.subject): \(text)") }
    for text in row.bad { #expect(row.rule.check(text)?.name == .invalidParam, "\(row.rule.subject): \(text)") }
  }
}
