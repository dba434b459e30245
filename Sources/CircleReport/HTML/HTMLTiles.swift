import CirclePlan

/// The numbers of a report, large, under the names that the JSON report has for them.
struct HTMLTiles {
  let summary: ReportSummary

  var html: HTML {
    var tiles: HTML = ""
    if summary.hasPlan {
      let (tally, counts) = (summary.tally, summary.counts)
      tiles += tile("create", "create", "add", tally.create)
      tiles += tile("update", "update", "change", tally.update)
      tiles += tile("delete", "delete", "remove", tally.delete)
      tiles += tile(
        "drift", "drift", "drift", tally.drift, note: "<b data-count=\"pending\">\(counts.pending)</b> pending")
      tiles += tile(
        "unmanaged", "unmanaged", "soft", counts.unmanaged,
        note: """
          and <b data-count="unmanagedUsers">\(counts.unmanagedUsers)</b> users, \
          <b data-count="unmanagedMembers">\(counts.unmanagedMembers)</b> members
          """)
      tiles += tile("blocked", "blocked", "blocked", counts.blocked)
    }
    if summary.errors + summary.warnings > 0 {
      tiles += tile("errors", "errors", "remove", summary.errors)
      tiles += tile("warnings", "warnings", "change", summary.warnings)
    }
    if summary.events > 0 { tiles += tile("events", "events", "", summary.events) }
    return tiles.text.isEmpty ? "" : "<dl class=\"tiles\">\n\(tiles)</dl>\n"
  }

  private func tile(_ key: String, _ name: String, _ paint: String, _ number: Int, note: HTML? = nil) -> HTML {
    let remark: HTML = note.map { "<dd class=\"note\">\($0)</dd>" } ?? ""
    return """
      <div class="tile\(number == 0 ? " zero" : "")"><dt>\(name)</dt>\
      <dd class="number \(paint)" data-count="\(key)">\(number)</dd>\(remark)</div>

      """
  }
}
