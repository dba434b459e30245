package import CircleModel

/// A run of the history with what it was about.
package struct HistoryEntry: Sendable {
  package var run: Run
  /// Of a command on one thing: the server's handle at that moment, or the limit and its new value; nil for other runs, and
  /// for those in archives.
  package var subject: Text?
  /// Whether its log has gone into an archive.
  package var isArchived = false

  package init(_ run: Run, subject: Text? = nil, isArchived: Bool = false) {
    self.run = run
    self.subject = subject
    self.isArchived = isArchived
  }

  /// - Parameter cut: the last run whose log has gone into an archive, 0 for none.
  init(_ run: Run, in rows: any StateRows, cut: UInt32) throws(StateError) {
    self.run = run
    isArchived = run.number <= cut
    guard !isArchived else { return }
    guard run.request.kind == .command, run.blockCount == 1 else { return }
    var found: Text?
    try rows.scan(.log, of: run.number) { (_, bytes) throws(StateError) in
      found = try Self.subject(of: LogBlock(bytes))
      return false
    }
    subject = found
  }

  private static func subject(of block: LogBlock) throws(StateError) -> Text? {
    if !block.handle.isEmpty { return Text(String(decoding: block.handle, as: UTF8.self)) }
    guard block.kind == .setLimit else { return nil }
    var names = UserNames()
    let outcome = try block.outcome(server: .none) { names.intern($0) }
    guard let record = outcome.records.first, case .limit(let kind, _, let after) = outcome.detail(of: record) else {
      return nil
    }
    return Text("\(kind.word) \(after)")
  }
}
