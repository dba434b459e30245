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
/// created has its `values` and `devices`. A key is left out where there is nothing to say. A blocked change has its `intent` and, as `refusal`, the index of what refuses it.
///
/// A plan may have a million changes of a few servers and files, so what those give is kept as bytes.
struct ChangeEncoder {
  private let plan: Plan
  private let files: SourceFiles
  /// By index; empty until the server or the file is met.
  private var servers: [[UInt8]]
  private var places: [[UInt8]]

  init(_ section: PlanSection) {
    plan = section.plan
    files = section.files
    servers = Array(repeating: [], count: plan.result.servers.count)
    places = Array(repeating: [], count: files.count)
  }

  /// - Parameter type: whether `"type":"change"` comes first, to tell changes from the other lines of a report.
  mutating func append(_ change: Change, type: Bool = false, to buffer: inout ByteBuffer) {
    buffer.append(type ? "{\"type\":\"change\",\"kind\":\"" : "{\"kind\":\"")
    buffer.append(utf8: change.kind.word)
    buffer.append("\",\"action\":\"")
    buffer.append(utf8: change.action.word)
    buffer.append("\",\"object\":\"")
    buffer.append(utf8: change.object.word)
    buffer.append(UInt8(ascii: "\""))
    appendServer(of: change, to: &buffer)
    appendUser(of: change, to: &buffer)
    appendValues(of: change, to: &buffer)
    appendInitialValues(of: change, to: &buffer)
    buffer.append(",\"rule\":\"")
    buffer.append(utf8: change.rule.word)
    buffer.append(UInt8(ascii: "\""))
    append(change.place, to: &buffer)
    if change.kind == .blocked {
      buffer.append(",\"intent\":\"")
      buffer.append(utf8: change.intent.word)
      buffer.append("\",\"refusal\":")
      buffer.append(decimal: Int(change.refusal))
    }
    buffer.append(UInt8(ascii: "}"))
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
    guard change.user.position < plan.result.names.count, change.object != .owner else { return }
    buffer.append(change.object == .server ? ",\"owner\":" : ",\"user\":")
    plan.result.names.withSpelling(of: change.user) { buffer.append(jsonIdentifier: $0) }
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
