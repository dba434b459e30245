import Testing
import Testkit

@testable import CircleCLI

struct ValueTests {
  @Test(arguments: [
    ("10s", 10_000), ("500ms", 500), ("2m", 120_000), ("1h", 3_600_000), ("1.5s", 1500), ("7", 7000), ("0", 0),
    ("30d", 2_592_000_000),
  ])
  func `a length of time is read`(text: String, milliseconds: Int) {
    #expect(TimeSpan(text)?.milliseconds == milliseconds)
  }

  @Test(arguments: ["", "s", "ms", "-1s", "1 s", "1e3", "1..5s", "31d", "99999999999999", ".5s", "inf", "nan", "1x"])
  func `what is no length of time is refused`(text: String) {
    #expect(TimeSpan(text) == nil)
  }

  @Test(arguments: [
    (ColorChoice.always, ["NO_COLOR": "1"], false, true), (.never, ["CLICOLOR_FORCE": "1"], true, false),
    (.auto, [:], true, true), (.auto, [:], false, false), (.auto, ["NO_COLOR": ""], true, true),
    (.auto, ["NO_COLOR": "1"], true, false), (.auto, ["CLICOLOR_FORCE": "1"], false, true),
    (.auto, ["CLICOLOR_FORCE": "0"], false, false), (.auto, ["TERM": "dumb"], true, false),
  ])
  func `colour follows the option, then the environment, then the terminal`(
    choice: ColorChoice, environment: [String: String], isTerminal: Bool, expected: Bool
  ) {
    #expect(choice.holds(environment: environment, isTerminal: isTerminal) == expected)
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")])
  func `thousands are parted`(number: Int, text: String) {
    #expect(grouped(number) == text)
  }
}
