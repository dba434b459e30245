/// The kinds of fault that a manifest set can have, each with the code that programs match on.
enum ManifestFault: String, CaseIterable {
  // Files
  case unreadableFile = "manifest.unreadable-file"
  case outsideRoot = "manifest.outside-root"
  case emptySet = "manifest.empty-set"
  case emptyFile = "manifest.empty-file"
  // YAML
  case syntax = "manifest.syntax"
  case tab = "manifest.tab"
  case notCanonical = "manifest.not-canonical"
  case encoding = "manifest.encoding"
  case limit = "manifest.limit"
  case bareGroup = "manifest.bare-group"
  case tag = "manifest.tag"
  case alias = "manifest.alias"
  case mergeKey = "manifest.merge-key"
  // Shape
  case version = "manifest.version"
  case unknownKey = "manifest.unknown-key"
  case duplicateKey = "manifest.duplicate-key"
  case wrongType = "manifest.wrong-type"
  case null = "manifest.null"
  case invalidText = "manifest.invalid-text"
  case unknownWord = "manifest.unknown-word"
  case ext = "manifest.ext"
  // Lists
  case invalidUser = "manifest.invalid-user"
  case repeatedUser = "manifest.repeated-user"
  case tooManyTags = "manifest.too-many-tags"
  case repeatedEntry = "manifest.repeated-entry"
  case fromFile = "manifest.from-file"
  // The set as a whole
  case duplicateHandle = "manifest.duplicate-handle"
  case duplicateGroup = "manifest.duplicate-group"
  case duplicateField = "manifest.duplicate-field"
  case duplicateServerID = "manifest.duplicate-server-id"
  case undefinedGroup = "manifest.undefined-group"
  case circularGroup = "manifest.circular-group"
  case groupsTooLarge = "manifest.groups-too-large"
  case absentListed = "manifest.absent-listed"
  case exactWithoutMembers = "manifest.exact-without-members"
  case renameConflict = "manifest.rename-conflict"
  case similarNames = "manifest.similar-names"
  // What is asked of a set that stands alone
  case incompleteServer = "manifest.incomplete-server"
  case unregisteredUser = "manifest.unregistered-user"
  // Defaults of the project
  case projectValue = "project.invalid-value"

  /// What the code means, for the reference.
  var sentence: String {
    switch self {
    case .unreadableFile: "A file or folder that is named, or found in a folder, cannot be read as a manifest."
    case .outsideRoot: "A path leads, symbolic links resolved, outside the folder that was named."
    case .emptySet: "The manifests name no server, no group and no user."
    case .emptyFile: "A manifest names no server, no group and no user."
    case .syntax: "The text is no YAML; the rest of the file is not read."
    case .notCanonical: "A manifest is not in canonical form, as 'fmt --check' asks."
    case .tab: "A tab stands where only spaces can indent; the rest of the file is not read."
    case .encoding: "The bytes are no text in UTF-8 or UTF-16, or hold a character that YAML forbids."
    case .limit: "A file nests deeper than 64 levels, or its aliases bring in more than 1,000,000 values."
    case .bareGroup: "A group in a list stands without quotes, which YAML does not allow."
    case .tag: "A YAML tag other than those of the core schema, or one that does not fit its value."
    case .alias: "An alias names an anchor that is not there, or a value that contains the alias."
    case .mergeKey: "The value of a merge key is neither a mapping nor a list of mappings."
    case .version: "The first document of a manifest has no `version`, or one that is not known."
    case .unknownKey: "A key that has no meaning where it stands."
    case .duplicateKey: "A key is given twice in one mapping."
    case .wrongType: "A value is of another kind than the one expected, a list for a text for instance."
    case .null: "An empty value where nothing can be cleared; an empty list is written `[]`."
    case .invalidText: "A text, handle, tag or id breaks its rule, its length for instance."
    case .unknownWord: "A value is none of the words that can stand there."
    case .ext: "The mapping or list given as `ext` cannot be kept as JSON text."
    case .invalidUser: "What stands in a list of users is no user id, group or `from`."
    case .repeatedUser: "A user is written twice in one list."
    case .tooManyTags: "A server has more than 10 tags."
    case .repeatedEntry: "A tag, device or handle stands twice in one list."
    case .fromFile: "A file named by `from` is no list of user ids and has no column of them."
    case .duplicateHandle: "Two servers have one handle."
    case .duplicateGroup: "Two groups have one name."
    case .duplicateField: "A field of a user is given twice."
    case .duplicateServerID: "Two servers adopt one server id."
    case .undefinedGroup: "A group that is used is not defined in any manifest."
    case .circularGroup: "A group contains itself, perhaps through others."
    case .groupsTooLarge: "The groups, written out, name more than 20,000,000 users."
    case .absentListed: "A user in `absent` is also the owner or listed."
    case .exactWithoutMembers: "`membership: exact` stands without `members`."
    case .renameConflict: "Two servers claim an earlier handle, or a manifest still defines it."
    case .similarNames: "Two names differ only in their Unicode normalisation."
    case .incompleteServer: "A server that would have to be created has no name or no owner."
    case .unregisteredUser: "No manifest registers a user who is named."
    case .projectValue: "A value of `circlectl.yaml` is none that can stand there."
    }
  }
}

/// A code and what it means, for the reference of all diagnostics.
package struct ManifestDiagnostic: Sendable {
  package let code: String
  package let sentence: String

  /// All that reading manifests and `circlectl.yaml` can report.
  package static let all: [ManifestDiagnostic] = ManifestFault.allCases.map {
    ManifestDiagnostic(code: $0.rawValue, sentence: $0.sentence)
  }
}
