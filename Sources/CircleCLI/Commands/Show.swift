import CircleModel
import CirclePlan
import CircleReport
import CommandTree
import Digest

/// `circlectl show`: a saved plan in any format, or what two of them do not have in common.
enum Show {
  static let spec = CommandSpec<Action>(
    "show", "Show a saved plan, or compare two.",
    discussion: """
      Shows what a plan that 'circlectl diff --save' wrote would do, made from its operations themselves. No state is \
      read: 'circlectl apply PLAN --dry-run' tells whether it still fits. With --against only the changes are told \
      that one of the two plans has and the other has not.
      """,
    examples: [
      Example("circlectl show plan.json", "Shows the plan."),
      Example("circlectl show plan.json -o json --detail full", "Shows it to a program, with all values."),
      Example("circlectl show new.json --against plan.json", "Tells what the new plan does otherwise."),
    ],
    arguments: [ArgumentSpec("plan", shown: "PLANFILE", completion: .files, "The saved plan.")],
    options: [
      .value("against", "PLANFILE", completion: .files, "Compare it with this plan."), .planDetail,
    ],
    refuses: OptionSpec.acting, action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    try run.refuseReports(over: [try run.required("plan")] + run.arguments.values("against"), "saved plan")
    let input = try run.readPlan(try run.required("plan"))
    if let other = run.arguments.value("against") { return try compare(input, try run.readPlan(other), run) }
    let plan = input.saved.plan
    try run.deliver(
      Report(
        command: run.command, result: ReportResult(of: plan),
        sections: [
          run.section(plan, of: input.files)
        ] + .guards(input.options) + [.savedPlan(input.saved, path: input.path, digest: input.saved.digest.hex)]))
    return .done
  }

  private static func compare(
    _ first: SavedPlanInput, _ second: SavedPlanInput, _ run: CommandRun
  ) throws(Failure) -> ExitStatus {
    let comparison = PlanComparison(first.saved.plan, second.saved.plan)
    let rows =
      comparison.onlyInFirst.map { row($0, of: first) } + comparison.onlyInSecond.map { row($0, of: second) }
    var sections: [ReportSection] = []
    if !rows.isEmpty { sections.append(.records(RecordList("difference", "differences", columns, rows: rows))) }
    let shared = "\(grouped(comparison.shared, "change")) in both"
    sections.append(
      .message(
        rows.isEmpty
          ? "The two plans change the same: \(shared)."
          : "\(grouped(comparison.onlyInFirst.count)) only in \(first.path), "
            + "\(grouped(comparison.onlyInSecond.count)) only in \(second.path), \(shared)."))
    try run.deliver(
      Report(command: run.command, result: rows.isEmpty ? .unchanged : .different, sections: sections))
    return .done
  }

  private static let columns: [RecordList.Column] = [
    .init("onlyIn", "only in"), .init("action", "action"), .init("object", "object"), .init("server", "server"),
    .init("user", "user"), .init("field", "field"), .init("before", "before", widest: RecordList.anyValue),
    .init("after", "after", widest: RecordList.anyValue),
  ]

  private static func row(_ position: Int, of input: SavedPlanInput) -> [RecordList.Value] {
    let plan = input.saved.plan
    let change = plan.changes[position]
    let text = plan.text(of: change)
    let server = change.server.position < plan.result.servers.count ? plan.result.handle(of: change.server).string : nil
    let user = change.user.position < plan.result.names.count ? plan.result.names[change.user] : nil
    return [
      .text(input.path), .text(change.action.word), .text(change.object.word), .init(server), .init(user),
      .init(change.serverField?.word ?? change.userField?.word),
      .init(change.roleBefore?.word ?? (change.object == .server ? nil : text?.before?.string)),
      .init(change.roleAfter?.word ?? (change.object == .server ? nil : text?.after?.string)),
    ]
  }
}
