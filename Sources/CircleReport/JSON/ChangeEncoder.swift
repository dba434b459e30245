import CircleModel
import CirclePlan
import Diagnostics
import JSONText

/// Writes the changes of a plan as JSON objects:
///
///     {"kind":"pending","action":"create","object":"member","server":"swift-fans","user":"bob","after":"user",
///      "rule":"manifest","file":"manifests/a.yaml","line":12,"column":9}
///
/// `before` and `after` are what the value is and will be, a role for members and roles; a server or a user that is
/// created has its `values` and `devices`. A key is left out where there is nothing to say: one that is unmanaged has
/// neither `action` nor `rule`. A blocked change has its `intent` and, as `refusal`, the index of what refuses it.
///
/// Of a plan's million changes one is like the one before but for user, line and column, so what stands around those
/// is kept as bytes.
struct ChangeEncoder: ~Copyable {
  private let plan: Plan
  private let outcome: Outcome
  private let names: UserNames
  private let files: SourceFiles
  /// From the beginning to the user, who is not in it.
  private var lead = ByteBuffer()
  private var leadKey = LeadKey()
  /// From the roles to the line, which is not in it.
  private var tail = ByteBuffer()
  private var tailKey = TailKey()

  /// What a lead says.
  private struct LeadKey: Equatable {
    var type = false
    var kind = Change.Kind.pending
    var action = Change.Action.create
    var object = Change.Object.server
    var server = ServerIndex.none
    var refusal: Int32 = -1
  }

  /// What a tail says.
  private struct TailKey: Equatable {
    var before: Role?
    var after: Role?
    /// Nil where nothing is done.
    var rule: Rule?
    /// 0 is none, else the file's index plus one.
    var file: UInt64 = 0
  }

  init(_ section: PlanSection) {
    plan = section.plan
    outcome = section.plan.outcome
    names = section.plan.result.names
    files = section.files
  }

  /// - Parameter type: whether `"type":"change"` comes first, to tell changes from the other lines of a report.
  mutating func append(_ change: Change, type: Bool = false, to buffer: inout ByteBuffer) {
    keepLead(of: change, type)
    // The new owner stands in `after`.
    let hasUser = change.user.position < names.count && change.object != .owner
    guard isPlain(change) else {
      buffer.append(bytes: lead)
      if hasUser { appendUser(of: change, to: &buffer) }
      appendValues(of: change, to: &buffer)
      appendInitialValues(of: change, to: &buffer)
      keepTail(of: change, before: nil, after: nil)
      buffer.append(bytes: tail)
      appendEnd(of: change, to: &buffer)
      return
    }
    keepTail(of: change, before: change.roleBefore, after: change.roleAfter)
    if hasUser, change.kind != .blocked, hasPlace(change), appendLine(change, to: &buffer) { return }
    buffer.append(bytes: lead)
    if hasUser { appendUser(of: change, to: &buffer) }
    buffer.append(bytes: tail)
    appendEnd(of: change, to: &buffer)
  }

  /// Whether roles are the only values that it tells.
  private func isPlain(_ change: Change) -> Bool {
    guard change.text < 0 else { return false }
    switch change.object {
    case .membership, .role, .invitation: return true
    default: return false
    }
  }

  private func hasPlace(_ change: Change) -> Bool {
    change.place.isKnown && Int(change.place.file) < files.count
  }

  /// All of a change that names a user and a line.
  ///
  /// - Returns: false, and nothing is appended, where the user's id needs an escape.
  @inline(__always)
  private func appendLine(_ change: Change, to buffer: inout ByteBuffer) -> Bool {
    var isPlain = true
    names.withSpelling(of: change.user) { id in
      let numbers = 2 * LineCursor.digits
      buffer.append(atMost: lead.count + tail.count + id.count + numbers + 32) { target in
        var cursor = LineCursor(target)
        cursor.put(lead)
        cursor.put(",\"user\":")
        isPlain = cursor.put(plain: id)
        guard isPlain else { return 0 }
        cursor.put(tail)
        cursor.put(decimal: UInt64(truncatingIfNeeded: change.place.line))
        cursor.put(",\"column\":")
        cursor.put(decimal: UInt64(truncatingIfNeeded: change.place.column))
        cursor.put(UInt8(ascii: "}"))
        return cursor.distance(from: target)
      }
    }
    return isPlain
  }

