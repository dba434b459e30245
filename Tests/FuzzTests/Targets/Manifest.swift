import CircleModel
import Diagnostics
import JSONText
import YAMLEvents

@testable import CircleManifest

/// What reading a manifest from standard input gave.
private struct Reading {
  var state: DesiredState
  var files = SourceFiles()
  var diagnostics = DiagnosticCollector()

  init(_ bytes: [UInt8]) {
    state = ManifestReader.read(
      ["-"], options: .init(standardInput: { .success(bytes) }), files: &files, diagnostics: &diagnostics)
  }

  var printed: String { DiagnosticPrinter(files: files).text(of: diagnostics) }

  /// What it asks for, in words: users by id, lists sorted, no places.
  var meaning: [String] {
    let names = state.names
    func list(_ list: ContiguousArray<Listed>?) -> [String]? { list.map { $0.map { names[$0.user] }.sorted() } }
    func words(_ value: Any?) -> String { value.map { String(reflecting: $0) } ?? "-" }
    let users = state.users.map { user in
      "user \(names[user.user]) \(user.fields.map { "\($0.field.word)=\(words($0.value?.string))" }.sorted())"
        + " \(words(user.devices?.value.map(\.string)))"
    }
    let servers = state.servers.map { server in
      "server \(server.handle) \(server.attributes.map { "\($0.field.word)=\(words($0.value?.string))" }.sorted())"
        + " \(words(server.owner.map { names[$0.value] })) \(words(server.tags?.value.map(\.value.string)))"
        + " \(words(list(server.moderators?.value))) \(words(list(server.members?.value)))"
        + " \(words(list(server.absent))) \(words(server.membership?.value)) \(words(server.join?.value))"
        + " \(words(server.welcome?.value?.string)) \(server.welcome == nil) \(words(server.protect?.value))"
        + " \(server.renamedFrom.map(\.value.string)) \(words(server.serverID?.value.string))"
    }
    return (users + servers).sorted() + ["\(state.groupCount) groups"]
  }

  /// The manifest that an export would write of it; nil where a server has no owner.
  var written: [UInt8]? {
    let (names, ranks) = (state.names, state.names.ranks())
    var writer = ManifestWriter(names: names)
    for user in state.users.sorted(by: { ranks[$0.user.position] < ranks[$1.user.position] }) {
      var profile = UserProfile()
      for field in user.fields { profile[field.field] = field.value }
      writer.writeUser(user.user, profile: profile, devices: user.devices?.value ?? [])
    }
    for server in state.servers.sorted(by: { $0.handle < $1.handle }) {
      guard let owner = server.owner?.value else { return nil }
      var attributes = ServerAttributes()
      for field in server.attributes { attributes[field.field] = field.value }
      let moderators = (server.moderators?.value.map(\.user) ?? []).filter { $0 != owner }
      let members = (server.members?.value.map(\.user) ?? []).filter { $0 != owner && !moderators.contains($0) }
      writer.writeServer(
        handle: server.handle, owner: owner, attributes: attributes, tags: server.tags?.value.map(\.value) ?? [],
        moderators: moderators, members: members,
        settings: ServerSettings(
          membership: server.membership?.value, join: server.join?.value, welcome: server.welcome?.value,
          protect: server.protect?.value))
    }
    return writer.buffer.bytes
  }
}

extension FuzzTarget {
  /// Manifests: what is said of them steers no terminal; `fmt` keeps what they mean, and its form has no other form; what
  /// an export writes is read back as the same.
  static let manifest = FuzzTarget(name: "manifest") { bytes in
    let reading = Reading(bytes)
    try holdVisible(reading.printed, lines: true)
    let formatted: [UInt8]
    do throws(YAMLFault) {
      formatted = try ManifestFormatter.format(bytes)
    } catch {
      return try hold(reading.diagnostics.hasErrors, "it is a manifest and no YAML: \(error)")
    }
    try holdEqual(try? ManifestFormatter.format(formatted), formatted, "the form has a form of its own")
    let again = Reading(formatted)
    try hold(
      again.diagnostics.hasErrors == reading.diagnostics.hasErrors, "the form has other faults: \(again.printed)")
    guard !reading.diagnostics.hasErrors else { return }
    try holdEqual(again.meaning, reading.meaning, "the form means something else")
    guard let written = reading.written, !reading.state.users.isEmpty || !reading.state.servers.isEmpty else { return }
    let back = Reading(written)
    try hold(
      !back.diagnostics.hasErrors,
      "what was written is not read: \(back.printed)\n\(String(decoding: written, as: UTF8.self))")
    try holdEqual(back.written, written, "what was written is read as something else")
  }
}
