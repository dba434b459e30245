import Diagnostics
import Glibc
import Testing
import Testkit

@testable import CircleCLI

/// What holds for every command as a process of its own: closed streams, readers who go away, narrow terminals.
@Suite(.serialized)
struct StreamWalkTests {
  private static let program = "circlectl"

  private func start(
    _ step: CommandWalk.Step, in run: TestRun, _ environment: [String: String] = [:], options: [String] = [],
    streams: [Int32: SpawnedProgram.Stream]
  ) throws -> SpawnedProgram {
    let home = ["HOME": run.folder.path("home"), "PATH": "/usr/bin:/bin"]
    return try SpawnedProgram(
      Self.program, Self.options + options + step.words, in: run.folder, environment: home.merging(environment) { $1 },
      streams: streams)
  }

  private static let options = ["--progress", "never", "--now", "2025-01-11T12:53:20Z"]

  @Test(arguments: CommandWalk.steps)
  func `a narrow terminal without colour, nobody at the input: the same end, and no escapes`(
    step: CommandWalk.Step
  ) throws {
    let run = try CommandWalk.run(for: step)
    let terminal = try PseudoTerminal(columns: 40)
    let screen: SpawnedProgram.Stream = .file(terminal.path)
    let program = try start(step, in: run, ["NO_COLOR": "1"], streams: [0: .closed, 1: screen, 2: screen])
    let text = terminal.readToEnd()
    #expect(try program.wait().status == step.status.rawValue, "\(text)")
    #expect(!text.utf8.contains(0x1B), "\(text)")
    #expect(!text.isEmpty || step.line.hasPrefix("complete"))
    guard step.isTable, step.status == .done else { return }
    for line in text.split(separator: "\n") where !line.hasPrefix("circlectl: ") {
      #expect(displayWidth(line) <= 40, "\(text)")
    }
  }

