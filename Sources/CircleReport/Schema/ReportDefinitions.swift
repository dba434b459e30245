import CircleModel
import CirclePlan
import Diagnostics

/// The objects of a report but its events, under the types that NDJSON gives them.
enum ReportDefinitions {
  static let all: [(name: String, schema: Schema)] = [
    ("validation", .object(numbers(["files", "servers", "users", "groups", "memberships"]))),
    ("fault", fault), ("faultCounts", .object(numbers(["errors", "warnings"]))), ("summary", summary),
    ("change", change), ("server", server), ("refusal", refusal), ("note", note),
    ("guards", .object(guards)), ("run", run), ("state", state),
    (
      "verification",
      .object(
        [.required("sound", .flag), .required("faults", .list(.text))] + numbers(["runs", "events"]) + [head, archived])
    ),
    (
      "import",
      .object(
        numbers(["rows"]) + [
          .optional("new", .number, "Of an import of users, as the three that follow."), .optional("changed", .number),
          .optional("fields", .map(.number), "How many users have a field changed."), .optional("unchanged", .number),
        ] + numbers(["refused"]))
    ),
    (
      "check",
      .object([
        .required("result", .word(["ok", "warning", "fault"])),
        .required(
          "area", .word(["libraries", "configuration", "state", "lock", "references", "log", "clock"]),
          "What it is about."),
        .required("what", .text, "What of it was looked at."), .required("found", .text),
        .optional("next", .list(.text), "What to do."),
      ])
    ),
    (
      "lock",
      .object([
        .required("locked", .flag), .optional("host", .text), .optional("process", .number), .optional("since", .time),
      ])
    ),
  ]

  private static func numbers(_ keys: [String]) -> [Schema.Member] { keys.map { .required($0, .number) } }

  private static let place: [Schema.Member] = [
    .optional("file", .text), .optional("line", .number, "From 1."),
    .optional("column", .number, "In code points, from 1."),
  ]

  private static let end = Schema.Member.optional("endColumn", .number, "The column after the last one meant.")
  private static let head = Schema.Member.required("head", .text, "The hash of the last run.")

  private static let archived = Schema.Member.optional(
    "archived",
    .object(
      numbers(["runs", "events"]) + [
        .required("through", .time, "Of the last run that was archived."),
        .required("head", .text, "The hash of that run."), .required("cut", .time, "When the log was last cut."),
      ]), "What has gone into archives: the log begins after it.")

  private static let fault = Schema.object(
    [
      .required("severity", .word(Severity.allCases.map(\.word))),
      .required("code", .text, "Stable: match on this, never on the message."), .required("message", .text),
    ] + place + [
      end, .optional("help", .text), .optional("notes", .list(.object([.required("message", .text)] + place + [end]))),
    ])

  private static let summary = Schema.object(
    [
      .optional("stack", .text, "In NDJSON; a document has it beside."),
      .optional("applied", .flag, "In NDJSON; a document has it beside."),
    ]
      + numbers([
        "create", "update", "delete", "pending", "drift", "unmanaged", "unmanagedUsers", "unmanagedMembers", "blocked",
      ]) + [
        .optional("leftOut", .number, "By --only and --exclude."),
        .optional("dependent", .number, "Of these, what depends on something left out."),
      ])

  private static let change = Schema.object(
    [
      .required("kind", .word(Change.Kind.allCases.map(\.word))),
      .optional(
        "action", .word(Change.Action.allCases.map(\.word)), "Left out where nothing is done: of what is unmanaged."),
      .required("object", .word(Change.Object.allCases.map(\.word))),
      .optional("server", .text, "The handle that it has afterwards."), .optional("owner", .text),
      .optional("user", .text), .optional("field", .text), .optional("before", .text), .optional("after", .text),
      .optional("values", .map(.text), "Of a server or user that is created."), .optional("devices", .list(.text)),
      .optional("rule", .word(Rule.allCases.map(\.word)), "Why; left out with the action."),
    ] + place + [
      .optional("intent", .word(Change.Kind.allCases.map(\.word)), "Of a blocked change: the kind it would be."),
      .optional("refusal", .number, "The index of what refuses it."),
    ],
    rules: [.init(key: "kind", words: [Change.Kind.blocked.word], required: ["intent", "refusal"])])

  private static let server = Schema.object(
    [.optional("server", .text, "Left out for users.")]
      + numbers(["create", "update", "delete", "drift", "blocked"]))

  private static let causes =
    CircleErrorName.allCases.map(\.rawValue) + ["guard", "owner-change", "rename-cycle", "blocked-create"]

  private static let refusal = Schema.object(
    [
      .required("index", .number), .required("cause", .word(causes)), .optional("operation", .text),
      .optional("number", .number, "The SDK's number of the error."), .optional("actor", .text),
      .optional("server", .text), .required("message", .text),
      .optional("allow", .text, "Of a guard: the value that --allow takes."),
      .required("wayOut", .list(.text)), .required("changes", .number, "How many it blocks."),
    ] + place,
    rules: [.init(key: "cause", words: ["guard"], required: ["allow"])])

  private static let note = Schema.object(
    [
      .required(
        "kind", .word(["adoption", "not-pruned", "declined", "left-after-accepting", "looks-renamed", "setting"])),
      .optional("server", .text), .optional("user", .text),
      .optional("setting", .word(ServerSetting.allCases.map(\.word)), "One that is not as last applied."),
      .optional("before", .text), .optional("after", .text),
      .optional("from", .text, "The server that is destroyed, of one that looks renamed."),
      .optional("shared", .number, "How many members the two have in common."),
      .optional("of", .number, "The members of the larger."),
    ] + place)

  private static let guards: [Schema.Member] = [
    .optional("reason", .text), .optional("maxRemovals", .text), .optional("allow", .list(.text)),
  ]

  private static let run = Schema.object(
    [
      .required("number", .number), .required("time", .time), .required("kind", .word(RunKind.allCases.map(\.word))),
      .required("command", .text), .optional("subject", .text, "In a history: what a command was about."),
      .optional("archived", .flag, "In a history: whether its log has gone into an archive."),
      .optional("stack", .text),
    ] + guards + numbers(["firstSeq", "events", "records"]) + [
      .required("operations", .map(.number), "How often each ran, by the SDK's names."),
      .required("previous", .text, "The hash of the run before."), .required("hash", .text),
    ])

  private static let state = Schema.object(
    numbers(["format", "revision", "runs", "events"]) + [.optional("time", .time, "Of the last run.")]
      + numbers(["users", "servers", "memberships"]) + [
        .required("limits", .object(numbers(["created", "joined"]))), head, archived,
      ])
}
