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
      for field in ServerField.allCases {
        if let value = server.attributes[field] { fields.append((field.word, value)) }
      }
    case .registered(let profile, let devices, _):
      for field in UserField.allCases {
        if let value = profile[field] { fields.append((field.word, value)) }
      }
      self.devices = devices
    default: break
    }
  }
}
