import Digest
import JSONText

/// Why text is no dump that can be restored, and where.
package struct DumpFault: Error, Equatable, Sendable {
  /// From 1.
  package let line: Int
  /// For a person, without a full stop.
  package let sentence: String
}

/// Why a state was not restored; nothing is written then.
package enum RestoreError: Error {
  case dump(DumpFault)
  case state(StateError)
}

extension StateStore {
  /// Writes what a dump holds into a state without a history, in one transaction; nothing is written unless the whole dump
  /// is there and what it holds verifies. The lock is given up with it.
  ///
  /// - Parameter read: gives the next bytes of the dump; none at its end.
  /// - Returns: how far the state has come.
  package func restore(
    _ read: () throws(StateError) -> [UInt8]
  ) throws(RestoreError) -> Head {
    var fault: DumpFault?
    do throws(StateError) {
      // Not tried again where a server can't fit it in: what was read is gone.
      try rows.begin(writing: true, timeout: timeout)
      defer { rows.rollback() }
      try checkUnused()
      var lines = ItemLines("dump", of: "state", version: DumpForm.version)
      var head = Head()
      do throws(RestoreError) {
        head = try restore(&lines, read)
      } catch {
        switch error {
        case .state(let error): throw error
        case .dump(let found): fault = found
        }
      }
      if fault == nil, let wrong = try faultsOfCopy(lines.handed, head: head).first {
        fault = DumpFault(line: lines.line, sentence: "what the dump holds does not verify: \(wrong)")
      }
      if fault == nil {
        try rows.setLock(nil)
        try rows.commit()
        return head
      }
    } catch {
      throw .state(error)
    }
    throw .dump(fault ?? DumpFault(line: 1, sentence: "nothing was read"))
  }

  /// Puts what the dump holds into the rows.
  private func restore(
    _ lines: inout ItemLines, _ read: () throws(StateError) -> [UInt8]
  ) throws(RestoreError) -> Head {
    var expected: (revision: Int, run: Int, hash: String) = (0, 0, "")
    var head = Head()
    try lines.read(read) { (first, lines) throws(RestoreError) in
      guard let revision = first["revision"]?.integer, let run = first["run"]?.integer,
        let hash = first["head"]?.string
      else { throw lines.fault("the first line is not complete") }
      expected = (revision, run, hash)
    } put: { (item, lines) throws(RestoreError) in
      do throws(StateError) { try rows.put(item) } catch { throw .state(error) }
      guard case .row(.head, _, let bytes) = item else { return }
      do throws(StateError) { head = try Head(bytes) } catch {
        throw lines.fault("the row says nothing of how far the state has come")
      }
    }
    guard expected == (Int(head.revision), Int(head.run), head.hash.hex) else {
      throw lines.fault("the first line tells of another state than the rows")
    }
    return head
  }
}
