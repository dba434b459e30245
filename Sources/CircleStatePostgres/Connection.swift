import CircleState
import Glibc
import SideThread

/// The one handle of libpq: a connection to one server. From one thread at a time; while many rows are sent that is one
/// of its own, and whoever calls waits for it first.
///
/// No call waits without an end: whoever waits asks for signals, and a server that says nothing for too long is given up.
final class Connection {
  let url: ServerURL
  let library: LibPQ
  var patience: Patience

  /// Nil once it is lost.
  private var handle: OpaquePointer?
  /// What failed since the transaction began; the server refuses all that follows by itself, this says why.
  private var failed: StateError?
  /// Sends rows, and has the connection meanwhile.
  private var sender: SideThread<StateError?>?
  /// Whether the server may still have to answer to rows that were sent.
  private var owesAnswer = false
  /// Whether it was given up because it said nothing, so that trying again at once would only wait again.
  private var isSilent = false

  /// - Throws: `.io` without libpq, without a server, or with one that is too old; `.interrupted`.
  static func open(_ url: ServerURL, _ patience: Patience) throws(StateError) -> Connection {
    let connection = Connection(url, try LibPQ(), patience)
    try connection.connect()
    return connection
  }

  private init(_ url: ServerURL, _ library: LibPQ, _ patience: Patience) {
    self.url = url
    self.library = library
    self.patience = patience
  }

  deinit {
    joinSender()
    close()
  }

  // MARK: Being connected

  /// Connects again if the connection was lost; what was lost with it is for the caller to know.
  func reconnect() throws(StateError) {
    joinSender()
    if let handle, library.status(handle) == LibPQ.Code.connectionOK { return failed = nil }
    close()
    if isSilent, let failed {
      isSilent = false
      throw failed
    }
    failed = nil
    try connect()
  }

  private func connect() throws(StateError) {
    let connection = try Connecting(library: library, url: url, interrupted: patience.interrupted).run()
    _ = library.setNonBlocking(connection, 1)
    // Notices would go to standard error.
    _ = library.setNoticeProcessor(connection, { _, _ in }, nil)
    handle = connection
    try checkVersion()
  }

  /// Engines that speak PostgreSQL's protocol give version numbers of their own choice; PostgreSQL itself must be 14.
  private func checkVersion() throws(StateError) {
    guard let handle, library.serverVersion(handle) < 140_000 else { return }
    guard let version = try ownVersion() else { return }
    close()
    throw .io("'\(url.text)' is PostgreSQL \(version); states need version 14 or later")
  }

  /// PostgreSQL's version; nil for another engine.
  func ownVersion() throws(StateError) -> String? {
    let answer = try run("SELECT version()", "open")
    let words = answer.last.map { String(decoding: $0.bytes(0, 0), as: UTF8.self) } ?? ""
    let parts = words.split(separator: " ")
    guard parts.count > 1, parts[0] == "PostgreSQL", Array(words.utf8).position(of: Array("-YB-".utf8)) == nil else {
      return nil
    }
    return String(parts[1])
  }

  private func close() {
    owesAnswer = false
    if let handle { library.finish(handle) }
    handle = nil
  }

  /// Whether a transaction is open, failed ones too.
  var isInTransaction: Bool {
    joinSender()
    guard let handle else { return false }
    return library.transactionStatus(handle) != LibPQ.Code.noTransaction
  }

  // MARK: Commands

  /// Runs commands without parameters, one after another; their answers come as text.
  func run(_ sql: String, _ action: String) throws(StateError) -> [Answer] {
    let handle = try ready(action)
    guard library.sendQuery(handle, sql) == 1 else { throw lost(action) }
    return try answers(action)
  }

  /// Runs one command; its answer comes in binary.
  func run(_ sql: String, _ parameters: Parameters, _ action: String) throws(StateError) -> Answer {
    let handle = try ready(action)
    let count = Int32(parameters.types.count)
    let sent = parameters.bytes.withUnsafeBytes { bytes in
      var values: [UnsafePointer<CChar>?] = []
      var lengths: [Int32] = []
      var start = 0
      for end in parameters.ends {
        // No address would mean NULL, which is not the empty value.
        let value = UnsafeRawPointer(bytes.baseAddress.map { $0 + start } ?? UnsafeRawPointer(Self.nothing))
        values.append(value.assumingMemoryBound(to: CChar.self))
        lengths.append(Int32(end - start))
        start = end
      }
      let formats = [Int32](repeating: 1, count: values.count)
      return library.sendQueryParams(handle, sql, count, parameters.types, values, lengths, formats, 1)
    }
    guard sent == 1 else { throw lost(action) }
    guard let answer = try answers(action).last else { throw lost(action) }
    return answer
  }

