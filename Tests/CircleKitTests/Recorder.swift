import CircleKit
import Synchronization

/// A delegate that keeps what it hears, in words.
final class Recorder: CircleServerDelegate, MultiDevicesDelegate {
  private let heard = Mutex<[String]>([])

  var calls: [String] { heard.withLock { $0 } }

  private func note(_ call: String) { heard.withLock { $0.append(call) } }

  /// Waits until so many calls have come, at most two seconds.
  func calls(_ count: Int) async -> [String] {
    for _ in 0..<400 where calls.count < count {
      try? await Task.sleep(for: .milliseconds(5))
    }
    return calls
  }

  func onServerUpdated(_ event: CircleServerEvent) {
    note("updated \(event.attribute.name ?? "") \(event.changed.joined(separator: ","))")
  }
  func onServerDestroyed(_ serverId: String, initiator: String) { note("destroyed by \(initiator)") }
  func onReceiveServerInvitation(_ event: CircleServerEvent, inviter: String) {
    note("invited by \(inviter) to \(event.attribute.name ?? ""): \(event.welcome ?? "")")
  }
  func onServerInvitationBeAccepted(_ serverId: String, invitee: String) { note("accepted \(invitee)") }
  func onServerInvitationBeDeclined(_ serverId: String, invitee: String) { note("declined \(invitee)") }
  func onServerRoleAssigned(_ serverId: String, member: String, role: CircleUserRole) { note("role \(member) \(role)") }
  func onMemberJoinedServer(_ serverId: String, member: String) { note("joined \(member)") }
  func onMemberLeftServer(_ serverId: String, member: String) { note("left \(member)") }
  func onMemberRemoved(fromServer serverId: String, members: [String]) {
    note("removed \(members.joined(separator: ","))")
  }
  func multiDevicesCircleServerEventDidReceive(_ event: MultiDevicesEvent, serverId: String, ext: [String]) {
    note("device \(event) \(ext.joined(separator: ","))")
  }
}

/// Hears nothing: every method is optional.
final class Deaf: CircleServerDelegate, MultiDevicesDelegate {}
