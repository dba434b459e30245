import CircleKit
import CircleModel
import DelimitedText
import Diagnostics
import JSONText

/// The users of a file: CSV with a line of names, a JSON array, or NDJSON.
struct UserTable {
  enum Format: String, CaseIterable {
    case csv, json, ndjson

    /// By the end of the path; nil for all others.
    init?(path: String) {
      let path = path.utf8.map(FoldedID.lowered)
      guard let format = Self.allCases.first(where: { path.reversed().starts(with: ".\($0.rawValue)".utf8.reversed()) })
      else { return nil }
      self = format
    }
  }

  private(set) var users: [UserKey: CircleKit.User] = [:]
  private(set) var diagnostics = DiagnosticCollector(limit: 10)
  private let file: FileIndex
  private let wanted: Set<UserKey>?

  /// Reads the users; after the first error nothing more is read.
  ///
  /// - Parameter wanted: those who matter, nil for all. The others are only looked at as far as it takes to tell: of a
  ///   million records that is a quarter of the time, and nobody is told of doubts about users he didn't ask for.
  init(_ bytes: [UInt8], as format: Format, file: FileIndex, wanted: Set<UserKey>? = nil) {
    self.file = file
    self.wanted = wanted
    switch format {
    case .csv: readDelimited(bytes)
    case .json: readList(bytes)
    case .ndjson: readLines(bytes)
    }
  }

  private func isWanted(_ userID: String?) -> Bool {
    guard let wanted else { return true }
    return userID.map { wanted.contains(UserKey($0)) } ?? false
  }

  private mutating func take(_ value: JSONNode, at place: Place) {
    if isWanted(value["userId"]?.string) { take(UserRecord(value, at: place), at: place) }
  }

  private mutating func take(_ record: UserRecord, at place: Place) {
    diagnostics.append(contentsOf: record.warnings)
    guard let user = record.user else { return }
    let key = UserKey(user.userId)
    if users[key] == nil {
      users[key] = user
    } else {
      let sentence = "the user '\(user.userId)' stands above already; this record is passed over"
      diagnostics.append(ProviderFault.repeatedUser.warning(sentence, at: place))
    }
  }

  // MARK: JSON

  private mutating func readLines(_ bytes: [UInt8]) {
    var reader = JSONLineReader(bytes)
    do throws(JSONFault) {
      while try reader.next() == .value {
        let place = Place(file: file, line: reader.line, column: 1)
        if let value = reader.value { take(value, at: place) }
      }
    } catch {
      diagnostics.append(error.diagnostic(in: file))
    }
  }

  private mutating func readList(_ bytes: [UInt8]) {
    var reader = JSONListReader(bytes)
    do throws(JSONFault) {
      while try reader.next() {
        let place = Place(file: file, line: reader.line, column: reader.column)
        if let value = reader.value { take(value, at: place) }
      }
    } catch {
      diagnostics.append(error.diagnostic(in: file))
    }
  }

  // MARK: CSV

  private mutating func readDelimited(_ bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      let place = Place(file: file, line: 1, column: 1)
      return diagnostics.append(ProviderFault.syntax.error("the file is UTF-16; it has to be UTF-8", at: place))
    }
    var reader = DelimitedReader(bytes)
    var columns: [Column]?
    do throws(DelimitedFault) {
      while try reader.next() == .record {
        if reader.isBlank { continue }
        if let columns {
          takeRow(reader, columns)
        } else {
          guard let found = takeHeader(reader) else { return }
          columns = found
        }
      }
    } catch {
      let place = Place(file: file, line: error.line, column: error.column)
      diagnostics.append(ProviderFault.syntax.error(error.sentence, at: place))
    }
  }

  private enum Column { case userID, field(UserField), other }

  /// What the columns are; nil when none of them holds the user ids.
  private mutating func takeHeader(_ reader: borrowing DelimitedReader) -> [Column]? {
    var columns: [Column] = []
    var seen: Set<String> = []
    for index in reader.fields.indices {
      let name = reader.text(of: index)
      let place = place(of: index, reader)
      guard seen.insert(name).inserted else {
        diagnostics.append(ProviderFault.syntax.error("two columns are named '\(name)'", at: place))
        return nil
      }
      if name == "userId" {
        columns.append(.userID)
      } else if let field = UserField(word: name) {
        columns.append(.field(field))
      } else {
        columns.append(.other)
        let words = ["userId"] + UserField.allCases.map(\.word)
        diagnostics.append(
          ProviderFault.unknownColumn.warning(
            "the column '\(name)' is no field of a user and is passed over", at: place,
            help: nearestName(to: name, among: words).map { "did you mean '\($0)'?" }))
      }
    }
    let hasID = columns.contains { if case .userID = $0 { true } else { false } }
    if hasID { return columns }
    diagnostics.append(
      ProviderFault.missingUserID.error(
        "none of the columns is named 'userId'", at: Place(file: file, line: 1, column: 1),
        help: "the first line names the columns, such as userId,nickName,avatarUrl"))
    return nil
  }

  private mutating func takeRow(_ reader: borrowing DelimitedReader, _ columns: [Column]) {
    if wanted != nil {
      let column = columns.firstIndex { if case .userID = $0 { true } else { false } } ?? 0
      guard column < reader.fields.count, isWanted(reader.text(of: column)) else { return }
    }
    let place = place(of: 0, reader)
    var record = UserRecord(at: place)
    for (index, column) in columns.enumerated() where index < reader.fields.count {
      switch column {
      case .other: break
      case .userID: record.set(nil, to: reader.text(of: index), at: self.place(of: index, reader))
      case .field(let field): record.set(field, to: reader.text(of: index), at: self.place(of: index, reader))
      }
    }
    record.finish()
    take(record, at: place)
  }

  private func place(of field: Int, _ reader: borrowing DelimitedReader) -> Place {
    let place = reader.place(of: field)
    return Place(file: file, line: place.line, column: place.column)
  }
}

extension JSONFault {
  func diagnostic(in file: FileIndex) -> Diagnostic {
    ProviderFault.syntax.error(sentence, at: Place(file: file, line: line, column: column))
  }
}

extension DelimitedFault {
  fileprivate var sentence: String {
    switch kind {
    case .unterminatedQuote: "the quotation mark that begins this text is never closed"
    case .textAfterQuote: "text after a closing quotation mark"
    case .nulByte: "a NUL character can't stand here"
    case .invalidUTF8: "the text is not valid UTF-8 from here"
    case .recordTooLong: "the line is longer than 1 MiB"
    }
  }
}
