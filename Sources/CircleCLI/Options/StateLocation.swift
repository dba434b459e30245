import CommandTree

/// Where the state is, and who said so.
struct StateLocation {
  enum Source {
    case commandLine, environment, project, builtIn
  }

  /// As people know it.
  var path: String
  var source: Source

  init(_ arguments: ParsedArguments, in context: Context, project: Project) throws(Failure) {
    if let path = arguments.value("state") {
      (self.path, source) = (path, .commandLine)
    } else if context.garbledVariables.contains("CIRCLECTL_STATE") {
      throw Failure(
        .usage, "the value of CIRCLECTL_STATE is not valid UTF-8", next: ["--state takes the path of a file."])
    } else if let path = context.environment["CIRCLECTL_STATE"], !path.isEmpty {
      (self.path, source) = (path, .environment)
    } else if let path = project.state {
      (self.path, source) = (path, .project)
    } else {
      (self.path, source) = ("circle.db", .builtIn)
    }
    try check()
  }

  /// A location may hold a password, so what is refused is not repeated.
  private func check() throws(Failure) {
    guard !path.isEmpty else {
      throw Failure(.usage, "the location of the state is empty", next: ["--state takes the path of a file."])
    }
    guard let mark = path.utf8Range(of: "://") else { return }
    let rest = path[mark.upperBound...]
    let authority = rest.prefix { $0 != "/" }
    if let at = authority.lastIndex(of: "@"), authority[..<at].contains(":") {
      throw Failure(
        .usage, "the location of the state holds a password",
        next: ["Passwords come from the environment, a service file or a password file, never from a command line."])
    }
    throw Failure(
      .usage, "the location of the state is a URL, and this version keeps states in files only",
      next: ["--state takes the path of a file."])
  }
}

extension String {
  fileprivate func utf8Range(of mark: String) -> Range<String.Index>? {
    let wanted = Array(mark.utf8)
    var position = utf8.startIndex
    while position != utf8.endIndex {
      if utf8[position...].starts(with: wanted) {
        return position..<utf8.index(position, offsetBy: wanted.count)
      }
      position = utf8.index(after: position)
    }
    return nil
  }
}
