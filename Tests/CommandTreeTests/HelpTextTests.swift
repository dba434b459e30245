import CommandTree
import Diagnostics
import Testing

struct HelpTextTests {
  @Test(arguments: [40, 80, 120])
  func `help fits the width, but for what is shown as it is`(width: Int) throws {
    for node in larder.shownNodes() {
      let help = try #require(larder.help(for: node.path, width: width))
      let wide = help.split(separator: "\n").filter { displayWidth(String($0)) > width && !$0.hasPrefix("  larder ") }
      #expect(wide.isEmpty, "\(node.title)")
      #expect(!help.contains("Not for people"))
      #expect(!help.split(separator: "\n").contains { $0.hasSuffix(" ") })
    }
  }

  @Test
  func `there is no help for what is no command`() {
    #expect(larder.help(for: ["dif"], width: 80) == nil)
    #expect(larder.help(for: ["plan"], width: 80) == larder.help(for: ["diff"], width: 80))
  }

  @Test
  func `styled help has bold headings and nothing else besides`() throws {
    let plain = try #require(larder.help(for: [], width: 80))
    let styled = try #require(larder.help(for: [], width: 80, styled: true))
    #expect(styled.hasPrefix("\u{1B}[1mUsage: \u{1B}[0mlarder [options] COMMAND …\n"))
    #expect(styled.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "") == plain)
  }

  @Test
  func `ways to write a command, headings of their own and refusals are told`() {
    let tree = CommandTree<String>(
      CommandSpec(
        "larder", "Keep stock.",
        options: [.flag("quiet", "Say less."), .value("as", "COOK", group: "Who you are", "Act as this cook.")],
        subcommands: [
          CommandSpec(
            "stock", "Look after the stock.", refuses: ["as", "quiet"],
            subcommands: [
              CommandSpec(
                "take", "Take from it.", usage: ["THING…", "--all"],
                examples: [Example("larder stock take x", "Takes x.")],
                arguments: [ArgumentSpec("things", shown: "THING", cardinality: .zeroOrMore, "What.")],
                options: [.flag("all", "Take all."), .flag("force", group: "Dangerous options", "Do not ask.")],
                action: "take")
            ])
        ]))
    #expect(tree.validate() == [])
    #expect(
      tree.help(for: ["stock", "take"], width: 80) == """
        Usage: larder stock take THING…
               larder stock take --all

        Take from it.

        Arguments:
          [THING…]  What.

        Options:
              --all  Take all.

        Dangerous options:
              --force  Do not ask.

        Global options:
          -h, --help     Show this help.
              --version  Show the version.

        Examples:
          larder stock take x
              Takes x.

        """)
    #expect(throws: UsageError("'larder stock take' does not take option '--as'", path: ["stock", "take"])) {
      try tree.parse(["--as", "anna", "stock", "take"])
    }
  }
}
