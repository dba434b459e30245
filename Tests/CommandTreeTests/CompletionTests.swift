import Testing

@testable import CommandTree

@Suite struct CompletionTests {
  private let tree = CommandTree(
    CommandSpec<Int>(
      "tool", "A tool.",
      options: [
        .value("state", "FILE", short: "s", completion: .files, "The state."), .flag("quiet", short: "q", "Less."),
        .value("color", "WHEN", choices: [Choice("auto"), Choice("always"), Choice("never")], "When."),
      ],
      subcommands: [
        CommandSpec(
          "member", "Members.",
          subcommands: [
            CommandSpec(
              "join", "Joins.",
              arguments: [
                ArgumentSpec("server", completion: .kind("server"), "The server."),
                ArgumentSpec("users", cardinality: .many, completion: .kind("user"), "Users."),
              ],
              options: [.value("reason", "TEXT", "Why."), .value("tag", "T", repeatable: true, "Tags.")], action: 1)
          ]),
        CommandSpec("hide", "Hidden.", visibility: .hidden, action: 2),
      ]))

  private func values(_ words: String...) -> [String] {
    tree.completion(of: words).candidates.map(\.value)
  }

  @Test func `commands come by their beginning, hidden ones not`() {
    #expect(values("") == ["member", "help"])
    #expect(values("member", "") == ["join"])
    #expect(values("member", "x").isEmpty)
  }

  @Test func `options come where they may stand, one that is there already does not`() {
    #expect(values("--s") == ["--state"])
    #expect(values("-s", "x", "--s").isEmpty)
    #expect(values("member", "join", "--tag", "a", "--tag=b", "--t") == ["--tag"])
    #expect(values("member", "join", "--", "--").isEmpty)
  }

  @Test func `a value comes from its choices, with what stands before it in the word`() {
    #expect(values("--color", "a") == ["auto", "always"])
    #expect(values("--color=n") == ["--color=never"])
    #expect(values("-q", "--color", "") == ["auto", "always", "never"])
  }

  @Test func `what has to be looked up is told with what is known`() {
    let completion = tree.completion(of: ["--state", "a.db", "member", "join", "--reason=why", "readers", "bob", "c"])
    #expect(completion.hint == .kind("user") && completion.typed == "c" && completion.lead == "")
    #expect(completion.operands == ["readers", "bob"] && completion.path == ["member", "join"])
    #expect(completion.values == ["state": "a.db", "reason": "why"])
    let attached = tree.completion(of: ["-qsa"])
    #expect(attached.hint == .files && attached.typed == "a" && attached.lead == "-qs")
    #expect(tree.completion(of: ["--state=a"]).lead == "--state=")
  }

  @Test(arguments: [
    [], ["--"], ["-"], ["--=x"], ["---"], ["-é"], ["member", "--nothing", "join", "a", "b", "--"], [""],
  ])
  func `no beginning of a line is too odd`(_ words: [String]) {
    _ = tree.completion(of: words)
  }
}
