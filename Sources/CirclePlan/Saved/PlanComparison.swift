import CircleModel

/// What two plans have in common, and what only one of them does: by what changes, whatever rule or line asks for it.
package struct PlanComparison: Sendable {
  /// Indices of changes of the first plan that the second does not have, and the other way round.
  package private(set) var onlyInFirst: [Int] = []
  package private(set) var onlyInSecond: [Int] = []
  /// How many changes are in both.
  package private(set) var shared = 0

  package init(_ first: Plan, _ second: Plan) {
    var left: [[UInt8]: [Int]] = [:]
    for position in second.changes.indices.reversed() where second.changes[position].kind != .unmanaged {
      left[second.key(of: second.changes[position]), default: []].append(position)
    }
    for position in first.changes.indices where first.changes[position].kind != .unmanaged {
      let key = first.key(of: first.changes[position])
      if left[key]?.popLast() != nil { shared += 1 } else { onlyInFirst.append(position) }
    }
    onlyInSecond = left.values.flatMap { $0 }.sorted()
  }
}

extension Plan {
  /// All that makes one change another, by names.
  fileprivate func key(of change: Change) -> [UInt8] {
    var key: [UInt8] = [change.action.rawValue, change.object.rawValue, change.field]
    key.append(change.roleBefore?.rawValue ?? 9)
    key.append(change.roleAfter?.rawValue ?? 9)
    func add(_ text: String?) {
      key.append(text == nil ? 0 : 1)
      key.append(contentsOf: Array((text ?? "").utf8) + [0])
    }
    add(change.server.position < result.servers.count ? result.handle(of: change.server).string : nil)
    add(
      change.user.position < result.names.count
        ? String(decoding: result.names.folded(change.user), as: UTF8.self) : nil)
    let text = text(of: change)
    add(text?.before?.string)
    add(text?.after?.string)
    return key
  }
}
