import Testing
import Testkit

/// Runs the shell lines of `docs/ci.md` as the two services would, in a scratch git repository; what those lines ask of the
/// services themselves is kept in a folder by programs that stand in for `gh` and `curl`.
struct CIDocumentTests {
  private let document: CIDocument
  private let folder: TemporaryFolder

  init() throws {
    document = try CIDocument()
    folder = try TemporaryFolder()
    try folder.write(Self.gh, to: "bin/gh")
    try folder.write(Self.curl, to: "bin/curl")
    try shell(
      """
      chmod +x bin/gh bin/curl; mkdir kept; git init --quiet --initial-branch main work; cd work; mkdir manifests
      printf 'version: 1\\nusers: {o: {}, a: {}, b: {}}\\nservers:\\n  club: {name: Club, owner: o, members: [a, b]}\\n' \
        > manifests/club.yaml
      git add .; git commit --quiet -m first; circlectl apply manifests --yes
      git switch --quiet -c change; sed -i 's/name: Club/name: The Club/' manifests/club.yaml; git commit --quiet -am change
      """, in: ".")
  }

  @Test func `the workflows of GitHub plan, apply what was reviewed, and find drift`() throws {
    let plan = ".github/workflows/plan.yml"
    for script in try document.runs(of: plan) { try shell(script) }
    #expect(try folder.read("kept/comment").contains("The Club"))
    #expect(try folder.read("summary").contains("The Club"))
    // As upload-artifact does.
    try shell("mv plan.json plan.html ../kept; git switch --quiet main; git merge --quiet --no-ff -m merged change")
    for script in try document.runs(of: ".github/workflows/apply.yml") { try shell(script) }
    #expect(try folder.read("work/events.ndjson").contains("circlectl.onServerUpdated"))
    try shell("circlectl diff manifests --exit-code")
    let drift = try document.runs(of: ".github/workflows/drift.yml")
    for script in drift { try shell(script) }
    #expect(!folder.exists("kept/issue"))
    try shell("circlectl server update club --desc 'by hand' --name Klub")
    try shell(drift[0], status: 2)
    #expect(try folder.read("kept/issue").contains("Klub"))

    // A guard trips: the comment is there all the same, and nothing is pinned.
    try shell("rm ../kept/* plan.json; git switch --quiet -c fewer; sed -i 's/ .a, b./ []/' manifests/club.yaml")
    let scripts = try document.runs(of: plan)
    try shell(scripts[1], status: 3)
    try shell(scripts[2])
    #expect(try folder.read("kept/comment").contains("remove:member@club"))
    #expect(!folder.exists("work/plan.json"))
  }

  @Test func `a plan of GitHub that was changed after the review is not applied`() throws {
    for script in try document.runs(of: ".github/workflows/plan.yml") { try shell(script) }
    try shell(
      """
      git switch --quiet main; circlectl server update club --desc new
      git switch --quiet change; circlectl diff manifests --save ../kept/plan.json --reason another
      git switch --quiet main; git merge --quiet --no-ff -m merged change
      """)
    let scripts = try document.runs(of: ".github/workflows/apply.yml")
    try shell(scripts[0])
    try shell(scripts[1], status: 65)
  }

  @Test func `the jobs of GitLab plan, apply what was reviewed, and find drift`() throws {
    try shell(try document.script(of: "plan"))
    #expect(try folder.read("kept/note").contains("The Club"))
    #expect(try folder.read("work/widget.json").contains("\"update\":1"))
    try shell("git switch --quiet main; git merge --quiet --no-ff -m merged change; rm plan.json")
    try shell(try document.script(of: "apply"))
    try shell("circlectl diff manifests --exit-code")
    try shell(try document.script(of: "drift"))
    #expect(!folder.exists("kept/issue"))
    try shell("circlectl server update club --name Klub")
    try shell(try document.script(of: "drift"), status: 2)
    #expect(try folder.read("kept/issue").contains("Klub"))
    // The same plan once more is stale.
    try shell(try document.script(of: "apply"), status: 4)
  }

