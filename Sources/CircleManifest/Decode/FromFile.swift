import CircleModel
import DelimitedText
import Diagnostics

extension ManifestDraft {
  /// The users that a file names, one a line or in a column `user` or `userId`; arranged. Faults are reported at their
  /// places in that file.
  mutating func readUsers(in bytes: [UInt8], file: FileIndex) -> ContiguousArray<Listed> {
    var reader = FromFileReader(file: file)
    reader.read(bytes, into: &self)
    UserList.arrange(&reader.users) { _, _ in }
    return reader.users
  }
}

/// Reads one file that lists users.
private struct FromFileReader {
  let file: FileIndex
  var users = ContiguousArray<Listed>()
  /// Nil until the first line that is no comment tells, -1 for a file without columns.
  private var column: Int?

  init(file: FileIndex) {
    self.file = file
  }

  mutating func read(_ bytes: [UInt8], into draft: inout ManifestDraft) {
    if isUTF32(bytes) {
      return draft.report(
        .encoding, "the file is UTF-32; lists of users are read as UTF-8", at: Place(file: file, line: 0, column: 0),
        help: "save it as UTF-8")
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return draft.report(
        .encoding, "the file is UTF-16; lists of users are read as UTF-8", at: Place(file: file, line: 1, column: 1))
    }
    var reader = DelimitedReader(bytes)
    while true {
      do throws(DelimitedFault) {
        guard try reader.next() == .record else { return }
      } catch {
        report(error, to: &draft)
        continue
      }
      guard !reader.isBlank, !isComment(reader) else { continue }
      if column == nil, !takeHeader(reader, &draft) { return }
      if column == -1 {
        takeLine(reader, &draft)
      } else {
        takeRecord(reader, &draft)
      }
      isHeader = false
    }
  }

  private var isHeader = false

  /// Whether the record is a line that begins with `#`, blanks apart.
  private func isComment(_ reader: borrowing DelimitedReader) -> Bool {
    !reader.fields[0].isQuoted
      && reader.withBytes(of: 0) { bytes in
        let text = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        return text.first == UInt8(ascii: "#") || (text.isEmpty && reader.fields.count == 1)
      }
  }

  /// Finds the column in the first record; false when there are columns and none of users among them, or several.
  private mutating func takeHeader(_ reader: borrowing DelimitedReader, _ draft: inout ManifestDraft) -> Bool {
    let names = reader.fields.indices.map { reader.withBytes(of: $0) { Self.text(Self.trimmed($0)) } }
    let found = names.indices.filter { ["user", "userid"].contains(names[$0].lowercased()) }
    if found.count > 1 {
      let (first, second) = (names[found[0]], names[found[1]])
      draft.report(
        .fromFile, "the columns '\(first)' and '\(second)' both name users; one of them has to go",
        at: place(of: found[1], reader), end: end(of: second, found[1], reader))
      return false
    }
    if let column = found.first {
      self.column = column
      isHeader = true
      return true
    }
    guard names.count > 1 else {
      column = -1
      warnOfHeader(names[0], reader, &draft)
      return true
    }
    draft.report(
      .fromFile, "none of the columns is named 'user' or 'userId'", at: place(of: 0, reader),
      end: end(of: names[0], 0, reader),
      help: "the first line names the columns, and here these are \(excerpt(names.joined(separator: ", ")))")
    return false
  }

  /// Words that people write above a list of users, and that are hardly ever the id of one.
  private static let headers: Set<String> = [
    "account", "accounts", "email", "id", "ids", "member", "member_id", "memberid", "members", "name", "uid",
    "user-id", "user_id", "username", "users",
  ]

  private func warnOfHeader(
    _ name: String, _ reader: borrowing DelimitedReader, _ draft: inout ManifestDraft
  ) {
    guard Self.headers.contains(name.lowercased()) else { return }
    draft.warn(
      .fromFile, "'\(name)' is read as a user id", at: place(of: 0, reader), end: end(of: name, 0, reader),
      help: "a line above the ids says 'user' or 'userId', or begins with '#'")
  }

  private mutating func takeLine(_ reader: borrowing DelimitedReader, _ draft: inout ManifestDraft) {
    reader.withBytes(of: 0) { bytes in
      var text = bytes[...]
      // A comment may follow the id after a blank.
      if let mark = text.firstIndex(of: UInt8(ascii: "#")), mark > 0, text[mark - 1] == 0x20 || text[mark - 1] == 0x09 {
        text = text[..<mark]
      }
      take(Self.trimmed(UnsafeRawBufferPointer(rebasing: text)), at: 0, reader, &draft)
    }
    if reader.fields.count > 1 {
      draft.report(
        .fromFile, "a comma in a file that lists one user a line", at: self.place(of: 1, reader),
        end: reader.withBytes(of: 1) { end(of: Self.text($0), 1, reader) },
        help: "a file with columns begins with a line that names them, one of them 'user' or 'userId'")
    }
  }

  private mutating func takeRecord(_ reader: borrowing DelimitedReader, _ draft: inout ManifestDraft) {
    guard !isHeader, let column else { return }
    guard column < reader.fields.count else {
      return draft.report(
        .fromFile, "the line has no column \(column + 1), the one of the users", at: place(of: 0, reader))
    }
    reader.withBytes(of: column) { take(Self.trimmed($0), at: column, reader, &draft) }
  }

  private mutating func take(
    _ text: UnsafeBufferPointer<UInt8>, at field: Int, _ reader: borrowing DelimitedReader,
    _ draft: inout ManifestDraft
  ) {
    let place = place(of: field, reader)
    if ManifestDecoder.isUserID(text) {
      users.append(Listed(draft.intern(text), at: place))
      return
    }
    let violation = TextRule.userID.check(text)
    let id = String(decoding: text.prefix(200), as: UTF8.self)
    draft.report(
      .invalidUser, "'\(excerpt(id))' is no user id: \(violation?.reason ?? "it breaks the rule")", at: place,
      end: end(of: id, field, reader))
  }

  private func place(of field: Int, _ reader: borrowing DelimitedReader) -> Place {
    let place = reader.place(of: field)
    return Place(file: file, line: place.line, column: place.column)
  }

  /// The column after a text that begins with a field, its quotes included.
  private func end(of text: String, _ field: Int, _ reader: borrowing DelimitedReader) -> Int {
    reader.place(of: field).column + text.unicodeScalars.count + (reader.fields[field].isQuoted ? 2 : 0)
  }

  private static func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes.prefix(200), as: UTF8.self)
  }

  private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeBufferPointer<UInt8> {
    var text = bytes[...]
    while let first = text.first, first == 0x20 || first == 0x09 { text = text.dropFirst() }
    while let last = text.last, last == 0x20 || last == 0x09 { text = text.dropLast() }
    return UnsafeRawBufferPointer(rebasing: text).bindMemory(to: UInt8.self)
  }

  private func report(_ fault: DelimitedFault, to draft: inout ManifestDraft) {
    let place = Place(file: file, line: fault.line, column: fault.column)
    switch fault.kind {
    case .invalidUTF8: draft.report(.encoding, "the text is not valid UTF-8 from here", at: place)
    case .nulByte: draft.report(.encoding, "a NUL character can't stand in a list of users", at: place)
    case .unterminatedQuote:
      draft.report(.fromFile, "the quotation mark that begins this text is never closed", at: place)
    case .textAfterQuote: draft.report(.fromFile, "text after a closing quotation mark", at: place)
    case .recordTooLong: draft.report(.fromFile, "the line is longer than 1 MiB", at: place)
    }
  }
}
