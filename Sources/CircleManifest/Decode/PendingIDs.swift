import CircleModel
import Diagnostics

/// User ids of a list that were read and are not looked up yet.
///
/// Each look-up waits for the memory; many in a row, with nothing between them, wait for it together.
struct PendingIDs: ~Copyable {
  private struct Entry {
    var end: Int
    var place: Place
  }

  static let maximum = 512

  private var letters = ContiguousArray<UInt8>()
  private var entries = ContiguousArray<Entry>()

  init() {
    letters.reserveCapacity(Self.maximum * 64)
    entries.reserveCapacity(Self.maximum)
  }

  var isFull: Bool { entries.count >= Self.maximum }

  /// Adds an id that is valid.
  mutating func append(_ id: UnsafeBufferPointer<UInt8>, at place: Place) {
    letters.append(contentsOf: id)
    entries.append(Entry(end: letters.count, place: place))
  }

  /// Looks all up and appends them to the list.
  mutating func flush(into list: inout ContiguousArray<Listed>, _ draft: inout ManifestDraft) {
    letters.withUnsafeBufferPointer { letters in
      var start = 0
      for entry in entries {
        list.append(
          Listed(draft.intern(UnsafeBufferPointer(rebasing: letters[start..<entry.end])), at: entry.place))
        start = entry.end
      }
    }
    letters.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }
}
