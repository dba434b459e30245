/// The candidate that a person most likely meant, for "did you mean"; nil when none is near.
///
/// Near is a Damerau–Levenshtein distance (restricted: two neighbours may be swapped once), blind to case, of at most a
/// third of the name's length, at least 1, with something in common. The first of the nearest wins. Some 200,000
/// candidates are searched in the blink of an eye, so it may be asked a hundred times a run, not a million times.
package func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
  var wanted: [UInt32] = []
  fold(name, into: &wanted, limit: 1024)
  guard !wanted.isEmpty, wanted.count <= 1024 else { return nil }
  var bound = max(wanted.count / 3, 1)
  var nearest: String?
  var scratch = EditDistance(wanted)
  var folded: [UInt32] = []
  for candidate in candidates {
    // A scalar takes one to four bytes, so most lengths are ruled out without a look at the bytes.
    let bytes = candidate.utf8.count
    if bytes > (wanted.count + bound) * 4 || bytes < wanted.count - bound { continue }
    folded.removeAll(keepingCapacity: true)
    fold(candidate, into: &folded, limit: wanted.count + bound)
    guard abs(folded.count - wanted.count) <= bound,
      let distance = scratch.distance(to: folded, atMost: bound), distance < max(folded.count, wanted.count)
    else { continue }
    nearest = candidate
    if distance == 0 { break }
    // Only what is strictly nearer can win from here on.
    bound = distance - 1
  }
  return nearest
}

/// Appends the scalars of the text in lower case, one more than the limit at most.
private func fold(_ text: String, into scalars: inout [UInt32], limit: Int) {
  for scalar in text.unicodeScalars {
    if scalars.count > limit { return }
    switch scalar.value {
    case 0x41...0x5A: scalars.append(scalar.value | 0x20)
    case 0..<0x80: scalars.append(scalar.value)
    case _ where scalar.properties.changesWhenLowercased:
      scalars += scalar.properties.lowercaseMapping.unicodeScalars.map(\.value)
    default: scalars.append(scalar.value)
    }
  }
}

/// The restricted Damerau–Levenshtein distance from one text to many, with three rows that are used again.
private struct EditDistance {
  private let wanted: [UInt32]
  private var before: [Int]
  private var last: [Int]
  private var row: [Int]

  init(_ wanted: [UInt32]) {
    self.wanted = wanted
    before = Array(repeating: 0, count: wanted.count + 1)
    last = before
    row = before
  }

  /// The distance, or nil when it is more than the bound; only the diagonal band that the bound allows is looked at.
  mutating func distance(to other: [UInt32], atMost bound: Int) -> Int? {
    let tooFar = bound + 1
    for column in 0...wanted.count { last[column] = min(column, tooFar) }
    for line in stride(from: 1, through: other.count, by: 1) {
      let first = max(line - bound, 1)
      let end = min(line + bound, wanted.count)
      guard first <= end else { return nil }
      row[first - 1] = first == 1 ? min(line, tooFar) : tooFar
      var best = row[first - 1]
      for column in first...end {
        let same = wanted[column - 1] == other[line - 1]
        var cost = last[column - 1] + (same ? 0 : 1)
        cost = min(cost, row[column - 1] + 1, (column < line + bound ? last[column] : tooFar) + 1)
        if !same, line > 1, column > 1, wanted[column - 1] == other[line - 2], wanted[column - 2] == other[line - 1] {
          cost = min(cost, before[column - 2] + 1)
        }
        row[column] = min(cost, tooFar)
        best = min(best, row[column])
      }
      if best > bound { return nil }
      (before, last, row) = (last, row, before)
    }
    let distance = last[wanted.count]
    return distance <= bound ? distance : nil
  }
}
