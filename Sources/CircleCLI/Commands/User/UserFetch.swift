import CommandTree

/// `circlectl user fetch`: what providers know of users.
enum UserFetch {
  static let spec = CommandSpec<Action>(
    "fetch", "Show users as providers know them; runs their commands.",
    discussion: """
      Providers are asked in their order, each for those whom none before it knows, at most 150 at a time. What a command \
      answers is kept for an hour, whom it doesn't know, or that it failed, for a minute. Whom no provider knows is shown \
      as the state has him; of whom the state has not either there is a warning, and the others are shown. A provider that \
      fails ends the command with 1, after the others' answers were shown.
      """,
    examples: [
      Example("circlectl user fetch bob", "Asks the providers unless they answered lately."),
      Example("circlectl user fetch bob --refresh", "Asks them in any case."),
    ],
    arguments: [.usersOrCaller],
    options: [.flag("refresh", "Ask again for users who were answered within the hour, or in vain.")],
    action: Action { (run) throws(Failure) in try UserReading(run, fetches: true).perform() })
}
