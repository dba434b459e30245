import CircleKit
import CircleState
import CircleStatePostgres
import CircleStateSQLite
import CircleTables
import Digest
import Glibc
import JSONText
import YAMLEvents

extension Checkup {
  /// The program's own version, and the libraries that it uses.
  mutating func libraries(for place: StatePlace) {
    ok(.libraries, "circlectl", ProgramVersion.number)
    if let version = Self.glibcVersion { ok(.libraries, "glibc", version) }
    ok(.libraries, "libyaml", YAMLLibrary.version)
    ok(.libraries, "jansson", JSONLibrary.version)
    ok(.libraries, "zlib", InputLibraries.zlibVersion)
    sqlite()
    nettle()
    iconv()
    if case .server = place { libpq() }
  }

  /// Nil on another C library. Swift does not see the header that declares the function.
  private static var glibcVersion: String? {
    guard let symbol = dlsym(nil, "gnu_get_libc_version") else { return nil }
    let version = unsafeBitCast(symbol, to: (@convention(c) () -> UnsafePointer<CChar>?).self)
    return version().map { String(cString: $0) }
  }

  private mutating func sqlite() {
    guard SQLiteLibrary.isRecentEnough else {
      return fail(
        .libraries, "SQLite", "\(SQLiteLibrary.version) is too old: states need \(SQLiteLibrary.earliest)",
        next: ["Install a later version of it (on Debian the package libsqlite3-0)."])
    }
    ok(.libraries, "SQLite", SQLiteLibrary.version)
  }

  private mutating func nettle() {
    guard DigestLibrary.isRight else {
      return fail(
        .libraries, "nettle", "\(DigestLibrary.version) computes wrong hashes",
        next: ["Install it anew (on Debian the package libnettle8)."])
    }
    ok(.libraries, "nettle", DigestLibrary.version)
  }

  private mutating func iconv() {
    let missing = InputLibraries.encodingsMissing()
    guard missing.isEmpty else {
      return warn(
        .libraries, "iconv", "it does not know \(missing.joined(separator: ", "))",
        "Its modules are missing (gconv, on Debian in libc6, elsewhere in packages such as glibc-gconv-extra); tables in "
          + "UTF-8 and UTF-16 need none.")
    }
    ok(.libraries, "iconv", "knows \(InputLibraries.encodings.joined(separator: ", "))")
  }

  private mutating func libpq() {
    do throws(StateError) {
      ok(.libraries, "libpq", try PostgresRows.libraryVersion())
    } catch {
      fail(.libraries, "libpq", Failure(error, location: "").message ?? "", next: ["Install it, version 10 or later."])
    }
  }
}
