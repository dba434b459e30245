package import Diagnostics
import YAMLEvents

/// Brings manifests into canonical form: known keys in their order, no blanks at the ends of lines, a line break at the
/// end of the file.
///
/// Comments, anchors, quotes and all else stay as they are written; a line that need not change does not. What a
/// manifest means never changes: where that can't be kept, its text stays as it is. The form of a form is itself.
package struct ManifestFormatter {
  /// A file of the manifests, as it is and as it should be.
  package struct File: Sendable {
    /// As people know it.
    package var path: String
    package var original: [UInt8]
    package var formatted: [UInt8]

    /// What the place of a fault in it means.
    var index: FileIndex

    package var isChanged: Bool { original != formatted }

    /// That it is not in canonical form, at the first line that differs.
    ///
    /// - Parameter help: how it should be.
    package func fault(help: String) -> Diagnostic {
      let same = zip(original, formatted).prefix { $0 == $1 }.count
      let line = 1 + original.prefix(min(same, max(original.count - 1, 0))).count { $0 == UInt8(ascii: "\n") }
      return .error(
        ManifestFault.notCanonical.rawValue, "the manifest is not in canonical form",
        at: Place(file: index, line: line, column: 1), help: help)
    }
  }

  /// Formats all files that the paths name, as `ManifestReader` finds them.
  ///
  /// - Parameters:
  ///   - allowOutside: whether links may lead out of the folders that the paths name.
  ///   - base: the folder whose `circlectl.yaml` names the paths, and in which they have to be.
  ///   - standardInput: for the path `-`.
  ///   - diagnostics: gets each file that can't be read or is no YAML; the others are formatted all the same.
  package static func format(
    _ paths: [String], allowOutside: Bool = false, base: String? = nil,
    standardInput: @Sendable () -> Result<[UInt8], ManifestReader.StandardInputFailure>,
    files: inout SourceFiles, diagnostics: inout DiagnosticCollector
  ) -> [File] {
    var walk = ManifestWalk(allowOutside: allowOutside, base: base)
    for path in paths { walk.add(path) }
    diagnostics.append(contentsOf: walk.faults)
    var formatted: [File] = []
    for found in walk.found {
      do throws(InputFile.Failure) {
        let (bytes, node) = try read(found, standardInput)
        let file = files.add(path: found.path, node: node, bytes: node == nil ? bytes : nil)
        do throws(YAMLFault) {
          formatted.append(File(path: found.path, original: bytes, formatted: try format(bytes), index: file))
        } catch {
          let place = Place(file: file, line: error.line, column: error.column)
          diagnostics.append(contentsOf: [.error(ManifestFault.syntax.rawValue, error.message, at: place)])
        }
      } catch {
        diagnostics.append(contentsOf: [
          .error(ManifestFault.unreadableFile.rawValue, "'\(found.path)' cannot be read: \(error.reason)")
        ])
      }
    }
    return formatted
  }

  /// The bytes, and the file that they are of, if not of standard input.
  private static func read(
    _ found: ManifestWalk.Found, _ standardInput: () -> Result<[UInt8], ManifestReader.StandardInputFailure>
  ) throws(InputFile.Failure) -> (bytes: [UInt8], node: FileNode?) {
    guard found.path.utf8.elementsEqual("-".utf8) else { return try InputFile.read(found.path, inside: found.root) }
    switch standardInput() {
    case .success(let bytes): return (bytes, nil)
    case .failure(let failure): throw InputFile.Failure(reason: failure.reason)
    }
  }

  /// The canonical form of one manifest; a text in UTF-16 stays as it is.
  static func format(_ bytes: [UInt8]) throws(YAMLFault) -> [UInt8] {
    let encoding = bytes.withUnsafeBytes { TextEncoding(of: $0) }
    guard case .utf8 = encoding else { return bytes }
    let mark = bytes.withUnsafeBytes { encoding.markLength(in: $0) }
    let text = Array(bytes.dropFirst(mark))
    let lines = TextLines(text)
    let tree = try LayoutTree(text, lines)
    let sorting = KeySorting(tree, lines)
    let result = write(sorting.changesSomething ? sorting.order() : Array(1..<lines.count + 1), lines, tree)
    guard result != text else { return bytes }
    // A form that would say something else, or has a form of its own, is none.
    guard let again = try? LayoutTree(result, TextLines(result)), tree.means(sameAs: again) else { return bytes }
    return bytes.prefix(mark) + result
  }

  private static func write(_ order: [Int], _ lines: TextLines, _ tree: LayoutTree) -> [UInt8] {
    // Lines that a text goes on from: their end belongs to it.
    var isText = [Bool](repeating: false, count: lines.count + 2)
    for scalar in tree.longScalars {
      let (first, last) = (
        scalar.isBlock ? scalar.first + 1 : scalar.first, scalar.isBlock ? scalar.last : scalar.last - 1
      )
      if first <= last { for line in first...min(last, lines.count) { isText[line] = true } }
    }
    var usual = lines.count > 0 ? Array(lines.end(1)) : []
    if usual.isEmpty { usual = [0x0A] }
    var result: [UInt8] = []
    result.reserveCapacity(lines.bytes.count + 2)
    for line in order {
      var text = lines.text(line)
      if !isText[line] {
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
      }
      result.append(contentsOf: text)
      let end = lines.end(line)
      if end.isEmpty { result.append(contentsOf: usual) } else { result.append(contentsOf: end) }
    }
    return result
  }
}
