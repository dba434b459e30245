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

  /// - Parameter options: a map of which `TableSchema.problem(ofMap:)` finds nothing wrong.
  package init(_ schema: TableSchema, _ options: Options) {
    self.schema = schema
    isStrict = options.isStrict
    columns = [Int](repeating: -1, count: schema.fields.count)
    for entry in options.map {
      if let field = schema.field(named: entry.field) { mapped[field] = entry.column }
    }
  }

  /// Binds the columns that the reader has and that are not bound yet.
  ///
  /// - Parameter report: gets a warning for each column that stands for no field; where these are errors, all but the
  ///   last one, which is thrown.
  package mutating func bind(
    _ reader: TableReader, report: (Diagnostic) -> Void
  ) throws(TableStop) {
    let names = reader.columns
    var unknown: [Diagnostic] = []
    for column in meanings.count..<names.count {
      let place = reader.place(ofColumn: column)
      let meaning = meaning(of: names[column], at: column, names, reader.hasHeader) {
        unknown.append(isStrict ? error($0, at: place, names) : warning($0, at: place))
      }
      if case .field(let field) = meaning {
        if let other = alternatives(of: field).first(where: { columns[$0] >= 0 }) {
          throw .fault(
            TableFault.columns.error(
              "the columns '\(names[columns[other]])' and '\(names[column])' both stand for '\(schema.fields[field].name)'",
              at: place,
              help: "--map \(schema.fields[field].name)=COLUMN names the one that counts; \(Self.list(names))"))
        }
        columns[field] = column
      }
      meanings.append(meaning)
    }
    if isStrict, let last = unknown.popLast() {
      unknown.forEach(report)
      throw .fault(last)
    }
    unknown.forEach(report)
    if reader.hasHeader { try check(reader, allIsRead: true) }
  }

  /// The field, and those that stand in for it.
  private func alternatives(of field: Int) -> [Int] {
    guard let key = schema.fields[field].key else { return [field] }
    return schema.fields.indices.filter { schema.fields[$0].key == key }
  }

  /// - Parameter unknown: is called for a name of no field.
  private func meaning(
    of name: String, at column: Int, _ names: [String], _ hasHeader: Bool, unknown: (String) -> Void
  ) -> Meaning {
    if let field = mapped.first(where: { TableSchema.isSame($0.value, name) })?.key { return .field(field) }
    let plain = TableSchema.plain(name)
    if plain.isEmpty { return .nameless }
    // What an errors file has at its end.
    if plain == "error", !hasHeader || column == names.count - 1 { return .ignored }
    if let field = schema.field(named: name) {
      return alternatives(of: field).contains { mapped[$0] != nil } ? .ignored : .field(field)
    }
    unknown(name)
    return .ignored
  }

  private func error(_ name: String, at place: Place, _ names: [String]) -> Diagnostic {
    TableFault.unknownColumn.error(
      "the column '\(name)' stands for no field", at: place, help: "\(help(for: name)); \(Self.list(names))")
  }

  private func warning(_ name: String, at place: Place) -> Diagnostic {
    TableFault.unknownColumn.warning(
      "the column '\(name)' stands for no field and is not read", at: place, help: help(for: name))
  }

  private func help(for name: String) -> String {
    let meant = TableSchema.plain(name) == "name" ? ["userId", "nickName"].compactMap { schema.field(named: $0) } : []
    let maps = meant.map { "--map \(schema.fields[$0].name)=\(name)" }
    switch maps.count {
    case 0: return "--map FIELD=\(name) names its field"
    case 1: return "a name may be an id or a nickname: \(maps[0]) says that it is an id"
    default: return "a name may be an id or a nickname: \(maps.joined(separator: " or ")) says which"
    }
  }

  /// Sees that the key has its columns, and that `--map` names columns that are there.
  ///
  /// - Parameter allIsRead: whether no row of its own columns was passed over, which may have had those of the key.
  /// - Throws: a fault that lists the columns seen.
  package func check(_ reader: TableReader, allIsRead: Bool) throws(TableStop) {
    let start = Place(file: reader.file, line: reader.hasHeader ? reader.place(ofColumn: 0).line : 0, column: 0)
    for (field, column) in mapped where columns[field] < 0 {
      throw .fault(
        TableFault.columns.error(
          "--map names a column '\(column)', which there is not", at: start, help: Self.list(reader.columns)))
    }
    guard allIsRead else { return }
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
