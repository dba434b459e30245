import Glibc
import Testing
import Testkit

/// Disks that are full, and those that nobody may write to.
struct DiskTests {
  /// Whether this process may have mounts of its own, which end with the processes that see them.
  static let mounts: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    let words = ["-rm", "mount", "-t", "tmpfs", "none", folder.path]
    return (try? SpawnedProgram("/usr/bin/unshare", words, in: folder).wait().status) == 0
  }()

  /// Runs a script that may mount.
  private func mounting(_ script: String, in scene: Scene) throws -> SpawnedProgram.Ending {
    try scene.folder.write("set -eu\n" + script, to: "script")
    defer { unlink(scene.folder.path("script")) }
    return try SpawnedProgram(
      "/usr/bin/timeout", ["-s", "KILL", "60", "/usr/bin/unshare", "-rm", "/bin/bash", "script"], in: scene.folder,
      environment: ["PATH": "/usr/bin:/bin", "circlectl": "\(SpawnedProgram.binaries)/circlectl"]
    ).wait()
  }

  private static func scene() throws -> Scene {
    let scene = try Club.applied()
    try scene.folder.write(
      "userId,nickName,sign\n" + (0..<2000).map { "reader\($0),R\($0),of many books\n" }.joined(), to: "users.csv")
    return scene
  }

  @Test(
    .enabled(if: mounts, "no mount namespace can be made here"),
    arguments: ["import users ../users.csv", "state copy circle.db new.db"])
  func `a full disk is an error that changes nothing, however much fits on it`(command: String) throws {
    let scene = try Self.scene()
    let old = try scene("export").output
    let ending = try mounting(
      """
      mkdir disk
      mount -t tmpfs -o size=1m none disk
      export TMPDIR=$PWD
      $circlectl export >old
      for size in 108 116 128 144 160 200 240 320 400 1000 4000; do
        mount -o remount,size=${size}k disk
        rm -f disk/*; cp circle.db disk/; cd disk
        status=0; $circlectl \(command) >../out 2>../errors || status=$?
        $circlectl export >../new
        verified=0; $circlectl state verify >/dev/null 2>&1 || verified=$?
        same=no; cmp -s ../old ../new && same=yes
        echo "$size $status $verified $same $(ls | tr '\\n' ' ')| $(grep -c '^circlectl: error: ' ../errors || true) $(head -1 ../errors)"
        cd ..
      done
      """, in: scene)
    #expect(ending.status == 0, "\(ending.errors)")
    let lines = ending.output.split(separator: "\n")
    #expect(lines.count == 11)
    var full = 0
    for line in lines {
      let words = line.split(separator: " ").prefix(4).map(String.init)
      #expect(words[1] == "0" || words[1] == "1", "\(line)")
      #expect(words[2] == "0", "\(line)")
      guard words[1] == "1" else { continue }
      full += 1
      #expect(words[3] == "yes", "\(line)")
      #expect(!line.contains("journal") && !line.contains("new.db "), "\(line)")
      #expect(line.contains("| 1 circlectl: error: ") && line.contains("No space left on device"), "\(line)")
    }
    #expect(full > 0 && full < lines.count, "\(ending.output)")
    #expect(try scene("export").output == old)
  }

  @Test func `a limit of the size of files is an error like a full disk`() throws {
    let scene = try Self.scene()
    let old = try scene("export").output
    var refused = 0
    for blocks in [1, 8, 60, 96, 97, 104, 112, 128, 160, 200, 300, 1000] {
      try scene.copy("circle.db", to: "limited.db")
      let ending = try scene.shell(
        "ulimit -f \(blocks); $circlectl import users users.csv -q --state limited.db >/dev/null")
      #expect(ending.status == 0 || ending.status == 1, "\(blocks): \(ending.errors)")
      if ending.status == 1 {
        refused += 1
        #expect(ending.complaints.count == 1, "\(blocks): \(ending.errors)")
        #expect(try scene("export --state limited.db").output == old, "\(blocks)")
      }
      #expect(try scene("state verify --state limited.db").status == 0, "\(blocks)")
    }
    #expect(refused > 0)
    let ending = try scene.shell("ulimit -f 8; $circlectl apply club --yes -q --state new.db >/dev/null")
    #expect(ending.status == 1)
    #expect(!scene.folder.exists("new.db"))
  }

  @Test(.enabled(if: mounts, "no mount namespace can be made here"))
  func `a disk that nobody may write to is read from, and refuses the rest with 1`() throws {
    let scene = try Self.scene()
    try scene.edit("club/club.yaml", "      - u05\n", "")
    let bytes = try scene.bytes("circle.db")
    let ending = try mounting(
      """
      mkdir disk; mount -t tmpfs none disk; cp -r circle.db club disk/; mount -o remount,ro disk; cd disk
      for command in "state verify" "state info" "export" "diff club" "events list" "member list readers" \
        "apply club --yes" "server create New --owner max" "apply club --yes --state new.db" "state init --state x.db" \
        "state dump dump.ndjson" "diff club --save plan"; do
        status=0; $circlectl $command >../out 2>../errors || status=$?
        echo "$status $(grep -c '^circlectl: error: ' ../errors || true) $command: $(head -1 ../errors)"
      done
      cmp circle.db ../circle.db; ls
      """, in: scene)
    #expect(ending.status == 0, "\(ending.errors)")
    let lines = ending.output.split(separator: "\n").map(String.init)
    #expect(lines.suffix(2) == ["circle.db", "club"])
    for line in lines.prefix(6) { #expect(line.hasPrefix("0 0 "), "\(line)") }
    for line in lines.dropFirst(6).dropLast(2) {
      #expect(line.hasPrefix("1 1 "), "\(line)")
      #expect(line.contains("Read-only file system") || line.contains("Permission denied"), "\(line)")
    }
    #expect(try scene.bytes("circle.db") == bytes)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can be another user"))
  func `a file and a folder of somebody else are told with 1`() throws {
    let scene = try Self.scene()
    chmod(scene.folder.path, 0o755)
    try scene.edit("club/club.yaml", "      - u05\n", "")
    let bytes = try scene.bytes("circle.db")
    let cases: [(mode: mode_t, command: String, status: Int32)] = [
      (0o600, "export", 1), (0o600, "apply club --yes", 1), (0o644, "export", 0), (0o644, "state verify", 0),
      (0o644, "apply club --yes", 1), (0o666, "apply club --yes", 1), (0o644, "apply club --yes --state new.db", 1),
    ]
    for (mode, command, status) in cases {
      chmod(scene.folder.path("circle.db"), mode)
      let ending = try scene.shell("setpriv --reuid 65534 --regid 65534 --clear-groups $circlectl \(command)")
      // Where nobody may come to the program, this can't be tried.
      guard ending.status != 127 && ending.status != 126 else { return }
      #expect(ending.status == status, "\(mode) \(command): \(ending.errors)")
      #expect(ending.complaints.count == (status == 0 ? 0 : 1), "\(ending.errors)")
      #expect(try scene.bytes("circle.db") == bytes)
    }
    #expect(scene.folder.names() == ["circle.db", "club", "users.csv"])
  }
}
