/// The URL of a state on a server: `postgres://…` or `postgresql://…`, as libpq reads it.
package struct ServerURL: Equatable, Sendable {
  /// As it was given; it holds no password.
  package let text: String

  /// Why a URL is not used. It may hold a password, so what is refused must not be repeated.
  package enum Refusal: Error, Equatable, Sendable {
    /// It holds a password, or what could be one.
    case password
    /// libpq would take it apart in another way than it looks.
    case malformed
  }

  /// Whether a location is meant for a server.
  package static func isMeant(by location: String) -> Bool {
    schemes.contains { location.utf8.starts(with: $0.utf8) }
  }

  private static let schemes = ["postgres://", "postgresql://"]
  /// What libpq takes a secret from.
  private static let secrets = ["password", "sslpassword"]

  package init(_ text: String) throws(Refusal) {
    guard let scheme = Self.schemes.first(where: { text.utf8.starts(with: $0.utf8) }), !text.utf8.contains(0) else {
      throw .malformed
    }
    let rest = Array(text.utf8.dropFirst(scheme.utf8.count))
    guard !Self.hasSecretBeforeAt(rest) else { throw .password }
    let question = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.count
    // Where a user holds a question mark, libpq's parameters begin at a later one.
    let parameters = rest[question...].split { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "?") }
    for parameter in parameters {
      let name = Self.decoded(parameter.prefix { $0 != UInt8(ascii: "=") })
      guard !Self.secrets.contains(name) else { throw .password }
    }
    guard Self.portsAreNumbers(rest[..<question]) else { throw .malformed }
    self.text = text
  }

  /// Whether it names a service, whose definition may say more than the URL.
  var namesService: Bool {
    let bytes = Array(text.utf8)
    return ["?service=", "&service="].contains { bytes.position(of: Array($0.utf8)) != nil }
  }

  /// Whether a colon comes before an `@`, wherever that stands except in a parameter's value: a password may hold
  /// characters at which libpq would end it.
  private static func hasSecretBeforeAt(_ rest: [UInt8]) -> Bool {
    // To libpq all up to an `@` before the first slash is a user with his password, parameters or not.
    let user = rest.prefix { $0 != UInt8(ascii: "@") && $0 != UInt8(ascii: "/") }
    if rest[user.endIndex...].first == UInt8(ascii: "@"), user.contains(UInt8(ascii: ":")) { return true }
    var hasColon = false
    var isValue = false
    var isQuery = false
    for byte in rest {
      switch byte {
      case UInt8(ascii: ":"): hasColon = true
      case UInt8(ascii: "?"), UInt8(ascii: "&"):
        isQuery = true
        isValue = false
      case UInt8(ascii: "="): isValue = isQuery
      case UInt8(ascii: "@"): if hasColon, !isValue { return true }
      default: break
      }
    }
    return false
  }

  /// Whether what stands after a host's colon is a number: libpq would quote it in an error.
  private static func portsAreNumbers(_ place: ArraySlice<UInt8>) -> Bool {
    let hosts = place.prefix { $0 != UInt8(ascii: "/") }
    let afterUser = hosts.lastIndex(of: UInt8(ascii: "@")).map { hosts[($0 + 1)...] } ?? hosts
    for host in afterUser.split(separator: UInt8(ascii: ",")) {
      // An address in brackets has colons of its own.
      let end = host.lastIndex(of: UInt8(ascii: "]")) ?? host.startIndex
      guard let colon = host[end...].firstIndex(of: UInt8(ascii: ":")) else { continue }
      guard host[(colon + 1)...].allSatisfy({ 0x30...0x39 ~= $0 }) else { return false }
    }
    return true
  }

  private static func decoded(_ name: ArraySlice<UInt8>) -> String {
    var bytes: [UInt8] = []
    var rest = name
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self).lowercased()
  }
}
