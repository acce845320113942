"""`findable diff`: what changed between two reports or saved pages."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from findable.capture.saved import FORMAT, load
from findable.cli.check import read_saved
from findable.cli.exit_codes import NOT_SEEN
from findable.cli.stored_reports import reports_in, was_seen
from findable.cli.terminal import Terminal, clean, print_json, unheard
from findable.errors import SavedPageError, SettingError
from findable.reports.comparison import Comparison, compare
from findable.reports.model import Analysis, analyse, report


def diff(
    before: Annotated[Path, Parameter(allow_leading_hyphen=True, help="A report (JSON) or a saved page; '-': standard input.")],
    after: Annotated[Path, Parameter(allow_leading_hyphen=True, help="The later one.")],
    /,
    *,
    format_: Annotated[Literal["text", "json"], Parameter(name="--format", help="text for people, json for programs.")] = "text",
) -> int:
    """Compare two reports (JSON) or saved pages; exits 1 where something got worse, 3 where one of them saw no page."""
    old, new = _read(before), _read(after)
    for path, one in ((before, old), (after, new)):
        if not was_seen(one):
            sys.stderr.write(f"findable: {path}: the page could not be seen then, so nothing can be compared\n")
            return NOT_SEEN
    changes = compare(old["results"], new["results"])
    with unheard():
        if format_ == "json":
            score = {"before": old["score"], "after": new["score"]}
            print_json({"score": score, **_groups(changes)})
        else:
            print("\n".join(_lines(old, new, changes, Terminal.detect())))
    return 1 if changes.got_worse else 0


def _read(path: Path) -> Mapping[str, Any]:
    data = read_saved(path)
    try:
        document = json.loads(data)
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            return _one(path, reports_in(document))
    except (ValueError, RecursionError) as error:
        raise SettingError(str(path), "is neither a report nor a saved page") from error
    try:
        return report(Analysis.load(analyse(load(data)).dump()))
    except SavedPageError as error:
        raise SettingError(str(path), str(error)) from error


def _one(path: Path, reports: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    if len(reports) > 1:
        raise SettingError(str(path), f"holds {len(reports)} reports; one is compared with one")
    return reports[0]


_TITLES = {"new": "New", "fixed": "Fixed", "still": "Still there"}


def _groups(changes: Comparison) -> dict[str, Sequence[Mapping[str, Any]]]:
    """What became a problem from a warning counts as new."""
    still = [one.finding for one in changes.still if not one.is_worse]
    return {"new": changes.got_worse, "fixed": [one.finding for one in changes.fixed], "still": still}


def _lines(old: Mapping[str, Any], new: Mapping[str, Any], changes: Comparison, terminal: Terminal) -> list[str]:
    lines = [terminal.cut(clean(new["url"])), f"Score {_score(old)} → {_score(new)}, rated {_rating(old)} → {_rating(new)}"]
    groups = _groups(changes)
    for name, findings in groups.items():
        if findings:
            lines += ["", terminal.paint(f"{_TITLES[name]} ({len(findings)})", "bold")]
            for finding in findings:
                lines += terminal.wrap(clean(finding["summary"]), "    ", "  - ")
    if not groups["new"] and not groups["fixed"]:
        lines += ["", "Nothing changed."]
    return lines


def _score(report_: Mapping[str, Any]) -> str:
    return "–" if report_["score"] is None else str(report_["score"])


def _rating(report_: Mapping[str, Any]) -> str:
    return str(report_["result"] or "–")
