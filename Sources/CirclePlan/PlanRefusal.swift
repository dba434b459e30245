package import CircleModel
package import Diagnostics

/// A set that a plan would cut too deep.
package struct GuardBreach: Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    case moreThan(MaxRemovals)
    case leavesEmpty
  }

  package var kind: GuardKind
  /// The handle that the server has after the plan; nil for the stack's servers.
  package var handle: Text?
  /// Of moderators: those lost minus those gained.
  package var removals: Int
  /// The size of the set before the plan, without the owner.
  package var base: Int
  package var reason: Reason

  /// The narrowest way out.
  package var allowance: GuardAllowance { GuardAllowance(kind, handle: handle, ceiling: removals) }
}

/// Why a plan may not run: what is refused, by which rule, and the way out.
package struct PlanRefusal: Sendable {
  package enum Cause: Sendable {
    /// An operation that `decide` refused.
    case operation(OperationKind, CircleError)
    case `guard`(GuardBreach)
    /// The owner of an existing server can't change.
    case ownerChange(before: UserIndex, after: UserIndex)
    /// Handles that would have to change places.
    case renameCycle([Text])
    /// The server's creation is refused, so nothing can be in it.
    case blockedCreate
  }

  package var cause: Cause
  /// The handle that the server has, or would have, after the plan; nil for what concerns no server.
  package var handle: Text?
  package var server: ServerIndex
  package var place: Place
  /// One sentence for a person, without a full stop.
  package var message: String
  /// What to do next, lines without a full stop; empty where there is none.
  package var wayOut: [String]
  /// How many changes it blocks.
  package var changes = 0

  package init(
    _ cause: Cause, handle: Text?, server: ServerIndex = .none, at place: Place, _ message: String,
    wayOut: [String] = []
  ) {
    self.cause = cause
    self.handle = handle
    self.server = server
    self.place = place
    self.message = message
    self.wayOut = wayOut
  }
}
