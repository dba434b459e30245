import CircleModel
import CirclePlan

/// A plan on a page: who gains or loses rights, how big servers become, what changes in each, what is left alone.
struct HTMLPlan {
  private let section: PlanSection
  private let outline: PlanOutline
  private let sizes: [ServerSize]
  private let changeCount: Int

  /// So many changes are told; the rest is counted.
  private static let mostChanges = 20_000
  /// So many changes stand open from the beginning.
  private static let mostOpen = 60
  private static let mostSizes = 20
  private static let mostRights = 500
  private static let mostOpenRights = 12

  init(_ section: PlanSection) {
    // Groups are folded, so a page tells all of a plan in any case.
    var section = section
    section.detail = .full
    self.section = section
    outline = PlanOutline(section.plan)
    sizes = ServerSize.changed(by: section.plan)
    changeCount = section.plan.changes.count - outline.count(.unmanaged)
  }

  private var plan: Plan { section.plan }

  /// The headings below, for links at the top of the page.
  var contents: [(id: String, title: String)] {
    var contents: [(id: String, title: String)] = []
    if plan.isBlocked { contents.append(("findings", "Blocked")) }
    if !rights.isEmpty { contents.append(("rights", "Rights")) }
    if !sizes.isEmpty { contents.append(("sizes", "Members")) }
    if changeCount > 0 { contents.append(("changes", "Changes")) }
    return contents
  }

  func write(to sink: inout ByteSink) throws(RenderError) {
    try writeRights(to: &sink)
    try writeSizes(to: &sink)
    try writeChanges(to: &sink)
    try writeUnmanaged(to: &sink)
    try writeNotes(to: &sink)
  }

  // MARK: - Rights

  private var rights: [Change] {
    plan.changes.filter { $0.kind != .unmanaged && $0.changesRights }
  }

  private func writeRights(to sink: inout ByteSink) throws(RenderError) {
    let rights = rights
    guard !rights.isEmpty else { return }
    try sink.put("<section id=\"rights\">\n<h2>Who gains or loses rights</h2>\n<div class=\"two\">\n")
    for (title, paint, changes) in [
      ("Loses a moderator’s rights", "remove", rights.filter { !$0.gainsRights }),
      ("Gains a moderator’s rights", "add", rights.filter { $0.gainsRights }),
    ] where !changes.isEmpty {
      try sink.put("<div>\n<h3 class=\"\(paint)\">\(title) (\(changes.count))</h3>\n<ul class=\"plain\">\n")
      for (position, change) in changes.prefix(Self.mostRights).enumerated() {
        if position == Self.mostOpenRights {
          let more = changes.count - position
          try sink.put("</ul>\n<details><summary>and \(more) more</summary>\n<ul class=\"plain\">\n")
        }
        try sink.put(item(change))
      }
      let more = changes.count - Self.mostRights
      if more > 0 { try sink.put("<li>and \(more) more</li>\n") }
      try sink.put(changes.count > Self.mostOpenRights ? "</ul></details>\n</div>\n" : "</ul>\n</div>\n")
    }
    try sink.put("</div>\n</section>\n")
  }

  private func item(_ change: Change) -> HTML {
    let words = ChangeWords(change, in: section)
    let blocked: HTML = change.kind == .blocked ? " <span class=\"chip blocked\">blocked</span>" : ""
    return """
      <li><b>\(given: words.user ?? "")</b> in \(given: handle(of: change)): \(words.before ?? "no member") → \
      \(words.after ?? "no member")\(blocked) <span class="place">\(given: words.place)</span></li>

      """
  }

  private func handle(of change: Change) -> String {
    guard change.server.position < plan.result.servers.count else {
      return plan.refusal(of: change)?.handle?.string ?? ""
    }
    return plan.result.handle(of: change.server).string
  }

  // MARK: - Members before and after

