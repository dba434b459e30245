import CommandTree
import Testing

struct TreeCheckTests {
  @Test
  func `a sound tree has no problems`() {
    #expect(larder.validate() == [])
  }

  @Test
  func `problems of a tree are found`() {
    let tree = CommandTree<String>(
      CommandSpec(
        "larder", "", options: [.flag("quiet", short: "q", "Say less."), .flag("quiet", short: "h", "Say less.")],
        subcommands: [
          CommandSpec(
            "a", "Do a.", examples: [Example("larder a --bogus", "Does a."), Example("larder b 'x", "Does b.")],
            arguments: [ArgumentSpec("x", cardinality: .many, "X."), ArgumentSpec("x", cardinality: .optional, "")],
            options: [.value("Quiet", "", short: "q", choices: [Choice("m"), Choice("m")], "Say less.")],
            refuses: ["bogus"], action: "a"),
          CommandSpec("b", aliases: ["a"], "Do\nb.", action: "b"),
          CommandSpec("help", "Help.", examples: [Example("larder b", "Does b.")], action: "help"),
        ]))
    #expect(
      tree.validate() == [
        "larder: the command has no summary",
        "larder: the command 'a' is there twice",
        "larder: the command 'help' is there twice",
        "larder: the option '--quiet' is there twice",
        "larder: the short option '-h' is there twice",
        "larder a: the name '--Quiet' is not lower-case ASCII",
        "larder a: the short option '-q' is already one of a command above",
        "larder a: --Quiet has no name for its value",
        "larder a: --Quiet has the value 'm' twice",
        "larder a: refuses '--bogus', which no command above has",
        "larder a: the argument X has no summary",
        "larder a: the argument 'x' is there twice",
        "larder a: its arguments can't be told apart",
        "larder a: the example larder a --bogus is refused: unknown option '--bogus'",
        "larder a: the example larder b 'x does not call larder",
        "larder b: the summary of the command has several lines",
        "larder b: has no example",
        "larder help: the example larder b shows another command",
      ])
  }
}
