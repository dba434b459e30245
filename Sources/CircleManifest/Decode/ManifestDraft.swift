import CircleModel
import Diagnostics

/// What was read of a manifest set so far, groups not written out yet.
struct ManifestDraft: ~Copyable {
  /// What is known of a user beyond his name.
  struct UserMark {
    /// His place in `users` plus one; 0 without an entry.
    var entry: UInt32 = 0
    /// The number of the `users` mapping that named him last.
    var mapping: UInt32 = 0
  }

  struct Group {
    var name: Text
    /// `.none` until a manifest defines it.
    var place = Place.none
    var list = UserList()
  }

  enum ServerList { case moderators, members, absent }

  /// Groups that belong to a list of a server.
  struct PendingList {
    var server: Int
    var list: ServerList
    var groups: [GroupUse]
  }

  var files: SourceFiles
  var diagnostics: DiagnosticCollector

  var names = UserNames()
  var users = ContiguousArray<DesiredUser>()
  var userMarks = ContiguousArray<UserMark>()
  var servers = ContiguousArray<DesiredServer>()
  var handles: [Text: Int] = [:]
  var groups: [Group] = []
  var groupIndexes: [Text: Int] = [:]
  var pendingLists: [PendingList] = []
  /// How many servers, groups and users were met, also those with faults.
  var entries = 0
  var mappings: UInt32 = 0
  /// The lists of the files named by `from`, by resolved path.
  var fromLists: [Text: ContiguousArray<Listed>] = [:]

  init(files: SourceFiles, diagnostics: DiagnosticCollector) {
    self.files = files
    self.diagnostics = diagnostics
  }

  var definedGroups: [String] { groups.filter { $0.place.isKnown }.map(\.name.string) }

  /// Whether another error would still be shown, so that it is worth looking for what may be meant.
  var hasRoom: Bool { diagnostics.errorCount < diagnostics.limit }

  mutating func report(
    _ fault: ManifestFault, _ message: String, at place: Place, end: Int? = nil, notes: [Diagnostic.Note] = [],
    help: String? = nil
  ) {
    diagnostics.append(.error(fault.rawValue, message, at: place, end: end, notes: notes, help: help))
  }

  mutating func warn(
    _ fault: ManifestFault, _ message: String, at place: Place, end: Int? = nil, notes: [Diagnostic.Note] = [],
    help: String? = nil
  ) {
    diagnostics.append(.warning(fault.rawValue, message, at: place, end: end, notes: notes, help: help))
  }

  /// The user of a valid id, with room for what is known of him.
  mutating func intern(_ id: UnsafeBufferPointer<UInt8>) -> UserIndex {
    let user = names.intern(id)
    if user.position == userMarks.count { userMarks.append(UserMark()) }
    return user
  }

  /// The user's id as it is written at a place, and the column after it: letters may be of another case than in `names`.
  func written(_ user: UserIndex, at place: Place) -> (id: String, end: Int) {
    let id = names[user]
    let rest = (files.line(place.line, of: place.file) ?? "").unicodeScalars.dropFirst(place.column - 1)
    let isQuoted = rest.first == "\"" || rest.first == "'"
    // Ids are ASCII, so all spellings have one length.
    let word = String(String.UnicodeScalarView(rest.dropFirst(isQuoted ? 1 : 0).prefix(id.utf8.count)))
    let isSame = word.lowercased().utf8.elementsEqual(id.lowercased().utf8)
    return (isSame ? word : id, place.column + id.utf8.count + (isSame && isQuoted ? 2 : 0))
  }

  mutating func groupIndex(of name: Text) -> Int {
    if let known = groupIndexes[name] { return known }
    groups.append(Group(name: name))
    groupIndexes[name] = groups.count - 1
    return groups.count - 1
  }
}
