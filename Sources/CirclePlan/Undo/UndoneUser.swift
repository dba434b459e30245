import CircleModel
import Diagnostics

/// One user whose fields or devices a run changed, and what they were.
struct UndoneUser {
  let user: UserIndex
  var fields: [FieldChange<UserField>] = []
  /// Nil where they did not change.
  var devices: [Text]?
  /// Fields that were no drift from what the run left, so that they are none after the undo.
  var unmarked: FieldMask = []

  /// - Parameter note: takes what is stale.
  init(_ user: UserIndex, _ effect: RunEffect, _ actual: Snapshot, note: (String) -> Void) {
    self.user = user
    let old = effect.before.details[user] ?? UserDetail()
    let new = effect.after.details[user] ?? UserDetail()
    let now = actual.details[user] ?? UserDetail()
    let name = actual.names[user]
    for field in UserField.allCases {
      switch UndoneValue(before: old.profile[field], after: new.profile[field], now: now.profile[field]) {
      case .nothing: break
      case .back:
        fields.append(FieldChange(field, before: now.profile[field], after: old.profile[field]))
        let wasDrift = old.overrides.contains { $0.field == field && $0.value == new.profile[field] }
        if !wasDrift { unmarked.insert(FieldMask(field)) }
      case .stale: note("'\(field.word)' of user '\(name)' has changed")
      }
    }
    switch UndoneValue(before: old.devices, after: new.devices, now: now.devices) {
    case .nothing: break
    case .back:
      devices = old.devices
      if old.devicesOverride != new.devices { unmarked.insert(.devices) }
    case .stale: note("the devices of user '\(name)' have changed")
    }
  }
}

extension UndoPlanner {
  mutating func takeBackUsers() {
    for undone in users {
      if !undone.fields.isEmpty {
        let settings = undone.fields.map { FieldSetting($0.field, $0.after) }
        let verdict = plan.perform(.updateUser(undone.user, settings), .command, for: nil, on: .none)
        for field in undone.fields {
          var change = Change(.update, .userField, .pending, user: undone.user, rule: .command, at: .none)
          change.field = field.field.rawValue
          plan.add(change, verdict, text: ChangeText(before: field.before, after: field.after))
        }
      }
      guard let devices = undone.devices else { continue }
      let now = actual.details[undone.user]?.devices ?? []
      let verdict = plan.perform(.setDevices(undone.user, devices), .command, for: nil, on: .none)
      plan.add(
        Change(.update, .devices, .pending, user: undone.user, rule: .command, at: .none), verdict,
        text: ChangeText(before: now.joinedDevices, after: devices.joinedDevices))
    }
  }

  /// What is back is from now on what the last apply left, unless it was drift before.
  mutating func markUsers() {
    for undone in users {
      let managed = plan.result[undone.user].managed
      let marks = undone.unmarked.intersection(managed)
      if !marks.isEmpty { _ = plan.perform(.markUser(undone.user, marks), .command, for: nil, on: .none) }
    }
  }
}
