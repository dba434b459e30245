import CircleModel
import Diagnostics

/// A group where a list uses it.
struct GroupUse {
  var group: Int
  var place: Place
  var end: Int?
}

/// A list of users as one manifest gives it: those named, directly or in files, and the groups still to be written out.
struct UserList {
  /// Sorted by user index, no user twice.
  var users = ContiguousArray<Listed>()
  /// No group twice.
  var groups: [GroupUse] = []

  /// Sorts by user index and leaves of each user the first place; calls `repeated` for each of his others.
  static func arrange(_ users: inout ContiguousArray<Listed>, repeated: (_ first: Listed, _ again: Listed) -> Void) {
    var isOrdered = true
    var previous = -1
    for listed in users {
      if listed.user.position <= previous {
        isOrdered = false
        break
      }
      previous = listed.user.position
    }
    if isOrdered { return }
    users.sort { $0.user.raw != $1.user.raw ? $0.user.raw < $1.user.raw : $0.place < $1.place }
    var kept = 0
    for index in users.indices {
      if kept > 0, users[kept - 1].user.raw == users[index].user.raw {
        repeated(users[kept - 1], users[index])
      } else {
        users[kept] = users[index]
        kept += 1
      }
    }
    users.removeLast(users.count - kept)
  }

  /// All users of several arranged lists, each with the place that the earliest list gives.
  static func union(_ lists: [ContiguousArray<Listed>]) -> ContiguousArray<Listed> {
    let filled = lists.filter { !$0.isEmpty }
    guard let first = filled.first else { return [] }
    if filled.count == 1 { return first }
    if filled.count == 2 { return merge(first, filled[1]) }
    // The position among all breaks ties, so that earlier lists win.
    let all = ContiguousArray(filled.joined())
    var keys = ContiguousArray(all.indices.lazy.map { UInt64(all[$0].user.raw) << 32 | UInt64($0) })
    keys.sort()
    var result = ContiguousArray<Listed>()
    for key in keys {
      let listed = all[Int(key & 0xFFFF_FFFF)]
      if result.last?.user.raw != listed.user.raw { result.append(listed) }
    }
    return result
  }

  private static func merge(
    _ left: ContiguousArray<Listed>, _ right: ContiguousArray<Listed>
  ) -> ContiguousArray<Listed> {
    var result = ContiguousArray<Listed>()
    result.reserveCapacity(left.count + right.count)
    var other = 0
    for listed in left {
      while other < right.count, right[other].user.raw < listed.user.raw {
        result.append(right[other])
        other += 1
      }
      if other < right.count, right[other].user.raw == listed.user.raw { other += 1 }
      result.append(listed)
    }
    result.append(contentsOf: right[other...])
    return result
  }
}
