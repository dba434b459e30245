import CircleModel
import CirclePlan
import CircleState
import Diagnostics
import Digest
import JSONText

/// The members of small objects, alike in a document and in a line of its own.
extension JSONWriter {
  mutating func field(_ key: StaticString, time milliseconds: Int64) {
    field(key, UTCTime.text(milliseconds))
  }

  mutating func optional(_ key: StaticString, _ text: String?) {
    if let text { field(key, text) }
  }

  mutating func place(_ place: Place, _ files: SourceFiles) {
    guard place.isKnown else { return }
    field("file", files.path(of: place.file))
    if place.line > 0 { field("line", place.line) }
    if place.line > 0, place.column > 0 { field("column", place.column) }
  }

  mutating func members(of summary: ValidationSummary) {
    field("files", summary.files)
    field("servers", summary.servers)
    field("users", summary.users)
    field("groups", summary.groups)
    field("memberships", summary.memberships)
  }

  mutating func members(of summary: ImportSummary) {
    field("rows", summary.rows)
    guard summary.isOfUsers else { return field("refused", summary.refused) }
    field("new", summary.new)
    field("changed", summary.changed)
    key("fields")
    object { writer in
      for field in summary.fields {
        writer.key(escaping: field.name)
        writer.integer(field.count)
      }
    }
    field("unchanged", summary.unchanged)
    field("refused", summary.refused)
  }

  mutating func members(of fault: Diagnostic, _ files: SourceFiles) {
    field("severity", fault.severity.word)
    field("code", fault.code)
    field("message", fault.message)
    place(fault.place, files)
    if let end = fault.end { field("endColumn", end) }
    optional("help", fault.help)
    guard !fault.notes.isEmpty else { return }
    key("notes")
    array { writer in
      for note in fault.notes {
        writer.object {
          $0.field("message", note.message)
          $0.place(note.place, files)
          if let end = note.end { $0.field("endColumn", end) }
        }
      }
    }
  }

  mutating func members(of tally: PlanTally, _ counts: ChangeCounts) {
    field("create", tally.create)
    field("update", tally.update)
    field("delete", tally.delete)
    field("pending", counts.pending)
    field("drift", counts.drift)
    field("unmanaged", counts.unmanaged)
    field("unmanagedUsers", counts.unmanagedUsers)
    field("unmanagedMembers", counts.unmanagedMembers)
    field("blocked", counts.blocked)
    if counts.leftOut > 0 {
      field("leftOut", counts.leftOut)
      field("dependent", counts.dependent)
    }
  }

  mutating func members(of tally: PlanTally, server: Text?) {
    optional("server", server?.string)
    field("create", tally.create)
    field("update", tally.update)
    field("delete", tally.delete)
    field("drift", tally.drift)
    field("blocked", tally.blocked)
  }

  mutating func members(of refusal: PlanRefusal, index: Int, _ files: SourceFiles) {
    field("index", index)
    field("cause", refusal.cause.word)
    if case .operation(let kind, let error) = refusal.cause {
      field("operation", kind.word)
      if let number = error.name.number { field("number", number) }
      optional("actor", error.actor?.string)
    }
    optional("server", refusal.handle?.string)
    field("message", refusal.message)
    if case .guard(let breach) = refusal.cause { field("allow", breach.allowance.text) }
    key("wayOut")
    array { for line in refusal.wayOut { $0.string(line) } }
    field("changes", refusal.changes)
    place(refusal.place, files)
  }

  mutating func members(of note: PlanNote, of plan: Plan, _ files: SourceFiles) {
    field("kind", note.kind.word)
    if note.server.position < plan.result.servers.count {
      field("server", plan.result.handle(of: note.server).string)
    }
    if note.user.position < plan.result.names.count { field("user", plan.result.names[note.user]) }
    if case .setting(let setting, let before, let after) = note.kind {
      field("setting", setting.word)
      optional("before", before?.string)
      optional("after", after?.string)
    }
    if case .looksRenamed(let from, let shared, let all) = note.kind, from.position < plan.result.servers.count {
      field("from", plan.result.handle(of: from).string)
      field("shared", shared)
      field("of", all)
    }
    place(note.place, files)
  }

  mutating func members(of entry: HistoryEntry) {
    members(of: entry.run, subject: entry.subject, isArchived: entry.isArchived)
  }

  /// Not who wrote it: that differs from host to host, and reports do not.
  mutating func members(of run: Run, subject: Text? = nil, isArchived: Bool = false) {
    field("number", Int(run.number))
    field("time", time: run.time)
    field("kind", run.request.kind.word)
    field("command", run.request.command)
    optional("subject", subject?.string)
    if isArchived { field("archived", true) }
    optional("stack", run.request.stack?.string)
    guards(reason: run.request.reason, maxRemovals: run.request.maxRemovals, allow: run.request.allowances)
    field("firstSeq", Int(run.firstSeq))
    field("events", run.eventCount)
    field("records", run.recordCount)
    key("operations")
    object { writer in
      for (word, count) in run.countsByWord {
        writer.key(escaping: word)
        writer.integer(count)
      }
    }
    field("previous", run.previous.hex)
    field("hash", run.hash.hex)
  }

  mutating func members(of guards: LiftedGuards) {
    self.guards(reason: guards.reason, maxRemovals: guards.ceiling, allow: guards.allowances)
  }

  private mutating func guards(reason: String?, maxRemovals: String?, allow: [String]) {
    optional("reason", reason)
    optional("maxRemovals", maxRemovals)
    guard !allow.isEmpty else { return }
    key("allow")
    array { for allowance in allow { $0.string(allowance) } }
  }

  mutating func members(of head: Head) {
    field("revision", Int(head.revision))
    field("runs", Int(head.run))
    field("events", Int(head.nextSeq) - 1)
    if head.run > 0 { field("time", time: head.time) }
    field("users", head.totals.users)
    field("servers", head.totals.servers)
    field("memberships", head.totals.memberships)
    key("limits")
    object {
      $0.field("created", head.limits.created)
      $0.field("joined", head.limits.joined)
    }
    field("head", head.hash.hex)
  }

  mutating func members(of info: StateInfo) {
    field("format", info.format)
    members(of: info.head)
    archived(info.checkpoint)
  }

  /// What has gone into archives.
  private mutating func archived(_ checkpoint: Checkpoint?) {
    guard let checkpoint else { return }
    key("archived")
    object {
      $0.field("runs", Int(checkpoint.run))
      $0.field("events", Int(checkpoint.lastSeq))
      $0.field("through", time: checkpoint.time)
      $0.field("head", checkpoint.hash.hex)
      $0.field("cut", time: checkpoint.cutAt)
    }
  }

  mutating func members(of verification: Verification) {
    field("sound", verification.faults.isEmpty)
    key("faults")
    array { for fault in verification.faults { $0.string(fault) } }
    field("runs", Int(verification.head.run))
    field("events", Int(verification.head.nextSeq) - 1)
    field("head", verification.head.hash.hex)
    archived(verification.checkpoint)
  }

  mutating func members(of lock: StateLock?) {
    field("locked", lock != nil)
    guard let lock else { return }
    field("host", lock.host)
    field("process", Int(lock.process))
    field("since", time: lock.since)
  }
}

extension Run {
  /// How often each operation ran; kinds that share a word are one.
  var countsByWord: [(word: String, count: Int)] {
    var merged: [(word: String, count: Int)] = []
    for entry in counts {
      if let same = merged.firstIndex(where: { $0.word == entry.kind.word }) {
        merged[same].count += entry.count
      } else {
        merged.append((entry.kind.word, entry.count))
      }
    }
    return merged
  }
}
