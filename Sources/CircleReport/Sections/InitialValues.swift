import CircleModel
import CirclePlan

/// The values with which a change creates its server or its user: they are no changes of their own.
struct InitialValues {
  private var list = FieldList()
  private(set) var devices: [Text] = []
  private var isServer = false

  var isEmpty: Bool { list.isEmpty && devices.isEmpty }

  /// Nothing for what is not created, or blocked.
  init(_ change: Change, in outcome: Outcome) {
    guard change.action == .create, change.object == .server || change.object == .user, change.record >= 0 else {
      return
    }
    switch outcome.detail(of: outcome.records[Int(change.record)]) {
    case .created(let server):
      list = server.attributes.list
      isServer = true
    case .registered(let profile, let devices, _):
      list = profile.list
      self.devices = devices
    default: break
    }
  }

  /// Lends each value that is set, with its name, in the order of the numbers.
  func forEach(_ body: (String, UnsafeBufferPointer<UInt8>) -> Void) {
    list.forEach { key, text in
      let name = isServer ? ServerField(rawValue: key)?.word : UserField(rawValue: key)?.word
      if let name { body(name, text) }
    }
  }

  /// With their names.
  var fields: [(name: String, value: Text)] {
    var fields: [(name: String, value: Text)] = []
    forEach { fields.append(($0, Text($1))) }
    return fields
  }
}
