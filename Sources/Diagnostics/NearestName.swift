/// The candidate that a person most likely meant, for "did you mean"; nil when none is near.
///
/// Near is a Damerau–Levenshtein distance (restricted: two neighbours may be swapped once), blind to case, of at most a
/// third of the name's length, at least 1, with something in common. The first of the nearest wins. For names longer
/// than 64 code points there is no answer. Takes some 100 ns a candidate, so 200,000 of them may be searched for each of
/// the faults that are shown, not for each of a million.
package func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
  guard let wanted = EditDistance(to: fold(name, atMost: EditDistance.longest)) else { return nil }
  var bound = max(wanted.length / 3, 1)
  var nearest: String?
  for candidate in candidates {
    // A code point takes one to four bytes, so many lengths are ruled out without a look at the bytes.
    let bytes = candidate.utf8.count
    if bytes > (wanted.length + bound) * 4 || bytes < wanted.length - bound { continue }
    guard let distance = wanted.distance(from: candidate, atMost: bound) else { continue }
    nearest = candidate
    if distance == 0 { break }
    // Only what is strictly nearer can win from here on.
    bound = distance - 1
  }
  return nearest
}

/// The scalars in lower case; one more than the limit at most.
private func fold(_ text: String, atMost limit: Int) -> [UInt32] {
  var scalars: [UInt32] = []
  for scalar in text.unicodeScalars where scalars.count <= limit { forEachFolded(scalar) { scalars.append($0) } }
  return scalars
}

@inline(__always)
private func forEachFolded(_ scalar: Unicode.Scalar, _ body: (UInt32) -> Void) {
  switch scalar.value {
  case 0x41...0x5A: body(scalar.value | 0x20)
  case 0..<0x80: body(scalar.value)
  case _ where scalar.properties.changesWhenLowercased:
    for lower in scalar.properties.lowercaseMapping.unicodeScalars { body(lower.value) }
  default: body(scalar.value)
  }
}

/// The restricted Damerau–Levenshtein distance from many texts to one of up to 64 scalars: a column of the table is a
/// few machine words that hold the differences between neighbouring cells, one bit a row (Hyyrö's bit-parallel method).
private struct EditDistance {
  static let longest = 64

  let length: Int
  /// For each ASCII scalar the positions where the wanted text has it.
  private var ascii = [UInt64](repeating: 0, count: 0x80)
  private var others: [(scalar: UInt32, positions: UInt64)] = []

  /// Nil for no scalars and for more than 64.
  init?(to scalars: [UInt32]) {
    guard !scalars.isEmpty, scalars.count <= Self.longest else { return nil }
    length = scalars.count
    for (position, scalar) in scalars.enumerated() {
      let bit: UInt64 = 1 << position
      if scalar < 0x80 {
        ascii[Int(scalar)] |= bit
      } else if let index = others.firstIndex(where: { $0.scalar == scalar }) {
        others[index].positions |= bit
      } else {
        others.append((scalar, bit))
      }
    }
  }

  /// The distance; nil when it is more than the bound or when nothing is in common.
  func distance(from text: String, atMost bound: Int) -> Int? {
    var column = Column(length: length)
    let most = length + bound
    for scalar in text.unicodeScalars {
      forEachFolded(scalar) { column.advance(matching: positions(of: $0)) }
      // Each scalar of the wanted text that is still to be met can bring the distance down by one.
      if column.count > most || column.distance - max(most - column.count, 0) > bound { return nil }
    }
    return column.distance <= bound && column.distance < max(column.count, length) ? column.distance : nil
  }

  private func positions(of scalar: UInt32) -> UInt64 {
    if scalar < 0x80 { return ascii[Int(scalar)] }
    return others.first { $0.scalar == scalar }?.positions ?? 0
  }

  /// The last column of the table that was worked out.
  private struct Column {
    /// How many scalars were taken.
    var count = 0
    /// The lowest cell.
    var distance: Int
    private let lowest: UInt64
    /// Rows whose cell is one more, or one less, than the cell above.
    private var more = ~UInt64(0)
    private var less: UInt64 = 0
    /// Rows whose cell equals the one to the left and above.
    private var diagonal: UInt64 = 0
    private var lastMatching: UInt64 = 0

    init(length: Int) {
      distance = length
      lowest = 1 << (length - 1)
    }

    mutating func advance(matching: UInt64) {
      let swapped = ((~diagonal & matching) << 1) & lastMatching
      diagonal = (((matching & more) &+ more) ^ more) | matching | less | swapped
      let rising = less | ~(diagonal | more)
      let falling = diagonal & more
      if rising & lowest != 0 { distance += 1 }
      if falling & lowest != 0 { distance -= 1 }
      let shifted = rising << 1 | 1
      more = falling << 1 | ~(diagonal | shifted)
      less = shifted & diagonal
      lastMatching = matching
      count += 1
    }
  }
}
