/// A run of events, kept so that they can be read while the scanner goes on.
final class EventBatch {
  struct Event: Equatable {
    var kind: YAMLEventReader.Kind
    var isPlain: Bool
    var hasAnchor: Bool
    var hasTag: Bool
    var line: UInt32
    var column: UInt32
    var endLine: UInt32
    var endColumn: UInt32
    /// The scalar's bytes in `text`.
    var offset: UInt32
    var length: UInt32
    /// The anchor, then the tag, in `names`; meaningful only where there is one.
    var names: UInt32
  }

  static let capacity = 8192

  private(set) var content = EventBatchContent()
  /// What stopped the reader after the events.
  private(set) var fault: YAMLFault?

  /// Whether nothing comes after this batch.
  var isLast: Bool { fault != nil || content.events.last?.kind == .streamEnd }

  /// Replaces what is in the batch by the reader's next events.
  func fill(from reader: inout YAMLEventReader) {
    // Worked on as a local value: each access to a property of an object is checked at run time.
    var content = EventBatchContent()
    swap(&content, &self.content)
    content.removeAll()
    do throws(YAMLFault) {
      while content.events.count < Self.capacity {
        let kind = try reader.next()
        content.append(kind, reader)
        if kind == .streamEnd { break }
      }
    } catch {
      fault = error
    }
    swap(&content, &self.content)
  }

  /// Replaces what is in the batch by the scanner's next events, perhaps none.
  /// - Parameter text: The bytes that the scanner reads.
  func fill(from scanner: inout PlainScanner, of text: [UInt8]) {
    content.fill(from: &scanner, of: text)
  }

  /// Makes the batch the last one.
  func end(with fault: YAMLFault) { self.fault = fault }
}

/// What a batch holds.
struct EventBatchContent {
  private(set) var events = ContiguousArray<EventBatch.Event>()
  /// What the scalars' bytes are in: the batch's own copies or, for a plain text, the whole text itself.
  private(set) var text: [UInt8] = []
  private(set) var names: [String] = []
  /// Whether the events are `PlainScanner`'s.
  private(set) var isPlain = false

  mutating func fill(from scanner: inout PlainScanner, of text: [UInt8]) {
    events.reserveCapacity(EventBatch.capacity)
    scanner.fill(&events)
    self.text = text
    isPlain = true
  }

  mutating func removeAll() {
    events.removeAll(keepingCapacity: true)
    if isPlain { text = [] } else { text.removeAll(keepingCapacity: true) }
    isPlain = false
    names.removeAll(keepingCapacity: true)
    events.reserveCapacity(EventBatch.capacity)
  }

  mutating func append(_ kind: YAMLEventReader.Kind, _ reader: borrowing YAMLEventReader) {
    let start = reader.start
    let end = reader.end
    let bytes = reader.scalarBytes
    var event = EventBatch.Event(
      kind: kind, isPlain: reader.isPlain, hasAnchor: reader.hasAnchor, hasTag: reader.hasTag,
      line: UInt32(clamping: start.line), column: UInt32(clamping: start.column), endLine: UInt32(clamping: end.line),
      endColumn: UInt32(clamping: end.column), offset: UInt32(clamping: text.count),
      length: UInt32(clamping: bytes.count), names: 0)
    if event.hasAnchor || event.hasTag {
      event.names = UInt32(clamping: names.count)
      names.append(reader.anchor ?? "")
      names.append(reader.tag ?? "")
    }
    text.append(contentsOf: bytes)
    events.append(event)
  }
}
