import Diagnostics
import JSONText

/// Users for people: each with a line of his own, his fields below it.
struct UserText {
  let users: [UserRow]
  let style: TextStyle

  func write(to buffer: inout ByteBuffer) {
    for (position, user) in users.enumerated() {
      if position > 0 { buffer.append(UInt8(ascii: "\n")) }
      style.append(terminalSafe(user.userID), .heading, to: &buffer)
      buffer.append(UInt8(ascii: "\n"))
      var lines = AlignedLines([.left, .left], indent: 2, style: style)
      for field in user.fields {
        lines.append([.init(field.name, .faint), .init(terminalSafe(field.value))], to: &buffer)
      }
      lines.append([.init("shown by", .faint), .init(source(of: user))], to: &buffer)
      lines.flush(to: &buffer)
    }
  }

  private func source(of user: UserRow) -> String {
    let provider = "provider \(terminalSafe(user.provider ?? ""))"
    let unknown = user.isRegistered ? "" : "; not registered"
    switch user.source {
    case .state: return "the state"
    case .file, .fetch: return provider + unknown
    case .cache: return "\(provider), asked within the hour\(unknown)"
    }
  }
}

/// Providers for people, a line each.
struct ProviderText {
  let providers: [ProviderRow]
  let style: TextStyle

  func write(to buffer: inout ByteBuffer) {
    if providers.isEmpty { return buffer.append("There are no providers.\n") }
    var lines = AlignedLines([.left, .left, .right, .left], style: style)
    for provider in providers {
      let timeout = provider.timeout.map { $0 % 1000 == 0 ? "\($0 / 1000) s" : "\($0) ms" } ?? ""
      lines.append(
        [
          .init(terminalSafe(provider.name), .heading), .init(provider.kind), .init(timeout, .faint),
          .init(terminalSafe(provider.source)),
        ], to: &buffer)
    }
    lines.flush(to: &buffer)
  }
}
