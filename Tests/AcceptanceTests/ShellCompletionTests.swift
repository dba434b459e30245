import Glibc
import Testing
import Testkit

/// The completion scripts in the shells that they are for, with the built program.
@Suite struct ShellCompletionTests {
  /// What is typed, its words as bash breaks them, and what is offered.
  static let lines: [(line: String, words: [String], offers: [String])] = [
    ("circlectl val", ["circlectl", "val"], ["validate"]),
    ("circlectl server release r", ["circlectl", "server", "release", "r"], ["readers"]),
    ("circlectl apply --st", ["circlectl", "apply", "--st"], ["--state", "--stats", "--stack"]),
    ("circlectl -o ndj", ["circlectl", "-o", "ndj"], ["ndjson"]),
    ("circlectl events list --recipient o", ["circlectl", "events", "list", "--recipient", "o"], ["olga"]),
    (
      "circlectl events list --recipient=U1", ["circlectl", "events", "list", "--recipient", "=", "U1"],
      ["u10", "u11", "u12"]
    ),
    ("circlectl apply clu", ["circlectl", "apply", "clu"], ["club"]),
    ("circlectl --state circle.d", ["circlectl", "--state", "circle.d"], ["circle.db"]),
    ("circlectl nonsense --", ["circlectl", "nonsense", "--no-such"], []),
  ]

  @Test(arguments: lines.indices) func `bash completes`(_ index: Int) throws {
    let (line, words, offers) = Self.lines[index]
    let scene = try Club.applied()
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let ending = try complete(
      scene, "/bin/bash", ["--norc", "--noprofile", "-c"],
      """
      source <(circlectl completion bash)
      COMP_WORDS=(\(quoted)) COMP_CWORD=\(words.count - 1) COMP_LINE='\(line)' COMP_POINT=\(line.utf8.count)
      _circlectl
      # Where nothing is offered, bash itself looks for files.
      [[ ${#COMPREPLY[@]} -gt 0 ]] || compgen -f -- "${COMP_WORDS[COMP_CWORD]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(Set(ending) == Set(offers))
  }

  @Test(arguments: lines.indices) func `fish completes`(_ index: Int) throws {
    let (line, _, offers) = Self.lines[index]
    let scene = try Club.applied()
    let ending = try complete(
      scene, "/usr/bin/fish", ["--no-config", "-c"],
      """
      circlectl completion fish | source
      complete -C '\(line)' | string replace -r '\\t.*' '' | string replace -r '^--recipient=' '' | string trim -r -c /
      true
      """)
    #expect(Set(ending) == Set(offers))
  }

  /// zsh has no question to ask: a terminal of its own types the line and a TAB, and what completion would add is kept.
  @Test(arguments: lines.indices) func `zsh completes`(_ index: Int) throws {
    let (line, _, offers) = Self.lines[index]
    let scene = try Club.applied()
    let ending = try complete(
      scene, "/usr/bin/zsh", ["-f", "-c"],
      """
      zmodload zsh/zpty
      circlectl completion zsh > _circlectl
      : > offers
      zpty -b shell zsh -f -i
      zpty -w shell 'PS1= PS2='
      zpty -w shell 'autoload -Uz compinit; compinit -u -D; source ./_circlectl'
      zpty -w shell 'compadd() { local -a kept; if [[ $@ == *-[OAD]* ]]; then builtin compadd "$@"; return; fi
        builtin compadd -A kept "$@"; print -rl -- $kept >> offers; builtin compadd "$@" }'
      zpty -w shell 'print ready > ready'
      for i in {1..300}; do [[ -s ready ]] && break; sleep 0.02; done
      zpty -w -n shell '\(line)'$'\\t'
      last=-1
      for i in {1..100}; do
        zpty -r -t shell piece 2>/dev/null
        sleep 0.02
        size=$(wc -c < offers)
        (( i > 15 && size == last )) && break
        last=$size
      done
      zpty -d shell
      sed 's/^--recipient=//' offers
      """)
    #expect(Set(ending) == Set(offers))
  }

  /// The lines that a shell's script prints.
  private func complete(_ scene: Scene, _ shell: String, _ options: [String], _ script: String) throws -> [String] {
    let ending = try SpawnedProgram(
      "/usr/bin/timeout", ["-s", "KILL", "20", shell] + options + [script], in: scene.folder,
      environment: [
        "PATH": "\(SpawnedProgram.binaries):/usr/bin:/bin", "HOME": scene.folder.path, "TERM": "dumb",
        "LC_ALL": "C.UTF-8",
      ]
    ).wait()
    #expect(ending.status == 0, "\(ending.errors)")
    return ending.output.split(separator: "\n").map(String.init)
  }

  @Test func `an unreadable state offers nothing and says nothing`() throws {
    let scene = try Club.scene()
    try scene.folder.write("not a state", to: "circle.db")
    let ending = try scene("complete -- server release r")
    #expect(ending.status == 0 && ending.output == ":words\n" && ending.errors.isEmpty)
  }
}
