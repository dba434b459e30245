import CircleModel
import CirclePlan
import Diagnostics

/// One change as people read it: a sign, what it is about, where it was asked for, what is special about it.
struct ChangeLine {
  let section: PlanSection

  /// Values are cut to this width unless all is asked for.
  private static let widestValue = 40

  private var plan: Plan { section.plan }
  private var widest: Int? { section.detail == .full ? nil : Self.widestValue }

  func cells(_ change: Change) -> [AlignedLines.Cell] {
    let paint = paint(of: change)
    return [
      AlignedLines.Cell("\(sign(of: change)) \(subject(of: change))", paint),
      AlignedLines.Cell(position(of: change.place), .faint),
      AlignedLines.Cell(
        remarks(on: change).joined(separator: ", "),
        change.kind == .drift ? .drift : change.kind == .blocked ? .blocked : nil),
    ]
  }

  /// The same in one line, without its place and colour.
  func sentence(_ change: Change) -> String {
    let subject = "\(sign(of: change)) \(subject(of: change))".drop { $0 == " " }
    let remarks = remarks(on: change)
    return remarks.isEmpty ? String(subject) : "\(subject) (\(remarks.joined(separator: ", ")))"
  }

  /// What a created server or user begins with, a line each; only where all is asked for.
  func initialValues(_ change: Change) -> [String] {
    guard section.detail == .full else { return [] }
    let values = InitialValues(change, in: plan.outcome)
    var lines = values.fields.map { "     \($0.name) \(quoted($0.value, to: nil))" }
    if !values.devices.isEmpty {
      lines.append("     devices \(values.devices.map { quoted($0, to: nil) }.joined(separator: ", "))")
    }
    return lines
  }

  /// `path:line:column`, or nothing where no file says it.
  func position(of place: Place) -> String {
    guard place.isKnown else { return "" }
    return "\(terminalSafe(section.files.path(of: place.file))):\(place.line):\(place.column)"
  }

  /// Whether two changes are of the same kind, so that a long run of them may be cut.
  static func areAlike(_ left: Change, _ right: Change) -> Bool {
    left.object == right.object && left.action == right.action && left.kind == right.kind && left.rule == right.rule
  }

  /// "members", for "and 980 more members".
  static func plural(_ object: Change.Object) -> String {
    switch object {
    case .devices: "device lists"
    default: object.word + "s"
    }
  }

  private func sign(of change: Change) -> String {
    let mark = change.kind == .blocked ? "!" : " "
    switch (change.kind, change.action) {
    case (.unmanaged, _): return " ?"
    case (_, .create): return mark + "+"
    case (_, .update): return mark + "~"
    case (_, .delete): return mark + "-"
    }
  }

  private func paint(of change: Change) -> Paint {
    switch (change.kind, change.action) {
    case (.blocked, _): .blocked
    case (.unmanaged, _): .faint
    case (_, .create): .added
    case (_, .update): .changed
    case (_, .delete): .removed
    }
  }

  private func subject(of change: Change) -> String {
    let text = plan.text(of: change)
    switch change.object {
    case .server: return server(of: change, text)
    case .handle: return "handle \(safe(text?.before)) → \(safe(text?.after))"
    case .owner: return "owner \(safe(text?.before)) → \(safe(text?.after))"
    case .attribute: return values(change.serverField?.word ?? "attribute", text)
    case .tag: return "tag \(quoted(text?.after ?? text?.before, to: widest))"
    case .user: return "user \(user(of: change))"
    case .userField: return "\(user(of: change)): \(values(change.userField?.word ?? "field", text))"
    case .devices: return "\(user(of: change)): \(values("devices", text))"
    case .membership:
      let isModerator = change.roleBefore == .moderator || change.roleAfter == .moderator
      return "member \(user(of: change))\(isModerator ? ", a moderator" : "")"
    case .role:
      return "role of \(user(of: change)): \(change.roleBefore?.word ?? "none") → \(change.roleAfter?.word ?? "none")"
    case .invitation: return "invitation of \(user(of: change))"
    }
  }

  private func server(of change: Change, _ text: ChangeText?) -> String {
    var words = "server"
    if change.kind == .unmanaged { words += " \(safe(text?.before))" }
    if change.server.position < plan.result.servers.count,
      let name = plan.result.servers[change.server.position].attributes[.name]
    {
      words += " \(quoted(name, to: widest))"
    }
    if change.user.position < plan.result.names.count { words += ", owned by \(user(of: change))" }
    return words
  }

  private func values(_ name: String, _ text: ChangeText?) -> String {
    let text = text?.withDefaults(of: name)
    return "\(name) \(quoted(text?.before, to: widest)) → \(quoted(text?.after, to: widest))"
  }

  private func user(of change: Change) -> String {
    change.user.position < plan.result.names.count ? terminalSafe(plan.result.names[change.user]) : "(nobody)"
  }

  private func safe(_ text: Text?) -> String { terminalSafe(text?.string ?? "") }

  /// What is special about it.
  func remarks(on change: Change) -> [String] {
    var remarks: [String] = []
    if change.kind == .blocked, let refusal = plan.refusal(of: change) {
      remarks.append("refused: \(refusal.cause.word)")
    }
    if change.kind == .drift || (change.kind == .blocked && change.intent == .drift) { remarks.append("drift") }
    if let reason = change.rule.remark { remarks.append(reason) }
    return remarks
  }
}

extension ChangeText {
  /// A server's type is never unset: it is public unless something else is kept.
  func withDefaults(of field: String) -> ChangeText {
    guard field == ServerField.type.word else { return self }
    let word = Text(ServerType.public.word)
    return ChangeText(before: before ?? word, after: after ?? word)
  }
}

extension Rule {
  /// Why a change is there, where a manifest line does not say it by itself.
  fileprivate var remark: String? {
    switch self {
    case .command, .manifest: nil
    case .noLongerListed: "no longer listed"
    case .exactMembership: "membership is exact"
    case .absent: "listed as absent"
    case .moderatorsComplete: "not among the moderators"
    case .tagsComplete: "not among the tags"
    case .prune: "pruned"
    case .registerOption: "registered on the way"
    case .renamedFrom: "renamed"
    case .adoption: "adopted"
    }
  }
}
