import Diagnostics

/// Events of the nodes that aliases or merge keys may bring in again, in the order in which they were read.
///
/// Only anchored nodes and merged mappings are kept. An alias within one is kept as a reference, so that nested aliases
/// take no more room than the text does.
struct NodeTape: ~Copyable {
  struct Entry {
    var kind: NodeSource.Kind
    var isPlain: Bool
    /// Stands for what could not be read and was told of already.
    var isBroken: Bool
    /// Of a collection, where its end stands, 0 while it is open; of an alias, the node that it names.
    var link: UInt32
    var offset: Int
    var length: UInt32
    /// The column after the last character when it stands on the line of `place`, else 0.
    var endColumn: UInt32
    var place: Place
  }

  private(set) var entries = ContiguousArray<Entry>()
  private var letters = ContiguousArray<UInt8>()
  /// Where the collections begin that are being recorded.
  private var open: [Int] = []

  /// Whether what is read next belongs to a node that is being recorded.
  var isRecording: Bool { !open.isEmpty }

  subscript(_ index: Int) -> Entry { entries[index] }

  /// Adds an event and answers its place on the tape.
  mutating func append(_ entry: Entry, text: UnsafeBufferPointer<UInt8>) -> Int {
    var entry = entry
    let index = entries.count
    entry.offset = letters.count
    entry.length = UInt32(text.count)
    letters.append(contentsOf: text)
    entries.append(entry)
    switch entry.kind {
    case .sequenceStart, .mappingStart: open.append(index)
    case .sequenceEnd, .mappingEnd:
      if let start = open.popLast() { entries[start].link = UInt32(index) }
    default: break
    }
    return index
  }

  /// The last event of the node that begins at an entry.
  func end(of index: Int) -> Int {
    let entry = entries[index]
    return entry.kind == .sequenceStart || entry.kind == .mappingStart ? Int(entry.link) : index
  }

  /// Whether the collection that begins here has not ended yet, so that an alias to it would contain itself.
  func isOpen(_ index: Int) -> Bool {
    let entry = entries[index]
    return (entry.kind == .sequenceStart || entry.kind == .mappingStart) && entry.link == 0
  }

  /// The nodes directly in a sequence, aliases replaced by what they name.
  func elements(of sequence: Int) -> [Int] {
    var found: [Int] = []
    var index = sequence + 1
    while index < end(of: sequence) {
      found.append(entries[index].kind == .alias ? Int(entries[index].link) : index)
      index = end(of: index) + 1
    }
    return found
  }

  func withText<R>(of index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    let entry = entries[index]
    return letters.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[entry.offset..<entry.offset + Int(entry.length)]))
    }
  }

  mutating func removeAll() {
    entries.removeAll()
    letters.removeAll()
    open.removeAll()
  }
}
