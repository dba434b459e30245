import CircleKit
import CircleModel
import CircleReport

/// How commands tell of servers.
struct ServerRecords {
  let run: CommandRun
  let snapshot: Snapshot

  /// A line each.
  func list(_ servers: [ServerIndex], next: String? = nil) -> RecordList {
    RecordList("server", "servers", Self.columns(.table), rows: rows(servers), next: next)
  }

  /// With what one user is in each.
  func list(joined: [Query.Joined], next: String? = nil) -> RecordList {
    let rows = zip(rows(joined.map(\.server)), joined).map { row, joined in
      row + [.text(joined.role.word), .time(joined.joinedAt)]
    }
    return RecordList(
      "server", "servers", Self.columns(.table) + [.init("role", "role"), .init("joinedAt", "joined")], rows: rows,
      next: next)
  }

  /// Servers in full.
  func details(_ servers: [ServerIndex]) -> RecordList {
    let rows = zip(rows(servers), servers).map { row, server -> [RecordList.Value] in
      let (attributes, settings) = (snapshot[server].attributes, snapshot[server].settings)
      let texts: [Text?] = [attributes[.icon], attributes[.background], attributes[.desc], attributes[.ext]]
      return row + texts.map { .init($0?.string) } + [
        .init(settings.membership?.word), .init(settings.join?.word), .init(settings.welcome?.string),
        settings.protect.map { .flag($0) } ?? .none,
      ]
    }
    return RecordList(
      "server", "servers",
      Self.columns(.details) + [
        .init("icon", "icon"), .init("background", "background"), .init("desc", "desc"), .init("ext", "ext"),
        .init("membership", "membership"), .init("join", "join"), .init("welcome", "welcome"),
        .init("protect", "protect"),
      ], rows: rows, form: .details)
  }

  /// In NDJSON `type` says what a line is, so the attribute of this name goes by another. A table leaves out what few
  /// ask for.
  private static func columns(_ form: RecordList.Form) -> [RecordList.Column] {
    let isFull = form == .details
    return [
      .init("handle", "handle"), .init("name", "name", widest: RecordList.freeText), .init("serverType", "type"),
      .init("owner", "owner"), .init("ownerNickName", "nickname", widest: RecordList.freeText),
      .init("members", "members"),
      .init("moderators", isFull ? "moderators" : nil), .init("tags", "tags"), .init("stack", "stack"),
      .init("created", isFull ? "created" : nil), .init("serverId", isFull ? "id" : nil),
    ]
  }

  private func rows(_ servers: [ServerIndex]) -> [[RecordList.Value]] {
    let names = run.nicknames(of: servers.map { snapshot[$0].owner }, in: snapshot)
    return zip(servers, names).map { index, ownerName in
      let server = snapshot[index]
      return [
        .text(server.handle.string), .init(server.attributes[.name]?.string), .text(server.type.word),
        .text(snapshot.names[server.owner]), .init(ownerName), .number(server.memberCount),
        .number(server.moderatorCount), .texts(server.tags.map(\.name).sorted().map(\.string)),
        .init(server.stack?.string), .time(server.created), .text(server.id.string),
      ]
    }
  }
}
