package import CircleModel

/// What a plan depends on beside the manifests and the state.
package struct PlanOptions: Sendable {
  /// The stack that the manifests belong to.
  package var stack: Text
  /// Whether servers of this stack that no manifest names are destroyed.
  package var prune: Bool
  /// Whether users that the manifests name and nobody registered are registered.
  package var register: Bool
  package var maxRemovals: MaxRemovals
  package var allow: [GuardAllowance]
  /// Kept in the history.
  package var reason: Text?
  /// Which changes are taken in.
  package var selection: Selection

  package init(
    stack: Text = "default", prune: Bool = false, register: Bool = false, maxRemovals: MaxRemovals = .percent(30),
    allow: [GuardAllowance] = [], reason: Text? = nil, selection: Selection = Selection()
  ) {
    self.stack = stack
    self.prune = prune
    self.register = register
    self.maxRemovals = maxRemovals
    self.allow = allow
    self.reason = reason
    self.selection = selection
  }
}
