import CircleManifest
import CommandTree
import JSONText

/// `circlectl schema`: the JSON Schemas of what circlectl reads and writes.
enum Schema {
  static let spec: CommandSpec<Action> = CommandSpec(
    "schema", "Write the JSON Schema of a format.",
    discussion: """
      An editor with a YAML language server completes and checks manifests that name the schema in a comment:

        # yaml-language-server: $schema=./manifest.schema.json
      """,
    examples: [Example("circlectl schema manifest > manifest.schema.json", "Writes the schema of manifests.")],
    arguments: [ArgumentSpec("format", choices: [Choice("manifest", "Manifests.")], "The format.")],
    refuses: OptionSpec.acting,
    action: Action(heedsProject: false) { (run) throws(Failure) in
      var writer = JSONWriter(form: .pretty)
      writer.value(ManifestSchema.document)
      writer.endLine()
      try writer.buffer.withBytes { (bytes) throws(Failure) in try run.console.write(bytes) }
      return .done
    })
}
