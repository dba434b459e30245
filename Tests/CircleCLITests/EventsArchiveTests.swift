import Glibc
import Testing
import Testkit

@testable import CircleCLI

struct EventsArchiveTests {
  /// Five runs on five days, the first from the second of January 2025 on.
  private func club() throws -> TestRun {
    let run = try TestRun(["m/a.yaml": twoServers])
    let day: Int64 = 86_400_000
    #expect(try run("apply m --yes --id-seed a").status == 0)
    for line in [
      "member join garden carol --as carol", "server update garden --desc green",
      "member leave garden carol --as carol",
      "member join garden dave",
    ] {
      run.time += day
      let ending = try run(line)
      #expect(ending.status == 0, "\(line): \(ending.errors)")
    }
    return run
  }

  private func lines(_ ending: TestRun.Ending, _ type: String) -> [Substring] {
    ending.output.split(separator: "\n").filter { $0.contains("\"type\":\"\(type)\"") }
  }

  private func events(_ ending: TestRun.Ending) -> [Substring] {
    ending.output.split(separator: "\n").filter { $0.hasPrefix("{\"seq\":") }
  }

  private func seqs(_ ending: TestRun.Ending) -> [String] {
    events(ending).map { line in String(line.dropFirst("{\"seq\":".count).prefix { $0.isNumber }) }
  }

  private func head(_ run: TestRun) throws -> String {
    let info = try run("state info -o ndjson").output
    return String(info.firstRange(of: "\"head\":\"").map { info[$0.upperBound...].prefix(64) } ?? "")
  }

