import CommandTree

/// `circlectl user get`: what is known of users without asking anybody.
enum UserGet {
  static let spec = CommandSpec<Action>(
    "get", "Show users as they are known here, without running anything.",
    discussion: """
      Providers come first, in their order: the tables of files, and what commands answered within the hour. Whom none of \
      them knows is shown as the state has him.
      """,
    examples: [Example("circlectl user get bob alice -o json", "Shows two users as JSON.")],
    arguments: [.usersOrCaller],
    action: Action { (run) throws(Failure) in try UserReading(run, fetches: false).perform() })
}
