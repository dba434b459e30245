import CircleState
import Glibc

/// Names of one directory that a transaction has written and not sent yet, in byte order, each once.
struct PendingNames {
  struct Entry {
    var name: [UInt8]
    /// Nil: the name is removed.
    var number: UInt32?
  }

  private(set) var entries: [Entry] = []

  /// So many are sent together.
  private static let most = 16_384

  var isFull: Bool { entries.count >= Self.most }
  var isEmpty: Bool { entries.isEmpty }

  mutating func set(_ name: UnsafeRawBufferPointer, _ number: UInt32?) {
    let entry = Entry(name: [UInt8](name), number: number)
    guard let last = entries.last, Self.compare(last.name, name) >= 0 else { return entries.append(entry) }
    let position = position(of: name)
    if Self.compare(entries[position].name, name) == 0 {
      entries[position] = entry
    } else {
      entries.insert(entry, at: position)
    }
  }

  mutating func clear() {
    entries.removeAll(keepingCapacity: true)
  }

  func entry(_ name: UnsafeRawBufferPointer) -> Entry? {
    let position = position(of: name)
    guard position < entries.count, Self.compare(entries[position].name, name) == 0 else { return nil }
    return entries[position]
  }

  private func position(of name: UnsafeRawBufferPointer) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if Self.compare(entries[middle].name, name) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Below 0, 0 or above 0, as the server orders bytes.
  private static func compare(_ left: [UInt8], _ right: UnsafeRawBufferPointer) -> Int {
    let shared = min(left.count, right.count)
    let order = left.withUnsafeBytes { bytes in
      guard shared > 0, let start = bytes.baseAddress, let other = right.baseAddress else { return 0 }
      return Int(memcmp(start, other, shared))
    }
    return order == 0 ? left.count - right.count : order
  }
}
