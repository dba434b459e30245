import CircleModel

/// The order by lower-cased user id, in which each step of a run goes through its users.
struct UserOrder {
  private let names: UserNames
  /// Ranking all users pays only when many of them are sorted.
  private let ranks: ContiguousArray<UInt32>?

  /// - Parameter steps: how many users will be sorted in all.
  init(_ names: UserNames, for steps: Int) {
    self.names = names
    ranks = steps > names.count / 4 ? names.ranks() : nil
  }

  func sort<Step>(_ steps: inout ContiguousArray<Step>, by user: (Step) -> UserIndex) {
    guard steps.count > 1 else { return }
    guard let ranks else {
      steps.sort { names.precedes(user($0), user($1)) }
      return
    }
    var keys = ContiguousArray<UInt64>()
    keys.reserveCapacity(steps.count)
    for (position, step) in steps.enumerated() {
      keys.append(UInt64(ranks[user(step).position]) << 32 | UInt64(position))
    }
    keys.sort()
    let old = steps
    for (position, key) in keys.enumerated() { steps[position] = old[Int(key & 0xFFFF_FFFF)] }
  }
}
