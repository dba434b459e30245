package import CircleModel
import Glibc

/// Texts of one table, each kept once and known by a small number; compared by their bytes.
package struct ByteNames: Sendable {
  private var letters = ContiguousArray<UInt8>()
  /// Where each text ends.
  private var ends = ContiguousArray<UInt32>()
  /// Open addressing; 0 is free, else the number plus one.
  private var slots = ContiguousArray<UInt32>(repeating: 0, count: 64)
  /// The number of the text asked for last: tables are mostly sorted by server.
  private var last = 0

  init() {}

  package var count: Int { ends.count }

  package subscript(_ number: Int) -> Text {
    withBytes(of: number) { Text($0) }
  }

  private func range(_ number: Int) -> Range<Int> {
    (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])
  }

  func withBytes<R>(of number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    letters.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range(number)])) }
  }

  private func isSame(_ number: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    withBytes(of: number) { known in
      guard known.count == text.count, let a = known.baseAddress, let b = text.baseAddress else {
        return known.count == text.count
      }
      return memcmp(a, b, text.count) == 0
    }
  }

  /// The number of the text, which is new where it was never asked for.
  mutating func number(of text: UnsafeBufferPointer<UInt8>) -> Int {
    if last < ends.count, isSame(last, text) { return last }
    let mask = slots.count - 1
    var slot = Self.hash(text) & mask
    while slots[slot] != 0 {
      let number = Int(slots[slot] - 1)
      if isSame(number, text) {
        last = number
        return number
      }
      slot = (slot + 1) & mask
    }
    letters.append(contentsOf: text)
    ends.append(UInt32(truncatingIfNeeded: letters.count))
    last = ends.count - 1
    slots[slot] = UInt32(ends.count)
    if ends.count * 3 > slots.count * 2 { grow() }
    return last
  }

  private mutating func grow() {
    var larger = ContiguousArray<UInt32>(repeating: 0, count: slots.count * 2)
    let mask = larger.count - 1
    for number in ends.indices {
      var slot = withBytes(of: number) { Self.hash($0) } & mask
      while larger[slot] != 0 { slot = (slot + 1) & mask }
      larger[slot] = UInt32(number + 1)
    }
    slots = larger
  }

  private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    hash ^= hash >> 32
    return Int(truncatingIfNeeded: hash & 0x7FFF_FFFF_FFFF_FFFF)
  }
}
