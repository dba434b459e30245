import CircleReport
import CommandTree

/// `circlectl schema event`: what an event is, for programs that read them.
enum SchemaEvent {
  static let spec = CommandSpec<Action>(
    "event", "Write the JSON Schema of events.",
    discussion: """
      Of a line of 'events list -o ndjson', which is also an element of a report's events and the data of a CloudEvent.
      """,
    examples: [Example("circlectl schema event > event.schema.json", "Writes the schema to a file.")],
    refuses: OptionSpec.acting,
    action: Action(heedsProject: false) { (run) throws(Failure) in
      try run.deliver(schema: ReportSchemas.event)
    })
}
