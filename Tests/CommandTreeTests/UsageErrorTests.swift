import CommandTree
import Testing

struct UsageErrorTests {
  @Test(arguments: [
    ("", "[] 'larder' needs a command: diff, shelf, copy, completion, help"),
    ("shelf", "[shelf] 'larder shelf' needs a command: move, list"),
    ("difff x", "[] unknown command 'difff'; did you mean 'diff'?"),
    ("plam x", "[] unknown command 'plam'; did you mean 'plan'?"),
    ("purrr", "[] unknown command 'purrr'"),
    ("shelf mvoe a", "[shelf] unknown command 'mvoe' under 'larder shelf'; did you mean 'move'?"),
    ("help shelf lits", "[shelf] unknown command 'lits' under 'larder shelf'; did you mean 'list'?"),
    ("diff --stroe x a", "[diff] unknown option '--stroe'; did you mean '--store'?"),
    ("diff --exit a", "[diff] unknown option '--exit'; did you mean '--exit-code'?"),
    ("diff --nocolor a", "[diff] unknown option '--nocolor'; did you mean '--no-color'?"),
    ("diff --=x", "[diff] unknown option '--'"),
    ("diff --qqqqqq a", "[diff] unknown option '--qqqqqq'"),
    ("diff -x a", "[diff] unknown option '-x'"),
    ("diff -exit-code a", "[diff] unknown option '-exit-code'; did you mean '--exit-code'?"),
    ("diff -output json a", "[diff] unknown option '-output'; did you mean '--output'?"),
    ("diff -qx a", "[diff] unknown option '-x'"),
    ("--exit-code diff a", "[] option '--exit-code' stands after the command it belongs to"),
    ("diff a --store", "[diff] option '--store' needs a value LOCATION"),
    ("diff a -o", "[diff] option '-o' needs a value FORMAT"),
    ("diff --store -- a", "[diff] option '--store' needs a value LOCATION"),
    (
      "diff --store -q a",
      "[diff] option '--store' needs a value LOCATION; one that begins with '-' is given as '--store=…'"
    ),
    ("diff --quiet=secret a", "[diff] option '--quiet' takes no value"),
    ("diff -q=secret a", "[diff] option '-q' takes no value"),
    ("diff --no-color=secret a", "[diff] option '--no-color' takes no value"),
    ("diff a --store x --store secret", "[diff] option '--store' is given more than once"),
    ("-q diff -q a", "[diff] option '--quiet' is given more than once"),
    ("diff --color --no-color a", "[diff] option '--color' is given more than once"),
    ("diff -o jsn a", "[diff] option '--output' does not take 'jsn', only text, json; did you mean 'json'?"),
    ("completion csh", "[completion] argument SHELL does not take 'csh', only bash, zsh, fish; did you mean 'zsh'?"),
    ("diff", "[diff] 'larder diff' needs argument LIST"),
    ("copy", "[copy] 'larder copy' needs argument TARGET"),
    ("shelf move a", "[shelf move] 'larder shelf move' needs option '--by WHERE'"),
    ("shelf move a b c --by x", "[shelf move] 'larder shelf move' takes no further argument: 'c'"),
    ("shelf list a", "[shelf list] 'larder shelf list' takes no arguments: 'a'"),
    ("diff --as anna a", "[diff] 'larder diff' does not take option '--as'"),
    ("--as anna diff a", "[diff] 'larder diff' does not take option '--as'"),
    ("--bogus diff --worse", "[] unknown option '--bogus'"),
  ])
  func `a wrong command line is refused`(line: String, error: String) {
    #expect(outcome(line) == "error \(error)")
  }

  @Test
  func `only a group without command shows its help`() {
    #expect(failure(of: ["shelf"])?.showsHelp == true)
    #expect(failure(of: ["diff"])?.showsHelp == false)
    #expect(failure(of: ["shelf"])?.helpCommand(program: "larder") == "larder help shelf")
  }

  @Test
  func `what is quoted from the command line can't steer the terminal`() {
    #expect(outcome(["\u{1B}[2J\n"]) == "error [] unknown command '\\u{1b}[2J\\n'")
    let long = outcome([String(repeating: "x", count: 100_000)])
    #expect(long == "error [] unknown command '\(String(repeating: "x", count: 80))…'")
  }

  private func failure(of words: [String]) -> UsageError? {
    do throws(UsageError) {
      _ = try larder.parse(words)
      return nil
    } catch {
      return error
    }
  }
}
