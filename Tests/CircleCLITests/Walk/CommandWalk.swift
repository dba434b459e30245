import CircleReport
import CommandTree
import Testkit

@testable import CircleCLI

/// Every command with a line or more that show how it ends: what all of them have in common is tested on these.
struct CommandWalk {
  /// What standard output holds.
  enum Form: Sendable {
    /// A report, in any format.
    case report
    /// Likewise, but events stand bare in NDJSON.
    case events
    /// JSON whatever is asked for; another format is wrong usage.
    case schema
    /// A text of its own, for which any format is wrong usage.
    case text
    /// A table, which has formats of its own.
    case table
  }

  struct Step: Sendable {
    var line: String
    var status: ExitStatus
    var form: Form
    /// What is run before.
    var before: [String]

    init(_ line: String, _ status: ExitStatus = .done, _ form: Form = .report, before: [String] = []) {
      self.line = line
      self.status = status
      self.form = form
      self.before = before
    }

    var words: [String] { line.split(separator: " ").map(String.init) }
  }

  static let steps: [Step] = [manifests, tables, events, servers, people, states, others].flatMap { $0 }

  private static let others: [Step] = [
    Step("completion bash", .done, .text), Step("completion zsh", .done, .text),
    Step("completion fish", .done, .text), Step("man", .done, .text), Step("man state undo", .done, .text),
    Step("man nothing", .usage, .text), Step("complete -- server get p", .done, .text),
    Step("reference", .done, .text), Step("schema manifest", .done, .schema), Step("schema report", .done, .schema),
    Step("schema event", .done, .schema), Step("schema plan", .done, .schema), Step("doctor"),
    Step("doctor --state notes.txt", .failed), Step("version"),
    Step("provider add one --file names.csv"), Step("provider add one --file nothing.csv", .badInput),
    Step("provider list"), Step("provider list", before: ["provider add one --file names.csv"]),
    Step("provider remove one", before: ["provider add one --file names.csv"]),
    Step("provider remove one", .refused),
  ]

  private static let manifests: [Step] = [
    Step("validate manifests"), Step("validate wrong.yaml", .badInput), Step("validate nothing.yaml", .badInput),
    Step("diff manifests"), Step("diff manifests --exit-code", .differs), Step("plan manifests --detail full"),
    Step("diff manifests --save other.json"), Step("diff refused.yaml", .refused), Step("diff wrong.yaml", .badInput),
    Step("apply manifests --yes"), Step("apply manifests --dry-run --detail summary"), Step("apply manifests", .usage),
    Step("apply refused.yaml --yes", .refused), Step("apply plan.json --yes"),
    Step("apply plan.json --yes", .stale, before: ["apply manifests --yes", "server update garden --name Otherwise"]),
    Step("show plan.json"), Step("show plan.json --against plan.json"), Step("show manifests/a.yaml", .badInput),
    Step("fmt manifests --check", .badInput), Step("fmt manifests"), Step("why pub"), Step("why pub/bob"),
    Step("why pub/tag:tea"), Step("why nowhere", .refused), Step("export pub", .done, .text),
    Step("export", .done, .text), Step("export --table users", .done, .table),
    Step("export --table tags", .done, .table), Step("export --table members pub", .done, .table),
  ]

  private static let tables: [Step] = [
    Step("import users users.csv"), Step("import users users.csv --dry-run"),
    Step("import users users.csv --to-manifest new.yaml"), Step("import users bad.csv", .badInput),
    Step("import users bad.csv --on-error skip", .badInput), Step("import users users.csv --mode insert", .refused),
    Step("import tags tags.csv"), Step("import tags tags.csv --dry-run"), Step("import tags bad.csv", .badInput),
    Step("import members members.csv"), Step("import members members.csv --dry-run"),
    Step("import members members.csv --state none.db", .refused),
  ]

  private static let events: [Step] = [
    Step("events list", .done, .events), Step("events list --expand-audience --limit 3", .done, .events),
    Step("events list --recipient nobody", .refused, .events), Step("events verify"),
    Step("events verify --head 0000", .usage), Step("events archive --before 2025-01-05 old.ndjson"),
    Step("events archive --before 2025-01-05 old.ndjson --dry-run"),
    Step("events archive --before 2024-01-05 old.ndjson"),
    Step("events archive --before 2025-01-05 plan.json", .refused),
    Step(
      "events list --archive old.ndjson", .done, .events, before: ["events archive --before 2025-01-05 old.ndjson"]),
    Step("events list --since 0", .refused, .events, before: ["events archive --before 2025-01-05 old.ndjson"]),
  ]

  private static let servers: [Step] = [
    Step("server create New --owner dave"), Step("server create New --owner dave --handle pub", .refused),
    Step("server update pub --desc x"), Step("server rename pub bar"), Step("server get priv"),
    Step("server get nowhere", .refused), Step("server list"), Step("server list --limit 1"),
    Step("server list --as bob"), Step("server search The"), Step("server release pub"),
    Step("server destroy pub --yes"), Step("server destroy pub", .usage),
    Step("server destroy pub --yes --as bob", .refused),
    Step("tag add pub 茶"), Step("tag add pub x --as carol", .refused), Step("tag remove pub tea"), Step("tag list pub"),
    Step("moderator add pub carol"), Step("moderator add pub dave", .refused), Step("moderator remove pub bob"),
    Step("moderator list pub"), Step("moderator list --all"), Step("member join pub dave"),
    Step("member join pub bob", .refused), Step("member leave pub bob"), Step("member leave pub alice", .refused),
    Step("member remove pub bob carol"), Step("member remove pub dave", .refused), Step("member check pub bob"),
    Step("member role pub bob"), Step("member list pub"), Step("member list pub --cursor x", .usage),
    Step("invitation send pub erin"), Step("invitation send pub bob", .refused),
    Step("invitation accept pub frank --inviter alice"), Step("invitation accept pub erin --inviter alice", .refused),
    Step("invitation decline pub frank --inviter alice"), Step("invitation decline pub erin --inviter alice", .refused),
    Step("invitation withdraw pub frank"), Step("invitation withdraw pub erin", .refused), Step("invitation list"),
  ]

