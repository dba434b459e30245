import CircleState
import Diagnostics

/// What is wrong or refused: a card each, with the line of the input and the way out.
struct HTMLFindings {
  let findings: Findings
  private static let mostCards = 500
  /// Of a long line so much is shown around the place meant, in code points.
  private static let lead = 60
  private static let widest = 160

  init(_ findings: Findings) {
    self.findings = findings
  }

  func write(to sink: inout ByteSink) throws(RenderError) {
    let count = findings.items.count + findings.failures.count
    guard count > 0 else { return }
    try sink.put("<section id=\"findings\">\n<h2>Wrong or refused</h2>\n")
    for failure in findings.failures.prefix(Self.mostCards) {
      let lines = failure.split(separator: "\n").map(String.init)
      try sink.put(
        "<div class=\"card\"><p><b>\(given: lines.first ?? "")</b></p>\(next(Array(lines.dropFirst())))</div>\n")
    }
    for finding in findings.items.prefix(Self.mostCards) { try sink.put(card(finding)) }
    let more = findings.errors + findings.warnings - min(count, Self.mostCards)
    if more > 0 { try sink.put("<p>and \(more) more</p>\n") }
    try sink.put("</section>\n")
  }

  private func card(_ finding: Finding) -> HTML {
    let anchor: HTML = finding.refusal.map { " id=\"refusal-\($0)\"" } ?? ""
    var card: HTML = """
      <div class="card\(finding.severity == .error ? "" : " warn")"\(anchor)>\
      <p><b>\(given: finding.message)</b> <span class="chip">\(finding.code)</span>
      """
    if finding.blocks > 0 {
      card += " <span class=\"chip blocked\">blocks \(counted(finding.blocks, "change"))</span>"
    }
    card += "</p>"
    if let place = findings.position(of: finding.place) { card += "<span class=\"place\">\(given: place)</span>" }
    card += excerpt(of: finding)
    card += next(finding.next)
    for note in finding.notes {
      let place = findings.position(of: note.place) ?? ""
      card += "<p class=\"soft\">\(given: note.message) <span class=\"place\">\(given: place)</span></p>"
    }
    return "\(card)</div>\n"
  }

  private func next(_ lines: [String]) -> HTML {
    guard !lines.isEmpty else { return "" }
    var list: HTML = ""
    for line in lines { list += "\(line)\n" }
    return "<p class=\"way\">Way out</p><pre>\(list)</pre>"
  }

  private static func endOfWord(in scalars: [Unicode.Scalar], from start: Int) -> Int {
    let word = scalars[start...].prefix { $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "-" }
    return min(start + max(word.count, 1), scalars.count)
  }

  /// The line with what is meant marked; of a long one the part around it.
  private func excerpt(of finding: Finding) -> HTML {
    let place = finding.place
    guard let quote = findings.files.quote(finding.quote, at: place), quote.column > 0 else { return "" }
    let scalars = Array(quote.text.unicodeScalars)
    let start = min(quote.column - 1, scalars.count)
    let end =
      finding.end.map { min(start + max($0 - place.column, 0), scalars.count) }
      ?? Self.endOfWord(in: scalars, from: start)
    let first = start > Self.widest ? start - Self.lead : 0
    let last = min(max(end, first + Self.widest), scalars.count, start + Self.widest)
    func text(_ range: Range<Int>) -> String {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[range])
      return String(text)
    }
    return """
      <pre>\(first > 0 ? "…" : "")\(text(first..<start))<mark>\(text(start..<min(end, last)))</mark>\
      \(text(min(end, last)..<last))\(last < scalars.count ? "…" : "")</pre>
      """
  }
}
