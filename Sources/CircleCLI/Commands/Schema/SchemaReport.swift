import CircleReport
import CommandTree

/// `circlectl schema report`: what `-o json` writes, for programs that read it.
enum SchemaReport {
  static let spec = CommandSpec<Action>(
    "report", "Write the JSON Schema of reports.",
    discussion: """
      Of the document that -o json writes. Its definitions bear the types that the lines of -o ndjson have. Members may \
      be added within a format, so objects are open.
      """,
    examples: [Example("circlectl schema report > report.schema.json", "Writes the schema to a file.")],
    refuses: OptionSpec.acting,
    action: Action(heedsProject: false) { (run) throws(Failure) in
      try run.deliver(schema: ReportSchemas.report)
    })
}