  private func writeSizes(to sink: inout ByteSink) throws(RenderError) {
    guard !sizes.isEmpty else { return }
    let shown = sizes.prefix(Self.mostSizes)
    let most = shown.reduce(0) { max($0, $1.before, $1.after) }
    try sink.put(
      """
      <section id="sizes">
      <figure>
      <figcaption><h2>Members of a server before and after</h2>The grey bar is before, the coloured one after; owners \
      included.</figcaption>
      <table class="bars"><thead><tr><th scope="col">Server</th><th scope="col" class="n">Before</th>\
      <th scope="col" class="n">After</th><th scope="col" class="n">Change</th><th class="picture"><span class="sr">Picture</span></th></tr></thead><tbody>

      """)
    for size in shown {
      try sink.put(
        """
        <tr><td>\(given: size.handle.string)</td><td class="n" data-label="before">\(size.before)</td>\
        <td class="n" data-label="after">\(size.after)</td>\
        <td class="n \(size.after > size.before ? "add" : "remove")">\(difference(size))</td>\
        <td class="picture">\(Bars.pair(size.before, size.after, of: most))</td></tr>

        """)
    }
    try sink.put("</tbody></table>\n")
    if sizes.count > shown.count {
      try sink.put("<p class=\"soft\">and \(counted(sizes.count - shown.count, "more server", "more servers"))</p>\n")
    }
    try sink.put("</figure>\n</section>\n")
  }

  private func difference(_ size: ServerSize) -> String {
    let difference = size.after - size.before
    return difference > 0 ? "+\(difference)" : "−\(-difference)"
  }

  // MARK: - Changes

  private func writeChanges(to sink: inout ByteSink) throws(RenderError) {
    guard changeCount > 0 else { return }
    try sink.put(
      """
      <section id="changes">
      <h2>What changes</h2>
      <div class="tools" id="tools" role="search" hidden><label class="sr" for="search">Find changes</label>\
      <input id="search" type="search" placeholder="Find a user, a server, a value … ( / )" autocomplete="off">\
      <label class="sr" for="kind">Which changes</label><select id="kind"><option value="">All changes</option>\
      <option value="create">Created</option><option value="update">Updated</option>\
      <option value="delete">Deleted</option><option value="drift">Drift</option>\
      <option value="blocked">Blocked</option></select>\
      <button type="button" id="open">Open all</button><button type="button" id="close">Close all</button>\
      <span id="found" class="soft" role="status"></span></div>

      """)
    var room = Self.mostChanges
    for group in severeFirst { try write(group: group, room: &room, to: &sink) }
    if changeCount > Self.mostChanges {
      try sink.put("<p>and \(changeCount - Self.mostChanges) more changes; the JSON report has them all</p>\n")
    }
    try sink.put("</section>\n")
  }

  private static let parts: [PlanOutline.Part] = [.blocked, .rights, .removals, .others]

  /// The groups that have changes: those with the most severe ones first, else by handle.
  private var severeFirst: [Int] {
    func rank(_ group: Int) -> Int {
      Self.parts.firstIndex { !outline.changes($0, group: group).isEmpty } ?? Self.parts.count
    }
    let ranked = outline.groups.indices.map { (group: $0, rank: rank($0)) }.filter { $0.rank < Self.parts.count }
    return ranked.sorted { ($0.rank, $0.group) < ($1.rank, $1.group) }.map(\.group)
  }

  private func write(group: Int, room: inout Int, to sink: inout ByteSink) throws(RenderError) {
    guard room > 0 else { return }
    let entry = outline.groups[group]
    let isOpen: HTML = changeCount <= Self.mostOpen ? " open" : ""
    let title: HTML = entry.handle.map { "\(given: $0.string)" } ?? "Users"
    try sink.put(
      """
      <details class="server"\(isOpen)><summary><b>\(title)</b> \(chips(entry.tally))</summary>
      <table class="changes stack"><thead><tr><th scope="col"><span class="sr">Kind</span></th>\
      <th scope="col">What</th><th scope="col">Before</th><th scope="col">After</th><th scope="col">Where</th>\
      <th scope="col">Why</th></tr></thead><tbody>

      """)
    for part in Self.parts {
      for change in outline.changes(part, group: group) where room > 0 {
        room -= 1
        try sink.put(row(change))
      }
    }
    try sink.put("</tbody></table></details>\n")
  }

  private func chips(_ tally: PlanTally) -> HTML {
    var chips: HTML = ""
    for (count, sign, paint, word) in [
      (tally.create, "+", "add", "to create"), (tally.update, "~", "change", "to change"),
      (tally.delete, "−", "remove", "to remove"), (tally.drift, "drift ", "drift", "of them drift"),
      (tally.blocked, "blocked ", "blocked", "blocked"),
    ] where count > 0 {
      chips += "<span class=\"chip \(paint)\" title=\"\(count) \(word)\">\(sign)\(count)</span> "
    }
    return chips
  }

