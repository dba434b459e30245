import CircleTables
import CommandTree

/// `circlectl import members`: members and moderators from tables, through a plan.
enum ImportMembers {
  static let spec = CommandSpec<Action>(
    "members", "Bring members in, change their roles and remove them, from tables.",
    discussion: """
      Columns: server (its handle or id), user, and if there are such role (user or moderator; blank leaves it) and \
      action (add or remove). The same operations, rules, limits, guards and events as an apply.
      """,
    examples: [
      Example("circlectl import members members.csv --dry-run", "Shows the plan."),
      Example("circlectl import members members.csv", "Carries it out."),
    ],
    arguments: [.tables], options: ListImportJob.options, refuses: OptionSpec.acting,
    action: Action { (run) throws(Failure) in try ListImportJob.run(run, .members) })
}

/// `circlectl import tags`: tags of servers from tables, through a plan.
enum ImportTags {
  static let spec = CommandSpec<Action>(
    "tags", "Add and remove tags of servers, from tables.",
    discussion: """
      Columns: server (its handle or id) and tag, or tags with a list that | parts where there is one, else ;, else ,; \
      and if there is such action (add or remove). The same operations, rules, limits and guards as an apply.
      """,
    examples: [
      Example("circlectl import tags tags.csv --dry-run", "Shows the plan."),
      Example("circlectl import tags tags.csv", "Carries it out."),
    ],
    arguments: [.tables], options: ListImportJob.options, refuses: OptionSpec.acting,
    action: Action { (run) throws(Failure) in try ListImportJob.run(run, .tags) })
}
