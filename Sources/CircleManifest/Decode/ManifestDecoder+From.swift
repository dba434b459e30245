import CircleModel
import Diagnostics
import YAMLEvents

extension ManifestDecoder {
  /// Reads `{from: PATH}` and the file that it names; nil when there is a fault, which was reported.
  mutating func decodeFrom() throws(YAMLFault) -> ContiguousArray<Listed>? {
    var seen = SeenKeys()
    let start = source.place
    var users: ContiguousArray<Listed>?
    try eachKey(FromKey.self, &seen) { (decoder, _, _) throws(YAMLFault) in
      guard decoder.source.kind == .scalar, !decoder.isNull else {
        decoder.reportWrongType("'from'", "the path of a file")
        return try decoder.source.skip()
      }
      let path = decoder.source.withText { String(decoding: $0, as: UTF8.self) }
      let (place, end) = (decoder.source.place, decoder.source.end)
      users = decoder.readFrom(path, at: place, end: end)
    }
    if !seen.contains(FromKey.from) {
      report(
        .invalidUser, "a mapping in a list of users\(ownerPhrase) is written {from: PATH}", at: start)
    }
    return users
  }

  private mutating func readFrom(_ path: String, at place: Place, end: Int?) -> ContiguousArray<Listed>? {
    let joined = PathRoot.join(folder, path)
    if !path.utf8.contains(0), let elsewhere = root.placeOutside(joined) {
      draft.diagnostics.appendError { ManifestWalk.outside(path, elsewhere, at: place, end: end) }
      return nil
    }
    guard !path.utf8.contains(0), let resolved = PathRoot.resolve(joined) else {
      let reason = path.utf8.contains(0) ? "no path holds a NUL character" : InputFile.lastError()
      report(.unreadableFile, "'\(excerpt(path))' cannot be read: \(reason)", at: place, end: end)
      return nil
    }
    guard root.contains(resolved) else {
      draft.diagnostics.appendError { ManifestWalk.outside(path, resolved, at: place, end: end) }
      return nil
    }
    if let known = draft.fromLists[Text(resolved)] { return known }
    do throws(InputFile.Failure) {
      let (bytes, node) = try InputFile.read(resolved, inside: root)
      let file = draft.files.add(path: PathRoot.shown(joined), realPath: resolved, node: node)
      let users = draft.readUsers(in: bytes, file: file)
      draft.fromLists[Text(resolved)] = users
      return users
    } catch {
      report(.unreadableFile, "'\(excerpt(path))' cannot be read: \(error.reason)", at: place, end: end)
      return nil
    }
  }
}
