package import Diagnostics

/// Which field each column of a table stands for.
///
/// A header names all columns at the beginning; objects name theirs row by row, so that columns are bound as they come.
package struct ColumnBinding {
  package struct Options: Sendable {
    /// Field and column of `--map`, in the order given.
    package var map: [(field: String, column: String)]
    /// Whether a column that stands for no field is an error.
    package var isStrict: Bool

    package init(map: [(field: String, column: String)] = [], isStrict: Bool = false) {
      self.map = map
      self.isStrict = isStrict
    }
  }

  /// What a column stands for.
  package enum Meaning: Equatable, Sendable {
    case field(Int)
    case ignored
    /// It has no name, so nothing may stand in it.
    case nameless
  }

  private let schema: TableSchema
  private let isStrict: Bool
  /// By field, where `--map` names a column.
  private var mapped: [Int: String] = [:]
  package private(set) var meanings: [Meaning] = []
  /// By field, the column that stands for it, or -1.
  package private(set) var columns: [Int]

  /// - Throws: a fault where `--map` names a field that there is not.
  package init(_ schema: TableSchema, _ options: Options) throws(TableStop) {
    self.schema = schema
    isStrict = options.isStrict
    columns = [Int](repeating: -1, count: schema.fields.count)
    for entry in options.map {
      guard let field = schema.field(named: entry.field) else {
        throw .fault(
          TableFault.columns.error(
            "--map names a field '\(entry.field)', which there is not",
            help: "the fields are \(schema.fields.map(\.name).joined(separator: ", "))"))
      }
      mapped[field] = entry.column
    }
  }

  /// Binds the columns that the reader has and that are not bound yet.
  ///
  /// - Parameter warnings: gets a warning for each column that stands for no field.
  package mutating func bind(
    _ reader: TableReader, warnings: (Diagnostic) -> Void
  ) throws(TableStop) {
    let names = reader.columns
    for column in meanings.count..<names.count {
      let place = reader.place(ofColumn: column)
      let meaning = try meaning(of: names[column], at: column, names, place, reader.hasHeader, warnings)
      if case .field(let field) = meaning {
        guard columns[field] < 0 else {
          throw .fault(
            TableFault.columns.error(
              "the columns '\(names[columns[field]])' and '\(names[column])' both stand for '\(schema.fields[field].name)'",
              at: place,
              help: "--map \(schema.fields[field].name)=COLUMN names the one that counts; \(Self.list(names))"))
        }
        columns[field] = column
      }
      meanings.append(meaning)
    }
    if reader.hasHeader { try check(reader) }
  }

  private func meaning(
    of name: String, at column: Int, _ names: [String], _ place: Place, _ hasHeader: Bool,
    _ warnings: (Diagnostic) -> Void
  ) throws(TableStop) -> Meaning {
    if let field = mapped.first(where: { Self.isSame($0.value, name) })?.key { return .field(field) }
    let plain = TableSchema.plain(name)
    if plain.isEmpty { return .nameless }
    // What an errors file has at its end.
    if plain == "error", !hasHeader || column == names.count - 1 { return .ignored }
    if let field = schema.field(named: name) { return mapped[field] == nil ? .field(field) : .ignored }
    let message = "the column '\(name)' stands for no field"
    let help =
      plain == "name"
      ? "a name may be an id or a nickname: --map userId=\(name) or --map nickName=\(name) says which"
      : "--map FIELD=\(name) names its field"
    guard !isStrict else {
      throw .fault(TableFault.unknownColumn.error(message, at: place, help: "\(help); \(Self.list(names))"))
    }
    warnings(TableFault.unknownColumn.warning("\(message) and is not read", at: place, help: help))
    return .ignored
  }

  private static func isSame(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8) || TableSchema.plain(left) == TableSchema.plain(right)
  }

  /// Sees that the key has its columns, and that `--map` names columns that are there.
  /// - Throws: a fault that lists the columns seen.
  package func check(_ reader: TableReader) throws(TableStop) {
    let start = Place(file: reader.file, line: reader.hasHeader ? reader.place(ofColumn: 0).line : 0, column: 0)
    for (field, column) in mapped where columns[field] < 0 {
      throw .fault(
        TableFault.columns.error(
          "--map names a column '\(column)', which there is not", at: start, help: Self.list(reader.columns)))
    }
    for key in Set(schema.fields.compactMap(\.key)).sorted() {
      let fields = schema.fields.indices.filter { schema.fields[$0].key == key }
      if fields.contains(where: { columns[$0] >= 0 }) { continue }
      let words = fields.map { "'\(schema.fields[$0].name)'" }.joined(separator: " or ")
      throw .fault(
        TableFault.columns.error(
          "no column stands for \(words)", at: start,
          help: "\(Self.list(reader.columns)); --map \(schema.fields[fields[0]].name)=COLUMN names one"))
    }
  }

  private static func list(_ columns: [String]) -> String {
    let shown = columns.prefix(30).map { $0.isEmpty ? "(no name)" : "'\($0.prefix(60))'" }.joined(separator: ", ")
    return columns.isEmpty ? "there are no columns" : "the columns are \(shown)\(columns.count > 30 ? ", …" : "")"
  }
}
