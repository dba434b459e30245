import CircleModel
import JSONText

@testable import CircleState

/// A state as the fuzzer writes it: rows parted by two bytes 1E, each a line such as `members 1 7` or `handles 1` and then
/// its bytes, or its name, as they are. A dump would not do: its digests keep all that was changed from being read.
enum FuzzedState {
  static let separator: [UInt8] = [0x1E, 0x1E]

  static func rows(_ bytes: [UInt8]) throws(StateError) -> MemoryRows {
    let memory = MemoryRows()
    try memory.begin(writing: true, timeout: 0)
    for part in parts(bytes) {
      let end = part.firstIndex(of: 0x0A) ?? part.endIndex
      let words = String(decoding: part[..<end], as: UTF8.self).split(separator: " ").map(String.init)
      let numbers = words.dropFirst().map { UInt32($0) ?? 0 } + [0, 0, 0]
      let value = Array(part[end...].dropFirst())
      let item: (UnsafeRawBufferPointer) -> StateItem?
      if let table = StateTable.allCases.first(where: { DumpForm.name(of: $0) == words.first }) {
        let key = RowKey(numbers[0], numbers[1], numbers[2])
        item = { table.admits(key) ? .row(table, key, $0) : nil }
      } else if let table = NameTable.allCases.first(where: { "\($0)-names" == words.first }) {
        item = { .name(table, $0, numbers[0]) }
      } else {
        continue
      }
      try value.withUnsafeBufferPointer { (bytes) throws(StateError) in
        if let item = item(UnsafeRawBufferPointer(bytes)) { try memory.put(item) }
      }
    }
    try memory.commit()
    return memory
  }

  private static func parts(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var start = 0
    var position = 0
    while position + 1 < bytes.count {
      if bytes[position] == separator[0], bytes[position + 1] == separator[1] {
        parts.append(bytes[start..<position])
        start = position + 2
        position += 2
      } else {
        position += 1
      }
    }
    return parts + [bytes[start...]]
  }

  /// The rows of a state in this form.
  static func bytes(of rows: any StateRows) throws(StateError) -> [UInt8] {
    var bytes: [UInt8] = []
    try rows.forEachItem { (item) throws(StateError) in
      if !bytes.isEmpty { bytes += separator }
      switch item {
      case .row(let table, let key, let value):
        let parts = [key.a, key.b, key.c].prefix(table.arity).map { " \($0)" }.joined()
        bytes += Array("\(DumpForm.name(of: table))\(parts)\n".utf8) + value
      case .name(let table, let name, let number): bytes += Array("\(table)-names \(number)\n".utf8) + name
      }
    }
    return bytes
  }
}

extension StateStore {
  /// A dump as bytes.
  func dumped() throws(StateError) -> [UInt8] {
    var text: [UInt8] = []
    _ = try dump { (buffer) throws(StateError) in
      buffer.drain(atLeast: 1) { (piece) throws(Never) in text += piece }
    }
    return text
  }

  fileprivate static func restored(_ dump: [UInt8]) throws(RestoreError) -> StateStore {
    let store = StateStore(MemoryRows())
    var rest = dump
    _ = try store.restore { () throws(StateError) in
      defer { rest = [] }
      return rest
    }
    return store
  }
}

extension LogArchive {
  fileprivate init(_ archive: [UInt8]) throws(RestoreError) {
    self.init()
    var rest = archive
    _ = try add { () throws(StateError) in
      defer { rest = [] }
      return rest
    }
  }
}

extension FuzzTarget {
  /// States of any rows: whatever they hold, reading them ends with an answer or an error, and one that verifies is dumped,
  /// restored, archived and read back as the same.
  static let state = FuzzTarget(name: "state") { bytes in
    guard let rows = try? FuzzedState.rows(bytes) else { return }
    let store = StateStore(rows)
    _ = try? store.load(.everything)
    _ = try? store.history { (_) throws(StateError) in true }
    _ = try? store.reading { () throws(StateError) in
      try EventLog(rows).forEach { (_, _) throws(StateError) in true }
    }
    _ = try? store.reading { () throws(StateError) in
      try EventLog(rows).forEachWithAudience { (_, audience) throws(StateError) in true }
    }
    var archive: [UInt8] = []
    let cut = try? store.prepareCut(before: .max) { (source) throws(StateError) in
      try source.write { (buffer) throws(StateError) in
        buffer.drain(atLeast: 1) { (piece) throws(Never) in archive += piece }
      }
    }
    let faults = try? store.reading { () throws(StateError) in
      var verify = StateVerify(rows)
      return try verify.run()
    }
    let dump = try? store.dumped()
    guard let faults, faults.isEmpty else { return }
    guard let dump else { throw Broken(description: "a state that verifies is not dumped") }
    guard let head = try? store.head(), head != Head() else { return }
    let restored: StateStore
    do throws(RestoreError) {
      restored = try StateStore.restored(dump)
    } catch {
      throw Broken(description: "the dump of a state that verifies is not restored: \(error)")
    }
    try holdEqual(try restored.dumped(), dump, "the dump is restored as something else")
    guard (cut ?? nil) != nil else { return }
    do throws(RestoreError) {
      _ = try LogArchive(archive)
    } catch {
      throw Broken(description: "the archive of a state that verifies is not read: \(error)")
    }
  }

  /// Dumps and archives as text: what is taken for one is written again as the same bytes.
  static let dump = FuzzTarget(name: "dump") { bytes in
    if let store = try? StateStore.restored(bytes) {
      try hold(String(decoding: bytes, as: UTF8.self).contains("circlectlDump"), "it is no dump, and was restored")
      try hold((try? store.dumped()) != nil, "what was restored is not dumped")
    }
    _ = try? LogArchive(bytes)
  }
}
