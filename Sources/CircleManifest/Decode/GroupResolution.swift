import CircleModel
import Diagnostics

/// Writes groups out as the users they stand for, nested ones included.
///
/// Works with a stack of its own, since groups can be nested as deep as a hostile manifest likes.
struct GroupResolution: ~Copyable {
  private enum State { case untouched, open, done }

  private struct Visit {
    var group: Int
    var nextUse: Int
  }

  /// How many users all groups, written out, may name in all; what one list takes over whole costs nothing.
  static let maximumUsers = 20_000_000

  private var states: [State]
  private var resolved: [ContiguousArray<Listed>]
  private var written = 0
  private var reportedSize = false
  private let names: [String]

  init(groups: [ManifestDraft.Group]) {
    states = Array(repeating: .untouched, count: groups.count)
    resolved = Array(repeating: [], count: groups.count)
    names = groups.map(\.name.string)
  }

  /// The users of a list that has users of its own and uses groups.
  mutating func users(
    _ own: ContiguousArray<Listed>, and uses: [GroupUse], _ draft: inout ManifestDraft
  ) -> ContiguousArray<Listed> {
    for use in uses { resolve(use, &draft) }
    return join(own, uses, &draft)
  }

  /// Resolves all groups, for the sake of faults in those that nobody uses.
  mutating func resolveAll(_ draft: inout ManifestDraft) {
    for group in draft.groups.indices where draft.groups[group].place.isKnown {
      resolve(GroupUse(group: group, place: draft.groups[group].place), &draft)
    }
  }

  private mutating func resolve(_ use: GroupUse, _ draft: inout ManifestDraft) {
    if draft.groups[use.group].place == .none { return reportUndefined(use, &draft) }
    guard states[use.group] == .untouched else { return }
    states[use.group] = .open
    var stack = [Visit(group: use.group, nextUse: 0)]
    while let visit = stack.last {
      let uses = draft.groups[visit.group].list.groups
      guard visit.nextUse < uses.count else {
        resolved[visit.group] = join(draft.groups[visit.group].list.users, uses, &draft)
        states[visit.group] = .done
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].nextUse += 1
      let inner = uses[visit.nextUse]
      if draft.groups[inner.group].place == .none {
        reportUndefined(inner, &draft)
      } else if states[inner.group] == .open {
        reportCircle(inner, stack.map(\.group), &draft)
      } else if states[inner.group] == .untouched {
        states[inner.group] = .open
        stack.append(Visit(group: inner.group, nextUse: 0))
      }
    }
  }

  private mutating func join(
    _ own: ContiguousArray<Listed>, _ uses: [GroupUse], _ draft: inout ManifestDraft
  ) -> ContiguousArray<Listed> {
    let lists = [own] + uses.map { resolved[$0.group] }
    if lists.count(where: { !$0.isEmpty }) > 1 { written += lists.reduce(0) { $0 + $1.count } }
    if written > Self.maximumUsers, let use = uses.first {
      if !reportedSize {
        draft.report(
          .groupsTooLarge, "the groups, written out, name more than 20,000,000 users", at: use.place, end: use.end)
      }
      reportedSize = true
      return own
    }
    return UserList.union(lists)
  }

  private func reportUndefined(_ use: GroupUse, _ draft: inout ManifestDraft) {
    let name = names[use.group]
    let nearest = draft.hasRoom ? nearestName(to: name, among: draft.definedGroups).map { "@" + $0 } : nil
    draft.report(
      .undefinedGroup, "undefined group '@\(excerpt(name))'" + suggestion(nearest), at: use.place, end: use.end)
  }

  private func reportCircle(_ use: GroupUse, _ open: [Int], _ draft: inout ManifestDraft) {
    guard let start = open.firstIndex(of: use.group) else { return }
    let circle = open[start...]
    let shown = circle.prefix(6).map { excerpt(names[$0]) } + (circle.count > 6 ? ["…"] : [])
    let name = excerpt(names[use.group])
    draft.report(
      .circularGroup, "the group '\(name)' contains itself: \((shown + [name]).joined(separator: " → "))",
      at: use.place,
      end: use.end)
  }
}
