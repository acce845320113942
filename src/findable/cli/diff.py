"""`findable diff`: show the changes between two reports or saved pages."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from findable.capture.saved import FORMAT, load
from findable.cli.exit_codes import NOT_LOADED
from findable.cli.given_files import read_bytes
from findable.cli.stored_reports import EarlierFinding, EarlierReport, ReportChange, as_earlier, change_of, reports_in
from findable.cli.terminal import Terminal, clean, ignore_closed_pipe, print_json, printed
from findable.errors import SavedPageError, SettingError
from findable.reports.analysis import analyse


def diff(
    before: Annotated[Path, Parameter(allow_leading_hyphen=True)],
    after: Annotated[Path, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    format_: Annotated[Literal["text", "json"], Parameter(name="--format")] = "text",
) -> int:
    """Compare two reports (JSON) or saved pages; exits 1 if something got worse, 3 if one of the pages could not be loaded.

    Args:
        before: A report (JSON) or a saved page; '-': standard input.
        after: The later report or saved page.
        format_: text for people, json for programs.
    """
    old, new = _read(before), _read(after)
    for path, one in ((before, old), (after, new)):
        if not one.was_loaded:
            sys.stderr.write(f"findable: {path}: the page could not be loaded then, so nothing can be compared\n")
            return NOT_LOADED
    changes = change_of(old, new)
    with ignore_closed_pipe():
        if format_ == "json":
            groups = {name: [finding.json for finding in findings] for name, findings in _groups(changes).items()}
            print_json({"score": {"before": _number(old.score), "after": _number(new.score)}, **groups})
        else:
            print(printed(_lines(old, new, changes, Terminal.detect())), end="")
    return 1 if changes.risen else 0


def _read(path: Path) -> EarlierReport:
    data = read_bytes(path)
    try:
        document = json.loads(data)
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            reports = reports_in(data.decode("utf-8-sig"))
            if len(reports) > 1:
                raise SettingError(str(path), f"contains {len(reports)} reports; use a file with one report")
            return reports[0]
    except (ValueError, RecursionError) as error:
        raise SettingError(str(path), "is neither a report nor a saved page") from error
    try:
        return as_earlier(analyse(load(data)))
    except SavedPageError as error:
        raise SettingError(str(path), str(error)) from error


_TITLES = {"new": "New", "worse": "Worse", "better": "Better", "fixed": "Fixed", "still": "Still there", "not_judged": "Not judged in both"}


def _groups(changes: ReportChange) -> dict[str, Sequence[EarlierFinding]]:
    """Return the findings by their change; nothing was known before, so that none has returned."""
    return {name: getattr(changes, name) for name in _TITLES}


def _lines(old: EarlierReport, new: EarlierReport, changes: ReportChange, terminal: Terminal) -> list[str]:
    lines = [terminal.cut(clean(new.url)), f"Score {_score(old)} → {_score(new)}, rated {_rating(old)} → {_rating(new)}"]
    groups = _groups(changes)
    for name, findings in groups.items():
        if findings:
            lines += ["", terminal.paint(f"{_TITLES[name]} ({len(findings)})", "bold")]
            for finding in findings:
                lines += terminal.wrap(clean(finding.summary), "    ", "  - ")
    if changes.reason is not None:
        lines += ["", f"Not compared: {changes.reason.words}"]
    elif not any(groups[name] for name in ("new", "worse", "better", "fixed")):
        lines += ["", "Nothing changed."]
    return lines


def _number(score: float | None) -> float | None:
    """Return a score as an integer if it is whole, so that JSON shows 85 and not 85.0."""
    return int(score) if score is not None and score == int(score) else score


def _score(report: EarlierReport) -> str:
    return "–" if report.score is None else f"{report.score:g}"


def _rating(report: EarlierReport) -> str:
    return report.result or "–"
