/// A user of one run, by its place in `UserNames`. Dense, and of that run only: the state has numbers of its own.
package struct UserIndex: Hashable, Sendable {
  package let raw: UInt32
  @inlinable package init(_ raw: UInt32) { self.raw = raw }
  @inlinable package init(_ position: Int) { raw = UInt32(truncatingIfNeeded: position) }
  @inlinable package var position: Int { Int(raw) }
  /// No user: what an operation or a record has where the domain names none.
  package static let none = UserIndex(UInt32.max)
}

/// The user ids of one run, each interned once: ids that differ only in ASCII case are one user.
///
/// Hashing and comparing a million ids as `String` costs more than reading them, so the first sixteen bytes of an id
/// stand, lower-cased, in two words beside it; only a longer id looks further.
package struct UserNames: Sendable {
  @usableFromInline
  struct Entry {
    @usableFromInline var head: UInt64
    @usableFromInline var tail: UInt64
    @usableFromInline var offset: UInt32
    @usableFromInline var length: UInt32

    init(head: UInt64, tail: UInt64, offset: UInt32, length: UInt32) {
      self.head = head
      self.tail = tail
      self.offset = offset
      self.length = length
    }
  }

  /// A place of the hash table, with the first half of the key in it: looking up an id of up to eight bytes touches one
  /// line of memory, and the table of many users stays small.
  private struct Slot {
    var head: UInt64
    var length: UInt32
    /// 0 is free, else the position plus one.
    var entry: UInt32

    static let free = Slot(head: 0, length: 0, entry: 0)
  }

  @usableFromInline var entries = ContiguousArray<Entry>()
  @usableFromInline var letters = ContiguousArray<UInt8>()
  /// Open addressing.
  private var slots = ContiguousArray<Slot>(repeating: .free, count: 64)

  /// Bytes of an id at the most.
  package static let longest = 64

  package init() {}

  @inlinable package var count: Int { entries.count }

  package mutating func reserve(_ users: Int) {
    entries.reserveCapacity(users)
    var size = slots.count
    while Self.isFull(size, with: users) { size *= 2 }
    if size != slots.count { rebuild(size) }
  }

  /// The user of this id, added if it is new. The caller has checked that it is a valid id (1–64 bytes).
  package mutating func intern(_ id: UnsafeBufferPointer<UInt8>) -> UserIndex {
    let key = FoldedID.words(of: id)
    if let found = search(key, id) { return found }
    if Self.isFull(slots.count, with: entries.count + 1) { rebuild(slots.count * 2) }
    let entry = Entry(
      head: key.head, tail: key.tail, offset: UInt32(truncatingIfNeeded: letters.count), length: UInt32(id.count))
    letters.append(contentsOf: id)
    entries.append(entry)
    insert(position: entries.count - 1)
    return UserIndex(entries.count - 1)
  }

  package mutating func intern(_ id: String) -> UserIndex {
    Text(id).withBytes { intern($0) }
  }

  package func find(_ id: UnsafeBufferPointer<UInt8>) -> UserIndex? {
    search(FoldedID.words(of: id), id)
  }

  package func find(_ id: String) -> UserIndex? {
    Text(id).withBytes { find($0) }
  }

  package subscript(_ user: UserIndex) -> String {
    withSpelling(of: user) { String(decoding: $0, as: UTF8.self) }
  }

  @inlinable @inline(__always)
  package func withSpelling<R>(of user: UserIndex, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    let offset = Int(entries[user.position].offset)
    let length = Int(entries[user.position].length)
    return letters.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[offset..<offset + length]))
    }
  }

  /// Shows the user from now on as the registered spelling has it, which may differ in ASCII case only.
  package mutating func respell(_ user: UserIndex, _ id: UnsafeBufferPointer<UInt8>) {
    let entry = entries[user.position]
    guard id.count == Int(entry.length), !withSpelling(of: user, { $0.elementsEqual(id) }) else { return }
    for (position, letter) in id.enumerated() { letters[Int(entry.offset) + position] = letter }
  }

  /// Whether `left` comes before `right` by lower-cased id: the order within each step of a run.
  package func precedes(_ left: UserIndex, _ right: UserIndex) -> Bool {
    let a = entries[left.position]
    let b = entries[right.position]
    if a.head != b.head { return a.head < b.head }
    if a.tail != b.tail { return a.tail < b.tail }
    guard a.length > 16 || b.length > 16 else { return false }
    return withFolded(left) { x in withFolded(right) { y in x.lexicographicallyPrecedes(y) } }
  }

  /// For each user its rank by lower-cased id: compare these where many users are sorted.
  package func ranks() -> ContiguousArray<UInt32> {
    var ranks = ContiguousArray<UInt32>(repeating: 0, count: entries.count)
    if isAscending {
      for user in ranks.indices { ranks[user] = UInt32(truncatingIfNeeded: user) }
      return ranks
    }
    let order = (0..<UInt32(entries.count)).sorted { precedes(UserIndex($0), UserIndex($1)) }
    for (rank, user) in order.enumerated() { ranks[Int(user)] = UInt32(rank) }
    return ranks
  }

  /// Whether the ids stand in their order already, as the ids of a generated list do.
  private var isAscending: Bool {
    for position in entries.indices.dropFirst() where !precedes(UserIndex(position - 1), UserIndex(position)) {
      return false
    }
    return true
  }

  /// The id in lower case, as it is keyed in a state.
  package func folded(_ user: UserIndex) -> [UInt8] {
    withFolded(user) { $0 }
  }

  /// Replaces what is in the buffer by the id in lower case: no allocation each where many are needed.
  package func fold(_ user: UserIndex, into buffer: inout [UInt8]) {
    buffer.removeAll(keepingCapacity: true)
    withSpelling(of: user) { FoldedID.append($0, to: &buffer) }
  }

  private func withFolded<R>(_ user: UserIndex, _ body: ([UInt8]) -> R) -> R {
    withSpelling(of: user) { body($0.map(FoldedID.lowered)) }
  }

  /// What stands after the first sixteen bytes, in one word: without it, ids that begin alike would all be looked for in
  /// the same place.
  @inline(__always)
  private static func rest(_ id: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard id.count > 16 else { return 0 }
    var mixed: UInt64 = 0
    for position in 16..<id.count { mixed = (mixed ^ UInt64(FoldedID.lowered(id[position]))) &* 0x100_0000_01B3 }
    return mixed
  }

  private func search(_ key: (head: UInt64, tail: UInt64), _ id: UnsafeBufferPointer<UInt8>) -> UserIndex? {
    let mask = slots.count - 1
    let length = UInt32(truncatingIfNeeded: id.count)
    var position = Self.hash(key.head, key.tail ^ Self.rest(id)) & mask
    return slots.withUnsafeBufferPointer { slots in
      while slots[position].entry != 0 {
        let slot = slots[position]
        if slot.head == key.head, slot.length == length,
          length <= 8 || sameRest(entries[Int(slot.entry - 1)], key.tail, id)
        {
          return UserIndex(slot.entry - 1)
        }
        position = (position + 1) & mask
      }
      return nil
    }
  }

  /// Four fifths of the table at the most are taken.
  private static func isFull(_ slots: Int, with users: Int) -> Bool { users * 5 > slots * 4 }

  private func sameRest(_ entry: Entry, _ tail: UInt64, _ id: UnsafeBufferPointer<UInt8>) -> Bool {
    guard entry.tail == tail else { return false }
    guard id.count > 16 else { return true }
    for position in 16..<id.count
    where FoldedID.lowered(letters[Int(entry.offset) + position]) != FoldedID.lowered(id[position]) {
      return false
    }
    return true
  }

  private mutating func insert(position: Int) {
    let mask = slots.count - 1
    let entry = entries[position]
    let rest = entry.length > 16 ? withSpelling(of: UserIndex(position)) { Self.rest($0) } : 0
    var slot = Self.hash(entry.head, entry.tail ^ rest) & mask
    while slots[slot].entry != 0 { slot = (slot + 1) & mask }
    slots[slot] = Slot(
      head: entry.head, length: entry.length, entry: UInt32(truncatingIfNeeded: position + 1))
  }

  private mutating func rebuild(_ size: Int) {
    slots = ContiguousArray(repeating: .free, count: size)
    for position in entries.indices { insert(position: position) }
  }

  private static func hash(_ head: UInt64, _ tail: UInt64) -> Int {
    var mixed = (head ^ (tail &* 0x9E37_79B9_7F4A_7C15)) &* 0xFF51_AFD7_ED55_8CCD
    mixed ^= mixed >> 32
    mixed = mixed &* 0xC4CE_B9FE_1A85_EC53
    return Int(truncatingIfNeeded: mixed >> 20)
  }
}
