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
      var restoring = Restoring(rows: rows)
      do throws(RestoreError) {
        try restoring.take(read)
      } catch {
        switch error {
        case .state(let error): throw error
        case .dump(let found): fault = found
        }
      }
      if fault == nil, let wrong = try faultsOfCopy(restoring.content, head: restoring.head).first {
        fault = DumpFault(line: restoring.line, sentence: "what the dump holds does not verify: \(wrong)")
      }
      if fault == nil {
        try rows.setLock(nil)
        try rows.commit()
        return restoring.head
      }
    } catch {
      throw .state(error)
    }
    throw .dump(fault ?? DumpFault(line: 1, sentence: "nothing was read"))
  }
}

/// A dump on its way into the rows of a state.
private struct Restoring {
  let rows: any StateRows
  private(set) var content = StateContent()
  private(set) var head = Head()
  private(set) var line = 0
  private var expected: (revision: Int, run: Int, hash: String)?
  private var isEnded = false

  /// A block of the log may be long; nothing that was dumped is longer.
  private static let longestLine = 256 << 20

  init(rows: any StateRows) {
    self.rows = rows
  }

  mutating func take(_ read: () throws(StateError) -> [UInt8]) throws(RestoreError) {
    var reader = JSONLineReader(longestLine: Self.longestLine)
    while true {
      let step: JSONLineReader.Step
      do throws(JSONFault) {
        step = try reader.next()
      } catch {
        throw .dump(DumpFault(line: error.line, sentence: error.sentence))
      }
      switch step {
      case .needsBytes:
        let bytes: [UInt8]
        do throws(StateError) { bytes = try read() } catch { throw .state(error) }
        if bytes.isEmpty { reader.finish() } else { bytes.withUnsafeBytes { reader.feed($0) } }
      case .value:
        line = reader.line
        guard let value = reader.value else { throw fault("it can't be read") }
        try take(value)
      case .end:
        guard isEnded else {
          throw .dump(DumpFault(line: line + 1, sentence: "the dump ends here, before its last line"))
        }
        return
      }
    }
  }

  private mutating func take(_ value: JSONNode) throws(RestoreError) {
    guard !isEnded else { throw fault("more follows after the end of the dump") }
    guard expected != nil else { return try begin(value) }
    if value["end"] != nil { return try end(value) }
    if value["table"] != nil { return try takeRow(value) }
    guard value["names"] != nil else { throw fault("this is no line of a dump") }
    try takeName(value)
  }

  private mutating func begin(_ value: JSONNode) throws(RestoreError) {
    guard let version = value["circlectlDump"]?.integer else { throw fault("this is no dump of a circlectl state") }
    guard version == DumpForm.version, value["format"]?.integer == DumpForm.format else {
      throw fault("the dump was made by another version of circlectl, and this one does not know its form")
    }
    guard let revision = value["revision"]?.integer, let run = value["run"]?.integer,
      let hash = value["head"]?.string
    else { throw fault("the first line is not complete") }
    expected = (revision, run, hash)
  }

  private mutating func takeRow(_ value: JSONNode) throws(RestoreError) {
    let name = value["table"]?.string
    guard let table = StateTable.allCases.first(where: { DumpForm.name(of: $0) == name }) else {
      throw fault("there is no table of that name")
    }
    var parts: [UInt32] = []
    value["key"]?.forEachElement { parts.append($0.integer.flatMap { UInt32(exactly: $0) } ?? .max) }
    let padded = parts + [0, 0, 0]
    let key = RowKey(padded[0], padded[1], padded[2])
    guard parts.count == table.arity, table.admits(key) else { throw fault("no row can have this key") }
    let decoded = value["value"]?.withText { Base64.decode($0) }
    guard let bytes = decoded ?? nil else { throw fault("the value is no base64") }
    try bytes.withRaw { (bytes) throws(RestoreError) in try put(.row(table, key, bytes), value) }
    if table == .head {
      do throws(StateError) {
        head = try bytes.withRaw { (bytes) throws(StateError) in try Head(bytes) }
      } catch {
        throw fault("the row says nothing of how far the state has come")
      }
    }
  }

  private mutating func takeName(_ value: JSONNode) throws(RestoreError) {
    let name = value["names"]?.string
    guard let table = NameTable.allCases.first(where: { DumpForm.name(of: $0) == name }) else {
      throw fault("there is no directory of that name")
    }
    guard let text = value["name"]?.string, let number = value["number"]?.integer.flatMap({ UInt32(exactly: $0) })
    else { throw fault("the name or its number is missing") }
    try Array(text.utf8).withRaw { (bytes) throws(RestoreError) in try put(.name(table, bytes, number), value) }
  }

  private mutating func put(_ item: StateItem, _ value: JSONNode) throws(RestoreError) {
    content.add(item)
    guard value["check"]?.string == DumpForm.check(content) else {
      throw fault("the line was changed, or one before it is missing or was added")
    }
    do throws(StateError) { try rows.put(item) } catch { throw .state(error) }
  }

  private mutating func end(_ value: JSONNode) throws(RestoreError) {
    guard value["lines"]?.integer == content.count + 2, value["digest"]?.string == content.digest.hex else {
      throw fault("lines are missing before the end")
    }
    guard let expected, expected == (Int(head.revision), Int(head.run), head.hash.hex) else {
      throw fault("the first line tells of another state than the rows")
    }
    isEnded = true
  }

  private func fault(_ sentence: String) -> RestoreError {
    .dump(DumpFault(line: line, sentence: sentence))
  }
}
