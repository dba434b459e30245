import CircleModel
import CircleState
import Diagnostics

extension CommandRun {
  /// Refuses a recipient whom nobody registered, and a device on which he never was.
  ///
  /// - Parameter log: has the events of which some may have reached the device.
  func requireKnown(_ recipient: Recipient, in store: StateStore, log: StateStore) throws(Failure) {
    var names = UserNames()
    let user = recipient.user.withBytes { names.intern($0) }
    let snapshot = try onState { () throws(StateError) in
      try store.load(Scope(userDetails: true), names: names).snapshot
    }
    guard snapshot.isRegistered(user) else {
      throw unknown("'\(recipient.user)' is not registered", try nearestUser(to: recipient.user, in: store))
    }
    guard let device = recipient.device else { return }
    let devices = snapshot.details[user]?.devices ?? []
    if devices.contains(device) { return }
    if try wasTold(recipient, in: log) { return }
    throw unknown(
      "'\(recipient.user)' has no device '\(device)'", nearestName(to: device.string, among: devices.map(\.string)))
  }

  /// Whether an event reached the device, which may be his no more.
  private func wasTold(_ recipient: Recipient, in store: StateStore) throws(Failure) -> Bool {
    var isFound = false
    try onState { () throws(StateError) in
      try store.reading { () throws(StateError) in
        try EventLog(store.rows).forEachWithAudience { (event, audience) throws(StateError) in
          isFound = event.name.isDeviceEvent && audience.includes(recipient.user.string, device: recipient.device)
          return !isFound
        }
      }
    }
    return isFound
  }

  private func unknown(_ sentence: String, _ near: String?) -> Failure {
    Failure(
      .refused, "\(sentence)\(near.map { "; did you mean '\($0)'?" } ?? "") (\(CircleErrorName.notRegistered.rawValue))"
    )
  }
}
