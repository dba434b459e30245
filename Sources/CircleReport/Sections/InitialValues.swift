import CircleModel
import CirclePlan

/// The values with which a change creates its server or its user: they are no changes of their own.
struct InitialValues {
  /// In the order of the fields.
  private(set) var fields: [(name: String, value: Text)] = []
  private(set) var devices: [Text] = []

  var isEmpty: Bool { fields.isEmpty && devices.isEmpty }

  /// Nothing for what is not created, or blocked.
  init(_ change: Change, in plan: Plan) {
    guard change.action == .create, change.object == .server || change.object == .user,
      let record = plan.record(of: change)
    else { return }
    switch plan.outcome.detail(of: record) {
    case .created(let server):
      fields = server.attributes.entries.compactMap { entry in
        ServerField(rawValue: entry.key).map { ($0.word, entry.value) }
      }
    case .registered(let profile, let devices, _):
      fields = profile.entries.compactMap { entry in
        UserField(rawValue: entry.key).map { ($0.word, entry.value) }
      }
      self.devices = devices
    default: break
    }
  }
}