  private static let people: [Step] = [
    Step("user register zoe"), Step("user register bob", .refused), Step("user register @", .usage),
    Step("user update bob --set nickName=Bob --set 99=x"), Step("user update bob --set 99=x", .usage),
    Step("user devices bob pad"), Step("user devices nobody pad", .refused), Step("user offboard bob --yes"),
    Step("user offboard bob --dry-run"), Step("user offboard bob", .usage), Step("user get bob alice"),
    Step("user get nobody", .refused), Step("user fetch bob"), Step("user fetch nobody", .refused),
    Step("user fetch bob nobody"), Step("user list"), Step("user list --limit 2"), Step("user memberships bob"),
    Step("user memberships nobody", .refused),
  ]

  private static let states: [Step] = [
    Step("state init --state new.db"), Step("state init", .refused), Step("state info"),
    Step("state info --state notes.txt", .failed), Step("state verify"), Step("state history"),
    Step("state undo --yes"), Step("state undo --dry-run"), Step("state undo", .usage),
    Step("state undo 99 --yes", .refused), Step("state set-limit created 7"), Step("state set-limit joined x", .usage),
    Step("state unlock"), Step("state dump", .done, .text), Step("state dump new.ndjson"),
    Step("state restore dump.ndjson --state new.db"), Step("state restore names.csv --state new.db", .badInput),
    Step("state copy circle.db new.db"), Step("state copy circle.db circle.db", .refused),
  ]

  /// The files that the steps find, by name.
  private static let files = Result { () throws -> [String: [UInt8]] in
    let circle = try TestCircle()
    let run = circle.run
    let texts = [
      "manifests/a.yaml":
        "version: 1\nservers:\n  garden:\n    owner: alice\n    name: '花园 🌱 Garden'\n    tags: [茶, tea]\n"
        + "    moderators: [bob]\n    members: [carol, \"dave\"]\n",
      "wrong.yaml": "version: 1\nservers:\n  中文😀: {nmae: x}\n",
      "refused.yaml": "version: 1\nservers:\n  pub: {owner: dave, members: [erin]}\n",
      "users.csv": "userId,nickName\nbob,鲍勃\nzoe,Zoë 👩‍👩‍👧‍👦\n",
      "bad.csv": "userId,server,tag,email\nbob,pub,x,b@example.org\n李雷,,,\"no\nmail\"\n",
      "tags.csv": "server,tag\npub,咖啡\npriv,tea\n",
      "members.csv": "server,user,role\npub,dave,\npriv,carol,moderator\n",
      "names.csv": "userId,nickName\nbob,小鲍 🧑🏽‍🚀\ncarol,卡罗尔卡罗尔卡罗尔卡罗尔卡罗尔卡罗尔\n", "notes.txt": "no state\n",
    ]
    for (name, text) in texts { try run.folder.write(text, to: name) }
    for words in [
      ["user", "update", "bob", "--set", "nickName=鲍勃"],
      ["user", "update", "carol", "--set", "nickName=👩‍👩‍👧‍👦 Carol of the Long Name, 卡罗尔"],
      ["server", "update", "priv", "--name", "私人社区 🔒 with a name that is longer"],
      ["diff", "manifests", "--save", "plan.json"], ["state", "dump", "dump.ndjson"],
    ] {
      let ending = try run.run(words)
      if ending.status != 0 { throw TemporaryFolder.Failure(description: "\(words): \(ending.errors)") }
    }
    return try Dictionary(
      uniqueKeysWithValues: (texts.keys + ["circle.db", "plan.json", "dump.ndjson"]).map {
        ($0, try run.folder.bytes($0))
      })
  }

  /// Some days after what is in the state.
  static let now: Int64 = 1_736_600_000_000

  /// A folder in which the step can be run, once, with its own home.
  static func run(for step: Step) throws -> TestRun {
    let run = try TestRun()
    run.time = now
    run.environment = ["HOME": run.folder.path("home")]
    for (name, bytes) in try files.get() { try run.folder.write(bytes, to: name) }
    for line in step.before {
      let ending = try run(line)
      if ending.status != 0 { throw TemporaryFolder.Failure(description: "\(line): \(ending.errors)") }
    }
    return run
  }

  /// The commands that do something, hidden ones too, as their words.
  static var commands: Set<[String]> {
    func leaves(_ spec: CommandSpec<Action>, _ path: [String]) -> [[String]] {
      spec.subcommands.isEmpty ? [path] : spec.subcommands.flatMap { leaves($0, path + [$0.name]) }
    }
    return Set(leaves(commandTree.root.spec, [])).subtracting([["help"]])
  }
}
