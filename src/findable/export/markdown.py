"""A report as Markdown, for issues, pull requests and language models."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from findable.export import as_list, first_line, held_against, titles_of

EVIDENCE_SHOWN = 3
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~&@])")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def to_markdown(reports: Mapping[str, Any] | Iterable[Mapping[str, Any]]) -> str:
    """CommonMark. Every text of a page is escaped or stands in code, so that it stays text."""
    return "\n".join(line for report in as_list(reports) for line in _report(report)) + "\n"


def escape(text: str) -> str:
    """Text that means nothing in Markdown, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(_CONTROL.sub(" ", text).split()))


def code(text: str) -> str:
    """Text in a code span that it cannot leave."""
    plain = " ".join(_CONTROL.sub(" ", text).split())
    longest = max((len(run) for run in re.findall("`+", plain)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if plain.startswith("`") or plain.endswith("`") else ""
    return f"{fence}{pad}{plain}{pad}{fence}"


def _report(report: Mapping[str, Any]) -> Iterator[str]:
    yield f"# SEO report: {code(report['url'])}"
    yield ""
    if report["status"] == "failed":
        yield f"**Not rated.** {escape(report['error']['message'])}"
        yield ""
        return
    yield from _verdict(report)
    titles = titles_of(report)
    held = held_against(report)
    if held:
        yield "## To fix"
        yield ""
    for result in held:
        yield from _finding(result, titles)
    counts = report["counts"]
    yield f"{counts['passed']} checks passed, {counts['inapplicable']} do not apply, {counts['unknown']} could not be measured."
    yield ""
    engine = report["engine"]
    yield f"Findable {engine['version']}, ruleset {engine['ruleset']}, {report['generated_at']}"
    yield ""


def _verdict(report: Mapping[str, Any]) -> Iterator[str]:
    if report["result"] is None:
        yield "**Not rated.**"
    else:
        yield f"**Rated {report['result']}**, {report['score']} of 100."
    path = report["explained"]["next_rating"]
    if path:
        yield f"The cheapest way to *{path['result']}*: {', '.join(code(name) for name in path['checks'])}."
    yield ""


def _finding(result: Mapping[str, Any], titles: Mapping[str, str]) -> Iterator[str]:
    mark = "✗" if result["verdict"] == "failed" else "!"
    yield f"### {mark} {escape(result['summary'])}"
    yield ""
    title = titles.get(result["category"], result["category"])
    yield f"{escape(title)} · {code(result['id'])} · costs {result['lost']} points"
    yield ""
    for item in result["evidence"][:EVIDENCE_SHOWN]:
        yield f"- {code(first_line(item))}"
    hidden = result["evidence_count"] - min(EVIDENCE_SHOWN, len(result["evidence"]))
    if hidden > 0:
        yield f"- and {hidden} more"
    if result["evidence"]:
        yield ""
    yield result["how_to_fix"]
    yield ""
