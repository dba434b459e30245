import CircleModel
import Diagnostics

/// The users that an apply registers or changes.
struct UserDiff {
  /// A user with his entry in `DesiredState.users`, or -1 for one whom only `--register` brings in.
  struct Step {
    var user: UserIndex
    var entry: Int32
  }

  /// By lower-cased id.
  private(set) var steps = ContiguousArray<Step>()

  init(_ desired: DesiredState, _ actual: Snapshot, newcomers: ContiguousArray<UserIndex>) {
    for (position, entry) in desired.users.enumerated() where entry.differs(from: actual) {
      steps.append(Step(user: entry.user, entry: Int32(truncatingIfNeeded: position)))
    }
    for user in newcomers { steps.append(Step(user: user, entry: -1)) }
    UserOrder(actual.names, for: steps.count).sort(&steps) { $0.user }
  }
}

extension DesiredUser {
  /// The fields that the entry names.
  var managed: FieldMask {
    var bits: UInt16 = devices == nil ? 0 : FieldMask.devices.rawValue
    for field in fields { bits |= FieldMask(field.field).rawValue }
    return FieldMask(rawValue: bits)
  }

  var profile: UserProfile {
    var list = FieldList()
    // In the order of the numbers, as the fields are.
    for field in fields {
      guard let value = TextRule.stored(field.value, as: field.field) else { continue }
      list.append(field.field.rawValue, value)
    }
    return UserProfile(list)
  }

  /// Whether there is anything to write, be it a mark.
  func differs(from snapshot: Snapshot) -> Bool {
    guard snapshot[user].isRegistered else { return true }
    if fields.isEmpty && devices == nil { return false }
    let detail = snapshot.details[user]
    if lacksMarks(snapshot[user], detail) { return true }
    if let devices, devices.value != detail?.devices ?? [] { return true }
    let profile = detail?.profile ?? UserProfile()
    return fields.contains { field in
      // What equals the stored value is in its stored form already.
      !profile.holds(field.value, field.field)
        && !profile.holds(TextRule.stored(field.value, as: field.field), field.field)
    }
  }

  /// Whether the base does not say yet that this entry's values are what the last apply left.
  private func lacksMarks(_ user: User, _ detail: UserDetail?) -> Bool {
    let mask = managed
    if !user.managed.isSuperset(of: mask) { return true }
    guard let detail else { return false }
    return detail.overrides.contains { mask.contains(FieldMask($0.field)) }
      || (mask.contains(.devices) && detail.devicesOverride != nil)
  }
}

// MARK: - The first step of a run

extension Planner {
  mutating func decideUsers(_ users: UserDiff) {
    for step in users.steps {
      guard step.entry >= 0 else {
        let place = desired.mentions[step.user.position]
        register(step.user, UserProfile(), devices: [], managed: [], rule: .registerOption, at: place)
        continue
      }
      let entry = desired.users[Int(step.entry)]
      let managed = entry.managed
      guard plan.result[entry.user].isRegistered else {
        register(
          entry.user, entry.profile, devices: entry.devices?.value ?? [], managed: managed, rule: .manifest,
          at: entry.place)
        continue
      }
      let isTaken = updateFields(entry)
      guard setDevices(entry), isTaken, !managed.isEmpty, takesUsers(.update, 0) else { continue }
      _ = perform(.markUser(entry.user, managed), Origin(.manifest, at: entry.place), for: nil, on: .none)
    }
  }

  private mutating func register(
    _ user: UserIndex, _ profile: UserProfile, devices: [Text], managed: FieldMask, rule: Rule, at place: Place
  ) {
    guard takesUsers(.create) else {
      unregistered.insert(user)
      return
    }
    let verdict = perform(
      .registerUser(user, profile, devices: devices, managed: managed), Origin(rule, at: place), for: nil, on: .none)
    add(Change(.create, .user, .pending, user: user, rule: rule, at: place), verdict)
  }

  /// - Returns: false where the changes are left out.
  private mutating func updateFields(_ entry: DesiredUser) -> Bool {
    let managed = plan.result[entry.user].managed
    let detail = plan.result.details[entry.user]
    var settings: [FieldSetting<UserField>] = []
    var changes: [(Change, ChangeText)] = []
    for wanted in entry.fields {
      let value = TextRule.stored(wanted.value, as: wanted.field)
      let before = detail?.profile[wanted.field]
      guard value != before else { continue }
      settings.append(FieldSetting(wanted.field, value, at: wanted.place))
      let override = detail?.overrides.first { $0.field == wanted.field }
      let isBase = managed.contains(FieldMask(wanted.field)) && (override.map { $0.value == value } ?? false)
      var change = Change(
        .update, .userField, isBase ? .drift : .pending, user: entry.user, at: wanted.place)
      change.field = wanted.field.rawValue
      changes.append((change, ChangeText(before: before, after: value)))
    }
    guard !settings.isEmpty else { return true }
    guard takesUsers(.update, settings.count) else { return false }
    let verdict = perform(
      .updateUser(entry.user, settings), Origin(.manifest, at: entry.place), for: nil, on: .none)
    for (change, text) in changes { add(change, verdict, text: text) }
    return true
  }

  /// - Returns: false where the change is left out.
  private mutating func setDevices(_ entry: DesiredUser) -> Bool {
    guard let devices = entry.devices else { return true }
    let detail = plan.result.details[entry.user]
    let before = detail?.devices ?? []
    guard devices.value != before else { return true }
    guard takesUsers(.update) else { return false }
    let isBase = plan.result[entry.user].managed.contains(.devices) && detail?.devicesOverride == devices.value
    let verdict = perform(
      .setDevices(entry.user, devices.value), Origin(.manifest, at: devices.place), for: nil, on: .none)
    add(
      Change(.update, .devices, isBase ? .drift : .pending, user: entry.user, at: devices.place), verdict,
      text: ChangeText(before: before.joinedDevices, after: devices.value.joinedDevices))
    return true
  }
}
