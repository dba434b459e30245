import Digest
package import JSONText

/// The form of a dump: NDJSON, a line for the whole, then one for each row and each name, then one that ends it.
///
///     {"circlectlDump":1,"format":2,"revision":3,"run":3,"head":"…"}
///     {"table":"users","key":[1],"value":"…","check":"5f0a9c11"}
///     {"names":"handles","name":"swift-fans","number":1,"check":"…"}
///     {"end":true,"lines":1204,"digest":"…"}
///
/// Values are the rows of the format, in base64. `check` is the beginning of the digest of all lines so far, so
/// that a line that is changed, missing, moved or added is found where it stands.
enum DumpForm {
  static let version = 1

  static func check(_ content: StateContent) -> String { String(content.digest.hex.prefix(8)) }

  static func name(of table: StateTable) -> String { "\(table)" }
  static func name(of table: NameTable) -> String { "\(table)" }
}

extension StateStore {
  /// Writes the whole state, log and all, as text that `restore` reads.
  ///
  /// - Parameter drain: takes what has been written so far out of the buffer, now and then and at the end.
  /// - Returns: how far the state had come.
  package func dump(_ drain: (inout ByteBuffer) throws(StateError) -> Void) throws(StateError) -> Head {
    try reading { () throws(StateError) in
      let head = try Head.read(rows)
      var writer = JSONWriter()
      writer.object {
        $0.field("circlectlDump", DumpForm.version)
        $0.field("format", StateFormat.newest)
        $0.field("revision", Int(head.revision))
        $0.field("run", Int(head.run))
        $0.field("head", head.hash.hex)
      }
      writer.endLine()
      var content = StateContent()
      try rows.forEachItem { (item) throws(StateError) in
        try writer.line(item, &content)
        if writer.buffer.count >= ByteBuffer.piece { try drain(&writer.buffer) }
      }
      writer.endLines(of: content)
      try drain(&writer.buffer)
      return head
    }
  }
}

extension JSONWriter {
  /// Writes a line for the next item, which is taken into `content`.
  mutating func line(_ item: StateItem, _ content: inout StateContent) throws(StateError) {
    content.add(item)
    beginObject()
    switch item {
    case .row(let table, let key, let value):
      field("table", DumpForm.name(of: table))
      self.key("key")
      beginArray()
      for part in [key.a, key.b, key.c].prefix(table.arity) { integer(Int(part)) }
      endArray()
      self.key("value")
      var text = ByteBuffer(capacity: value.count * 4 / 3 + 8)
      text.append(UInt8(ascii: "\""))
      Base64.append(value, to: &text)
      text.append(UInt8(ascii: "\""))
      text.withBytes { encoded(UnsafeRawBufferPointer($0)) }
    case .name(let table, let name, let number):
      guard let text = String(validating: name, as: UTF8.self) else {
        throw .damaged("a name of the directory of \(table) is not valid UTF-8")
      }
      field("names", DumpForm.name(of: table))
      field("name", text)
      field("number", Int(number))
    }
    field("check", DumpForm.check(content))
    endObject()
    endLine()
  }

  /// Writes the line that ends a dump or an archive.
  mutating func endLines(of content: StateContent) {
    object {
      $0.field("end", true)
      $0.field("lines", content.count + 2)
      $0.field("digest", content.digest.hex)
    }
    endLine()
  }
}
