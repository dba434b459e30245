/// Markdown that keeps to its reader's limit: lines of lists and tables go in while there is room, and each list says how
/// many did not.
struct MarkdownPage {
  enum Limit: Sendable {
    /// 65,536 characters: a comment on GitHub.
    case comment
    /// So many bytes: what is left of a step's summary, of which GitHub takes 1 MiB.
    case bytes(Int)
  }

  private(set) var text = ""
  private let limit: Limit
  private var room: Int
  /// Kept for headings and for what tells how many more there are.
  private static let reserve = 8192

  init(_ limit: Limit) {
    self.limit = limit
    switch limit {
    case .comment: room = 65_536 - Self.reserve
    case .bytes(let count): room = count - Self.reserve
    }
  }

  /// Adds a line without asking for room: headings, and what stands in a document once.
  mutating func add(_ line: Markdown) {
    text += line.text
    text += "\n"
    room -= size(of: line.text) + 1
  }

  mutating func paragraph(_ line: Markdown) {
    add("\(line)\n")
  }

  /// A paragraph that may be left out where there is no room.
  mutating func remark(_ line: Markdown) {
    _ = take("\(line)\n")
  }

  /// A box that draws the eye.
  mutating func alert(_ kind: String, _ lines: [Markdown]) {
    add("> [!\(Markdown(markup: kind))]")
    for line in lines { _ = take("> \(line)<br>") }
    add("")
  }

  mutating func list<Elements: Collection>(
    _ elements: Elements, more: Int, _ noun: String, _ line: (Elements.Element) -> Markdown
  ) {
    guard !elements.isEmpty || more > 0 else { return }
    var left = more
    for element in elements where left > more || !take(line(element)) { left += 1 }
    if left > 0 { add("- and \(left) \(noun)") }
    add("")
  }

  /// - Parameter count: how many things a row stands for, where it is not one.
  mutating func table<Elements: Collection>(
    _ headings: [String], _ elements: Elements, _ noun: String, count: (Elements.Element) -> Int = { _ in 1 },
    _ cells: (Elements.Element) -> [Markdown]
  ) {
    guard !elements.isEmpty else { return }
    beginTable(headings)
    var left = 0
    for element in elements where left > 0 || !row(cells(element)) { left += count(element) }
    endTable(more: left, noun)
  }

  mutating func beginTable(_ headings: [String]) {
    add("| \(Markdown(markup: headings.joined(separator: " | "))) |")
    add("| \(Markdown(markup: headings.map { _ in "---" }.joined(separator: " | "))) |")
  }

  /// - Returns: false where there was no room.
  mutating func row(_ cells: [Markdown]) -> Bool {
    take("| \(Markdown(markup: cells.map(\.text).joined(separator: " | "))) |")
  }

  mutating func endTable(more: Int, _ noun: String) {
    add("")
    if more > 0 { paragraph("and \(more) more \(noun)") }
  }

  private mutating func take(_ line: Markdown) -> Bool {
    guard size(of: line.text) < room else { return false }
    add(line)
    return true
  }

  private func size(of text: String) -> Int {
    switch limit {
    case .comment: text.utf16.count
    case .bytes: text.utf8.count
    }
  }
}
