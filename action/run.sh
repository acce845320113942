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
[ -z "${INPUT_AS:-}" ] || options+=("--as=$INPUT_AS")
[ -z "${INPUT_CONFIG:-}" ] || options+=("--config=$INPUT_CONFIG")
[ -z "${INPUT_FAIL_UNDER:-}" ] || options+=("--fail-under=$INPUT_FAIL_UNDER")
[ "${INPUT_BROWSER:-none}" = none ] || options+=("--browser=$INPUT_BROWSER")
while IFS= read -r rule; do
  [ -z "${rule// /}" ] || options+=("--source=$rule")
done <<<"${INPUT_SOURCE:-}"

if [ -n "${INPUT_CRAWL:-}" ]; then
  new="$home/new.crawl.sqlite"
  baseline="$home/baseline/site.crawl.sqlite"
  rm -f "$new"
  [ "${INPUT_FAIL_ON:-none}" = none ] || [ ! -s "$baseline" ] || options+=("--baseline=$baseline")
  command=(crawl "--store=$new" "${options[@]}" -- "$INPUT_CRAWL")
else
  new="$report/report.json"
  baseline="$home/baseline/pages.json"
  [ "${INPUT_FAIL_ON:-none}" = none ] || [ ! -s "$baseline" ] || options+=("--baseline=$baseline" "--fail-on=$INPUT_FAIL_ON")
  [ -z "${INPUT_ACCEPT:-}" ] || options+=("--accept=$INPUT_ACCEPT")
  [ -z "${INPUT_SITEMAP:-}" ] || options+=("--sitemap=$INPUT_SITEMAP")
  read -r -d '' -a urls <<<"${INPUT_URLS:-}" || true
  command=(audit --only-problems "${options[@]}" -- ${urls[@]+"${urls[@]}"})
fi

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
