package import CircleModel
package import Diagnostics

/// Reads a manifest set: all files that the command line names, merged into one desired state.
///
/// All faults that the manifests alone can show are found in one run; a file that can't be read, or is no YAML, does not
/// keep the others from being read.
package struct ManifestReader {
  /// What a command says about reading.
  package struct Options: Sendable {
    /// Whether paths may lead outside the folder of the manifests.
    package var allowOutside: Bool
    /// The folder whose `circlectl.yaml` names the paths, and in which they have to be; nil where a person names them.
    package var base: String?
    /// What to do about a path that is named and not there, for people.
    package var helpForMissing: String?
    /// Gives all of standard input for the path `-`, or the reason why it can't be read.
    package var standardInput: @Sendable () -> Result<[UInt8], StandardInputFailure>
    /// Told the size in bytes of each file before it is decoded.
    package var willDecode: @Sendable (Int) -> Void

    package init(
      allowOutside: Bool = false, base: String? = nil, helpForMissing: String? = nil,
      standardInput: @escaping @Sendable () -> Result<[UInt8], StandardInputFailure> = { readStandardInput() },
      willDecode: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
      self.allowOutside = allowOutside
      self.base = base
      self.helpForMissing = helpForMissing
      self.standardInput = standardInput
      self.willDecode = willDecode
    }
  }

  /// Why standard input can't be read, in words.
  package struct StandardInputFailure: Error {
    package var reason: String

    package init(_ reason: String) {
      self.reason = reason
    }
  }

  /// Reads standard input of the process to its end, at most 1 GiB.
  package static func readStandardInput() -> Result<[UInt8], StandardInputFailure> {
    Result { () throws(InputFile.Failure) in try InputFile.readStandardInput() }
      .mapError { StandardInputFailure($0.reason) }
  }

  /// Reads files, folders, and `-` for standard input, in the order given.
  ///
  /// - Parameters:
  ///   - files: gets each file that is read.
  ///   - diagnostics: gets what is wrong. With an error in it the desired state is of no use.
  package static func read(
    _ paths: [String], options: Options = Options(), files: inout SourceFiles,
    diagnostics: inout DiagnosticCollector
  ) -> DesiredState {
    let errorsBefore = diagnostics.errorCount
    var walk = ManifestWalk(
      allowOutside: options.allowOutside, helpForMissing: options.helpForMissing, base: options.base)
    for path in paths { walk.add(path) }
    diagnostics.append(contentsOf: walk.faults)

    var draft = ManifestDraft(files: files, diagnostics: diagnostics)
    for found in walk.found { draft = read(found, options, into: draft) }
    let state = draft.finish()
    if draft.entries == 0, draft.diagnostics.errorCount == errorsBefore {
      draft.report(
        .emptySet, emptyMessage(paths, foundNothing: walk.found.isEmpty), at: .none,
        help: "a manifest names servers under 'servers:', users under 'users:' or groups under 'groups:'")
    }
    files = draft.files
    diagnostics = draft.diagnostics
    return state
  }

  private static func emptyMessage(_ paths: [String], foundNothing: Bool) -> String {
    let named = paths.map { "'\($0)'" }.joined(separator: ", ")
    return foundNothing
      ? "there is no manifest (*.yaml, *.yml) in \(named)" : "no server, no group and no user is named in \(named)"
  }

  private static func read(
    _ found: ManifestWalk.Found, _ options: Options, into draft: consuming ManifestDraft
  ) -> ManifestDraft {
    let isStandardInput = found.path.utf8.elementsEqual("-".utf8)
    let bytes: [UInt8]
    var node: FileNode?
    do throws(InputFile.Failure) {
      if isStandardInput {
        bytes = try standardInput(options)
      } else {
        (bytes, node) = try InputFile.read(found.path, inside: found.root)
      }
    } catch {
      draft.report(.unreadableFile, "'\(found.path)' cannot be read: \(error.reason)", at: .none)
      return draft
    }
    options.willDecode(bytes.count)
    let file = draft.files.add(path: found.path, node: node, bytes: isStandardInput ? bytes : nil)
    if isUTF32(bytes) {
      draft.report(
        .encoding, "the file is UTF-32; manifests are read as UTF-8 or UTF-16",
        at: Place(file: file, line: 0, column: 0), help: "save it as UTF-8")
      return draft
    }
    let folder = isStandardInput ? "." : PathRoot.folder(of: found.path)
    return ManifestDecoder(bytes, file: file, folder: folder, root: found.root, draft: draft).decode()
  }

  private static func standardInput(_ options: Options) throws(InputFile.Failure) -> [UInt8] {
    switch options.standardInput() {
    case .success(let bytes): return bytes
    case .failure(let failure): throw InputFile.Failure(reason: failure.reason)
    }
  }
}
