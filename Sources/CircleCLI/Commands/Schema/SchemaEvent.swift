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

extension CommandRun {
  /// Writes a schema to standard output: it is JSON in any format.
  func deliver(schema: String) throws(Failure) -> ExitStatus {
    if arguments.isGiven("output"), options.output != .text, options.output != .json {
      throw Failure(.usage, "a schema is JSON, not \(options.output.rawValue)", next: ["Leave --output out."])
    }
    try console.write(schema)
    try deliverToFiles(Report(command: command, result: .done))
    return .done
  }
}