  // MARK: - Parts that are kept

  private mutating func keepLead(of change: Change, _ type: Bool) {
    let key = LeadKey(
      type: type, kind: change.kind, action: change.action, object: change.object, server: change.server,
      refusal: change.refusal)
    guard lead.isEmpty || key != leadKey else { return }
    leadKey = key
    lead.removeAll()
    lead.append(type ? "{\"type\":\"change\",\"kind\":\"" : "{\"kind\":\"")
    lead.append(utf8: change.kind.word)
    // Nothing is done about what is unmanaged.
    if change.kind != .unmanaged {
      lead.append("\",\"action\":\"")
      lead.append(utf8: change.action.word)
    }
    lead.append("\",\"object\":\"")
    lead.append(utf8: change.object.word)
    lead.append(UInt8(ascii: "\""))
    let position = change.server.position
    let handle =
      position < plan.result.servers.count
      ? plan.result.servers[position].handle : plan.refusal(of: change)?.handle
    if let handle { Self.append(",\"server\":", handle.string, to: &lead) }
  }

  private mutating func keepTail(of change: Change, before: Role?, after: Role?) {
    let file = hasPlace(change) ? UInt64(change.place.file) + 1 : 0
    let key = TailKey(
      before: before, after: after, rule: change.kind == .unmanaged ? nil : change.rule, file: file)
    guard tail.isEmpty || key != tailKey else { return }
    tailKey = key
    tail.removeAll()
    if let before { Self.append(",\"before\":", before.word, to: &tail) }
    if let after { Self.append(",\"after\":", after.word, to: &tail) }
    if let rule = key.rule { Self.append(",\"rule\":", rule.word, to: &tail) }
    guard file > 0 else { return }
    Self.append(",\"file\":", files.path(of: change.place.file), to: &tail)
    tail.append(",\"line\":")
  }

  // MARK: - Parts of their own

  private func appendUser(of change: Change, to buffer: inout ByteBuffer) {
    buffer.append(change.object == .server ? ",\"owner\":" : ",\"user\":")
    names.withSpelling(of: change.user) { buffer.append(jsonIdentifier: $0) }
  }

  private func appendValues(of change: Change, to buffer: inout ByteBuffer) {
    if let field = change.serverField?.word ?? change.userField?.word {
      Self.append(",\"field\":", field, to: &buffer)
    }
    if let role = change.roleBefore { Self.append(",\"before\":", role.word, to: &buffer) }
    if let role = change.roleAfter { Self.append(",\"after\":", role.word, to: &buffer) }
    // Of a server the text is the handle, which is told already.
    guard change.object != .server, change.text >= 0 else { return }
    let text = plan.texts[Int(change.text)]
    if let before = text.before { Self.append(",\"before\":", before.string, to: &buffer) }
    if let after = text.after { Self.append(",\"after\":", after.string, to: &buffer) }
  }

  private func appendInitialValues(of change: Change, to buffer: inout ByteBuffer) {
    guard change.action == .create, change.object == .server || change.object == .user else { return }
    let values = InitialValues(change, in: outcome)
    var follows = false
    values.forEach { name, text in
      buffer.append(follows ? ",\"" : ",\"values\":{\"")
      follows = true
      buffer.append(utf8: name)
      buffer.append("\":")
      buffer.append(jsonString: UnsafeRawBufferPointer(text))
    }
    if follows { buffer.append(UInt8(ascii: "}")) }
    if !values.devices.isEmpty {
      buffer.append(",\"devices\":")
      buffer.appendJSONList(values.devices) { $1.append(jsonString: $0.string) }
    }
  }

  private func appendEnd(of change: Change, to buffer: inout ByteBuffer) {
    if hasPlace(change) {
      buffer.append(decimal: change.place.line)
      buffer.append(",\"column\":")
      buffer.append(decimal: change.place.column)
    }
    if change.kind == .blocked {
      buffer.append(",\"intent\":\"")
      buffer.append(utf8: change.intent.word)
      buffer.append("\",\"refusal\":")
      buffer.append(decimal: Int(change.refusal))
    }
    buffer.append(UInt8(ascii: "}"))
  }

  private static func append(_ key: StaticString, _ value: String, to buffer: inout ByteBuffer) {
    buffer.append(key)
    buffer.append(jsonString: value)
  }
}
