import CircleModel
import Testing

struct ProfileUpdateTests {
  @Test(arguments: [
    ("nickName", "N", UserField.nickName, "N"), ("3", "N", .nickName, "N"), ("userInfo.ext", "e", .userInfoExt, "e"),
    ("10", "e", .userInfoExt, "e"), ("6", "0", .gender, "unknown"), ("6", "1", .gender, "male"),
    ("6", "2", .gender, "female"), ("gender", "male", .gender, "male"), ("alias", "A", .alias, "A"),
    ("sign", "", .sign, ""),
  ])
  func `a field goes by its name or its update tag`(key: String, value: String, field: UserField, stored: String) {
    let update = ProfileUpdate([(Text(key), Text(value))], isClient: false)
    #expect(update.settings == [FieldSetting(field, Text(stored))])
    #expect(update.filtered.isEmpty)
  }

  @Test(arguments: [
    ("11", "x", CircleErrorName.invalidParam), ("03", "x", .invalidParam), ("nickname", "x", .invalidParam),
    ("", "x", .invalidParam), ("6", "3", .invalidParam), ("6", "male", .invalidParam), ("gender", "1", .invalidParam),
    ("email", "x", .invalidParam), ("mobile", "0123456789012345678901234567890123", .queryParamReachesLimit),
    ("alias", "x", .noPermission), ("serverExt", "x", .noPermission), ("thumbAvatarUrl", "x", .noPermission),
    ("ext", "x", .noPermission),
  ])
  func `what a client can't set is filtered out, and the rest stays`(
    key: String, value: String, cause: CircleErrorName
  ) {
    let update = ProfileUpdate([("sign", "S"), (Text(key), Text(value)), ("4", nil)], isClient: true)
    #expect(update.settings == [FieldSetting(.sign, "S"), FieldSetting(.avatarUrl, nil)])
    #expect(update.filtered.map(\.key) == [Text(key)])
    #expect(update.filtered.map(\.cause) == [cause])
    #expect(!update.filtered[0].reason.contains("S"))
  }

  @Test func `a field counts once, by whichever name`() {
    let update = ProfileUpdate([("3", "A"), ("nickName", "B")], isClient: true)
    #expect(update.settings == [FieldSetting(.nickName, "A")])
    #expect(update.filtered.map(\.reason) == ["nickName is given twice"])
  }
}
