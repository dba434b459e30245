import CircleState
import Glibc
import SideThread

/// Makes a connection, on a thread of its own: looking a host up and a server that accepts and then says nothing would
/// keep the caller from heeding a signal.
struct Connecting {
  let library: LibPQ
  let url: ServerURL
  let interrupted: @Sendable () -> Int32

  /// How many seconds a server may take to accept, unless libpq is told otherwise.
  private static let seconds = 10

  /// - Throws: `.io` with what libpq says, `.interrupted`.
  func run() throws(StateError) -> OpaquePointer {
    let parameters = Self.parameters(url)
    let library = self.library
    let finished = Completion()
    let thread = SideThread.start { () -> OpaquePointer? in
      defer { finished.signal() }
      return Self.connect(parameters, library)
    }
    while !finished.wait(milliseconds: Patience.tick) {
      let signal = interrupted()
      // The thread ends with the process; whoever is told to stop does not wait for it.
      if signal != 0 { throw .interrupted(signal: signal) }
    }
    let connection = thread.join()
    guard let connection else { throw .io("no memory for a connection to '\(url.text)'") }
    guard library.status(connection) == LibPQ.Code.connectionOK else {
      let reason = ServerText(of: connection, library).text
      library.finish(connection)
      throw .io("can't connect to '\(url.text)': \(reason)")
    }
    return connection
  }

  private static func connect(_ parameters: [(String, String)], _ library: LibPQ) -> OpaquePointer? {
    let words = (parameters.map(\.0), parameters.map(\.1))
    return withTexts(words.0) { names in withTexts(words.1) { values in library.connect(names, values, 1) } }
  }

  /// Later ones win, so that the URL is heard before what stands in for it, and after what must be.
  private static func parameters(_ url: ServerURL) -> [(String, String)] {
    var parameters: [(String, String)] = []
    // A time limit of ours would hide one of the environment or of a service.
    let isElsewhere = getenv("PGCONNECT_TIMEOUT") != nil || getenv("PGSERVICE") != nil || url.namesService
    if !isElsewhere { parameters.append(("connect_timeout", "\(seconds)")) }
    parameters.append(("fallback_application_name", "circlectl"))
    parameters.append(("dbname", url.text))
    parameters.append(("client_encoding", "UTF8"))
    return parameters
  }

  private static func withTexts<R>(_ words: [String], _ body: (LibPQ.Texts) -> R) -> R {
    let copies = words.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let texts = copies.map { UnsafePointer($0) } + [nil]
    return texts.withUnsafeBufferPointer { buffer in
      // Never nil: the list ends with an entry of its own.
      guard let start = buffer.baseAddress else { preconditionFailure("a list without an end") }
      return body(start)
    }
  }
}

/// What libpq says about a connection, fit to be shown: in one line, and without the password.
struct ServerText {
  let text: String

  init(of connection: OpaquePointer, _ library: LibPQ) {
    let text = library.errorMessage(connection).map { Array(String(cString: $0).utf8) } ?? []
    let used = library.password(connection).map { String(cString: $0) } ?? ""
    let given = getenv("PGPASSWORD").map { String(cString: $0) } ?? ""
    self.init(text, secrets: [used, given])
  }

  init(_ text: [UInt8], secrets: [String]) {
    var text = text
    for secret in secrets.map({ Array($0.utf8) }) where secret.count >= Self.shortestSecret {
      while let position = text.position(of: secret) {
        text.replaceSubrange(position..<position + secret.count, with: "…".utf8)
      }
    }
    let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).map { line in
      line.drop { $0 == " " || $0 == "\t" }
    }
    self.text = lines.isEmpty ? "no reason given" : lines.joined(separator: " ")
  }

  /// Shorter ones stand in many words; libpq quotes none anyway.
  private static let shortestSecret = 4
}

extension Array<UInt8> {
  /// Where `part` begins for the first time.
  func position(of part: [UInt8]) -> Int? {
    guard part.count <= count else { return nil }
    return (0...count - part.count).first { self[$0..<$0 + part.count].elementsEqual(part) }
  }
}