  /// An address for values without bytes.
  nonisolated(unsafe) private static let nothing = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)

  /// Sends rows on a thread of its own: the server takes them while the caller goes on, and the next command hears of
  /// errors.
  ///
  /// - Parameter data: the rows in binary; called on that thread, so it must only read what nobody changes.
  func copy(_ sql: String, _ action: String, _ data: @escaping () -> [UInt8]) throws(StateError) {
    _ = try ready(action)
    sender = SideThread.start { [self] in
      do throws(StateError) {
        try send(sql, data(), action)
        return nil
      } catch {
        return error
      }
    }
  }

  private func send(_ sql: String, _ data: [UInt8], _ action: String) throws(StateError) {
    guard let handle, library.sendQuery(handle, sql) == 1 else { throw lost(action) }
    guard try answers(action).last?.status == LibPQ.Code.copyIn else { throw lost(action) }
    var start = 0
    while start < data.count {
      let count = min(data.count - start, 1 << 16)
      let sent = data[start..<start + count].withUnsafeBytes { piece in
        library.putCopyData(handle, piece.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count))
      }
      guard sent >= 0 else { throw lost(action) }
      if sent > 0 { start += count }
      // What can't be sent now would only be gathered in memory.
      while library.flush(handle) == 1 { try wait(toWrite: true, action) }
    }
    var ended = library.putCopyEnd(handle, nil)
    while ended == 0 {
      try wait(toWrite: true, action)
      ended = library.putCopyEnd(handle, nil)
    }
    guard ended == 1, library.flush(handle) >= 0 else { throw lost(action) }
    owesAnswer = true
  }

  /// Waits for rows that are still being sent. Until then the thread that sends them has the connection.
  func joinSender() {
    guard let sender else { return }
    self.sender = nil
    if let error = sender.join(), failed == nil { failed = error }
  }

  /// Undoes the transaction if one is open, as well as it can: a server that says nothing is left.
  func rollback() {
    joinSender()
    guard handle != nil else { return }
    let patience = self.patience
    defer { self.patience = patience }
    self.patience = Patience(silence: min(patience.silence, 5000))
    do throws(StateError) {
      if owesAnswer { _ = try answers("undo") }
    } catch {
      // The rows were refused: that is what is undone now.
    }
    guard isInTransaction else { return }
    failed = nil
    do throws(StateError) { _ = try run("ROLLBACK", "undo") } catch { close() }
  }

  /// Whether the last error was the end of the connection, so that nobody knows what the server did last.
  var isLost: Bool {
    joinSender()
    return handle == nil
  }

  // MARK: Waiting

  /// The handle, once the server has answered to all before.
  private func ready(_ action: String) throws(StateError) -> OpaquePointer {
    joinSender()
    if let failed { throw failed }
    if owesAnswer { _ = try answers(action) }
    guard let handle else { throw lost(action) }
    return handle
  }

  /// All answers to what was sent, until there are no more or rows are wanted.
  private func answers(_ action: String) throws(StateError) -> [Answer] {
    guard let handle else { throw lost(action) }
    owesAnswer = false
    var answers: [Answer] = []
    var failure: Answer?
    while true {
      while library.flush(handle) == 1 { try wait(toWrite: true, action) }
      while library.isBusy(handle) == 1 { try wait(toWrite: false, action) }
      guard let result = library.getResult(handle) else { break }
      let answer = Answer(result, library)
      switch answer.status {
      case LibPQ.Code.commandOK, LibPQ.Code.tuplesOK: answers.append(answer)
      case LibPQ.Code.copyIn:
        answers.append(answer)
        return answers
      default: if failure == nil { failure = answer }
      }
    }
    if let failure { throw self.failure(failure, action) }
    return answers
  }

  /// Waits for the server, at most as long as patience lasts.
  private func wait(toWrite: Bool, _ action: String) throws(StateError) {
    guard let handle else { throw lost(action) }
    let deadline = Deadline(milliseconds: patience.silence)
    while true {
      let signal = patience.interrupted()
      if signal != 0 { throw stop(by: signal) }
      guard deadline.left > 0 else { throw givenUp(action) }
      let events = Int16(toWrite ? POLLIN | POLLOUT : POLLIN)
      var socket = pollfd(fd: library.socket(handle), events: events, revents: 0)
      guard poll(&socket, 1, Int32(min(deadline.left, Patience.tick))) > 0 else { continue }
      if socket.revents & Int16(POLLOUT) == 0 || socket.revents & Int16(POLLIN) != 0 {
        guard library.consumeInput(handle) == 1 else { throw lost(action) }
      }
      return
    }
  }

  // MARK: Errors

  private func failure(_ answer: Answer, _ action: String) -> StateError {
    guard let handle, library.status(handle) == LibPQ.Code.connectionOK else {
      return lost(action, answer.errorSentence)
    }
    let error = Failure(code: answer.errorCode, sentence: answer.errorSentence, action: action, place: url.text).error
    failed = error
    return error
  }

  /// The connection ended; libpq may know why.
  private func lost(_ action: String, _ sentence: String = "") -> StateError {
    if handle == nil, let failed { return failed }
    var reason = sentence
    if reason.isEmpty { reason = handle.map { ServerText(of: $0, library).text } ?? "it is closed" }
    close()
    let error = StateError.io("can't \(action) '\(url.text)', the connection was lost: \(reason)")
    failed = error
    return error
  }

  private func givenUp(_ action: String) -> StateError {
    close()
    isSilent = true
    let error = StateError.io(
      "can't \(action) '\(url.text)': the server has said nothing for \(patience.silence / 1000) seconds")
    failed = error
    return error
  }

  private func stop(by signal: Int32) -> StateError {
    cancel()
    close()
    let error = StateError.interrupted(signal: signal)
    failed = error
    return error
  }

  /// Asks the server to stop what it does, so that it gives up its locks at once; not for longer than a moment.
  private func cancel() {
    guard let handle, let request = library.getCancel(handle) else { return }
    let library = self.library
    let finished = Completion()
    let thread = SideThread.start {
      var message = [CChar](repeating: 0, count: 256)
      _ = library.cancel(request, &message, Int32(message.count))
      library.freeCancel(request)
      finished.signal()
    }
    if finished.wait(milliseconds: 1000) { thread.join() }
  }
}
