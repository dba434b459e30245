import CircleModel
import CircleStatePostgres
import Glibc

/// libpq's own reading of a URL, where it is installed.
private struct LibPQ: @unchecked Sendable {
  private typealias Parse =
    @convention(c) (
      UnsafePointer<CChar>, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> UnsafeMutableRawPointer?
  private typealias Release = @convention(c) (UnsafeMutableRawPointer?) -> Void

  private let parse: Parse
  private let release: Release
  private let free: Release

  static let shared: LibPQ? = LibPQ()

  private init?() {
    guard let library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL), let parse = dlsym(library, "PQconninfoParse"),
      let release = dlsym(library, "PQconninfoFree"), let free = dlsym(library, "PQfreemem")
    else { return nil }
    self.parse = unsafeBitCast(parse, to: Parse.self)
    self.release = unsafeBitCast(release, to: Release.self)
    self.free = unsafeBitCast(free, to: Release.self)
  }

  /// The values that the URL gives, by keyword; nil where libpq does not take it.
  func values(of url: String) -> [String: String]? {
    var message: UnsafeMutablePointer<CChar>?
    let options = parse(url, &message)
    defer {
      release(options)
      free(message)
    }
    guard var option = options else { return nil }
    var values: [String: String] = [:]
    // PQconninfoOption: keyword, envvar, compiled, val, label, dispchar, dispsize.
    while let keyword = option.load(as: UnsafePointer<CChar>?.self) {
      let value = option.load(fromByteOffset: 3 * MemoryLayout<Int>.size, as: UnsafePointer<CChar>?.self)
      if let value { values[String(cString: keyword)] = String(cString: value) }
      option += 7 * MemoryLayout<Int>.size
    }
    return values
  }
}

extension FuzzTarget {
  /// URLs of states and of pictures: one that is taken for a state holds no password, as libpq itself reads it; one of a
  /// picture is `^https?://[^\s/]+\S*$`.
  static let url = FuzzTarget(name: "url") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    if let url = try? ServerURL(text) {
      try hold(ServerURL.isMeant(by: text), "it is a state's URL and not meant for a server")
      try holdEqual(Array(url.text.utf8), Array(text.utf8), "the URL has changed")
      let values = LibPQ.shared?.values(of: text) ?? [:]
      for secret in ["password", "sslpassword"] where values[secret]?.isEmpty == false {
        throw Broken(description: "libpq finds a '\(secret)' in \(String(reflecting: text))")
      }
    }
    // A blank text means that there is none.
    guard !text.unicodeScalars.allSatisfy({ $0.properties.isWhitespace }) else { return }
    for field in [UserField.avatarUrl, .thumbAvatarUrl] {
      guard Array(text.utf8).withUnsafeBufferPointer({ TextRule.of(field).check($0) }) == nil else { continue }
      let rest = ["https://", "http://"].first { text.utf8.starts(with: $0.utf8) }.map {
        text.utf8.dropFirst($0.utf8.count)
      }
      try hold(rest?.isEmpty == false && rest?.first != UInt8(ascii: "/"), "it is no URL: \(String(reflecting: text))")
      try hold(
        !text.unicodeScalars.contains { $0.properties.isWhitespace }, "it holds blanks: \(String(reflecting: text))")
      try holdVisible(text)
    }
  }
}
