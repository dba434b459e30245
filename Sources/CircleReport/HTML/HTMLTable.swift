import CircleState

/// A table under a heading, its rows handed on as they are made.
struct HTMLTable {
  let title: String
  let headings: [String]

  init(title: String, _ headings: [String]) {
    self.title = title
    self.headings = headings
  }

  func write<Elements: Collection>(
    _ elements: Elements, to sink: inout ByteSink, _ cells: (Elements.Element) -> [HTML]
  ) throws(RenderError) {
    var head: HTML = ""
    for heading in headings { head += "<th scope=\"col\">\(heading)</th>" }
    if headings.contains(where: { !$0.isEmpty }) { head = "<thead><tr>\(head)</tr></thead>" } else { head = "" }
    try sink.put(
      """
      <section>
      <h2>\(title) (\(elements.count))</h2>
      <table class="stack">\(head)<tbody>

      """)
    for element in elements {
      var row: HTML = "<tr>"
      for (heading, cell) in zip(headings, cells(element)) { row += "<td data-label=\"\(heading)\">\(cell)</td>" }
      row += "</tr>\n"
      try sink.put(row)
    }
    try sink.put("</tbody></table>\n</section>\n")
  }
}
