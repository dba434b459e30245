package import CircleModel
package import Diagnostics
import Glibc
import YAMLEvents

/// What `circlectl.yaml` in the current folder gives where the command line gives nothing.
package struct ProjectDefaults: Sendable {
  package var state: Given<Text>?
  package var stack: Given<Text>?
  package var paths: Given<[Text]>?
  package var maxRemovals: Given<MaxRemovals>?
  package var output: Given<Text>?

  package init() {}

  /// Reads the file; nil when there is none.
  ///
  /// - Parameters:
  ///   - outputs: the formats that `output` can name.
  ///   - files: gets the file.
  ///   - diagnostics: gets what is wrong; with an error in it the defaults are of no use.
  package static func read(
    _ path: String = "circlectl.yaml", outputs: [String], files: inout SourceFiles,
    diagnostics: inout DiagnosticCollector
  ) -> ProjectDefaults? {
    guard access(path, F_OK) == 0 else { return nil }
    var draft = ManifestDraft(files: files, diagnostics: diagnostics)
    var defaults = ProjectDefaults()
    do throws(InputFile.Failure) {
      let folder = PathRoot.folder(of: path)
      let root = PathRoot(resolving: folder) ?? .anywhere
      if let resolved = PathRoot.resolve(path), !root.contains(resolved) {
        throw InputFile.Failure(reason: "it leads outside its folder, to '\(resolved)'")
      }
      let (bytes, node) = try InputFile.read(path, inside: root)
      let file = draft.files.add(path: path, node: node)
      let decoder = ManifestDecoder(bytes, file: file, folder: folder, root: root, draft: draft)
      draft = decoder.decodeProject(into: &defaults, outputs: outputs)
    } catch {
      draft.report(.unreadableFile, "'\(path)' cannot be read: \(error.reason)", at: .none)
    }
    files = draft.files
    diagnostics = draft.diagnostics
    return defaults
  }
}

enum ProjectKey: UInt8, ManifestKey {
  case state, stack, paths, guards, output

  var word: StaticString {
    switch self {
    case .state: "state"
    case .stack: "stack"
    case .paths: "paths"
    case .guards: "guards"
    case .output: "output"
    }
  }
}

enum GuardKey: UInt8, ManifestKey {
  case maxRemovals

  var word: StaticString { "max-removals" }
}

extension ManifestDecoder {
  fileprivate consuming func decodeProject(into defaults: inout ProjectDefaults, outputs: [String]) -> ManifestDraft {
    do throws(YAMLFault) {
      try decodeProjectDocuments(into: &defaults, outputs)
    } catch {
      report(error)
    }
    reportFlaws()
    return draft
  }

  private mutating func decodeProjectDocuments(
    into defaults: inout ProjectDefaults, _ outputs: [String]
  ) throws(YAMLFault) {
    var seen = SeenKeys()
    while source.kind != .streamEnd {
      try source.advance()
      guard source.kind == .documentStart else { continue }
      try source.advance()
      guard try isMapping("the document") else { continue }
      try eachKey(ProjectKey.self, &seen) { (decoder, key, keyPlace) throws(YAMLFault) in
        let place = decoder.source.place
        switch key {
        case .state: defaults.state = try decoder.decodeProjectText(key.word).map { Given($0, at: place) }
        case .stack: defaults.stack = try decoder.decodeProjectText(key.word).map { Given($0, at: place) }
        case .paths: defaults.paths = try decoder.decodePaths().map { Given($0, at: keyPlace) }
        case .guards: try decoder.decodeGuards(into: &defaults)
        case .output:
          let word = try decoder.decodeWord(key.word, among: outputs) { outputs.contains($0) ? Text($0) : nil }
          defaults.output = word.map { Given($0, at: place) }
        }
      }
    }
  }

  /// Reads text of any kind; nil for null, and for what was reported.
  private mutating func decodeProjectText(_ key: StaticString) throws(YAMLFault) -> Text? {
    guard source.kind == .scalar else {
      reportWrongType("'\(key)'", "text")
      try source.skip()
      return nil
    }
    if isNull { return nil }
    let text = source.withText { Text($0) }
    if !text.isEmpty, !text.string.utf8.contains(0) { return text }
    reportProjectValue("'\(key)' must be text that is not empty")
    return nil
  }

  private mutating func decodePaths() throws(YAMLFault) -> [Text]? {
    if source.kind == .scalar { return try decodeProjectText(ProjectKey.paths.word).map { [$0] } }
    guard source.kind == .sequenceStart else {
      reportWrongType("'paths'", "a list of paths")
      try source.skip()
      return nil
    }
    var paths: [Text] = []
    try source.advance()
    while source.kind != .sequenceEnd {
      if isNull { reportNull("an entry of 'paths'") }
      if let path = try decodeProjectText(ProjectKey.paths.word) { paths.append(path) }
      try source.advance()
    }
    return paths
  }

  private mutating func decodeGuards(into defaults: inout ProjectDefaults) throws(YAMLFault) {
    guard try isMapping("'guards'") else { return }
    var seen = SeenKeys()
    try eachKey(GuardKey.self, &seen) { (decoder, key, _) throws(YAMLFault) in
      let place = decoder.source.place
      guard let text = try decoder.decodeProjectText(key.word) else { return }
      guard let limit = MaxRemovals(text.string) else {
        return decoder.reportProjectValue(
          "'max-removals' is a number or a percentage like 30%, not '\(excerpt(text.string))'")
      }
      defaults.maxRemovals = Given(limit, at: place)
    }
  }

  private mutating func reportProjectValue(_ message: String) {
    let (place, end) = (source.place, source.end)
    report(.projectValue, message, at: place, end: end)
  }
}
