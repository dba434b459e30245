import CirclePlan
import CommandTree

/// `circlectl schema plan`: the JSON Schema of saved plans.
enum SchemaPlan {
  static let spec = CommandSpec<Action>(
    "plan", "Write the JSON Schema of saved plans.",
    discussion: "What 'circlectl diff --save' writes keeps this schema (draft 2020-12).",
    examples: [Example("circlectl schema plan > plan.schema.json", "Keeps it in a file.")],
    refuses: OptionSpec.acting,
    action: Action(heedsProject: false) { (run) throws(Failure) in
      try run.deliver(schema: SavedPlan.schema)
    })
}
