import CircleModel
import Diagnostics
import YAMLEvents

extension ManifestDecoder {
  mutating func decodeGroups() throws(YAMLFault) {
    guard try isMapping("'groups'") else { return }
    var mine: Set<Text> = []
    try eachEntry { (decoder, isMerged) throws(YAMLFault) in
      let name = decoder.source.withText { Text($0) }
      let (place, end) = (decoder.source.place, decoder.source.end)
      if isMerged, mine.contains(name) { return try decoder.skipNext() }
      mine.insert(name)
      decoder.draft.entries += 1
      let isValid = decoder.source.withText { Self.isGroupName($0) }
      if isValid {
        _ = decoder.draft.groupIndex(of: name)
      } else {
        decoder.report(
          .invalidText, "'\(excerpt(name.string))' can't name a group: 1 to 64 bytes, no blanks, no '@' first",
          at: place,
          end: end)
      }
      try decoder.source.advance()
      decoder.owner = .group(name)
      let list = try decoder.decodeUserList("the list")
      decoder.owner = .file
      if isValid { decoder.define(name, list ?? UserList(), at: place, end: end) }
    }
  }

  private mutating func define(_ name: Text, _ list: UserList, at place: Place, end: Int?) {
    let index = draft.groupIndex(of: name)
    if draft.groups[index].place.isKnown {
      return report(
        .duplicateGroup, "the group '\(excerpt(name.string))' is defined twice", at: place, end: end,
        notes: [Diagnostic.Note("first defined here", at: draft.groups[index].place)])
    }
    draft.groups[index].place = place
    draft.groups[index].list = list
  }

  /// Whether a mapping is at hand; reports what else stands there, null apart, and passes over it.
  mutating func isMapping(_ subject: String) throws(YAMLFault) -> Bool {
    if source.kind == .mappingStart { return true }
    if !isNull {
      reportWrongType(subject, "a mapping")
      try source.skip()
    }
    return false
  }
}
