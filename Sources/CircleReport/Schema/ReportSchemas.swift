import CircleModel
import CirclePlan
import Diagnostics
import JSONText

/// The published schemas of what the program writes for other programs.
package enum ReportSchemas {
  /// Of the document that `-o json` writes. Its definitions bear the types of NDJSON, whose lines have `type` beside.
  package static var report: String {
    document("A report of circlectl, format \(Report.version)", reportMembers, definitions)
  }

  /// Of an event: a line of `events list -o ndjson`, an element of `events`, the data of a CloudEvent.
  package static var event: String {
    document("An event of circlectl, format \(Report.version)", eventObject(), [("audience", audience)])
  }

  private static func document(
    _ title: String, _ schema: Schema, _ definitions: [(name: String, schema: Schema)]
  ) -> String {
    var writer = JSONWriter(form: .pretty)
    writer.object {
      $0.field("$schema", "https://json-schema.org/draft/2020-12/schema")
      $0.field("title", title)
      schema.write(to: &$0)
      $0.key("$defs")
      $0.object {
        for definition in definitions {
          $0.key(escaping: definition.name)
          $0.object { definition.schema.write(to: &$0) }
        }
      }
    }
    writer.endLine()
    return String(decoding: writer.buffer.bytes, as: UTF8.self)
  }

  private static var reportMembers: Schema {
    .object(
      [
        .required("circlectlReport", .exactly(Report.version), "The version of the format."),
        .required("command", .text), .required("result", .word(ReportResult.allCases.map(\.rawValue))),
        .optional("validation", .reference("validation")), .optional("faults", .list(.reference("fault"))),
        .optional("faultCounts", .reference("faultCounts")),
        .optional("stack", .text), .optional("applied", .flag, "Whether the plan was written."),
        .optional("summary", .reference("summary")), .optional("changes", .list(.reference("change"))),
        .optional(
          "servers", .list(.anyOf([.reference("server"), .reference("row")])),
          "The counts of each server with --detail summary, or a list of servers."),
        .optional(
          "refusals", .list(.anyOf([.reference("refusal"), .reference("row")])), "Of a plan, or of a command."),
        .optional("notes", .list(.reference("note"))),
        .optional(
          "guards", .reference("guards"), "Of a plan: its reason, and what was allowed beyond the guards by default."),
        .optional("run", .reference("run"), "The history entry that was written."),
        .optional("events", .list(.reference("event"))), .optional("runs", .list(.reference("run"))),
        .optional("state", .reference("state")), .optional("verification", .reference("verification")),
        .optional("import", .reference("import")), .optional("lock", .reference("lock")), .optional("version", .text),
        .optional("checks", .list(.reference("check")), "What 'doctor' looked at."),
        .optional("next", .text, "Where a list goes on: the value of --cursor."),
        .optional("messages", .list(.text), "Sentences for people."),
      ], others: .list(.reference("row")))
  }

  private static var definitions: [(name: String, schema: Schema)] {
    ReportDefinitions.all + [
      ("event", eventObject()), ("audience", audience), ("row", row),
    ]
  }

  /// A thing of a list, such as a server or a member.
  private static let row = Schema.map(.anyOf([.text, .number, .flag, .list(.text)]))

  private static let audience = Schema.object([
    .required("rule", .word(AudienceRule.allCases.map { "\($0.word)" })), .required("count", .number),
    .optional("users", .list(.text), "With --expand-audience: sorted, devices as USER/DEVICE."),
  ])

  private static func eventObject() -> Schema {
    func words(_ names: [EventName]) -> [String] { names.map { "\($0.word)" } }
    return .object(
      [
        .required("seq", .number, "From 1, without gaps within a state."), .required("time", .time),
        .required("name", .word(words(EventName.allCases))), .required("serverId", .text),
        .required("handle", .text, "The server's at that moment."), .required("actor", .text),
        .optional("via", .word(["admin"]), "Where an administrator acted in the actor's name."),
        .optional("member", .text), .optional("members", .list(.text)),
        .optional("role", .word(["moderator", "user"])), .optional("initiator", .text),
        .optional("inviter", .text), .optional("invitee", .text), .optional("welcome", .text),
        .optional("serverName", .text), .optional("icon", .text), .optional("attributes", .map(.text)),
        .optional("changed", .list(.word(ServerField.allCases.map(\.word)))),
        .required("audience", .reference("audience")),
      ],
      rules: [
        .init(
          key: "name",
          words: words([
            .onMemberJoinedServer, .onMemberLeftServer, .onServerRoleAssigned, .deviceJoin, .deviceExit, .deviceSetRole,
          ]), required: ["member"]),
        .init(key: "name", words: words([.onServerRoleAssigned]), required: ["role"]),
        .init(key: "name", words: words([.onMemberRemovedFromServer, .deviceRemoveUser]), required: ["members"]),
        .init(key: "name", words: words([.onServerUpdated]), required: ["attributes", "changed"]),
        .init(key: "name", words: words([.onServerDestroyed]), required: ["initiator"]),
        .init(key: "name", words: words([.onReceiveServerInvitation]), required: ["inviter", "invitee"]),
        .init(
          key: "name",
          words: words([
            .onServerInvitationBeAccepted, .onServerInvitationBeDeclined, .deviceInviteBeAccepted,
            .deviceInviteBeDeclined, .deviceInviteUser,
          ]), required: ["invitee"]),
      ])
  }
}
