import CommandTree
import Synchronization
import Testing

struct ParsingTests {
  @Test(arguments: [
    ("diff a b", "diff lists:a,b"),
    ("plan a", "diff lists:a"),
    ("--store x diff a", "diff store=x lists:a"),
    ("diff a --store x b", "diff store=x lists:a,b"),
    ("diff a --store=x", "diff store=x lists:a"),
    ("diff a --store=", "diff store= lists:a"),
    ("diff a --store=--as=b", "diff store=--as=b lists:a"),
    ("diff a -o json", "diff output=json lists:a"),
    ("diff a -ojson", "diff output=json lists:a"),
    ("diff a -o=json", "diff output=json lists:a"),
    ("-qv diff a", "diff quiet verbose lists:a"),
    ("-qojson diff a", "diff output=json quiet lists:a"),
    ("-qo json diff a", "diff output=json quiet lists:a"),
    ("diff --only a --just b --only=c d", "diff only=a,b,c lists:d"),
    ("diff --color a", "diff color lists:a"),
    ("diff --no-color a", "diff !color lists:a"),
    ("diff --wake-the-cat a", "diff wake-the-cat lists:a"),
    ("diff -- --store -q -h", "diff lists:--store,-q,-h"),
    ("-- diff -q", "diff lists:-q"),
    ("diff -", "diff lists:-"),
    ("diff -5 --store -7", "diff store=-7 lists:-5"),
    ("diff --store - a", "diff store=- lists:a"),
    ("shelf --room kitchen move a --by x", "shelf move room=kitchen by=x from:a"),
    ("shelf move a b --by x --room kitchen", "shelf move room=kitchen by=x from:a to:b"),
    ("shelf list", "shelf list"),
    ("copy a", "copy target:a"),
    ("copy a b c", "copy things:a,b target:c"),
    ("completion zsh", "completion shell:zsh"),
    ("purr", "purr"),
  ])
  func `a command line is read`(line: String, result: String) {
    #expect(outcome(line) == result)
  }

  @Test(arguments: [
    ("-h", "help of []"),
    ("--help", "help of []"),
    ("help", "help of []"),
    ("help plan", "help of [diff]"),
    ("help shelf move", "help of [shelf move]"),
    ("help help", "help of [help]"),
    ("diff -h", "help of [diff]"),
    ("-h diff", "help of [diff]"),
    ("diff -help", "help of [diff]"),
    ("-qh diff", "help of [diff]"),
    ("shelf -h", "help of [shelf]"),
    ("diff --bogus --store --help --help", "help of [diff]"),
    ("difff -h", "help of []"),
    ("diff -o nonsense -h", "help of [diff]"),
    ("diff --version -h", "help of [diff]"),
    ("--version", "version"),
    ("-q --version", "version"),
    ("diff -- -h", "diff lists:-h"),
  ])
  func `help and version are answered`(line: String, result: String) {
    #expect(outcome(line) == result)
  }

  @Test
  func `an equals sign is one even under a combining mark`() {
    #expect(outcome(["diff", "--store=\u{301}x", "a"]) == "diff store=\u{301}x lists:a")
    #expect(outcome(["diff", "a", "-o=\u{301}"]).hasPrefix("error [diff] option '--output' does not take"))
    #expect(outcome(["diff", "-\u{301}"]) == "error [diff] unknown option '-\u{301}'")
  }

  @Test
  func `a name the command does not declare reads as not given and is told`() throws {
    guard case .run(_, var arguments, _) = try larder.parse(["diff", "a"]) else {
      Issue.record("diff does not run")
      return
    }
    let names = Names()
    arguments.onUndeclaredName = { names.append($0) }
    #expect(arguments.flag("exit-code") == false)
    #expect(arguments.value("store") == nil)
    #expect(try arguments.requiredArgument("lists") == "a")
    #expect(names.all.isEmpty)
    #expect(arguments.flag("exit-cod") == false)
    #expect(arguments.value("as") == nil)
    #expect(arguments.argument("list") == nil)
    #expect(arguments.value("exit-code") == nil)
    #expect(throws: UsageError.self) { try arguments.requiredValue("room") }
    #expect(names.all == ["exit-cod", "as", "list", "exit-code", "room"])
  }
}

private final class Names: Sendable {
  private let names = Mutex<[String]>([])

  var all: [String] { names.withLock(\.self) }

  func append(_ name: String) {
    names.withLock { $0.append(name) }
  }
}
