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

  /// Finds the column in the first record; false when there are columns and none of users among them.
  private mutating func takeHeader(_ reader: borrowing DelimitedReader, _ draft: inout ManifestDraft) -> Bool {
    for index in reader.fields.indices {
      let isUsers = reader.withBytes(of: index) { bytes in
        let name = Self.trimmed(bytes)
        return name.elementsEqual("user".utf8) || name.elementsEqual("userId".utf8)
      }
      if isUsers {
        column = index
        isHeader = true
        return true
      }
    }
    if reader.fields.count == 1 {
      column = -1
      return true
    }
    draft.report(
      .fromFile, "none of the columns is named 'user' or 'userId'", at: place(of: reader.fields[0]))
    return false
  }

  private mutating func takeLine(_ reader: borrowing DelimitedReader, _ draft: inout ManifestDraft) {
    let place = place(of: reader.fields[0])
    reader.withBytes(of: 0) { bytes in
      var text = bytes[...]
      // A comment may follow the id after a blank.
      if let mark = text.firstIndex(of: UInt8(ascii: "#")), mark > 0, text[mark - 1] == 0x20 || text[mark - 1] == 0x09 {
        text = text[..<mark]
      }
      take(Self.trimmed(UnsafeRawBufferPointer(rebasing: text)), at: place, &draft)
    }
    if reader.fields.count > 1 {
      draft.report(
        .fromFile, "a comma in a file that lists one user a line", at: self.place(of: reader.fields[1]),
        help: "a file with columns begins with a line that names them, one of them 'user' or 'userId'")
    }
  }

  private mutating func takeRecord(_ reader: borrowing DelimitedReader, _ draft: inout ManifestDraft) {
    guard !isHeader, let column else { return }
    guard column < reader.fields.count else {
      return draft.report(
        .fromFile, "the line has no column \(column + 1), the one of the users", at: place(of: reader.fields[0]))
    }
    let place = place(of: reader.fields[column])
    reader.withBytes(of: column) { take(Self.trimmed($0), at: place, &draft) }
  }

  private mutating func take(_ text: UnsafeBufferPointer<UInt8>, at place: Place, _ draft: inout ManifestDraft) {
    if ManifestDecoder.isUserID(text) {
      users.append(Listed(draft.intern(text), at: place))
      return
    }
    let violation = TextRule.userID.check(text)
    let id = excerpt(String(decoding: text.prefix(200), as: UTF8.self))
    draft.report(.invalidUser, "'\(id)' is no user id: \(violation?.reason ?? "it breaks the rule")", at: place)
  }

  private func place(of field: DelimitedField) -> Place {
    Place(file: file, line: field.line, column: field.column)
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
