import Glibc
import Testing
import Testkit

@testable import CircleStatePostgres

struct ServerURLTests {
  /// Where tests may not be skipped, a server that can't be started is a fault.
  @Test(.enabled(if: getenv("CIRCLE_REQUIRE_POSTGRES") != nil))
  func `a server can be started`() {
    #expect(PostgresServer.reason == "")
  }

  @Test(arguments: [
    "postgres://", "postgres:///base", "postgresql://me@host/base", "postgres://host:5432/base",
    "postgres://[::1]:5432/", "postgres://me@[::1]:5432/base",
    "postgres://a,b:5433,c/base?target_session_attrs=read-write",
    "postgres:///base?host=/run/x&options=-csearch_path%3Dteam", "postgres://host:5432/base?application_name=a@b",
    "postgres://me%40home@host/base", "postgres:///?service=circle", "postgres://host/base?passfile=/home/me/.pgpass",
  ])
  func `a URL without a password is used`(text: String) throws {
    #expect(ServerURL.isMeant(by: text))
    #expect(try ServerURL(text).text == text)
  }

  @Test(arguments: [
    "postgres://me:secret@host/base", "postgresql://me:secret@host", "postgres://me:@host",
    "postgres://:secret@host", "postgres://me:se/cret@host/base", "postgres://me:se?cret@host/base",
    "postgres://me:se@cret@host/base",
    "postgres://me:se&cret@host", "postgres://host/base?password=secret",
    "postgres://host/base?user=me&password=secret",
    "postgres://host/base?pass%77ord=secret", "postgres://host/base?PASSWORD=secret",
    "postgres://host?sslpassword=secret",
    "postgres://me:se?a=b/cret@host",
  ])
  func `a URL with a password is refused`(text: String) {
    // Whatever libpq would make of the last one, it is not told.
    #expect(throws: ServerURL.Refusal.self) { try ServerURL(text) }
  }

  @Test(arguments: ["postgres://me:secret/base", "postgres://host:x/", "postgres://a,b:x/", "postgres://me@host:54x/"])
  func `what libpq would quote as a bad port is refused`(text: String) {
    #expect(throws: ServerURL.Refusal.malformed) { try ServerURL(text) }
  }

  @Test(arguments: ["circle.db", "./postgres://x", "postgres:x", "file.postgres", "POSTGRES://x"])
  func `anything else is no URL of a server`(text: String) {
    #expect(!ServerURL.isMeant(by: text))
  }

  @Test func `what a server says is shown without the password and in one line`() {
    let text = Array("connection failed:\n\tpassword is s3cret? s3cret!\n".utf8)
    #expect(ServerText(text, secrets: ["s3cret", ""]).text == "connection failed: password is …? …!")
    #expect(ServerText([], secrets: ["s3cret"]).text == "no reason given")
  }
}