  @Test func `what is before the date goes into a file for its owner alone, and the log begins after it`() throws {
    let run = try club()
    let all = try run("events list -o ndjson")
    let whole = try events(run("events list -o ndjson --expand-audience"))
    let ending = try run("events archive --before 2025-01-04 old.ndjson --reason year-end")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.contains("Run 6 at ") && ending.output.contains("last run     2"), "\(ending.output)")
    var status = stat()
    #expect(stat(run.folder.path("old.ndjson"), &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(run.folder.names() == ["circle.db", "m", "old.ndjson"])
    #expect(try run("state verify").status == 0)
    let rest = try run("events list -o ndjson")
    let archived = try run("events list -o ndjson --archive old.ndjson")
    #expect(!seqs(rest).isEmpty && seqs(archived) + seqs(rest) == seqs(all))
    #expect(rest.errors.contains("have gone into an archive; the log begins after them"))
    // Who heard what, before the cut from the archive and after it from the log.
    let heard =
      try events(run("events list -o ndjson --expand-audience --archive old.ndjson"))
      + events(run("events list -o ndjson --expand-audience"))
    #expect(heard == whole)
    #expect(try run("events list --recipient carol --archive old.ndjson --server garden").status == 0)
    let history = try run.history()
    try #require(history.count == 6)
    #expect(history[1].contains("\"archived\":true") && !history[2].contains("\"archived\""))
    #expect(history[5].contains("\"kind\":\"archive\"") && history[5].contains("year-end"))
    #expect(try run("state history").output.contains("[archived]"))
    let info = try run("state info")
    #expect(info.output.contains("archived     runs 1 to 2, events 1 to "), "\(info.output)")
    #expect(try run("state info -o json").output.contains("\"archived\": {"))
  }

  @Test func `a number before the cut is refused with what to do`() throws {
    let run = try club()
    let last = try #require(seqs(try run("events list -o ndjson")).last.flatMap { Int($0) })
    #expect(try run("events archive --before 0s --now 2026-01-01T00:00:00Z old.ndjson").status == 0)
    for option in ["", " --recipient alice", " --expand-audience", " --follow -o ndjson"] {
      let ending = try run("events list --since 1\(option)")
      #expect(ending.status == 3 && ending.errors.contains("the events up to \(last) have gone into an archive"))
      #expect(ending.errors.contains("--since \(last)") && ending.errors.contains("--archive FILE"), "\(ending.errors)")
    }
    let ending = try run("events list --since \(last)")
    #expect(ending.status == 0 && ending.output == "" || ending.output.contains("o event"), "\(ending)")
    #expect(try run("member leave garden dave --as dave").status == 0)
    #expect(try seqs(run("events list -o ndjson")).first == String(last + 1))
  }

  @Test func `why goes on answering, and says that the run was archived`() throws {
    let run = try club()
    let questions = ["garden", "garden/carol", "garden/dave", "swift-fans/tag:ios", "swift-fans/bob"]
    let before = try questions.map { try lines(run("why \($0) -o ndjson"), "reason") }
    #expect(try run("events archive --before 2025-01-06 old.ndjson").status == 0)
    for (question, expected) in zip(questions, before) {
      let ending = try run("why \(question) -o ndjson")
      #expect(lines(ending, "reason") == expected, "\(question)")
      #expect(ending.output.contains("gone into an archive") == (question != "garden/dave"), "\(question)")
    }
  }

  @Test func `an archived run and the cut itself are not taken back, later runs are`() throws {
    let run = try club()
    #expect(try run("events archive --before 2025-01-05 old.ndjson").status == 0)
    for (number, reason) in [
      (1, "has gone into an archive"), (3, "has gone into an archive"), (6, "moved the beginning"),
    ] {
      let ending = try run("state undo \(number) --yes")
      #expect(ending.status == 3 && ending.errors.contains(reason), "\(ending.errors)")
    }
    #expect(try run("state undo --yes").status == 3)
    #expect(try run("state undo 5 --yes").status == 0)
    #expect(try run("member check garden dave").output.contains("no"))
    #expect(try run("state verify").status == 0)
  }

  @Test func `a saved plan made before the cut is applied after it`() throws {
    let run = try club()
    try run.folder.write(twoServers.replacing("name: Garden", by: "name: Park"), to: "m/a.yaml")
    #expect(try run("diff m --save plan.json").status == 0)
    #expect(try run("events archive --before 2025-01-05 old.ndjson").status == 0)
    #expect(try run("apply plan.json --yes").status == 0)
    #expect(try run("state verify").status == 0)
  }

  @Test func `heads before and after the cut are found, and the archive proves the earlier ones`() throws {
    let run = try club()
    let heads = try run.history().compactMap { line in
      line.firstRange(of: "\"hash\":\"").map { String(line[$0.upperBound...].prefix(64)) }
    }
    #expect(heads.count == 5)
    #expect(try run("events archive --before 2025-01-05 old.ndjson").status == 0)
    #expect(try run("events verify").output.contains("The log begins after run 3"))
    for (number, head) in heads.enumerated() {
      let ending = try run("events verify --head \(head)")
      #expect(ending.status == 0 && ending.output.contains("of run \(number + 1);"), "\(ending)")
      #expect(ending.output.contains("lies before the checkpoint") == (number < 2), "\(ending)")
      let proven = try run("events verify --head \(head) --archive old.ndjson")
      #expect(proven.status == 0 && !proven.output.contains("lies before the checkpoint"), "\(proven)")
      #expect(proven.output.contains("the archive holds runs 1 to 3"), "\(proven)")
    }
    #expect(try run("events verify --head \(heads[0].replacing("a", by: "b").replacing("1", by: "2"))").status == 1)
    let text = try run.folder.read("old.ndjson")
    try run.folder.write(text.replacing("\"value\":\"A", by: "\"value\":\"B"), to: "bad.ndjson")
    for (line, status) in [
      ("events verify --archive bad.ndjson", 65), ("events list --archive bad.ndjson", 65),
      ("events verify --archive none.ndjson", 65), ("events verify --archive m", 65),
      ("events list --archive old.ndjson --follow -o ndjson", 64),
    ] as [(String, Int32)] {
      let ending = try run(line)
      #expect(ending.status == status, "\(line): \(ending.errors)")
    }
    let other = try TestRun(["m/a.yaml": twoServers, "old.ndjson": text])
    #expect(try other("apply m --yes --id-seed b").status == 0)
    #expect(try other("events verify --archive old.ndjson").status == 3)
  }

  @Test func `a file that is there is never written over, and a dry run and an empty cut write none`() throws {
    let run = try club()
    try run.folder.write("mine", to: "old.ndjson")
    let taken = try run("events archive --before 2025-01-05 old.ndjson")
    #expect(taken.status == 3 && taken.errors.contains("'circlectl events verify --archive old.ndjson'"))
    #expect(try run.folder.read("old.ndjson") == "mine")
    #expect(try run("events archive --before 2025-01-05 circle.db").status == 3)
    let names = run.folder.names()
    let head = try head(run)
    let dry = try run("events archive --before 2025-01-05 new.ndjson --dry-run")
    #expect(dry.status == 0 && dry.output.contains("last run     3") && dry.output.contains("Nothing was written"))
    #expect(try run("events archive --before 2025-01-05 new.ndjson --dry-run -o json").output.contains("\"lastRun\":3"))
    for date in ["2025-01-02", "2025-01-02T03:04:05Z", "365d"] {
      let none = try run("events archive --before \(date) new.ndjson")
      #expect(none.status == 0 && none.output.contains("The log has no run before "), "\(none)")
    }
    for date in ["", "yesterday", "2025-02-30", "2025-13-01", "-1d"] {
      #expect(try run.run(["events", "archive", "--before", date, "new.ndjson"]).status == 64, "\(date)")
    }
    #expect(try run("events archive new.ndjson").status == 64)
    for name in ["circle.db-journal", "circlectl.yaml"] {
      let ending = try run("events archive --before 2025-01-05 \(name)")
      #expect(ending.status == 64 && ending.errors.contains("would replace"), "\(ending)")
    }
    #expect(try run("events archive --before 2025-01-05 nowhere/new.ndjson").status == 1)
    #expect(run.folder.names() == names)
    #expect(try self.head(run) == head)
    let empty = try TestRun()
    #expect(try empty("events archive --before 2025-01-05 new.ndjson").status == 0)
    #expect(empty.folder.names() == [])
  }

  @Test func `a second archive begins where the first ended`() throws {
    let run = try club()
    let all = try seqs(run("events list -o ndjson"))
    #expect(try run("events archive --before 2025-01-04 a.ndjson").status == 0)
    #expect(try run("events archive --before 2025-01-04 b.ndjson").output.contains("no run before"))
    #expect(try run("events archive --before 2025-01-06 b.ndjson").status == 0)
    #expect(try run("state verify").status == 0)
    let both = try run("events list -o ndjson --archive a.ndjson --archive b.ndjson --expand-audience")
    #expect(try seqs(both) + seqs(run("events list -o ndjson")) == all)
    let second = try run("events list --archive b.ndjson --expand-audience")
    #expect(second.status == 3 && second.errors.contains("do not begin with run 1"), "\(second)")
    #expect(try run("events list --archive b.ndjson").status == 0)
    #expect(try run("events verify --archive a.ndjson --archive b.ndjson").status == 0)
    #expect(try run("state copy circle.db copy.db").status == 0)
    #expect(try run("state dump dump.ndjson").status == 0)
    #expect(try run("state restore dump.ndjson --state restored.db").status == 0)
    for state in ["copy.db", "restored.db"] {
      #expect(try run("state verify --state \(state)").output == run("state verify").output)
      #expect(try run("events verify --archive a.ndjson --state \(state)").status == 0)
    }
  }

  @Test(arguments: [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89])
  func `a signal leaves the state untouched and no archive, or comes too late`(after: Int) throws {
    let run = try club()
    let history = try run.history().count
    run.signal = (SIGINT, after)
    let ending = try run("events archive --before 2025-01-05 old.ndjson")
    run.signal = nil
    let isDone = ending.status == 0
    #expect(isDone || ending.status == 130, "\(ending)")
    #expect(try run.history().count == history + (isDone ? 1 : 0))
    #expect(run.folder.exists("old.ndjson") == isDone)
    #expect(try run("state verify").status == 0)
    #expect(try run("state info").output.contains("No run holds the lock."))
  }
}
