/// The words of a command line, without the program's name.
package struct CommandWords: Sendable {
  var words: [String]
  /// The first word that is not valid UTF-8, mended: as a path it would lead elsewhere.
  var garbled: String?

  package init(_ words: [String]) {
    self.words = words
  }

  /// Those that this process was started with.
  package static func ofThisProcess() -> CommandWords {
    var result = CommandWords([])
    let arguments = CommandLine.unsafeArgv
    for position in 1..<max(Int(CommandLine.argc), 1) {
      guard let pointer = arguments[position] else { break }
      let word = String(cString: pointer)
      if String(validatingCString: pointer) == nil { result.garbled = result.garbled ?? word }
      result.words.append(word)
    }
    return result
  }
}
