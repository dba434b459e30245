import CircleReport
import Testing

struct UTCTimeTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"),
      (-1, "1969-12-31T23:59:59.999Z"),
      (1_735_787_045_678, "2025-01-02T03:04:05.678Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (951_868_800_000, "2000-03-01T00:00:00.000Z"),
      (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
      (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
      (-2_203_977_600_000, "1900-02-28T00:00:00.000Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
      (-62_162_035_200_001, "0000-02-29T23:59:59.999Z"),
    ] as [(Int64, String)])
  func `a time is written and read alike`(milliseconds: Int64, text: String) {
    #expect(UTCTime.text(milliseconds) == text)
    #expect(UTCTime.milliseconds(parsing: text) == milliseconds)
  }

  @Test(
    arguments: [
      ("2025-01-02T03:04:05Z", 1_735_787_045_000),
      ("2025-01-02T03:04:05.6Z", 1_735_787_045_600),
      ("2025-01-02t03:04:05.67z", 1_735_787_045_670),
      ("2025-01-02T11:04:05+08:00", 1_735_787_045_000),
      ("2025-01-01T21:34:05-05:30", 1_735_787_045_000),
      ("1969-12-31T23:59:59.999Z", -1),
    ] as [(String, Int64)])
  func `offsets and short fractions are read`(text: String, milliseconds: Int64) {
    #expect(UTCTime.milliseconds(parsing: text) == milliseconds)
  }

  @Test(arguments: [
    "", "2025", "2025-01-02", "2025-01-02T03:04Z", "2025-01-02T03:04:05", "2025-01-02 03:04:05Z",
    "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2025-13-01T00:00:00Z", "2025-00-01T00:00:00Z",
    "2025-01-00T00:00:00Z", "2025-04-31T00:00:00Z", "2025-01-02T24:00:00Z", "2025-01-02T00:60:00Z",
    "2025-01-02T00:00:60Z", "2025-01-02T00:00:00.Z", "2025-01-02T00:00:00.1234Z", "2025-01-02T00:00:00Z ",
    "2025-01-02T00:00:00+24:00", "2025-01-02T00:00:00+0800", "+025-01-02T00:00:00Z", "10000-01-01T00:00:00Z",
    "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "２025-01-02T00:00:00Z",
  ])
  func `what is no time is refused`(text: String) {
    #expect(UTCTime.milliseconds(parsing: text) == nil)
  }

  @Test func `what is out of range is held at its end`() {
    #expect(UTCTime.text(.max) == "9999-12-31T23:59:59.999Z")
    #expect(UTCTime.text(.min) == "0000-01-01T00:00:00.000Z")
  }

  @Test func `every day of four centuries follows its predecessor`() {
    var last = UTCTime.text(0)
    var isRight = true
    for number in 1...146_097 {
      let time = Int64(number) * 86_400_000
      let text = UTCTime.text(time)
      isRight = isRight && last < text && UTCTime.milliseconds(parsing: text) == time
      last = text
    }
    #expect(isRight)
    #expect(last == "2370-01-01T00:00:00.000Z")
  }
}
