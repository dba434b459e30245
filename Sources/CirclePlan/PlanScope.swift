package import CircleModel

/// What of a state a plan reads: the rows of all servers, the members of those that the manifests name, the users
/// named; profiles and devices only where an entry of `users` manages some.
///
/// `--prune` takes the members of all the stack's servers: those of a destroyed one have room for another.
package func scope(of desired: DesiredState, options: PlanOptions) -> Scope {
  var named: [Text] = []
  named.reserveCapacity(desired.servers.count)
  for server in desired.servers {
    named.append(server.handle)
    if let id = server.serverID { named.append(id.value) }
    for old in server.renamedFrom { named.append(old.value) }
  }
  let managesUsers = desired.users.contains { !$0.fields.isEmpty || $0.devices != nil }
  return Scope(
    servers: named, everyServer: true, members: .all, stack: options.prune ? options.stack : nil,
    userDetails: managesUsers)
}
