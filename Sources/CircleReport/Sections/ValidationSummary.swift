/// What manifests hold that were found right.
package struct ValidationSummary: Equatable, Sendable {
  package var files: Int
  package var servers: Int
  package var users: Int
  package var groups: Int
  /// Places in the lists of servers, groups unfolded.
  package var memberships: Int
  /// What was found doubtful.
  package var warnings: Int

  package init(files: Int, servers: Int, users: Int, groups: Int, memberships: Int, warnings: Int = 0) {
    self.files = files
    self.servers = servers
    self.users = users
    self.groups = groups
    self.memberships = memberships
    self.warnings = warnings
  }
}
