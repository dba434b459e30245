/// How much of a state a run needs: one member joining one server of a state with a million memberships reads a
/// handful of rows.
package struct Scope: Sendable {
  package enum Members: Sendable {
    /// None.
    case none
    /// Of the servers named, those of the users named.
    case named
    /// Of the servers named, all.
    case all
    /// Of every server.
    case everything
  }

  package enum Invitations: Sendable {
    /// Those of the servers whose members are loaded.
    case ofServers
    /// Also those that the users named in the snapshot's `names` sent or got, in any server.
    case ofUsers
    /// Of every server.
    case everything
  }

  /// Handles or ids of the servers that the run is about.
  package var servers: [Text]
  /// Whether the rows of all servers (without their members) are loaded, not only of those named.
  package var everyServer: Bool
  package var members: Members
  /// All servers of this stack count as named too: a run that destroys those that no manifest names needs their members.
  /// Only with `everyServer`.
  package var stack: Text?
  /// Whether the servers that the users named in the snapshot's `names` are in count as named too.
  package var serversOfUsers: Bool
  /// Which servers count as named too since they have pending invitations.
  package var invitations: Invitations
  /// Whether all users are loaded; those named in the snapshot's `names`, and the members loaded, always are.
  package var everyUser: Bool
  /// Whether profiles, devices and their base are loaded too.
  package var userDetails: Bool

  package init(
    servers: [Text] = [], everyServer: Bool = false, members: Members = .none, stack: Text? = nil,
    serversOfUsers: Bool = false, invitations: Invitations = .ofServers, everyUser: Bool = false,
    userDetails: Bool = false
  ) {
    self.servers = servers
    self.everyServer = everyServer
    self.members = members
    self.stack = stack
    self.serversOfUsers = serversOfUsers
    self.invitations = invitations
    self.everyUser = everyUser
    self.userDetails = userDetails
  }

  /// All there is.
  package static let everything = Scope(everyServer: true, members: .everything, everyUser: true, userDetails: true)
}
