#!/usr/bin/env bash
# The story of a pull request, from its first line to the day when it is taken back, in a git repository of its own.
#
#   Tests/Stories/pull-request.sh FOLDER      with `circlectl` and `git` on the PATH; FOLDER is new or empty
#
# Each step says what it expects; the first that comes out otherwise ends the story with 1.
set -euo pipefail
mkdir -p "$1"
cd "$1"

export HOME=$PWD GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=alice GIT_AUTHOR_EMAIL=alice@example.org GIT_COMMITTER_NAME=alice GIT_COMMITTER_EMAIL=alice@example.org
export CIRCLECTL_STATE=$PWD/circle.db
clock=0

# Each command at a minute of its own; what it says is in `said`, of both streams.
circle() {
  clock=$((clock + 1))
  command circlectl --now "$(printf '2025-01-06T09:%02d:00Z' "$clock")" --id-seed story "$@"
}

# expect CODE COMMAND…: how the command has to end.
expect() {
  local wanted=$1 code=0
  shift
  said=$("$@" 2>&1) || code=$?
  # The clock moves in the shell that the words were kept from.
  clock=$((clock + 1))
  printf '%s\n  → %d\n' "$*" "$code"
  [[ $code -eq $wanted ]] || { printf 'expected %d:\n%s\n' "$wanted" "$said"; exit 1; }
}

says() { [[ $said == *"$1"* ]] || { printf 'it does not say "%s":\n%s\n' "$1" "$said"; exit 1; }; }
tells() { grep -qF -- "$2" "$1" || { printf '%s does not have "%s":\n' "$1" "$2"; cat "$1"; exit 1; }; }
chapter() { printf '\n== %s\n' "$1"; }
digest() { sed -n 's/^"digest": "\(.*\)"$/\1/p' "$1"; }

chapter 'A repository whose main branch is what is'
git init --quiet --initial-branch main repository
cd repository
mkdir manifests
people() { for number in 01 02 03 04 05 06 07 08 09 10 11 12; do printf '%s%s%s\n' "$1" "$number" "$2"; done; }
{
  printf 'version: 1\nusers:\n  olga: {devices: [mac]}\n  max: {}\n'
  people '  u' ': {}'
} >manifests/users.yaml
{
  printf 'version: 1\nservers:\n  readers:\n    name: Readers\n    owner: olga\n    moderators: [max]\n    members:\n'
  people '      - u' ''
} >manifests/readers.yaml
printf 'version: 1\nservers:\n  garden: {name: Garden, owner: max, members: [olga, u01]}\n' >manifests/garden.yaml
git add . && git commit --quiet -m 'Two communities'
expect 0 circle apply manifests --yes

chapter 'A pull request with a mistake: the annotation stands at the line'
git switch --quiet -c shade
printf 'version: 1\nservers:\n  garden: {name: Shady Garden, owner: max, member: [olga, u01, u02], tags: [shade]}\n' \
  >manifests/garden.yaml
git commit --quiet -am 'A shady garden'
expect 65 circle validate manifests -o github
says '::error file=manifests/garden.yaml,line=3,col='
says "did you mean 'members'"

chapter 'Mended: a comment, annotations, and a plan to review'
sed -i 's/ member:/ members:/' manifests/garden.yaml
git commit --quiet -am 'Mend a key'
expect 0 circle validate manifests -o github
export GITHUB_OUTPUT=$PWD/../outputs GITHUB_STEP_SUMMARY=$PWD/../summary.md
expect 0 circle diff manifests --save ../shade.json --reason 'shade' -o github --report markdown=../comment.md \
  --report html=../plan.html
unset GITHUB_STEP_SUMMARY
says '::notice file=manifests/garden.yaml,line=3,'
grep -A1 -F 'has_changes<<' ../outputs | grep -qx true || { printf 'has_changes is not true\n'; exit 1; }
tells ../comment.md 'Shady Garden'
tells ../summary.md 'Shady Garden'
unset GITHUB_OUTPUT
expect 0 circle show ../shade.json
says 'member u02'
reviewed=$(digest ../shade.json)

