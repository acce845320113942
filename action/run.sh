#!/usr/bin/env bash
# Run findable with the inputs of the action, which are in the environment, and write its outputs.
set -euo pipefail
home="$RUNNER_TEMP/findable"
report="$home/report"
mkdir -p "$report" "$home/baseline"
findable="${FINDABLE:-$home/venv/bin/findable}"

options=(--format github)
for one in html:html json:json sarif:sarif junit:xml; do
  options+=(--export "${one%%:*}=$report/report.${one##*:}")
done
options+=(--export "comment=$report/comment.md")
# Add an option for each line of an input that is not blank.
each_line() {
  local line
  while IFS= read -r line; do
    [ -z "${line//[[:space:]]/}" ] || options+=("--$1=$line")
  done <<<"${2:-}"
}
each_line sitemap "${INPUT_SITEMAP:-}"
each_line pages "${INPUT_PAGES:-}"
each_line as "${INPUT_AS:-}"
each_line wait "${INPUT_WAIT:-}"
each_line header-env "${INPUT_HEADER_ENV:-}"
each_line config "${INPUT_CONFIG:-}"
each_line fail-under "${INPUT_FAIL_UNDER:-}"
each_line accept "${INPUT_ACCEPT:-}"
each_line source "${INPUT_SOURCE:-}"
[ "${INPUT_BROWSER:-none}" = none ] || each_line browser "$INPUT_BROWSER"
# The run of a branch checks all pages, so that each has a report to be compared with.
[ -z "${GITHUB_BASE_REF:-}" ] || each_line changed-from "${INPUT_CHANGED_FROM:-}"
read -r -d '' -a urls <<<"${INPUT_CRAWL:-} ${INPUT_URLS:-}" || true

# What a command does not know of these, it refuses in a sentence.
if [ -n "${INPUT_CRAWL:-}" ]; then
  new="$home/new.crawl.sqlite"
  baseline="$home/baseline/site.crawl.sqlite"
  rm -f "$new"
  command=(crawl "--store=$new")
else
  new="$report/report.json"
  baseline="$home/baseline/pages.json"
  command=(audit --only-problems)
fi
[ "${INPUT_FAIL_ON:-none}" = none ] || [ ! -s "$baseline" ] || options+=("--baseline=$baseline" "--fail-on=$INPUT_FAIL_ON")
command+=("${options[@]}" -- ${urls[@]+"${urls[@]}"})

code=0
"$findable" "${command[@]}" || code=$?
if [ "$code" = 0 ] || [ "$code" = 1 ]; then
  cp -- "$new" "$baseline"
fi

"${PYTHON:-python3}" - "$report/report.json" >>"$GITHUB_OUTPUT" <<'PYTHON'
import json
import pathlib
import sys

path = pathlib.Path(sys.argv[1])
document = json.loads(path.read_text()) if path.exists() else []
document = document.get("crawl", document) if isinstance(document, dict) else document
rated = [one for one in (document if isinstance(document, list) else [document]) if one["score"] is not None]
worst = min(rated, key=lambda one: one["score"], default=None)
print(f"score={worst['score'] if worst else ''}")
print(f"result={worst['result'] if worst else 'unrated'}")
PYTHON
printf 'report=%s\ncode=%s\n' "$report" "$code" >>"$GITHUB_OUTPUT"
