import CircleKit
import CircleStatePostgres
import CommandTree

/// Where the state is, and who said so.
struct StateLocation {
  enum Source {
    case commandLine, environment, project, builtIn
  }

  /// As people know it.
  var path: String
  var source: Source
  private var place: StatePlace

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
    place = try Self.place(path)
  }

  /// Where that is, relative paths from the folder of the run.
  func place(in context: Context) -> StatePlace {
    Self.resolve(place, in: context)
  }

  /// Likewise for a location that an argument gives.
  static func place(_ location: String, in context: Context) throws(Failure) -> StatePlace {
    resolve(try place(location), in: context)
  }

  private static func resolve(_ place: StatePlace, in context: Context) -> StatePlace {
    if case .file(let path) = place { .file(path: context.resolve(path)) } else { place }
  }

  /// What a location means. It may hold a password, so what is refused is not repeated.
  private static func place(_ location: String) throws(Failure) -> StatePlace {
    guard !location.isEmpty else {
      throw Failure(
        .usage, "the location of the state is empty", next: ["--state takes a path, or a URL postgres://…"])
    }
    let place: StatePlace
    do throws(ServerURL.Refusal) { place = try StatePlace(location) } catch { throw failure(error) }
    guard case .file = place else { return place }
    // Near misses, which may hold a password too.
    if location.utf8.starts(with: "postgres:".utf8) || location.utf8.starts(with: "postgresql:".utf8) {
      throw failure(.malformed)
    }
    if location.split(separator: " ").contains(where: { $0.utf8.starts(with: "password=".utf8) }) {
      throw failure(.password)
    }
    guard location.utf8.hasURLMark else { return place }
    throw Failure(
      .usage, "the location of the state is a URL that does not begin with postgres://",
      next: ["--state takes the path of a file, or a URL postgres://…"])
  }

  private static func failure(_ refusal: ServerURL.Refusal) -> Failure {
    switch refusal {
    case .password:
      Failure(
        .usage, "the location of the state holds a password",
        next: [
          "Passwords come from the environment, a service file or a password file, never from a command line.",
          "An '@' or ':' that belongs to a name is written %40 or %3A.",
        ])
    case .malformed:
      Failure(
        .usage, "the location of the state is no URL that libpq understands",
        next: ["It has the form postgres://USER@HOST:PORT/DATABASE?PARAMETER=VALUE, each part but the first optional."])
    }
  }
}

extension Sequence<UInt8> {
  /// Whether `://` stands in it.
  fileprivate var hasURLMark: Bool {
    var last: (UInt8, UInt8) = (0, 0)
    for byte in self {
      if last == (UInt8(ascii: ":"), UInt8(ascii: "/")), byte == UInt8(ascii: "/") { return true }
      last = (last.1, byte)
    }
    return false
  }
}
