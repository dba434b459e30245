import CircleModel
import CircleState

/// Events on a page: how many of each name and who hears them, then the time line, each moment and server folded.
struct HTMLEvents {
  let section: EventsSection

  /// So many events are told one by one; the rest is counted.
  private static let mostEvents = 10_000
  /// A moment with so few events stands open.
  private static let mostOpen = 3
  private static let slots = 60

  func write(to sink: inout ByteSink) throws(RenderError) {
    var tally = EventTally()
    var first = Int64.max
    var last = Int64.min
    try section.forEach { (event, _, _) throws(OutputError) in
      tally.add(event)
      first = min(first, event.time)
      last = max(last, event.time)
    }
    try sink.put("<section id=\"events\">\n")
    guard tally.total > 0 else { return try sink.put("<h2>Events</h2>\n<p>There are none.</p>\n</section>\n") }
    try writeKinds(tally, to: &sink)
    if first < last { try writeHistogram(first...last, to: &sink) }
    try writeLine(to: &sink)
    let more = tally.total - Self.mostEvents
    if more > 0 { try sink.put("<p>and \(more) more events</p>\n") }
    try sink.put("</section>\n")
  }

  private func writeKinds(_ tally: EventTally, to sink: inout ByteSink) throws(RenderError) {
    let most = tally.rows.reduce(0) { max($0, $1.count) }
    try sink.put(
      """
      <figure>
      <figcaption><h2>Events (\(tally.total))</h2></figcaption>
      <table class="bars"><thead><tr><th scope="col">Event</th><th scope="col" class="n">Number</th>\
      <th scope="col" class="n">Heard by</th><th class="picture"><span class="sr">Picture</span></th></tr></thead><tbody>

      """)
    for row in tally.rows {
      try sink.put(
        """
        <tr><td>\(row.name.word.description)</td><td class="n" data-event="\(row.name.word.description)">\(row.count)</td>\
        <td class="n" data-label="heard by">\(row.name.hearers(row.receivers))</td>\
        <td class="picture">\(Bars.single(row.count, of: most))</td></tr>

        """)
    }
    try sink.put("</tbody></table>\n</figure>\n")
  }

  /// How many events there are from the first to the last moment.
  private func writeHistogram(_ times: ClosedRange<Int64>, to sink: inout ByteSink) throws(RenderError) {
    var counts = [Int](repeating: 0, count: Self.slots)
    let span = times.upperBound - times.lowerBound + 1
    try section.forEach { (event, _, _) throws(OutputError) in
      counts[Int((event.time - times.lowerBound) * Int64(Self.slots) / span)] += 1
    }
    try sink.put(
      """
      <figure><figcaption><h3>When</h3></figcaption>
      \(Bars.row(counts, label: "Events over time, at most \(counts.max() ?? 0) in a slot"))
      <div class="ends"><span>\(Self.shown(times.lowerBound))</span><span>\(Self.shown(times.upperBound))</span></div>
      </figure>

      """)
  }

  // MARK: - The time line

  /// The events of one moment in one server.
  private struct Moment {
    var time: Int64
    var handle: String
    var tally = EventTally()
    var rows: HTML = ""
  }

  private func writeLine(to sink: inout ByteSink) throws(RenderError) {
    try sink.put("<h3>Time line</h3>\n<ol class=\"timeline\">\n")
    var moments = [Moment]()
    var shown: Int64?
    var room = Self.mostEvents
    var failure: RenderError?
    try section.forEach { (event, names, users) throws(OutputError) in
      guard room > 0, failure == nil else { return }
      room -= 1
      let words = EventWords(event, names)
      if moments.last?.time != event.time || moments.last?.handle.utf8.elementsEqual(words.handle.utf8) != true {
        if moments.count == 64 {
          do throws(RenderError) { try Self.write(&moments, after: &shown, to: &sink) } catch { failure = error }
        }
        moments.append(Moment(time: event.time, handle: words.handle))
      }
      moments[moments.count - 1].tally.add(event)
      moments[moments.count - 1].rows += Self.row(event, words, users)
    }
    if let failure { throw failure }
    try Self.write(&moments, after: &shown, to: &sink)
    try sink.put("</li>\n</ol>\n")
  }

  /// - Parameter time: the one shown last, which stands over all servers of its moment.
  private static func write(
    _ moments: inout [Moment], after time: inout Int64?, to sink: inout ByteSink
  ) throws(RenderError) {
    for moment in moments {
      if moment.time != time {
        let end: HTML = time == nil ? "" : "</li>\n"
        try sink.put("\(end)<li><time datetime=\"\(UTCTime.text(moment.time))\">\(shown(moment.time))</time>\n")
        time = moment.time
      }
      var chips: HTML = ""
      for row in moment.tally.rows {
        let count = row.count > 1 ? " ×\(row.count)" : ""
        chips += "<span class=\"chip\">\(row.name.word.description)\(count)</span> "
      }
      let isOpen: HTML = moment.tally.total <= mostOpen ? " open" : ""
      try sink.put(
        """
        <details\(isOpen)><summary><b>\(given: moment.handle)</b> \(chips)</summary>
        <table class="stack"><thead><tr><th scope="col" class="n">Number</th><th scope="col">Event</th>\
        <th scope="col">About</th><th scope="col">By</th><th scope="col">Audience</th></tr></thead><tbody>
        \(moment.rows)</tbody></table></details>

        """)
    }
    moments.removeAll()
  }

  private static func row(_ event: LoggedEvent, _ words: EventWords, _ users: [String]?) -> HTML {
    var about: HTML = ""
    for (position, subject) in words.subjects.enumerated() { about += "\(position > 0 ? ", " : "")\(given: subject)" }
    if words.more > 0 { about += " and \(words.more) more" }
    if let outcome = words.outcome { about += " → \(outcome)" }
    var audience: HTML =
      "\(event.name.hearers(event.audience)) <span class=\"soft\">\(event.name.audience.title)</span>"
    if let users, !users.isEmpty { audience += ": \(given: users.joined(separator: " "))" }
    return """
      <tr><td class="n" data-label="number">\(Int(event.seq))</td><td>\(words.name)</td>\
      <td data-label="about">\(about)</td><td data-label="by">\(given: words.actor)\(words.isAdministrative ? " (admin)" : "")</td>\
      <td data-label="audience">\(audience)</td></tr>

      """
  }

  /// A time as people read it: date, time of day to the second, and that it is UTC.
  private static func shown(_ milliseconds: Int64) -> String {
    let text = UTCTime.text(milliseconds)
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC"
  }
}

extension AudienceRule {
  /// Who that is.
  fileprivate var title: String {
    switch self {
    case .membersExcept: "all members but the one concerned"
    case .membersExceptOwner: "all members but the owner"
    case .members: "all remaining members"
    case .invitee: "the one invited"
    case .inviter: "the one who invited"
    case .removedAndModerators: "those removed, owner and moderators"
    case .otherDevices: "the actor’s other devices"
    }
  }
}
