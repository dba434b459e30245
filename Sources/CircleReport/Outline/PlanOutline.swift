import CircleModel
import CirclePlan

/// The changes of a plan in the order in which a person should read them: what is refused, who gains or loses rights,
/// what is removed, all else; each by server.
struct PlanOutline {
  enum Part: Int, CaseIterable {
    case blocked, rights, removals, others, unmanaged

    init(_ change: Change) {
      self =
        switch change.kind {
        case .unmanaged: .unmanaged
        case .blocked: .blocked
        default: change.changesRights ? .rights : change.action == .delete ? .removals : .others
        }
    }

    var heading: String {
      switch self {
      case .blocked: "Blocked"
      case .rights: "Moderators"
      case .removals: "Removals"
      case .others: "Changes"
      case .unmanaged: "Unmanaged"
      }
    }
  }

  /// What a list of changes has in one place.
  enum Line {
    case change(Change)
    /// So many more like the ones before.
    case more(Int, Change.Object)
  }

  let groups: [ChangeGroups.Group]
  private let plan: Plan
  private let order: ContiguousArray<UInt32>
  private let starts: [Int]

  /// Of a longer run of the same kind in one server so many are told.
  private static let longestRun = 20

  init(_ plan: Plan) {
    self.plan = plan
    let groups = ChangeGroups(plan)
    self.groups = groups.groups
    (order, starts) = groups.sorted(plan.changes, parts: Part.allCases.count) { Part($0).rawValue }
  }

  func count(_ part: Part) -> Int {
    starts[(part.rawValue + 1) * groups.count] - starts[part.rawValue * groups.count]
  }

  /// The changes of one server that belong to a part, in the order of the plan.
  func changes(_ part: Part, group: Int) -> some RandomAccessCollection<Change> {
    let first = part.rawValue * groups.count + group
    return order[starts[first]..<starts[first + 1]].lazy.map { plan.changes[Int($0)] }
  }

  /// The changes of a part with the index of their group; of long runs of the same kind only the beginning, unless all
  /// of them are wanted.
  func lines(_ part: Part, all: Bool) -> [(group: Int, line: Line)] {
    var lines: [(group: Int, line: Line)] = []
    for group in groups.indices {
      let changes = Array(changes(part, group: group))
      var position = 0
      while position < changes.count {
        var end = position + 1
        while end < changes.count, ChangeLine.areAlike(changes[end], changes[position]) { end += 1 }
        // One line more says "and 1 more" and takes as much room as the line itself.
        let isCut = !all && end - position > Self.longestRun + 1
        for index in position..<(isCut ? position + Self.longestRun : end) {
          lines.append((group, .change(changes[index])))
        }
        if isCut { lines.append((group, .more(end - position - Self.longestRun, changes[position].object))) }
        position = end
      }
    }
    return lines
  }
}

extension Change {
  /// Whether someone gains or loses the rights of a moderator.
  var changesRights: Bool {
    (roleBefore == .moderator) != (roleAfter == .moderator)
  }

  /// Of a change of rights: whether they are gained.
  var gainsRights: Bool { roleAfter == .moderator }
}