  private func row(_ change: Change) -> HTML {
    let words = ChangeWords(change, in: section)
    let isBlocked = change.kind == .blocked
    let paint = isBlocked ? "blocked" : Self.paint(of: change.action)
    let user: HTML = words.user.map { " <b>\(given: $0)</b>" } ?? ""
    let before: HTML = words.before.map { "\(given: $0)" } ?? ""
    let after: HTML = words.after.map { "\(given: $0)" } ?? ""
    let mark: HTML = isBlocked ? " class=\"is-blocked\"" : ""
    return """
      <tr data-row="\(change.action.word) \(change.kind.word)"\(mark)>\
      <td class="sign \(paint)" aria-label="\(change.action.word)">\(change.sign)</td><td>\(words.object)\(user)\
      \(initialValues(change))</td><td class="was" data-label="before">\(before)</td>\
      <td data-label="after">\(after)</td><td class="place">\(given: words.place)</td><td>\(why(change, words))</td></tr>

      """
  }

  private static func paint(of action: Change.Action) -> String {
    switch action {
    case .create: "add"
    case .update: "change"
    case .delete: "remove"
    }
  }

  private func why(_ change: Change, _ words: ChangeWords) -> HTML {
    let reasons: HTML = "\(words.remarks.joined(separator: ", "))"
    guard change.kind == .blocked, change.refusal >= 0 else { return reasons }
    return "<a href=\"#refusal-\(Int(change.refusal))\">\(reasons)</a>"
  }

  /// What a created server or user begins with.
  private func initialValues(_ change: Change) -> HTML {
    let values = InitialValues(change, in: plan.outcome)
    guard !values.isEmpty else { return "" }
    var list: HTML = ""
    for (name, value) in values.fields { list += "<br><span class=\"soft\">\(name)</span> \(given: value.string)" }
    if !values.devices.isEmpty {
      list += "<br><span class=\"soft\">devices</span> \(given: values.devices.map(\.string).joined(separator: ", "))"
    }
    return list
  }

  // MARK: - Beside the changes

  private func writeUnmanaged(to sink: inout ByteSink) throws(RenderError) {
    let counts = plan.counts
    guard counts.unmanaged + counts.unmanagedUsers + counts.unmanagedMembers > 0 else { return }
    try sink.put("<section>\n<h2>Left alone</h2>\n<ul class=\"plain\">\n")
    if counts.unmanagedUsers > 0 {
      try sink.put("<li>\(counted(counts.unmanagedUsers, "user")) whom no manifest names</li>\n")
    }
    if counts.unmanagedMembers > 0 {
      try sink.put("<li>\(counted(counts.unmanagedMembers, "member")) whom no list names</li>\n")
    }
    var isKept = Set<ServerIndex>()
    for note in plan.notes where note.kind == .notPruned { isKept.insert(note.server) }
    var shown = 0
    for group in outline.groups.indices {
      for change in outline.changes(.unmanaged, group: group) where shown < Self.mostRights {
        shown += 1
        let remark = isKept.contains(change.server) ? "no manifest names it any more; not pruned" : "of no stack"
        try sink.put("<li>server \(given: handle(of: change)) <span class=\"soft\">\(remark)</span></li>\n")
      }
    }
    if counts.unmanaged > shown { try sink.put("<li>and \(counts.unmanaged - shown) more servers</li>\n") }
    try sink.put("</ul>\n</section>\n")
  }

  private func writeNotes(to sink: inout ByteSink) throws(RenderError) {
    let notes = plan.notes.filter { $0.kind != .notPruned }
    guard !notes.isEmpty else { return }
    try sink.put("<section>\n<h2>Notes</h2>\n<ul class=\"plain\">\n")
    let text = PlanText(section: section, style: TextStyle())
    for note in notes.prefix(Self.mostRights) { try sink.put("<li>\(given: text.sentence(note))</li>\n") }
    if notes.count > Self.mostRights { try sink.put("<li>and \(notes.count - Self.mostRights) more</li>\n") }
    try sink.put("</ul>\n</section>\n")
  }
}
