import Glibc
import Testing
import Testkit

/// What strangers may not do: with manifests, tables and states that somebody else has made.
struct SecurityTests {
  /// A root of manifests beside a secret, with all kinds of ways to it.
  private static func scene() throws -> Scene {
    let scene = try Scene([
      "secret/list": "hunter2 and more\n", "secret/other.yaml": "version: 1\nsecret: hunter2\n",
      "root/m.yaml": "version: 1\nusers: {al: {}}\nservers: {a: {name: A, owner: al}}\n", "root/inner/x": "",
    ])
    symlink("../secret/list", scene.folder.path("root/link"))
    symlink("../secret", scene.folder.path("root/folder"))
    symlink("inner/../../secret/list", scene.folder.path("root/winding"))
    symlink(scene.folder.path("secret/list"), scene.folder.path("root/absolute"))
    return scene
  }

  private static func listing(_ path: String) -> String {
    "version: 1\nusers: {al: {}}\nservers: {a: {name: A, owner: al, members: [{from: '\(path)'}]}}\n"
  }

  @Test(arguments: [
    "../secret/list", "./inner/../../secret/list", "link", "folder/list", "winding", "absolute", "inner/../link",
    "{absolute}", "/proc/self/environ", "/etc/passwd", "/dev/stdin", "/proc/self/fd/0", "file:///etc/passwd",
    "http://127.0.0.1/list", "|cat secret/list", "$(cat secret/list)", "~/list", "%2e%2e/secret/list",
    "..\\secret\\list",
  ])
  func `no from leads out of the root, and nothing from there is quoted`(path: String) throws {
    let scene = try Self.scene()
    let path = path == "{absolute}" ? scene.folder.path("secret/list") : path
    try scene.folder.write(Self.listing(path), to: "root/m.yaml")
    for command in ["validate root", "validate root/m.yaml", "apply root --yes", "diff root --save plan"] {
      let ending = try scene.shell("export SECRET=hunter2; echo hunter2 | $circlectl \(command)")
      #expect(ending.status == 65, "\(command): \(ending.errors)")
      #expect(!(ending.output + ending.errors).contains("hunter2"), "\(command)")
      #expect(ending.errors.contains("root/m.yaml:3:"), "\(ending.errors)")
    }
    #expect(!scene.folder.exists("plan") && !scene.folder.exists("circle.db"))
  }

  @Test func `a folder of manifests takes in no file from outside, and fmt writes into none`() throws {
    let scene = try Self.scene()
    for command in ["validate root", "diff root", "fmt root", "fmt root --check"] {
      let ending = try scene(command)
      #expect(ending.status == 65, "\(command)")
      #expect(ending.errors.contains("'root/folder' leads outside the folder of the manifests"), "\(ending.errors)")
      #expect(!(ending.output + ending.errors).contains("hunter2"))
    }
    #expect(try scene.folder.read("secret/other.yaml") == "version: 1\nsecret: hunter2\n")
    for command in ["validate root --allow-outside", "fmt root --allow-outside"] {
      #expect(try !scene(command).errors.contains("leads outside"), "\(command)")
    }
  }

  @Test func `circlectl.yaml is no way out either`() throws {
    let scene = try Self.scene()
    symlink("secret/list", scene.folder.path("circlectl.yaml"))
    var ending = try scene("validate root/m.yaml")
    #expect(ending.status == 65)
    #expect(ending.errors.contains("circlectl.yaml' cannot be read: it leads outside its folder") == false)
    #expect(ending.errors.contains("hunter2"), "a link within the folder is followed")

    let inner = "cd root && $circlectl"
    symlink("../secret/list", scene.folder.path("root/circlectl.yaml"))
    ending = try scene.shell("\(inner) validate m.yaml")
    #expect(ending.status == 65)
    #expect(ending.errors.contains("cannot be read: it leads outside its folder"))
    #expect(!ending.errors.contains("hunter2"))

    unlink(scene.folder.path("root/circlectl.yaml"))
    for path in ["../secret", "folder", "/etc", "folder/other.yaml"] {
      try scene.folder.write("paths: [\(path)]\n", to: "root/circlectl.yaml")
      for command in ["validate", "diff", "fmt --check"] {
        ending = try scene.shell("\(inner) \(command)")
        #expect(ending.status == 65, "\(path), \(command): \(ending.errors)")
        #expect(ending.errors.contains("leads outside the folder of the circlectl.yaml that names it"))
        #expect(!(ending.output + ending.errors).contains("hunter2"))
      }
    }
    try scene.folder.write("paths: [m.yaml]\n", to: "root/circlectl.yaml")
    #expect(try scene.shell("\(inner) validate").status == 0)
    // Who names a path at the command line may name any.
    #expect(try scene.shell("\(inner) validate ../root/m.yaml").status == 0)
  }

  @Test(.enabled(if: DiskTests.mounts, "no namespace can be made here"))
  func `a manifest runs nothing, knows no variable and needs no network`() throws {
    let texts = [
      "$(touch ran)", "`touch ran`", "; touch ran", "| touch ran", "${SECRET}", "$SECRET", "%SECRET%", "{{env.SECRET}}",
    ]
    var manifest = "version: 1\nusers:\n  al:\n    avatarUrl: http://127.0.0.1:9/a.png\n"
    manifest += "servers:\n"
    for (number, text) in texts.enumerated() {
      manifest +=
        "  s\(number):\n    name: '\(text)'\n    owner: al\n    desc: '\(text)'\n    icon: http://127.0.0.1:9/i.png\n"
    }
    let scene = try Scene(["m.yaml": manifest])
    let ending = try scene.shell(
      """
      export SECRET=hunter2
      for command in "validate m.yaml" "diff m.yaml" "apply m.yaml --yes" export "events list" "server list" "why s0"; do
        unshare -rn $circlectl $command || exit 1
      done
      """)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(!(ending.output + ending.errors).contains("hunter2"))
    #expect(ending.output.contains("$(touch ran)") && ending.output.contains("${SECRET}"))
    #expect(scene.folder.names() == ["circle.db", "m.yaml"])
  }

