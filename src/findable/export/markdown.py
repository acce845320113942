"""A report as Markdown, for issues, pull requests and language models."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from findable.export import as_list, first_line, titles_of
from findable.reports.fixes import fixes_in_order
from findable.wording import ENGLISH, Wording, later

EVIDENCE_SHOWN = 3
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~&@])")
_MENTION = re.compile(r"(?<!\w)(?:@(?=\w)|#(?=\d))")
"""What issue trackers make a call or a reference of when the Markdown is read already, backslash or not: GitHub and GitLab."""
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


RATED = {
    "good": later("**Rated good**, %(score)s of 100."),
    "decent": later("**Rated decent**, %(score)s of 100."),
    "bad": later("**Rated bad**, %(score)s of 100."),
}
CHEAPEST = {
    "good": later("The cheapest way to *good*: %(checks)s."),
    "decent": later("The cheapest way to *decent*: %(checks)s."),
}


def to_markdown(reports: Mapping[str, Any] | Iterable[Mapping[str, Any]], say: Wording = ENGLISH) -> str:
    """CommonMark. Every text of a page is escaped or stands in code, so that it stays text."""
    return "\n".join(line for report in as_list(reports) for line in _report(report, say)) + "\n"


def escape(text: str) -> str:
    """Text that means nothing in Markdown, on one line, and calls nobody: a space without width stands behind such an ``@``."""
    plain = _MENTION.sub("\\g<0>\u200b", " ".join(_CONTROL.sub(" ", text).split()))
    return _SPECIAL.sub(r"\\\1", plain)


def code(text: str) -> str:
    """Text in a code span that it cannot leave."""
    plain = " ".join(_CONTROL.sub(" ", text).split())
    longest = max((len(run) for run in re.findall("`+", plain)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if plain.startswith("`") or plain.endswith("`") else ""
    return f"{fence}{pad}{plain}{pad}{fence}"


def _report(report: Mapping[str, Any], say: Wording) -> Iterator[str]:
    yield say("# SEO report: %(address)s", address=code(report["url"]))
    yield ""
    client = report.get("client") or {}
    for label, name in ((say("Prepared for"), client.get("prepared_for")), (say("Prepared by"), client.get("prepared_by"))):
        if name:
            yield f"{label}: {escape(name)}"
            yield ""
    if report["status"] == "failed":
        yield f"**{say('Not rated.')}** {escape(report['error']['message'])}"
        yield ""
        return
    yield from _verdict(report, say)
    if client.get("summary"):
        yield f"## {say('Summary')}"
        yield ""
        yield from _written(client["summary"])
    titles = titles_of(report)
    notes = client.get("notes") or {}
    held = fixes_in_order(report)
    if held:
        yield f"## {say('To fix')}"
        yield ""
    for result in held:
        yield from _finding(result, titles, say, notes.get(result["id"], ""))
    yield say("%(passed)s checks passed, %(inapplicable)s do not apply, %(unknown)s could not be measured.", **report["counts"])
    yield ""
    engine = report["engine"]
    at = report["generated_at"]
    yield say("Findable %(version)s, ruleset %(ruleset)s, %(moment)s", version=engine["version"], ruleset=engine["ruleset"], moment=at)
    yield ""


def _verdict(report: Mapping[str, Any], say: Wording) -> Iterator[str]:
    rating = report["result"]
    if rating is None:
        yield f"**{say('Not rated.')}**"
    else:
        yield say(RATED[rating], score=report["score"])
    path = report["explained"]["next_rating"]
    if path:
        goal = path["result"]
        yield say(CHEAPEST[goal], checks=", ".join(code(name) for name in path["checks"]))
    yield ""


def _written(text: str) -> Iterator[str]:
    """What somebody wrote: its line breaks stay, nothing in it means anything."""
    lines = [*text.split("\n"), ""]
    for line, following in pairwise(lines):
        yield escape(line) + ("\\" if line.strip() and following.strip() else "")
    yield ""


def _finding(result: Mapping[str, Any], titles: Mapping[str, str], say: Wording, note: str) -> Iterator[str]:
    mark = "✗" if result["verdict"] == "failed" else "!"
    yield f"### {mark} {escape(result['summary'])}"
    yield ""
    title = titles.get(result["category"], result["category"])
    yield f"{escape(title)} · {code(result['id'])} · {say('costs %(points)s points', points=say.number(result['lost']))}"
    yield ""
    if note:
        yield f"**{say('Our note')}:**"
        yield from _written(note)
    for item in result["evidence"][:EVIDENCE_SHOWN]:
        yield f"- {code(first_line(item, say))}"
    hidden = result["evidence_count"] - min(EVIDENCE_SHOWN, len(result["evidence"]))
    if hidden > 0:
        yield "- " + say.plural("and %(count)s more", "and %(count)s more", hidden)
    if result["evidence"]:
        yield ""
    yield result["how_to_fix"]
    yield ""