  /// As both services run their lines: the first that fails ends the step.
  private func shell(_ script: String, in place: String = "work", status: Int32 = 0) throws {
    let api = "https://gitlab.example/api/v4"
    // What the services know of the commit.
    let head = "cd \(place)\nexport REVIEWED=$(git rev-parse HEAD 2>&1 || true)\nexport CI_COMMIT_SHA=$REVIEWED\n"
    let ending = try SpawnedProgram(
      "/usr/bin/timeout", ["-s", "KILL", "30", "/bin/bash", "-eo", "pipefail", "-c", head + script],
      in: folder,
      environment: [
        "PATH": "\(folder.path("bin")):\(SpawnedProgram.binaries):/usr/bin:/bin", "HOME": folder.path,
        "LC_ALL": "C.UTF-8", "GIT_AUTHOR_NAME": "o", "GIT_AUTHOR_EMAIL": "o@example.org", "GIT_COMMITTER_NAME": "o",
        "GIT_COMMITTER_EMAIL": "o@example.org", "KEPT": folder.path("kept"),
        "CIRCLECTL_STATE": folder.path("circle.db"), "PULL_REQUEST": "7",
        "GITHUB_REPOSITORY": "o/club", "GITHUB_OUTPUT": folder.path("outputs"),
        "GITHUB_STEP_SUMMARY": folder.path("summary"), "CI_API_V4_URL": api, "CI_PROJECT_ID": "1",
        "PLANS": "\(api)/projects/1/packages/generic/plan", "CI_MERGE_REQUEST_IID": "7",
        "CI_JOB_TOKEN": "job", "CIRCLE_TOKEN": "token",
      ]
    ).wait()
    #expect(ending.status == status, "\(script)\n\(ending.output)\(ending.errors)")
  }

  /// Keeps what it is told under the commit that it is told of.
  private static let gh = """
    #!/bin/bash
    value() { local wanted=$1; shift; while [ $# -gt 0 ]; do [ "$1" = "$wanted" ] && echo "$2"; shift; done; }
    case "$1 $2" in
      "pr comment") cp "$(value --body-file "$@")" "$KEPT/comment" ;;
      "issue create") cp "$(value --body-file "$@")" "$KEPT/issue" ;;
      "run list") [ -e "$KEPT/status-$(value --commit "$@")" ] && echo 42 ;;
      "run download") [ "$3" = 42 ] && cp "$KEPT/plan.json" . ;;
      "api repos/o/club/statuses/"*)
        for word in "$@"; do case $word in description=*) echo "${word#*=}" > "$KEPT/status-${2##*/}" ;; esac; done ;;
      "api repos/o/club/commits/"*) path=${2%/statuses}; cat "$KEPT/status-${path##*/}" ;;
      *) echo "gh: not expected: $*" >&2; exit 1 ;;
    esac

    """

  private static let curl = """
    #!/bin/bash
    value() { local wanted=$1; shift; while [ $# -gt 0 ]; do [ "$1" = "$wanted" ] && echo "$2"; shift; done; }
    url=${!#}
    file=$(value --data-urlencode "$@" | sed -n 's/^[a-z]*@//p')
    case "$url" in
      */packages/generic/plan/*/plan.json)
        commit=${url%/plan.json}; kept="$KEPT/plan-${commit##*/}"
        if [ -n "$(value --upload-file "$@")" ]; then cp plan.json "$kept"; else cp "$kept" "$(value --output "$@")"; fi ;;
      */merge_requests/7/notes) cp "$file" "$KEPT/note" ;;
      */issues) cp "$file" "$KEPT/issue" ;;
      */projects/1/statuses/*) value --data "$@" | sed -n 's/^description=//p' > "$KEPT/status-${url##*/}" ;;
      */repository/commits/*/statuses\\?name=circlectl)
        commit=${url%/statuses*}
        printf '[{"id":9,"status":"success","name":"circlectl","description":"%s","author":{"id":1}}]' \
          "$(cat "$KEPT/status-${commit##*/}")" ;;
      *) echo "curl: not expected: $*" >&2; exit 1 ;;
    esac

    """
}
