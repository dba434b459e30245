import Glibc
import Testing
import Testkit

@testable import CircleCLI

struct ReportFileTests {
  @Test(arguments: [
    "diff m --report html=-", "diff m --save -", "import users u.csv --to-manifest -", "import users u.csv --errors -",
  ])
  func `what goes to a file is not written as a dash`(line: String) throws {
    let run = try TestRun(["m/a.yaml": twoServers, "u.csv": "userId\na\n"])
    let ending = try run(line)
    #expect(ending.status == 64 && ending.errors.contains("'-' is none"))
    #expect(!run.folder.exists("-"))
  }

  private func inputs() throws -> TestRun {
    try TestRun([
      "manifests/a.yaml": twoServers.replacing("[carol, dave]", by: "[{from: m.csv}]"),
      "manifests/m.csv": "user\ncarol\ndave\n", "circlectl.yaml": "paths: [manifests]\n",
    ])
  }

  @Test(arguments: [
    "manifests/a.yaml", "./manifests/../manifests/a.yaml", "manifests/m.csv", "circlectl.yaml", "circle.db",
    "./circle.db", "circle.db-journal",
  ])
  func `a report never replaces what the run reads or writes`(path: String) throws {
    for command in [
      "apply --yes", "diff", "validate", "apply --allow nonsense", "apply --now 2025-01-01T00:00:00Z --dry-run",
    ] {
      let run = try inputs()
      let ending = try run("\(command) --report json=\(path)")
      #expect(ending.status == 64, "\(command)")
      #expect(run.folder.names() == ["circlectl.yaml", "manifests"])
      #expect(try run.folder.read("manifests/a.yaml").hasPrefix("version: 1"))
      #expect(try run.folder.read("manifests/m.csv").hasPrefix("user"))
    }
  }

  @Test func `a manifest with a fault is not replaced by the report of it`() throws {
    let run = try TestRun(["manifests/a.yaml": "version: 1\nserver: {}\n"])
    #expect(try run("apply --yes --report json=manifests/a.yaml").status == 64)
    #expect(try run.folder.read("manifests/a.yaml") == "version: 1\nserver: {}\n")
    #expect(try run("apply --yes --report json=report.json").status == 65)
    #expect(try run("apply --yes --report json=report.json").status == 65)
    #expect(try run.folder.read("report.json").contains("unknown-key"))
  }

  @Test func `two reports to one file are refused however it is written`() throws {
    let run = try inputs()
    // Links to what is not there yet, the second by way of the first and of a folder's other name.
    symlink("a", run.folder.path("link"))
    symlink("manifests/../link", run.folder.path("link of the link"))
    for files in [["a", "./a"], ["a", "link"], ["link", "a"], ["link", "link of the link"]] {
      let ending = try run.run(["diff", "--report", "json=\(files[0])", "--report", "text=\(files[1])"])
      #expect(ending.status == 64, "\(files)")
      #expect(ending.errors.contains("two reports go to the file"))
      #expect(!run.folder.exists("a"))
    }
    let ending = try run("diff --report json=link --report text=b")
    #expect(ending.status == 0)
    #expect(try run.folder.read("a").hasPrefix("{"))
    var status = stat()
    #expect(lstat(run.folder.path("link"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test(arguments: [
    "diff --save FILE", "import users users.csv --errors FILE", "import users users.csv --to-manifest FILE",
    "state dump FILE", "events archive --before 2025-01-01 FILE",
  ])
  func `a report and another file of the run don't take each other's place`(command: String) throws {
    let run = try inputs()
    try run.folder.write("userId\nerin\n", to: "users.csv")
    try run.folder.write("kept", to: "old")
    symlink("new", run.folder.path("link"))
    for (file, report) in [("new", "./new"), ("new", "link"), ("old", "old")] {
      guard !command.hasPrefix("events") || file == "new" else { continue }
      let ending = try run("\(command.replacing("FILE", with: file)) --report json=\(report)")
      #expect(ending.status == 64)
      #expect(ending.errors.contains("and a report go to the same file '\(file)'"), "\(ending.errors)")
      #expect(!run.folder.exists("new"))
      #expect(try run.folder.read("old") == "kept")
    }
  }

  @Test func `no report, dump or plan takes the place of a state, an archive, or what the command names`() throws {
    let run = try inputs()
    for line in [
      "apply --yes", "state init --state other.db", "state dump dump.ndjson", "diff --prune --save plan.json",
      "events archive --before 2030-01-01 archive.ndjson",
    ] {
      let ending = try run(line)
      #expect(ending.status == 0, "\(line): \(ending.errors)")
    }
    let names = run.folder.names()
    let kept = try names.filter { $0 != "manifests" }.map { try run.folder.bytes($0) }
    for line in [
      "state copy circle.db other.db --report json=other.db", "state copy circle.db new.db --report json=circle.db",
      "state copy circle.db new.db --report json=new.db",
      "state restore dump.ndjson --state new.db --report json=dump.ndjson",
      "show plan.json --report html=plan.json", "show plan.json --against plan.json --report html=./plan.json",
      "events verify --archive archive.ndjson --report json=archive.ndjson",
      "events list --archive archive.ndjson --report json=archive.ndjson", "diff --report json=other.db",
      "diff --save archive.ndjson", "state dump other.db", "state dump archive.ndjson",
    ] {
      let ending = try run(line)
      #expect(ending.status == 64 && ending.errors.contains("would replace"), "\(line): \(ending.errors)")
      #expect(run.folder.names() == names, "\(line)")
    }
    #expect(try names.filter { $0 != "manifests" }.map { try run.folder.bytes($0) } == kept)
  }

  @Test func `a plan is not saved in place of a manifest`() throws {
    let run = try inputs()
    for path in ["manifests/a.yaml", "manifests/m.csv"] {
      let ending = try run("diff manifests --save \(path)")
      #expect(ending.status == 64)
      #expect(ending.errors.contains("would replace the input"))
    }
    #expect(try run.folder.read("manifests/a.yaml").hasPrefix("version: 1"))
    #expect(try run.folder.read("manifests/m.csv").hasPrefix("user"))
  }

  @Test(arguments: [
    "aply -o json", "aply -ojson", "diff --bogus -qo=json", "state --output json", "--output=json",
    "diff --now yesterday -o json", "diff --report json -o json", "apply --allow x -o json", "export a --all -o json",
    "diff -o json --max-removals 120%", "diff nowhere -o json", "server release nothing -o json",
  ])
  func `with a format for machines each failure is one document`(line: String) throws {
    let ending = try inputs()(line)
    #expect(ending.status == 64 || ending.status == 65 || ending.status == 3)
    #expect(ending.output.hasPrefix("{\n  \"circlectlReport\": 1,\n  \"command\": "), "\(ending.output)")
    #expect(ending.output.hasSuffix("\n}\n"))
    #expect(ending.output.components(of: "circlectlReport") == 1)
    #expect(ending.errors.contains("circlectl: error: "))
  }

  @Test func `the format that circlectl.yaml gives holds for failures too`() throws {
    let run = try TestRun(["circlectl.yaml": "output: ndjson\n"])
    #expect(
      try run("diff --now yesterday").output.hasPrefix(#"{"type":"header","circlectlReport":1,"command":"diff","#))
    try run.folder.write("outputs: json\n", to: "circlectl.yaml")
    let ending = try run("diff -o json")
    #expect(ending.status == 65)
    #expect(ending.output.contains("manifest.unknown-key"))
  }
}

extension String {
  fileprivate func components(of part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
