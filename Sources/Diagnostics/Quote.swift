/// What a fault quotes of its line, where that can't be read again by its number: the line stands in a stream, or is so
/// long that only the part around the fault is kept.
package struct Quote: Equatable, Sendable {
  /// One line or a part of it, with `…` where it goes on.
  package private(set) var text: String
  /// The column meant, in `text`; 0 for none.
  package private(set) var column: Int

  /// How many columns are kept on each side of the one meant: more than are ever shown.
  package static let reach = 200

  /// - Parameters:
  ///   - text: up to `reach` columns before the one meant, and as many from there on.
  ///   - lead: how many columns of the text stand before it.
  ///   - column: the column meant, in the whole line; 0 for none.
  ///   - goesOn: whether more follows.
  package init(_ text: String, lead: Int, column: Int, goesOn: Bool) {
    let isCut = column > lead + 1
    self.text = (isCut ? "…" : "") + text + (goesOn ? "…" : "")
    self.column = column == 0 ? 0 : lead + (isCut ? 2 : 1)
  }

  /// A line of which all is at hand.
  package init(line: String, column: Int) {
    let scalars = line.unicodeScalars
    let lead = min(max(column - 1, 0), Self.reach)
    let begin = scalars.index(scalars.startIndex, offsetBy: max(column - 1 - lead, 0), limitedBy: scalars.endIndex)
    let rest = scalars[(begin ?? scalars.endIndex)...]
    let end = rest.index(rest.startIndex, offsetBy: lead + Self.reach, limitedBy: rest.endIndex) ?? rest.endIndex
    self.init(String(rest[..<end]), lead: lead, column: column, goesOn: end < rest.endIndex)
  }
}

extension SourceFiles {
  /// What there is to quote at a place: what was kept of its line, or else the line, read again.
  package func quote(_ kept: Quote?, at place: Place) -> (text: String, column: Int)? {
    if let kept { return (kept.text, kept.column) }
    guard place.isKnown, place.line > 0 else { return nil }
    return line(place.line, of: place.file).map { ($0, place.column) }
  }
}
