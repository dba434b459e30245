import CircleKit
import Diagnostics
import JSONText
import Synchronization

/// What one command has answered lately, in a file between the runs: 10,000 users, the least recently used goes.
///
/// Several processes may use it at once: each writes what it learnt to what the others wrote, and replaces the file as a
/// whole. A file that is damaged, or of another provider, counts as empty. Not being able to write it is no failure.
final class ProviderCache: Sendable {
  static let capacity = 10_000
  private static let version = 1
  private static let largest = 64 << 20
  private static let suffix = ".users.ndjson"

  private typealias Entries = RecentlyUsed<UserKey, CacheEntry>

  private struct Contents {
    /// nil until it is needed.
    var entries: Entries?
    /// Learnt in this run, or looked up.
    var touched: Set<UserKey> = []
    var learnt: Set<UserKey> = []
  }

  private let folder: String?
  private let name: String
  private let identity: String
  private let now: @Sendable () -> Int64
  private let contents = Mutex(Contents())

  /// - Parameters:
  ///   - folder: nil where nothing is kept.
  ///   - now: Unix milliseconds.
  init(_ definition: ProviderDefinition, in folder: String?, now: @escaping @Sendable () -> Int64) {
    self.folder = folder
    name = definition.name
    identity = definition.identity
    self.now = now
  }

  /// Forgets all that the provider of that name has answered.
  static func drop(_ name: String, in folder: String?) {
    guard let folder else { return }
    WholeFile.remove(path(name, in: folder))
  }

  private static func path(_ name: String, in folder: String) -> String { "\(folder)/\(name)\(suffix)" }

  // MARK: In a run

  /// What holds of the user.
  func entry(of user: UserKey) -> CacheEntry? {
    contents.withLock { contents in
      open(&contents)
      guard let entry = contents.entries?.use(user), entry.holds(at: now()) else { return nil }
      contents.touched.insert(user)
      return entry
    }
  }

  /// What was learnt in this run.
  func learnt(of user: UserKey) -> CacheEntry? {
    contents.withLock { $0.learnt.contains(user) ? $0.entries?.peek(user) : nil }
  }

  func learn(_ answer: CacheEntry.Answer, of userID: String) {
    let user = UserKey(userID)
    contents.withLock { contents in
      open(&contents)
      contents.entries?.set(user, to: CacheEntry(userID: userID, answer: answer, time: now()))
      contents.touched.insert(user)
      contents.learnt.insert(user)
    }
  }

  /// The users whom it can show.
  var userIDs: [String] {
    contents.withLock { contents in
      open(&contents)
      return contents.entries?.inOrder.compactMap { $0.value.holds(at: now()) ? $0.value.user?.userId : nil } ?? []
    }
  }

  private func open(_ contents: inout Contents) {
    if contents.entries == nil { contents.entries = read() }
  }

  // MARK: Between runs

  /// Writes what is new. What was only looked up is written once the file is half full: before, nobody has to go.
  func save() {
    guard let folder else { return }
    let mine = contents.withLock { contents -> (all: [(key: UserKey, value: CacheEntry)], isNew: Bool) in
      let all = contents.entries?.inOrder ?? []
      let isCrowded = all.count >= Self.capacity / 2
      let isNew = !contents.learnt.isEmpty || (isCrowded && !contents.touched.isEmpty)
      return (all.filter { contents.touched.contains($0.key) }, isNew)
    }
    guard mine.isNew, (try? WholeFile.makeFolder(folder)) != nil else { return }
    _ = WholeFile.locked("\(folder)/.lock", wait: 500) {
      var merged = read()
      for (key, entry) in mine.all {
        let other = merged.peek(key)
        merged.set(key, to: other.map { $0.time > entry.time ? $0 : entry } ?? entry)
      }
      try? WholeFile.replace(Self.path(name, in: folder), with: encode(merged))
    }
  }

  private func encode(_ entries: Entries) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.field("circlectlUserCache", Self.version)
      $0.field("provider", name)
      $0.field("definition", identity)
    }
    writer.endLine()
    let now = self.now()
    for (_, entry) in entries.inOrder where entry.holds(at: now) {
      writer.object { $0.members(of: entry) }
      writer.endLine()
    }
    return writer.buffer.bytes
  }

  /// What the file has that still holds; nothing where it is not what this provider wrote.
  private func read() -> Entries {
    let empty = Entries(capacity: Self.capacity)
    guard let folder, let bytes = try? WholeFile.read(Self.path(name, in: folder), atMost: Self.largest) else {
      return empty
    }
    var entries = empty
    var reader = JSONLineReader(bytes)
    let now = self.now()
    do throws(JSONFault) {
      guard try reader.next() == .value, let head = reader.value, isOurs(head) else { return empty }
      while try reader.next() == .value {
        guard let value = reader.value, let (key, entry) = Self.entry(value) else { return empty }
        if entry.holds(at: now) { entries.set(key, to: entry) }
      }
    } catch {
      return empty
    }
    return entries
  }

  private func isOurs(_ head: JSONNode) -> Bool {
    head["circlectlUserCache"]?.integer == Self.version
      && head["provider"]?.string.map { $0.utf8.elementsEqual(name.utf8) } == true
      && head["definition"]?.string.map { $0.utf8.elementsEqual(identity.utf8) } == true
  }

  private static func entry(_ node: JSONNode) -> (UserKey, CacheEntry)? {
    guard let time = node["time"]?.integer, let id = node["userId"]?.string else { return nil }
    let answer: CacheEntry.Answer
    switch node["answer"]?.string {
    case nil:
      guard let user = UserRecord(node, at: .none).user else { return nil }
      answer = .user(user)
    case "absent": answer = .absent
    case "cutShort": answer = .cutShort
    case "failed": answer = .failed(node["reason"]?.string ?? "")
    default: return nil
    }
    return (UserKey(id), CacheEntry(userID: id, answer: answer, time: Int64(time)))
  }
}

extension JSONWriter {
  fileprivate mutating func members(of entry: CacheEntry) {
    field("time", Int(entry.time))
    switch entry.answer {
    case .user(let user): return members(of: user)
    case .absent: field("answer", "absent")
    case .cutShort: field("answer", "cutShort")
    case .failed(let reason):
      field("answer", "failed")
      field("reason", reason)
    }
    field("userId", entry.userID)
  }
}
