import CircleKit
import CircleModel
import CircleReport
import CommandTree

extension OptionSpec {
  /// What every list takes.
  static let listing: [OptionSpec] = [
    .value("limit", "N", group: "Pages", default: "100", "At most N rows."),
    .value("cursor", "CURSOR", group: "Pages", "Go on where an earlier list ended."),
    .flag("all-pages", group: "Pages", "All rows."),
  ]

  /// - Parameter orders: the first is the default.
  static func sort(_ orders: [Choice]) -> OptionSpec {
    .value("sort", "ORDER", choices: orders, default: orders.first?.value, "By what the rows are sorted.")
  }

  static let reverse = flag("reverse", "The last rows first.")

  /// For what asks before it is done.
  static let yes = flag("yes", short: "y", "Do it without asking.")
}

extension CommandRun {
  /// An argument that the table requires.
  func required(_ name: String) throws(Failure) -> String {
    guard let value = arguments.argument(name) else { throw Failure(.usage, "no \(name) is named") }
    return value
  }

  /// The rows that the command line asks for, in its order.
  ///
  /// - Parameters:
  ///   - list: names the list and what its filters are.
  ///   - key: where a row stands in the order.
  func page<Row>(of rows: some Sequence<Row>, list: String, key: (Row) -> PageKey) throws(Failure) -> Page<Row> {
    let limit = try count("limit", from: 1) ?? 100
    let cursor = arguments.value("cursor")
    let isReversed = arguments.flag("reverse")
    do throws(CircleModel.CircleError) {
      return try Page(
        of: rows, list: Text(isReversed ? list + " reversed" : list), after: cursor,
        limit: arguments.flag("all-pages") ? Int.max : limit, isReversed: isReversed, key: key)
    } catch {
      throw Failure(error, next: [])
    }
  }

  /// Names the list for its cursors: the command, what it is about, and the options that choose its rows.
  func listName(of subjects: String..., filters: [String] = []) -> String {
    var parts = [command] + subjects
    for filter in filters {
      let values = arguments.values(filter)
      if !values.isEmpty { parts += [filter] + values }
    }
    return parts.joined(separator: "\n")
  }

  /// Tells a list; as text also that there is more.
  func deliver(_ list: RecordList, nothing: String) throws(Failure) -> ExitStatus {
    var sections: [ReportSection] = [.records(list)]
    if list.rows.isEmpty { sections.append(.message(nothing)) }
    try deliver(Report(command: command, result: .done, sections: sections))
    if let next = list.next, options.output == .text { note("there is more: --cursor \(next), or --all-pages") }
    return .done
  }
}
