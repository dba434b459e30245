/// Up to so many values by key; one more, and the one that was used least recently goes. Each call takes constant time.
package struct RecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Node: Sendable {
    var key: Key
    var value: Value
    var older: Int
    var newer: Int
  }

  private let capacity: Int
  private var positions: [Key: Int] = [:]
  private var nodes: [Node] = []
  private var oldest = -1
  private var newest = -1

  package init(capacity: Int) {
    self.capacity = max(capacity, 1)
  }

  package var count: Int { nodes.count }

  /// The value, without counting as a use.
  package func peek(_ key: Key) -> Value? { positions[key].map { nodes[$0].value } }

  /// The value, which is the one used last from now on.
  package mutating func use(_ key: Key) -> Value? {
    guard let position = positions[key] else { return nil }
    unlink(position)
    linkNewest(position)
    return nodes[position].value
  }

  /// Sets the value, which is the one used last from now on.
  package mutating func set(_ key: Key, to value: Value) {
    if let position = positions[key] {
      nodes[position].value = value
      unlink(position)
      linkNewest(position)
      return
    }
    if nodes.count == capacity, oldest >= 0 { remove(nodes[oldest].key) }
    nodes.append(Node(key: key, value: value, older: -1, newer: -1))
    positions[key] = nodes.count - 1
    linkNewest(nodes.count - 1)
  }

  package mutating func remove(_ key: Key) {
    guard let position = positions.removeValue(forKey: key) else { return }
    unlink(position)
    let last = nodes.count - 1
    if position != last {
      // The last one moves into the gap.
      let moved = nodes[last]
      nodes[position] = moved
      positions[moved.key] = position
      if moved.older >= 0 { nodes[moved.older].newer = position } else { oldest = position }
      if moved.newer >= 0 { nodes[moved.newer].older = position } else { newest = position }
    }
    nodes.removeLast()
  }

  package mutating func removeAll(where isGone: (Key) -> Bool) {
    for key in positions.keys.filter(isGone) { remove(key) }
  }

  /// All of them, the one used least recently first.
  package var inOrder: [(key: Key, value: Value)] {
    var result: [(key: Key, value: Value)] = []
    result.reserveCapacity(nodes.count)
    var position = oldest
    while position >= 0 {
      result.append((nodes[position].key, nodes[position].value))
      position = nodes[position].newer
    }
    return result
  }

  private mutating func unlink(_ position: Int) {
    let (older, newer) = (nodes[position].older, nodes[position].newer)
    if older >= 0 { nodes[older].newer = newer } else { oldest = newer }
    if newer >= 0 { nodes[newer].older = older } else { newest = older }
  }

  private mutating func linkNewest(_ position: Int) {
    nodes[position].older = newest
    nodes[position].newer = -1
    if newest >= 0 { nodes[newest].newer = position } else { oldest = position }
    newest = position
  }
}