  @Test func `terminal controls in manifests and tables come out as escapes`() throws {
    let nasty = "A\u{1B}[2J\u{1B}]0;owned\u{7}\u{202E}\u{2066}\u{200F}\u{9B}31m\u{FEFF}B"
    let scene = try Club.applied()
    // Refused where they are controls, and shown so that they do nothing.
    try scene.folder.write("version: 1\nusers: {al: {nickName: \"\(nasty)\"}}\n# \(nasty)\n", to: "m.yaml")
    try scene.folder.write(
      "version: 1\nusers: {al: {nickName: \"x\u{202E}\u{2066}y\u{200F}\u{FEFF}z\"}}\n", to: "bidi.yaml")
    try scene.folder.write("version: 1\nusers: {al: {nick: x}}\n", to: "named/\(nasty).yaml")
    try scene.folder.write("userId,nickName\n,x\n", to: "named/\(nasty).csv")
    try scene.folder.write("userId,nickName,\(nasty)\nal,\(nasty),1\n\(nasty),x,2\n", to: "users.csv")
    for command in [
      "validate m.yaml", "diff m.yaml", "validate bidi.yaml", "diff bidi.yaml", "apply bidi.yaml --yes", "user get al",
      "user list", "why al", "events list", "state history", "import users users.csv",
      "import users users.csv --dry-run -v",
      "validate named", "diff named -v", "import users named/\(nasty).csv -v", "server get \(nasty)", "why \(nasty)",
      "diff \(nasty)", "export --state \(nasty)", "\(nasty)",
    ] {
      let ending = try scene.run(command.split(separator: " ").map(String.init))
      Self.expectHarmless(ending, command)
    }
  }

  @Test func `terminal controls in a state from elsewhere come out as escapes`() throws {
    let scene = try Club.applied()
    var bytes = try scene.bytes("circle.db")
    for (old, new) in [("Olga", "\u{1B}[2J"), ("Garden", "\u{202E}\u{1B}[m"), ("books", "\u{9B}1mX")] {
      let (old, new) = (Array(old.utf8), Array(new.utf8))
      #expect(old.count == new.count)
      for place in bytes.indices.dropLast(old.count) where bytes[place..<place + old.count].elementsEqual(old) {
        bytes.replaceSubrange(place..<place + old.count, with: new)
      }
    }
    try scene.folder.write(bytes, to: "other.db")
    for command in [
      "state verify", "state info", "state history", "events list", "user get olga", "user list", "server list",
      "server get readers", "server get garden", "tag list readers", "member list readers", "why readers", "why garden",
      "export", "diff club", "moderator list --all", "user memberships olga", "apply club --yes", "events verify",
    ] {
      Self.expectHarmless(try scene("\(command) --state other.db"), command)
    }
  }

  /// Neither stream has a control character but line breaks and tabs, nor one that changes how others are shown.
  private static func expectHarmless(_ ending: SpawnedProgram.Ending, _ command: String) {
    #expect([0, 1, 3, 64, 65].contains(ending.status), "\(command): \(ending.status)")
    let harmful = (ending.output + ending.errors).unicodeScalars.first { scalar in
      switch scalar.value {
      case 9, 10: false
      case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x061C, 0xFEFF: true
      default: false
      }
    }
    #expect(harmful == nil, "\(command): \(ending.output) \(ending.errors)")
  }

  @Test func `what holds private data is its owner's alone, whatever the mask`() throws {
    let scene = try Club.applied()
    try scene.folder.write("userId,nickName\nal,Al\n,nobody\n", to: "users.csv")
    let ending = try scene.shell(
      """
      umask 0
      $circlectl apply club --yes --state new.db && $circlectl state dump dump.ndjson && \
      $circlectl state restore dump.ndjson --state restored.db && $circlectl state copy circle.db copied.db && \
      $circlectl diff club --state none.db --save plan.json
      $circlectl events archive --before 2025-02-01 old.ndjson --state copied.db
      $circlectl import users users.csv --on-error skip --errors refused.csv --state new.db
      $circlectl import users users.csv --on-error skip --to-manifest users.yaml --state new.db
      """)
    for name in [
      "new.db", "dump.ndjson", "restored.db", "copied.db", "old.ndjson", "plan.json", "refused.csv", "users.yaml",
    ] {
      var status = stat()
      #expect(stat(scene.folder.path(name), &status) == 0, "\(name): \(ending.errors)")
      #expect(status.st_mode & 0o777 == 0o600, "\(name)")
    }
  }

  @Test func `a link that lies where a file is about to be written leads nowhere`() throws {
    let scene = try Club.applied()
    // The number of the process that will write.
    let ending = try scene.shell(
      """
      (ln -s victim dump.ndjson.$BASHPID.part; exec $circlectl state dump dump.ndjson)
      """)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(!scene.folder.exists("victim"))
    #expect(scene.folder.names() == ["circle.db", "club", "dump.ndjson"])
  }
}
