import CircleModel

/// Renames so that each handle is free when its turn comes; those that wait for each other in a circle are apart.
struct RenameOrder {
  struct Rename {
    let from: Text
    let to: Text
    /// Of the caller.
    let position: Int
  }

  private(set) var positions: [Int] = []
  /// Each a circle of handles, with the positions of its renames.
  private(set) var cycles: [(handles: [Text], positions: [Int])] = []

  private enum Mark { case new, waiting, done }

  /// - Parameter renames: sorted by the handle before; no two from or to the same.
  init(_ renames: [Rename]) {
    let holders = Dictionary(renames.enumerated().map { ($1.from, $0) }, uniquingKeysWith: { first, _ in first })
    var marks = [Mark](repeating: .new, count: renames.count)
    for start in renames.indices where marks[start] == .new {
      var chain: [Int] = []
      var next: Int? = start
      while let rename = next, marks[rename] == .new {
        marks[rename] = .waiting
        chain.append(rename)
        next = holders[renames[rename].to]
      }
      if let rename = next, marks[rename] == .waiting, let first = chain.firstIndex(of: rename) {
        let circle = chain[first...]
        cycles.append((circle.map { renames[$0].from }, circle.map { renames[$0].position }))
        for rename in circle { marks[rename] = .done }
        chain.removeSubrange(first...)
      }
      for rename in chain.reversed() {
        marks[rename] = .done
        positions.append(renames[rename].position)
      }
    }
  }
}