chapter 'Another pull request, elsewhere, is merged first: the plan still fits'
git switch --quiet main && git switch --quiet -c books
sed -i 's/name: Readers/name: Readers and Writers/' manifests/readers.yaml
git commit --quiet -am 'Writers too'
expect 0 circle diff manifests --save ../books.json
books=$(digest ../books.json)
git switch --quiet main && git merge --quiet --no-ff -m 'Merge books' books
expect 0 circle apply ../books.json --yes --digest "$books"

git merge --quiet --no-ff -m 'Merge shade' shade
expect 65 circle apply ../shade.json --yes --digest "$books"
says 'is not the plan that was reviewed'
expect 0 circle apply ../shade.json --yes --digest "$reviewed"
says 'onMemberJoinedServer'
says 'Reason: shade'
expect 0 circle diff manifests --exit-code

chapter 'Two that overlap: the second is stale, and says where'
git switch --quiet -c left && sed -i 's/Shady Garden/Garden of Roses/' manifests/garden.yaml
git commit --quiet -am 'Roses'
expect 0 circle diff manifests --save ../left.json
git switch --quiet main && git switch --quiet -c right && sed -i 's/Shady Garden/Garden of Herbs/' manifests/garden.yaml
git commit --quiet -am 'Herbs'
expect 0 circle diff manifests --save ../right.json
git switch --quiet main && git merge --quiet --no-ff -m 'Merge left' left
expect 0 circle apply ../left.json --yes --digest "$(digest ../left.json)"
expect 4 circle apply ../right.json --yes --digest "$(digest ../right.json)" -o json
says '"result": "stale"'
expect 4 circle apply ../right.json --yes
says "'name' of 'garden' has changed"
expect 0 circle diff manifests --exit-code

chapter 'A bad export: the guard trips, and is lifted for this case alone'
git switch --quiet -c fewer && sed -i '/u0[1-8]/d' manifests/readers.yaml
git commit --quiet -am 'Fewer readers'
expect 3 circle diff manifests --save ../fewer.json --report markdown=../fewer.md
says 'No plan was saved'
tells ../fewer.md 'remove:member@readers'
allowance=$(sed -n "s/.*--allow '\([^']*\)'.*/\1/p" <<<"$said" | head -n 1)
[[ $allowance == 'remove:member@readers<=8' ]] || { printf 'the way out is "%s"\n' "$allowance"; exit 1; }
expect 3 circle diff manifests --allow 'remove:member@garden<=8'
expect 3 circle diff manifests --allow 'remove:member@readers<=7'
expect 0 circle diff manifests --save ../fewer.json --allow "$allowance" --reason 'they moved away'
git switch --quiet main && git merge --quiet --no-ff -m 'Merge fewer' fewer
expect 0 circle apply ../fewer.json --yes --digest "$(digest ../fewer.json)"
says 'onMemberRemovedFromServer'
expect 0 circle state history
says 'they moved away (allowed remove:member@readers<=8)'

chapter 'At night: somebody has changed something by hand'
expect 0 circle server update readers --desc 'by hand' --name 'Readers at Night'
expect 2 circle diff manifests --exit-code -o github --report markdown=../drift.md
says '::warning file=manifests/readers.yaml'
tells ../drift.md 'Readers at Night'
expect 0 circle why readers -o json
says '"command":"server update"'

chapter 'Taken back: first what was done by hand, then the removal'
expect 4 circle state undo 1 --yes
expect 0 circle state undo --yes --reason 'not by hand'
expect 0 circle diff manifests --exit-code
removal=$(circle state history -o ndjson | sed -n 's/.*"number":\([0-9]*\),.*they moved away.*/\1/p')
expect 0 circle state undo "$removal" --dry-run
says 'member u08'
says '8 members join anew'
expect 0 circle state undo "$removal" --yes --reason 'they came back'
says 'onMemberJoinedServer'
# The manifests still ask for it, and the guard for an answer.
expect 3 circle diff manifests --exit-code -o github
git revert --no-edit -m 1 HEAD >/dev/null
expect 0 circle diff manifests --exit-code
expect 0 circle state verify
says 'The state is sound'
printf '\nThe story ends well: %d steps of the clock.\n' "$clock"
