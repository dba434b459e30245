package import CircleModel
import CircleState
package import CircleTables
package import Diagnostics

/// Brings the users of tables into a state: decides batch by batch what each record asks for, and counts.
package final class UserImport: UserBatches {
  package enum Mode: String, CaseIterable, Sendable {
    /// Registers who is new and changes who is there.
    case upsert
    /// Who is there is a fault.
    case insert
    /// Who is not there is a fault.
    case update
  }

  /// What an import does, or would do.
  package struct Tally: Equatable, Sendable {
    package var new = 0
    package var changed = 0
    package var unchanged = 0
    /// Of those who are there, by `UserField`'s number how many have the field changed; 12 is `devices`.
    package var fields = [Int](repeating: 0, count: UserField.allCases.count + 1)

    package init() {}
  }

  package private(set) var tally = Tally()
  /// Users that were looked at so far.
  package private(set) var count = 0
  /// Why reading stopped early; nothing is written then.
  package private(set) var stop: TableStop?
  /// Rows refused by what the state has.
  package private(set) var refused = 0
  /// Why, and of which users there are several rows; the faults of the rows by themselves are the scan's.
  package private(set) var diagnostics: DiagnosticCollector

  private let scan: TableScan
  private let merge: UserRecordMerge
  private let mode: Mode
  private let skips: Bool
  private let givesBack: Bool
  private let observer: (Int) -> Void
  private let interrupted: () -> Int32
  private let context: RunContext
  /// The records of the batch, one after the other, with where each begins.
  private var records: [UInt8] = []
  private var starts = ContiguousArray<Int>()

  /// How many users are decided at a time: one block of the log.
  private static let batch = 4096

  /// - Parameters:
  ///   - skips: whether the other rows are written where some are refused.
  ///   - givesBack: whether rows that are refused go to the scan's.
  ///   - progress: hears how many users have been decided; from any thread.
  package init(
    _ table: UserTable, mode: Mode, skips: Bool, givesBack: Bool, time: Int64, progress: @escaping (Int) -> Void,
    interrupted: @escaping () -> Int32
  ) throws(TableStop) {
    scan = table.scan
    merge = try table.spool.sorted()
    self.mode = mode
    self.skips = skips
    self.givesBack = givesBack
    diagnostics = DiagnosticCollector(limit: table.scan.options.maxErrors)
    observer = progress
    self.interrupted = interrupted
    context = RunContext(kind: .import, time: time, ids: IDSource(seed: [], nextSeq: 0))
  }

  // MARK: Batches

  package func next() -> UserNames? {
    let signal = interrupted()
    if signal != 0 { stop = .interrupted(signal) }
    guard stop == nil else { return nil }
    // Taken out, so that not every change of them is looked at.
    var (records, starts) = ([UInt8](), ContiguousArray<Int>())
    swap(&records, &self.records)
    swap(&starts, &self.starts)
    defer {
      swap(&records, &self.records)
      swap(&starts, &self.starts)
    }
    records.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    var names = UserNames()
    names.reserve(Self.batch)
    do throws(TableStop) {
      while starts.count < Self.batch {
        let found: Void? = try merge.next(duplicate: { diagnostics.append(Self.warning(of: $0, $1, $2)) }) { record in
          starts.append(records.count)
          records.append(contentsOf: record.bytes)
          _ = names.intern(record.id)
        }
        if found == nil { break }
      }
    } catch {
      stop = error
      return nil
    }
    return starts.isEmpty ? nil : names
  }

  /// That a user has a row already: his earlier row, this one, and his id.
  package static func warning(of earlier: Place, _ later: Place, _ id: UnsafeBufferPointer<UInt8>) -> Diagnostic {
    TableFault.duplicateRow.warning(
      "user '\(String(decoding: id, as: UTF8.self))' has a row in line \(earlier.line) already; where both say something, this one wins",
      at: Place(file: later.file, line: later.line, column: 0),
      notes: [.init("the earlier row is here", at: Place(file: earlier.file, line: earlier.line, column: 0))])
  }

  package func mayCommit() -> Bool {
    stop == nil && (skips || scan.refusedCount + refused == 0)
  }

  package func decide(in snapshot: Snapshot) -> (outcome: Outcome, result: Snapshot) {
    var result = snapshot
    var outcome = Outcome()
    outcome.records.reserveCapacity(starts.count)
    outcome.details.reserveCapacity(starts.count)
    var isChanged = ContiguousArray<Bool>(repeating: false, count: starts.count)
    var hasRegistered = false
    for position in starts.indices {
      if snapshot.users[position].isRegistered {
        hasRegistered = true
      } else {
        register(UserIndex(position), &result, &outcome)
      }
    }
    if hasRegistered {
      for position in starts.indices where snapshot.users[position].isRegistered {
        isChanged[position] = update(UserIndex(position), &result, &outcome)
      }
      for position in starts.indices where snapshot.users[position].isRegistered {
        if setDevices(UserIndex(position), &result, &outcome) { isChanged[position] = true }
        guard mode != .insert else { continue }
        if isChanged[position] { tally.changed += 1 } else { tally.unchanged += 1 }
      }
    }
    count += starts.count
    observer(count)
    return (outcome, result)
  }

  private func withRecord<R>(_ user: UserIndex, _ body: (UserRecord) -> R) -> R {
    records.withUnsafeBytes { body(UserRecord(packed: $0, at: starts[user.position])) }
  }

  // MARK: Operations

  private func register(_ user: UserIndex, _ result: inout Snapshot, _ outcome: inout Outcome) {
    withRecord(user) { record in
      guard mode != .update else {
        return refuse(record, .userMissing, "there is no such user, and --mode is update")
      }
      var list = FieldList()
      list.reserve(record.bytes.count)
      var devices: [Text] = []
      record.forEachField { field, text in
        if let field = UserField(rawValue: UInt8(field)) {
          if !TextRule.isUnset(text, as: field) { list.append(field.rawValue, text) }
        } else {
          devices = UserRecord.devices(text)
        }
      }
      let operation = Operation.registerUser(user, UserProfile(list), devices: devices, isChecked: true)
      if perform(operation, record, &result, &outcome) { tally.new += 1 }
    }
  }

  private func update(_ user: UserIndex, _ result: inout Snapshot, _ outcome: inout Outcome) -> Bool {
    withRecord(user) { record in
      guard mode != .insert else {
        refuse(record, .userExists, "the user is registered already, and --mode is insert")
        return false
      }
      var settings: [FieldSetting<UserField>] = []
      let stored = result.details[user]?.profile ?? UserProfile()
      record.forEachField { field, text in
        // Of most users nothing, or little, is new.
        guard let field = UserField(rawValue: UInt8(field)), !stored.list.holds(text, at: field.rawValue) else {
          return
        }
        settings.append(FieldSetting(field, text.isEmpty ? nil : Text(text), at: record.place))
      }
      if settings.isEmpty { return false }
      guard perform(.updateUser(user, settings), record, &result, &outcome) else { return false }
      if case .profile(let changes, _)? = outcome.details.last {
        for change in changes { tally.fields[Int(change.field.rawValue)] += 1 }
      }
      return true
    }
  }

  private func setDevices(_ user: UserIndex, _ result: inout Snapshot, _ outcome: inout Outcome) -> Bool {
    withRecord(user) { record in
      guard mode != .insert, record.mask.contains(.devices) else { return false }
      var devices: [Text] = []
      record.forEachField { field, text in
        if field == UserField.allCases.count { devices = UserRecord.devices(text) }
      }
      guard perform(.setDevices(user, devices), record, &result, &outcome) else { return false }
      tally.fields[UserField.allCases.count] += 1
      return true
    }
  }

  /// - Returns: whether it changes something.
  private func perform(
    _ operation: CircleModel.Operation, _ record: UserRecord, _ result: inout Snapshot, _ outcome: inout Outcome
  ) -> Bool {
    let first = outcome.records.count
    var context = context
    do throws(CircleModel.CircleError) {
      try CircleModel.decide(
        operation, by: .administrator, from: Origin(.command, at: record.place), in: result, context: &context,
        into: &outcome)
    } catch {
      refuse(record, .value, error.reason)
      return false
    }
    guard outcome.records.count > first else { return false }
    for position in first..<outcome.records.count {
      result.apply(outcome.records[position], of: outcome, in: context)
    }
    return true
  }

  /// Every row about the user is refused.
  ///
  /// - Parameter reason: of `.value` the whole message, else what follows the id.
  private func refuse(_ record: UserRecord, _ code: TableFault, _ reason: String) {
    let id = String(decoding: record.id, as: UTF8.self)
    do throws(TableStop) {
      try merge.forEachRow(of: record) { (row) throws(TableStop) in
        refused += 1
        let message = code == .value ? reason : "'\(scan.column(of: 0, in: row.place.file))' is '\(id)': \(reason)"
        diagnostics.appendError { code.error(message, at: scan.place(of: 0, inRowAt: row.place)) }
        if givesBack, let kept = row.raw { try scan.refused?.add(kept: kept, error: message) }
      }
    } catch {
      stop = stop ?? error
    }
  }
}
