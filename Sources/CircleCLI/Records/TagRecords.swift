import CircleModel
import CircleReport

/// How commands tell of the tags of a server.
struct TagRecords {
  let server: Server

  func list(_ tags: [Tag], next: String? = nil) -> RecordList {
    RecordList(
      "tag", "tags", [.init("server", nil), .init("name", "tag"), .init("tagId", "id")],
      rows: tags.map { [.text(server.handle.string), .text($0.name.string), .text($0.id.string)] }, next: next)
  }
}
