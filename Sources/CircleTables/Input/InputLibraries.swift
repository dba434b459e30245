internal import CZlib

/// The libraries that tables are read with.
package enum InputLibraries {
  /// That of zlib.
  package static var zlibVersion: String { String(cString: CZlib.zlibVersion()) }

  /// Encodings that many tables have.
  package static let encodings = ["GB18030", "BIG5", "CP932", "EUC-KR", "CP1252"]

  /// Those of them that the system's iconv can't read: its modules are files of their own, which may be missing.
  package static func encodingsMissing() -> [String] {
    encodings.filter { TextConverter(from: $0, to: "UTF-8") == nil || TextConverter(from: "UTF-8", to: $0) == nil }
  }
}