  @Test(arguments: CommandWalk.steps)
  func `a reader who has gone ends nothing otherwise, and is not spoken of`(step: CommandWalk.Step) throws {
    let run = try CommandWalk.run(for: step)
    let pipe = try Self.pipe(in: run.folder)
    close(pipe.reading)
    let program = try start(step, in: run, streams: [1: .descriptor(pipe.writing)])
    close(pipe.writing)
    let ending = try program.wait()
    #expect(ending.status == step.status.rawValue, "\(ending.errors)")
    for word in ["pipe", "standard output"] { #expect(!ending.errors.contains(word), "\(ending.errors)") }
    #expect(step.status != .done || !ending.errors.contains("error"), "\(ending.errors)")
  }

  @Test(arguments: ["text", "json", "ndjson", "html", "cloudevents"])
  func `a reader who goes away in the midst of a big result ends it quietly`(format: String) throws {
    let run = try TestRun(["big.csv": "userId\n" + (0..<20_000).map { "user\($0)\n" }.joined()])
    #expect(try run("import users big.csv").status == 0)
    var manifest = "version: 1\nservers:\n  big:\n    name: Big\n    owner: user0\n    members:\n"
    for number in 1..<20_000 { manifest += "      - user\(number)\n" }
    try run.folder.write(manifest, to: "big.yaml")
    #expect(try run("apply big.yaml --yes -q").status == 0)
    for line in [
      "events list", "member list big --all-pages", "diff big.yaml --detail full --state none.db --register",
    ] {
      let pipe = try Self.pipe(in: run.folder)
      let program = try start(
        CommandWalk.Step(line), in: run, options: ["-q", "-o", format], streams: [1: .descriptor(pipe.writing)])
      close(pipe.writing)
      var piece = [UInt8](repeating: 0, count: 100)
      _ = read(pipe.reading, &piece, piece.count)
      close(pipe.reading)
      let ending = try program.wait()
      #expect(ending.status == 0, "\(line): \(ending.errors)")
      #expect(ending.errors == "", "\(line)")
    }
  }

  @Test func `what can't be written is told, with 1`() throws {
    let step = CommandWalk.Step("server list")
    let run = try CommandWalk.run(for: step)
    let full = try start(step, in: run, streams: [1: .file("/dev/full")]).wait()
    #expect(full.status == 1)
    #expect(full.errors.contains("can't write the result to standard output: No space left on device"))
    let closed = try start(step, in: run, streams: [1: .closed]).wait()
    #expect(closed.status == 1)
    #expect(closed.errors.contains("can't write the result to standard output: Bad file descriptor"))
    #expect(try start(step, in: run, streams: [2: .closed]).wait().status == 0)
    #expect(try start(CommandWalk.Step("server get nowhere"), in: run, streams: [2: .closed]).wait().status == 3)
  }

  @Test(arguments: ["apply - --yes", "validate -", "import users -", "diff -"])
  func `a closed input that is asked for is bad input, and the state is not read in its place`(line: String) throws {
    let step = CommandWalk.Step(line)
    let run = try CommandWalk.run(for: step)
    let before = try run.folder.bytes("circle.db")
    let ending = try start(step, in: run, streams: [0: .closed]).wait()
    #expect(ending.status == 65, "\(ending.errors)")
    #expect(ending.errors.contains("Bad file descriptor"), "\(ending.errors)")
    #expect(try run.folder.bytes("circle.db") == before)
  }

  @Test func `all streams closed, the state is whole`() throws {
    let step = CommandWalk.Step("apply manifests --yes")
    let run = try CommandWalk.run(for: step)
    let ending = try start(step, in: run, streams: [0: .closed, 1: .closed, 2: .closed]).wait()
    #expect(ending.status == 1, "the report can't be written")
    #expect(try run("state verify").status == 0)
    #expect(try run("diff manifests --exit-code").status == 0)
  }

  @Test(arguments: ["member list pub", "user list", "server list", "server search The", "moderator list --all"])
  func `columns stand under each other by display width, as wide as there is room`(line: String) throws {
    let step = CommandWalk.Step(line, before: ["provider add one --file names.csv"])
    let run = try CommandWalk.run(for: step)
    for columns in [40, 72, 200] {
      let terminal = try PseudoTerminal(columns: columns)
      let program = try start(
        step, in: run, ["NO_COLOR": "1"], streams: [1: .file(terminal.path)])
      let lines = terminal.readToEnd().split(separator: "\n")
      #expect(try program.wait().status == 0)
      #expect(lines.count > 1)
      for shown in lines { #expect(displayWidth(shown) <= columns, "\(shown)") }
      guard let heading = lines.first, heading.contains("  "), heading.uppercased() == heading else { continue }
      let starts = Self.gaps(of: heading)
      for row in lines.dropFirst() {
        // What stands right of a heading's begin may be aligned to the right, so only the gap before it has to be there.
        for start in starts { #expect(Self.isBlank(row, at: start - 1), "\(lines.joined(separator: "\n"))") }
      }
    }
  }

  @Test func `a table that does not fit is told value by value, and names are cut to fit`() throws {
    let step = CommandWalk.Step("member list priv")
    let run = try CommandWalk.run(for: step)
    let narrow = try PseudoTerminal(columns: 40)
    let program = try start(step, in: run, ["NO_COLOR": "1"], streams: [1: .file(narrow.path)])
    let text = narrow.readToEnd()
    #expect(try program.wait().status == 0)
    #expect(text.contains("user      bob\nnickname  鲍勃\nrole      moderator\njoined    2025-"), "\(text)")
    #expect(text.contains("nickname  👩‍👩‍👧‍👦 Carol of the Long Name, 卡…\n"), "\(text)")
  }

  @Test(arguments: [("y\n", 0), ("n\n", 3)] as [(String, Int32)])
  func `a person at a narrow terminal is asked, and the files have the whole`(answer: String, status: Int32) throws {
    let step = CommandWalk.Step("apply manifests --report json=r.json")
    let run = try CommandWalk.run(for: step)
    let terminal = try PseudoTerminal(columns: 40)
    terminal.type(answer)
    let screen: SpawnedProgram.Stream = .file(terminal.path)
    let program = try start(step, in: run, ["NO_COLOR": "1"], streams: [0: screen, 1: screen, 2: screen])
    let text = terminal.readToEnd()
    #expect(try program.wait().status == status, "\(text)")
    #expect(text.contains("Apply these changes to 'circle.db'? [y/N] "), "\(text)")
    #expect(try run.folder.read("r.json").contains("\"changes\": [") == (status == 0))
    #expect(try run("server get garden").status == (status == 0 ? 0 : 3))
  }

  @Test func `colours come on a terminal alone, unless they are asked for or refused`() throws {
    let step = CommandWalk.Step("server list")
    let run = try CommandWalk.run(for: step)
    func isColoured(_ environment: [String: String] = [:], _ options: [String] = []) throws -> Bool {
      let terminal = try PseudoTerminal(columns: 100)
      let program = try start(
        step, in: run, environment, options: options, streams: [1: .file(terminal.path)])
      let text = terminal.readToEnd()
      #expect(try program.wait().status == 0)
      return text.utf8.contains(0x1B)
    }
    #expect(try isColoured())
    #expect(try isColoured(["NO_COLOR": ""]))
    #expect(try !isColoured(["NO_COLOR": "1"]))
    #expect(try !isColoured(["TERM": "dumb"]))
    #expect(try isColoured(["NO_COLOR": "1"], ["--color", "always"]))
    #expect(try !isColoured([:], ["--color", "never"]))
    #expect(try !isColoured([:], ["-o", "json"]))
  }

  @Test func `help is wrapped to the terminal`() throws {
    let folder = try TemporaryFolder()
    for words in [["help"], ["help", "apply"], ["import", "users", "--help"]] {
      let terminal = try PseudoTerminal(columns: 40)
      let program = try SpawnedProgram(
        Self.program, words, in: folder, environment: ["NO_COLOR": "1"], streams: [1: .file(terminal.path)])
      let text = terminal.readToEnd()
      #expect(try program.wait().status == 0)
      for line in text.split(separator: "\n") where line.contains(" ") && !line.hasPrefix("  circlectl ") {
        #expect(displayWidth(line) <= 44, "\(line)")
      }
    }
  }

  /// The ends of a pipe, which no other program inherits.
  private static func pipe(in folder: TemporaryFolder) throws -> (reading: Int32, writing: Int32) {
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let writing = open(path, O_WRONLY | O_CLOEXEC)
    #expect(reading >= 0 && writing >= 0 && fcntl(reading, F_SETFL, 0) == 0)
    unlink(path)
    return (reading, writing)
  }

  /// Where the headings after the first begin, by display width.
  private static func gaps(of heading: Substring) -> [Int] {
    var starts: [Int] = []
    var (column, blanks) = (0, 0)
    for character in heading {
      if character == " " {
        blanks += 1
      } else {
        if blanks >= 2 { starts.append(column) }
        blanks = 0
      }
      column += displayWidth(String(character))
    }
    return starts
  }

  /// Whether nothing stands in a column of the terminal.
  private static func isBlank(_ line: Substring, at column: Int) -> Bool {
    var begin = 0
    for character in line {
      let width = displayWidth(String(character))
      if begin <= column, column < begin + width { return character == " " }
      begin += width
    }
    return true
  }
}

extension CommandWalk.Step {
  /// Whether it shows a table of records.
  fileprivate var isTable: Bool {
    [
      "server list", "server search", "tag list", "moderator list", "member list", "invitation list", "user list",
      "user memberships",
    ].contains { line.hasPrefix($0) }
  }
}
