import CircleModel
import CirclePlan

/// The values with which a change creates its server or its user: they are no changes of their own.
struct InitialValues {
  /// In the order of their numbers.
  private(set) var entries: [FieldEntry] = []
  private(set) var devices: [Text] = []
  private var isServer = false

  var isEmpty: Bool { entries.isEmpty && devices.isEmpty }

  /// Nothing for what is not created, or blocked.
  init(_ change: Change, in outcome: Outcome) {
    guard change.action == .create, change.object == .server || change.object == .user, change.record >= 0 else {
      return
    }
    switch outcome.detail(of: outcome.records[Int(change.record)]) {
    case .created(let server):
      entries = server.attributes.entries
      isServer = true
    case .registered(let profile, let devices, _):
      entries = profile.entries
      self.devices = devices
    default: break
    }
  }

  /// How the field of an entry is called; nil for one that this version does not know.
  func name(of entry: FieldEntry) -> String? {
    isServer ? ServerField(rawValue: entry.key)?.word : UserField(rawValue: entry.key)?.word
  }

  /// With their names.
  var fields: [(name: String, value: Text)] {
    entries.compactMap { entry in name(of: entry).map { ($0, entry.value) } }
  }
}
