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
      git remote add origin .
      git switch --quiet -c more; printf 'version: 1\\nservers: {more: {name: More, owner: o}}\\n' > manifests/more.yaml
      git add .; git commit --quiet -m more; git switch --quiet main
      git switch --quiet -c clash; sed -i 's/name: Club/name: Klub/' manifests/club.yaml; git commit --quiet -am clash
      git switch --quiet main
      git switch --quiet -c change; sed -i 's/name: Club/name: The Club/' manifests/club.yaml; git commit --quiet -am change
      """, in: ".")
  }

  @Test(arguments: Merge.allCases)
  func `the workflows of GitHub plan and apply what was reviewed, however it is merged`(merge: Merge) throws {
    try planOnGitHub("change")
    #expect(try folder.read("kept/comment").contains("The Club"))
    #expect(try folder.read("summary").contains("The Club"))
    try shell(merge.script("change"))
    for script in try document.runs(of: Self.apply) { try shell(script) }
    #expect(try folder.read("work/events.ndjson").contains("circlectl.onServerUpdated"))
    try shell("circlectl diff manifests --exit-code")
    // The same plan once more is stale.
    try shell(try #require(try document.runs(of: Self.apply).last), status: 4)
  }

  @Test func `the nightly workflow of GitHub keeps one issue open as long as something differs`() throws {
    try shell("git switch --quiet main")
    let night = try #require(try document.runs(of: ".github/workflows/drift.yml").first)
    try shell(night)
    #expect(!folder.exists("kept/issue-1"))
    for name in ["Klub", "Klubb"] {
      try shell("circlectl server update club --desc 'by hand' --name \(name)")
      try shell(night, status: 2)
      #expect(try folder.read("kept/issue-1").contains(name))
      #expect(try folder.read("kept/issue-1-state") == "open\n")
    }
    try shell("circlectl server update club --desc '' --name Club")
    try shell(night)
    #expect(try folder.read("kept/issue-1-state") == "closed\n")
    // What differs later is another matter.
    try shell("circlectl member leave club a; circlectl member leave club b")
    try shell("sed -i 's/owner: o/owner: o, protect: true/' manifests/club.yaml")
    try shell(night, status: 2)
    #expect(!folder.exists("kept/issue-3"))
    #expect(try folder.read("kept/issue-2-state") == "open\n")
    for script in try document.runs(of: ".github/workflows/drift.yml").dropFirst() { try shell(script) }
  }

  @Test func `the comment of GitHub tells what refuses, and nothing is pinned`() throws {
    let scripts = try document.runs(of: Self.plan)
    try shell("sed -i 's/ .a, b./ []/' manifests/club.yaml")
    try shell(scripts[1], status: 3)
    try shell(scripts[2])
    #expect(try folder.read("kept/comment").contains("remove:member@club"))
    #expect(!folder.exists("work/plan.json"))
    try shell("sed -i 's/members/memberz/' manifests/club.yaml")
    try shell(scripts[0], status: 65)
    try shell(scripts[2])
    #expect(try folder.read("kept/comment").contains("memberz"))
  }

  @Test func `a plan of GitHub that was changed after the review is not applied`() throws {
    try planOnGitHub("change")
    try shell(
      """
      circlectl server update club --desc new; git switch --quiet change
      circlectl diff manifests --save "../kept/run-$(git rev-parse change)" --reason another
      """)
    try shell(Merge.commit.script("change"))
    let scripts = try document.runs(of: Self.apply)
    for script in scripts.dropLast() { try shell(script) }
    try shell(try #require(scripts.last), status: 65)
  }

  @Test(arguments: Merge.allCases)
  func `what nobody reviewed is not applied`(merge: Merge) throws {
    try planOnGitHub("change")
    try planOnGitLab("change")
    try shell(merge.script("change"))
    // Somebody pushes without any request.
    try shell("git commit --quiet --allow-empty -m pushed")
    try shell(try document.runs(of: Self.apply)[0], status: 3)
    try shell(try document.script(of: "apply"), status: 3)
    try shell("circlectl server get club | grep -w Club && ! circlectl server get club | grep -w The")
  }

  @Test(arguments: Service.allCases, Merge.allCases)
  func `two requests that have nothing in common are both applied, and of two that clash the second is stale`(
    service: Service, merge: Merge
  ) throws {
    for branch in ["more", "change", "clash"] { try plan(branch, on: service) }
    let scripts = try applying(on: service)
    for branch in ["more", "change"] {
      try shell(merge.script(branch))
      for script in scripts { try shell(script) }
      try shell("circlectl diff manifests --exit-code")
    }
    try shell(merge.script("clash"))
    for script in scripts.dropLast() { try shell(script) }
    try shell(try #require(scripts.last), status: 4)
    try shell("circlectl server get club | grep -w 'The Club' && circlectl server get more")
  }

  @Test func `a plan that was not made from all that is merged is not pinned`() throws {
    let scripts = try document.runs(of: Self.plan)
    try shell(Self.checkout("change"))
    // The runner has the commits still, but another request was merged.
    try shell("git branch --quiet --force main more")
    for script in scripts.dropLast(2) { try shell(script) }
    try shell(scripts[scripts.count - 2], status: 4)
    try shell("git switch --quiet change")
    try shell(try document.script(of: "plan"), status: 4)
    #expect(
      TemporaryFolder.names(in: folder.path("kept")).allSatisfy { !$0.hasPrefix("status-") && !$0.hasPrefix("plan-") })
    // Once the branch is brought up to date it is.
    try shell("git merge --quiet --no-ff -m update main")
    try planOnGitHub("change")
    try planOnGitLab("change")
  }

  @Test(arguments: Merge.allCases)
  func `the jobs of GitLab plan and apply what was reviewed, however it is merged`(merge: Merge) throws {
    try planOnGitLab("change")
    #expect(try folder.read("kept/note-1").contains("The Club"))
    #expect(try folder.read("work/widget.json").contains("\"update\":1"))
    try shell(merge.script("change"))
    try shell(try document.script(of: "apply"))
    #expect(try folder.read("work/events.ndjson").contains("circlectl.onServerUpdated"))
    try shell("circlectl diff manifests --exit-code")
    // The same plan once more is stale.
    try shell(try document.script(of: "apply"), status: 4)
  }

  @Test func `the comment of GitLab is one, and tells what is so now`() throws {
    let plan = try document.script(of: "plan")
    // Somebody has said something before.
    try shell("printf 'nice' > ../kept/note-1")
    try shell(plan)
    #expect(try folder.read("kept/note-2").contains("The Club"))
    try shell("sed -i 's/The Club/Our Club/' manifests/club.yaml; git commit --quiet -am other")
    try shell(plan)
    #expect(try folder.read("kept/note-2").contains("Our Club"))
    try shell("sed -i 's/members/memberz/' manifests/club.yaml; git commit --quiet -am wrong; rm plan.json")
    try shell(plan, status: 65)
    #expect(try folder.read("kept/note-2").contains("memberz"))
    #expect(try !folder.read("kept/note-2").contains("Our Club"))
    #expect(!folder.exists("work/plan.json"))
    try shell(
      """
      git revert --no-edit HEAD >/dev/null; sed -i 's/ .a, b./ []/' manifests/club.yaml
      git commit --quiet -am fewer
      """)
    try shell(plan, status: 3)
    #expect(try folder.read("kept/note-2").contains("remove:member@club"))
    #expect(try folder.read("kept/note-1") == "nice")
    #expect(!folder.exists("kept/note-3"))
  }

  @Test func `the nightly job of GitLab keeps one issue open as long as something differs`() throws {
    let night = try document.script(of: "drift")
    try shell("git switch --quiet main")
    try shell(night)
    #expect(!folder.exists("kept/issue-1"))
    for name in ["Klub", "Klubb"] {
      try shell("circlectl server update club --name \(name)")
      try shell(night, status: 2)
      #expect(try folder.read("kept/issue-1").contains(name))
      #expect(try folder.read("work/drift.xml").contains("<failure type=\"different\""))
    }
    #expect(!folder.exists("kept/issue-2"))
    try shell("circlectl server update club --name Club")
    try shell(night)
    #expect(try folder.read("kept/issue-1-state") == "closed\n")
    try shell("circlectl server update club --name Klub")
    try shell(night, status: 2)
    #expect(try folder.read("kept/issue-2-state") == "open\n")
  }

  private static let plan = ".github/workflows/plan.yml"
  private static let apply = ".github/workflows/apply.yml"

  enum Service: CaseIterable {
    case gitHub, gitLab
  }

  private func plan(_ branch: String, on service: Service) throws {
    switch service {
    case .gitHub: try planOnGitHub(branch)
    case .gitLab: try planOnGitLab(branch)
    }
  }

  /// The steps of the job that applies what was merged.
  private func applying(on service: Service) throws -> [String] {
    switch service {
    case .gitHub: try document.runs(of: Self.apply)
    case .gitLab: [try document.script(of: "apply")]
    }
  }

  /// How a branch comes into another; the service notes which commit was merged as which.
  enum Merge: CaseIterable {
    case commit, squash, rebase

    func script(_ branch: String) -> String {
      let merge =
        switch self {
        case .commit: "git merge --quiet --no-ff -X theirs -m merged \(branch)"
        case .squash: "git merge --quiet --squash -X theirs \(branch) >/dev/null; git commit --quiet -m merged"
        case .rebase: "git cherry-pick --keep-redundant-commits -X theirs \(branch) >/dev/null"
        }
      return """
        git switch --quiet main
        \(merge)
        echo "$(git rev-parse HEAD) $(git rev-parse \(branch)) \(self)" > ../kept/merged
        """
    }
  }

  /// What GitHub gives a workflow of a pull request: the main branch with the request merged into it.
  private static func checkout(_ branch: String) -> String {
    "git switch --quiet --detach main; git merge --quiet --no-ff -m checkout \(branch)"
  }

  private func planOnGitHub(_ branch: String) throws {
    try shell(Self.checkout(branch))
    for script in try document.runs(of: Self.plan) { try shell("REVIEWED=$(git rev-parse \(branch))\n\(script)") }
    // As upload-artifact does.
    try shell("mv plan.json ../kept/run-$(git rev-parse \(branch)); rm plan.html comment.md")
  }

  private func planOnGitLab(_ branch: String) throws {
    try shell("git switch --quiet \(branch)")
    try shell(try document.script(of: "plan"))
    try shell("rm plan.json")
  }

  /// As both services run their lines: the first that fails ends the step.
  private func shell(_ script: String, in place: String = "work", status: Int32 = 0) throws {
    let api = "https://gitlab.example/api/v4"
    // What the services know of the commit.
    let head = """
      cd \(place)
      export REVIEWED=$(git rev-parse HEAD 2>&1 || true)
      export GITHUB_SHA=$REVIEWED CI_COMMIT_SHA=$REVIEWED

      """
    let ending = try SpawnedProgram(
      "/usr/bin/timeout", ["-s", "KILL", "30", "/bin/bash", "-eo", "pipefail", "-c", head + script],
      in: folder,
      environment: [
        "PATH": "\(folder.path("bin")):\(SpawnedProgram.binaries):/usr/bin:/bin", "HOME": folder.path,
        "LC_ALL": "C.UTF-8", "GIT_AUTHOR_NAME": "o", "GIT_AUTHOR_EMAIL": "o@example.org", "GIT_COMMITTER_NAME": "o",
        "GIT_COMMITTER_EMAIL": "o@example.org", "KEPT": folder.path("kept"),
        "CIRCLECTL_STATE": folder.path("circle.db"), "PULL_REQUEST": "7",
        "GITHUB_REPOSITORY": "o/club", "GITHUB_BASE_REF": "main", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
        "GITHUB_OUTPUT": folder.path("outputs"),
        "GITHUB_STEP_SUMMARY": folder.path("summary"), "CI_API_V4_URL": api, "CI_PROJECT_ID": "1",
        "API": "\(api)/projects/1", "CI_MERGE_REQUEST_IID": "7", "CIRCLE_TOKEN": "token",
      ]
    ).wait()
    #expect(ending.status == status, "\(script)\n\(ending.output)\(ending.errors)")
  }

  /// Keeps what it is told under the commit that it is told of, and answers in JSON as the service does.
  private static let gh = #"""
    #!/bin/bash
    value() { local wanted=$1; shift; while [ $# -gt 0 ]; do [ "$1" = "$wanted" ] && echo "$2"; shift; done; }
    answer() { jq -r "$(value --jq "$@")"; }
    case "$1 $2" in
      "pr comment") cp "$(value --body-file "$@")" "$KEPT/comment" ;;
      "label create") touch "$KEPT/label-$3" ;;
      "issue list")
        open=$(grep -lx open "$KEPT"/issue-*-state 2>/dev/null | sed 's/.*issue-//; s/-state//' | head -n 1)
        echo "[${open:+{\"number\":$open\}}]" | answer "$@" ;;
      "issue create")
        [ -e "$KEPT/label-$(value --label "$@")" ] || exit 1
        number=$(($(ls "$KEPT" | grep -c '^issue-[0-9]*$') + 1))
        echo open > "$KEPT/issue-$number-state"; cp "$(value --body-file "$@")" "$KEPT/issue-$number" ;;
      "issue edit") [ -e "$KEPT/issue-$3" ] && cp "$(value --body-file "$@")" "$KEPT/issue-$3" ;;
      "issue close") [ -e "$KEPT/issue-$3" ] && echo closed > "$KEPT/issue-$3-state" ;;
      "run list")
        commit=$(value --commit "$@")
        [ -e "$KEPT/run-$commit" ] && echo "[{\"databaseId\":\"$commit\"}]" | answer "$@" ;;
      "run download") cp "$KEPT/run-$3" plan.json ;;
      "api repos/o/club/commits/main") echo "{\"sha\":\"$(git rev-parse main)\"}" | answer "$@" ;;
      "api repos/o/club/statuses/"*)
        for word in "$@"; do case $word in description=*) echo "${word#*=}" > "$KEPT/status-${2##*/}" ;; esac; done ;;
      "api repos/o/club/commits/"*/pulls)
        read -r merged reviewed how < "$KEPT/merged"
        printf '[{"merge_commit_sha":"%s","head":{"sha":"%s"}}]' "$merged" "$reviewed" | answer "$@" ;;
      "api repos/o/club/commits/"*/statuses)
        path=${2%/statuses}
        printf '[{"context":"ci","description":"ok"},{"context":"circlectl/plan","description":"%s"}]' \
          "$(cat "$KEPT/status-${path##*/}")" | answer "$@" ;;
      *) echo "gh: not expected: $*" >&2; exit 1 ;;
    esac

    """#

  private static let curl = #"""
    #!/bin/bash
    value() { local wanted=$1; shift; while [ $# -gt 0 ]; do [ "$1" = "$wanted" ] && echo "$2"; shift; done; }
    next() { echo $(($(ls "$KEPT" | grep -c "^$1-[0-9]*$") + 1)); }
    [ "$(value --header "$@")" = "PRIVATE-TOKEN: token" ] || exit 22
    url=${!#}
    file=$(value --data-urlencode "$@" | sed -n 's/^[a-z]*@//p')
    case "$(value --request "$@") ${url#https://gitlab.example/api/v4/projects/1/}" in
      " packages/generic/plan/"*/plan.json)
        commit=${url%/plan.json}; kept="$KEPT/plan-${commit##*/}"
        if [ -n "$(value --upload-file "$@")" ]; then cp plan.json "$kept"; else cp "$kept" "$(value --output "$@")"; fi ;;
      " merge_requests/7/notes?sort=asc&per_page=100")
        for note in $(ls "$KEPT" | grep '^note-' | sort -t - -k 2n); do
          jq -Rs --argjson id "${note#note-}" '{id: $id, type: null, body: .}' "$KEPT/$note"
        done | jq -s . ;;
      " merge_requests/7/notes") cp "$file" "$KEPT/note-$(next note)" ;;
      "PUT merge_requests/7/notes/"*) [ -e "$KEPT/note-${url##*/}" ] && cp "$file" "$KEPT/note-${url##*/}" ;;
      " issues?labels=circlectl-drift&state=opened")
        open=$(grep -lx open "$KEPT"/issue-*-state 2>/dev/null | sed 's/.*issue-//; s/-state//' | head -n 1)
        echo "[${open:+{\"id\":90,\"iid\":$open\}}]" ;;
      " issues")
        [ "$(value --data "$@")" = labels=circlectl-drift ] || exit 22
        number=$(next issue); echo open > "$KEPT/issue-$number-state"; cp "$file" "$KEPT/issue-$number" ;;
      "PUT issues/"*)
        [ -e "$KEPT/issue-${url##*/}" ] || exit 22
        if [ -n "$file" ]; then cp "$file" "$KEPT/issue-${url##*/}"; else echo closed > "$KEPT/issue-${url##*/}-state"; fi ;;
      " statuses/"*) value --data "$@" | sed -n 's/^description=//p' > "$KEPT/status-${url##*/}" ;;
      " repository/commits/"*/merge_requests)
        read -r merged reviewed how < "$KEPT/merged"
        printf '[{"iid":6,"sha":"0","merge_commit_sha":null,"squash_commit_sha":null},{"iid":7,"sha":"%s",' "$reviewed"
        case $how in
          commit) printf '"merge_commit_sha":"%s","squash_commit_sha":null}]' "$merged" ;;
          squash) printf '"merge_commit_sha":null,"squash_commit_sha":"%s"}]' "$merged" ;;
          rebase) printf '"merge_commit_sha":"%s","squash_commit_sha":null}]' "$merged" ;;
        esac ;;
      " repository/commits/"*"/statuses?name=circlectl")
        commit=${url%/statuses*}
        printf '[{"id":9,"status":"success","name":"circlectl","description":"%s","author":{"id":1}}]' \
          "$(cat "$KEPT/status-${commit##*/}")" ;;
      *) echo "curl: not expected: $*" >&2; exit 1 ;;
    esac

    """#
}
