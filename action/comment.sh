#!/usr/bin/env bash
# Write the comment on the pull request, or replace the comment of an earlier run, which its first line identifies.
set -euo pipefail
[ -s "$REPORT/comment.md" ] || exit 0
comments="repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments"
marker='<!-- findable -->'

write() {
  local earlier
  earlier=$(gh api --paginate "$comments" --jq ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$marker\"))) | .id" | head -n 1) || return
  if [ -n "$earlier" ]; then
    gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$earlier" --field "body=@$REPORT/comment.md"
  else
    gh api --silent --method POST "$comments" --field "body=@$REPORT/comment.md"
  fi
}

# The token of a pull request from a fork is read-only. This must not hide the result of the checks.
if ! write; then
  echo "::warning title=Findable::The comment could not be written. The job needs pull-requests: write; pull requests of forks never have it."
fi
