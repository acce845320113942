"""`findable diff`: what changed between two reports or saved pages."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from findable.artifacts.saved import FORMAT, load
from findable.cli.check import read_saved
from findable.cli.terminal import Terminal, clean
from findable.errors import SavedPageError, SettingError
from findable.reports.comparison import Comparison, compare
from findable.reports.model import Analysis, analyse, report


def diff(
    before: Annotated[Path, Parameter(allow_leading_hyphen=True)],
    after: Annotated[Path, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    format_: Annotated[Literal["text", "json"], Parameter(name="--format", help="text for people, json for programs.")] = "text",
) -> int:
    """Compare two reports (JSON) or saved pages; exits 1 where something got worse."""
    old, new = _read(before), _read(after)
    changes = compare(old["results"], new["results"])
    if format_ == "json":
        score = {"before": old["score"], "after": new["score"]}
        print(json.dumps({"score": score, **_groups(changes)}, ensure_ascii=False, indent=2))
    else:
        print("\n".join(_lines(old, new, changes, Terminal.detect())))
    return 1 if changes.got_worse else 0


def _read(path: Path) -> Mapping[str, Any]:
    data = read_saved(path)
    try:
        document = json.loads(data)
    except ValueError as error:
        raise SettingError(str(path), "is neither a report nor a saved page") from error
    if isinstance(document, dict) and document.get("format") == FORMAT:
        try:
            return report(Analysis.load(analyse(load(data)).dump()))
        except SavedPageError as error:
            raise SettingError(str(path), str(error)) from error
    document = document.get("data", document) if isinstance(document, dict) else document
    if not isinstance(document, dict) or not isinstance(document.get("results"), list):
        raise SettingError(str(path), "is neither a report nor a saved page")
    return document


_TITLES = {"new": "New", "fixed": "Fixed", "still": "Still there"}


def _groups(changes: Comparison) -> dict[str, Sequence[Mapping[str, Any]]]:
    """What became a problem from a warning counts as new."""
    still = [one.finding for one in changes.still if not one.is_worse]
    return {"new": changes.got_worse, "fixed": [one.finding for one in changes.fixed], "still": still}


def _lines(old: Mapping[str, Any], new: Mapping[str, Any], changes: Comparison, terminal: Terminal) -> list[str]:
    lines = [terminal.cut(clean(new["url"])), f"Score {_score(old)} → {_score(new)}, rated {old['result']} → {new['result']}"]
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
