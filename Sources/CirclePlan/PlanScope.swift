package import CircleModel

/// What of a state a plan reads: the rows of all servers, the members of those that the manifests name, the users
/// named with their profiles and devices, which hear of what their owner does.
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
  return Scope(
    servers: named, everyServer: true, members: .all, stack: options.prune ? options.stack : nil,
    userDetails: true)
}
