import CircleModel
import CirclePlan
import Diagnostics

/// One change in words for people, for formats that show what it was and what it will be side by side.
///
/// What anyone gave stands in it as it is: every format escapes it in its own way.
struct ChangeWords {
  /// What changes, such as `member`, `tag`, or the name of a field.
  let object: String
  /// The user concerned.
  var user: String?
  var before: String?
  var after: String?
  /// `path:line:column`, empty where no file says it.
  let place: String
  /// Why, where the manifest's line does not say it by itself.
  let remarks: [String]

  /// How much of a value is told, in columns, unless all is asked for.
  private static let widestValue = 80

  init(_ change: Change, in section: PlanSection) {
    let plan = section.plan
    var text = plan.text(of: change)
    if change.object == .attribute, let field = change.serverField { text = text?.withDefaults(of: field.word) }
    let widest = section.detail == .full ? nil : Self.widestValue
    func value(_ text: Text?) -> String? { text.map { shortened($0.string, to: widest) } }
    before = value(text?.before)
    after = value(text?.after)
    user = change.user.position < plan.result.names.count ? plan.result.names[change.user] : nil
    switch change.object {
    case .attribute: object = change.serverField?.word ?? "attribute"
    case .userField: object = change.userField?.word ?? "field"
    case .membership, .role:
      object = change.object.word
      before = change.roleBefore?.word
      after = change.roleAfter?.word
    case .server:
      object = user == nil ? "server" : "server, owned by"
      let name = value(Self.name(of: change, in: plan))
      before = change.action == .create ? nil : name
      after = change.action == .delete || change.kind == .unmanaged ? nil : name
    case .owner:
      // The new owner stands in `after`.
      object = "owner"
      user = nil
    default: object = change.object.word
    }
    let line = ChangeLine(section: section)
    place = line.position(of: change.place)
    remarks = line.remarks(on: change)
  }

  /// What the server is called, or else its handle.
  private static func name(of change: Change, in plan: Plan) -> Text? {
    guard change.server.position < plan.result.servers.count else { return plan.refusal(of: change)?.handle }
    let server = plan.result.servers[change.server.position]
    return server.attributes[.name] ?? server.handle
  }
}

extension Change {
  /// `+`, `~` or `-`; `?` for what is left alone.
  var sign: String {
    switch (kind, action) {
    case (.unmanaged, _): "?"
    case (_, .create): "+"
    case (_, .update): "~"
    case (_, .delete): "−"
    }
  }
}

/// A text that someone gave, cut where it is wider.
func shortened(_ text: String, to width: Int?) -> String {
  guard let width, text.utf8.count > width else { return text }
  return truncated(text, to: width)
}
