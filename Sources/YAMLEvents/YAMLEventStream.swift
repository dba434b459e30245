import SideThread

/// The events of a YAML text, read ahead of their use: a plain text by `PlainScanner`, another one by libyaml, and a big
/// one on a thread of its own.
///
/// Gives the same events and the same fault as `YAMLEventReader`; the accessors mean what they mean there.
package struct YAMLEventStream: ~Copyable {
  /// A smaller text is read on the caller's thread.
  private static let smallestBigText = 256 << 10

  private let source: Source
  private var batch: EventBatch
  /// The batch's, held here: each access to a property of an object is checked at run time.
  private var content: EventBatchContent
  private var position = -1
  private var current: EventBatch.Event

  /// Reads bytes of its own.
  /// - Parameter maximumDepth: How many collections may stand within each other: one more is a fault.
  package init(bytes: [UInt8], maximumDepth: Int = 64) {
    let isBig = bytes.count >= Self.smallestBigText
    source = Source(bytes, maximumDepth: maximumDepth)
    if isBig { source.start() }
    batch = source.next(inExchangeFor: nil)
    content = batch.content
    current = EventBatch.Event(
      kind: .streamStart, isPlain: false, hasAnchor: false, hasTag: false, line: 1, column: 1, endLine: 1,
      endColumn: 1, offset: 0, length: 0, names: 0)
  }

  deinit {
    source.stop()
  }

  /// Goes on to the next event. After `streamEnd` it gives `streamEnd` again, after a fault the same fault.
  package mutating func next() throws(YAMLFault) -> YAMLEventReader.Kind {
    position += 1
    while position >= content.events.count {
      if let fault = batch.fault { throw fault }
      if batch.isLast { return .streamEnd }
      content = EventBatchContent()
      batch = source.next(inExchangeFor: batch)
      content = batch.content
      position = 0
    }
    current = content.events[position]
    return current.kind
  }

  /// Whether the current event came without libyaml.
  var isFromPlainScanner: Bool { content.isPlain }

  package var line: Int { Int(current.line) }
  package var column: Int { Int(current.column) }
  package var endLine: Int { Int(current.endLine) }
  package var endColumn: Int { Int(current.endColumn) }
  package var isPlain: Bool { current.isPlain }
  package var hasAnchor: Bool { current.hasAnchor }
  package var hasTag: Bool { current.hasTag }
  package var anchor: String? { hasAnchor ? content.names[Int(current.names)] : nil }
  package var tag: String? { hasTag ? content.names[Int(current.names) + 1] : nil }

  /// Calls `body` with the scalar's text in UTF-8, which may hold zero bytes; empty for other events.
  package func withScalar<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    content.text.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[Int(current.offset)..<Int(current.offset) + Int(current.length)]))
    }
  }
}

/// Where the batches of a stream come from: read on demand, or by a thread.
private final class Source {
  private let bytes: [UInt8]
  private let maximumDepth: Int
  /// Reads first, as far as the text is plain.
  private var scanner: PlainScanner
  /// Reads what the scanner does not.
  private var reader: YAMLEventReader?
  private var queue: EventQueue?
  private var thread: SideThread<Void>?

  init(_ bytes: [UInt8], maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    scanner = PlainScanner(bytes, maximumDepth: maximumDepth)
  }

  /// Starts the thread; where the system has none left, batches are read on demand.
  func start() {
    let queue = EventQueue()
    // While it runs, scanner and reader are its alone.
    thread = SideThread.startIfPossible {
      while let batch = queue.emptyBatch() {
        self.fill(batch)
        let isLast = batch.isLast
        queue.put(batch)
        if isLast { return }
      }
    }
    if thread != nil { self.queue = queue }
  }

  func next(inExchangeFor batch: EventBatch?) -> EventBatch {
    if let queue { return queue.next(inExchangeFor: batch) }
    let batch = batch ?? EventBatch()
    fill(batch)
    return batch
  }

  /// Replaces what is in the batch by the next events, perhaps none where libyaml takes over.
  private func fill(_ batch: EventBatch) {
    if var reader = reader.take() {
      batch.fill(from: &reader)
      self.reader = consume reader
      return
    }
    batch.fill(from: &scanner, of: bytes)
    if scanner.state != .stopped { return }
    var reader = YAMLEventReader(bytes: bytes, maximumDepth: maximumDepth)
    do throws(YAMLFault) {
      for _ in 0..<scanner.given { _ = try reader.next() }
    } catch {
      batch.end(with: error)
    }
    self.reader = consume reader
  }

  func stop() {
    queue?.cancel()
    thread?.join()
    // The work holds the source.
    thread = nil
  }
}
