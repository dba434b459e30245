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
/// A plan may have a million changes of a few kinds, servers and files, so what those give is kept as bytes.
struct ChangeEncoder {
  private let plan: Plan
  private let names: UserNames
  private let files: SourceFiles
  /// By kind, action and object; empty until such a change is met.
  private var heads = [[UInt8]](repeating: [], count: 4 * 4 * 16)
  private var rules = [[UInt8]](repeating: [], count: 256)
  /// By index; empty until the server or the file is met.
  private var servers: [[UInt8]]
  private var places: [[UInt8]]

  init(_ section: PlanSection) {
    plan = section.plan
    names = section.plan.result.names
    files = section.files
    servers = Array(repeating: [], count: plan.result.servers.count)
    places = Array(repeating: [], count: files.count)
  }

  /// - Parameter type: whether `"type":"change"` comes first, to tell changes from the other lines of a report.
  mutating func append(_ change: Change, type: Bool = false, to buffer: inout ByteBuffer) {
    buffer.append(type ? "{\"type\":\"change\",\"kind\":\"" : "{\"kind\":\"")
    appendHead(of: change, to: &buffer)
    appendServer(of: change, to: &buffer)
    appendUser(of: change, to: &buffer)
    appendValues(of: change, to: &buffer)
    appendInitialValues(of: change, to: &buffer)
    appendRule(of: change, to: &buffer)
    append(change.place, to: &buffer)
    if change.kind == .blocked {
      buffer.append(",\"intent\":\"")
      buffer.append(utf8: change.intent.word)
      buffer.append("\",\"refusal\":")
      buffer.append(decimal: Int(change.refusal))
    }
    buffer.append(UInt8(ascii: "}"))
  }

  private mutating func appendHead(of change: Change, to buffer: inout ByteBuffer) {
    let index = Int(change.kind.rawValue) << 6 | Int(change.action.rawValue) << 4 | Int(change.object.rawValue)
    if heads[index].isEmpty {
      // Nothing is done about what is unmanaged.
      let action = change.kind == .unmanaged ? "" : "\",\"action\":\"\(change.action.word)"
      heads[index] = Array("\(change.kind.word)\(action)\",\"object\":\"\(change.object.word)\"".utf8)
    }
    buffer.append(bytes: heads[index])
  }

  private mutating func appendRule(of change: Change, to buffer: inout ByteBuffer) {
    if change.kind == .unmanaged { return }
    let index = Int(change.rule.rawValue)
    if rules[index].isEmpty { rules[index] = Array(",\"rule\":\"\(change.rule.word)\"".utf8) }
    buffer.append(bytes: rules[index])
  }

  private mutating func appendServer(of change: Change, to buffer: inout ByteBuffer) {
    let position = change.server.position
    guard position < servers.count else {
      guard let handle = plan.refusal(of: change)?.handle else { return }
      buffer.append(",\"server\":")
      buffer.append(jsonString: handle.string)
      return
    }
    if servers[position].isEmpty {
      var made = ByteBuffer()
      made.append(",\"server\":")
      made.append(jsonString: plan.result.servers[position].handle.string)
      servers[position] = made.bytes
    }
    buffer.append(bytes: servers[position])
  }

  private func appendUser(of change: Change, to buffer: inout ByteBuffer) {
    // The new owner stands in `after`.
    guard change.user.position < names.count, change.object != .owner else { return }
    buffer.append(change.object == .server ? ",\"owner\":" : ",\"user\":")
    names.withSpelling(of: change.user) { buffer.append(jsonIdentifier: $0) }
  }

  private func appendValues(of change: Change, to buffer: inout ByteBuffer) {
    if let field = change.serverField?.word ?? change.userField?.word {
      buffer.append(",\"field\":\"")
      buffer.append(utf8: field)
      buffer.append(UInt8(ascii: "\""))
    }
    if let role = change.roleBefore { append(",\"before\":", role.word, to: &buffer) }
    if let role = change.roleAfter { append(",\"after\":", role.word, to: &buffer) }
    // Of a server the text is the handle, which is told already.
    guard change.object != .server, let text = plan.text(of: change) else { return }
    if let before = text.before { append(",\"before\":", before.string, to: &buffer) }
    if let after = text.after { append(",\"after\":", after.string, to: &buffer) }
  }

  private func appendInitialValues(of change: Change, to buffer: inout ByteBuffer) {
    guard change.object == .server || change.object == .user else { return }
    let values = InitialValues(change, in: plan)
    if !values.fields.isEmpty {
      buffer.append(",\"values\":")
      var separator = UInt8(ascii: "{")
      for (name, value) in values.fields {
        buffer.append(separator)
        separator = UInt8(ascii: ",")
        buffer.append(jsonString: name)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(jsonString: value.string)
      }
      buffer.append(UInt8(ascii: "}"))
    }
    if !values.devices.isEmpty {
      buffer.append(",\"devices\":")
      buffer.appendJSONList(values.devices) { $1.append(jsonString: $0.string) }
    }
  }

  private func append(_ key: StaticString, _ value: String, to buffer: inout ByteBuffer) {
    buffer.append(key)
    buffer.append(jsonString: value)
  }

  private mutating func append(_ place: Place, to buffer: inout ByteBuffer) {
    guard place.isKnown, Int(place.file) < places.count else { return }
    let file = Int(place.file)
    if places[file].isEmpty {
      var made = ByteBuffer()
      made.append(",\"file\":")
      made.append(jsonString: files.path(of: place.file))
      made.append(",\"line\":")
      places[file] = made.bytes
    }
    buffer.append(bytes: places[file])
    buffer.append(decimal: place.line)
    buffer.append(",\"column\":")
    buffer.append(decimal: place.column)
  }
}
