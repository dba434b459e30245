import CircleManifest
import CommandTree
import JSONText

/// `circlectl schema manifest`: what editors complete and check manifests with.
enum SchemaManifest {
  static let spec: CommandSpec<Action> = CommandSpec(
    "manifest", "Write the JSON Schema of manifests.",
    discussion: """
      An editor with a YAML language server completes and checks manifests that name the schema in a comment:

        # yaml-language-server: $schema=./manifest.schema.json
      """,
    examples: [Example("circlectl schema manifest > manifest.schema.json", "Writes the schema of manifests.")],
    action: Action(heedsProject: false) { (run) throws(Failure) in
      var writer = JSONWriter(form: .pretty)
      writer.value(ManifestSchema.document)
      writer.endLine()
      return try run.deliver(schema: String(decoding: writer.buffer.bytes, as: UTF8.self))
    })
}
