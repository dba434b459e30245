package import Diagnostics

/// What can be wrong with a table, each with the code that programs match on.
package enum TableFault: String, CaseIterable, Sendable {
  case unreadable = "table.unreadable"
  case gzip = "table.gzip"
  case encoding = "table.encoding"
  case format = "table.format"
  case syntax = "table.syntax"
  case rowLength = "table.row-length"
  case columns = "table.columns"
  case unknownColumn = "table.unknown-column"
  case value = "table.value"
  case missingKey = "table.missing-key"
  case duplicateRow = "table.duplicate-row"
  case userExists = "table.user-exists"
  case userMissing = "table.user-missing"
  case unknownServer = "table.unknown-server"
  case unknownUser = "table.unknown-user"

  /// What the code means, for the reference.
  var sentence: String {
    switch self {
    case .unreadable: "A file of a table cannot be read, or is empty."
    case .gzip: "A gzip file ends too early or is damaged."
    case .encoding: "Bytes are no text in the encoding of the file, or a NUL character stands in it."
    case .format: "The format of a file can't be told, or it is not what the file holds."
    case .syntax: "A row can't be read: a quotation mark that is never closed, text after one, broken JSON or YAML."
    case .rowLength: "A row has more or fewer cells than the header has columns."
    case .columns: "Two columns stand for one field, or none for the key; or `--map` names what is not there."
    case .unknownColumn: "A column stands for no field; with `--strict` that is an error."
    case .value: "A cell breaks the rule of its field."
    case .missingKey: "A row does not say which user or server it is about."
    case .duplicateRow: "Two rows are about the same user, member or tag; the later one wins, cell by cell."
    case .userExists: "With `--mode insert`, a user is registered already."
    case .userMissing: "With `--mode update`, a user is not registered."
    case .unknownServer: "No server has that handle or id."
    case .unknownUser: "A user is not registered."
    }
  }

  package func error(
    _ message: String, at place: Place = .none, end: Int? = nil, notes: [Diagnostic.Note] = [], help: String? = nil
  ) -> Diagnostic {
    .error(rawValue, message, at: place, end: end, notes: notes, help: help)
  }

  package func warning(
    _ message: String, at place: Place = .none, notes: [Diagnostic.Note] = [], help: String? = nil
  ) -> Diagnostic {
    .warning(rawValue, message, at: place, notes: notes, help: help)
  }
}

/// A code and what it means, for the reference of all diagnostics.
package struct TableDiagnostic: Sendable {
  package let code: String
  package let sentence: String

  /// All that reading a table can report.
  package static let all: [TableDiagnostic] = TableFault.allCases.map {
    TableDiagnostic(code: $0.rawValue, sentence: $0.sentence)
  }
}

/// Why no more of a table can be read.
package enum TableStop: Error, Sendable {
  /// The input is at fault.
  case fault(Diagnostic)
  /// The system is: a sentence about a file of the program's own.
  case failed(String)
  /// A signal came.
  case interrupted(Int32)
}
