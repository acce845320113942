"""The files of a report as guests get them: what the owner hid from the page is in none of them."""

from collections.abc import Mapping
from typing import Any

from findable.reports.fixes import first_fixes
from findable.reports.titles import SEARCH_ROWS
from findable.service.values.presentation import ClientView
from findable.vocabulary import Verdict

_OUTSIDE = ("title", "description", "social")
"""Facts that *How it looks outside* shows."""


def for_guests(report: Mapping[str, Any], client: ClientView) -> dict[str, Any]:
    """A REPORT without what stands only in sections that guests are not shown.

    A finding that another section names stays, without its evidence. Score, counts and what holds the score down are always there, as
    on the page.
    """
    explained = report["explained"]
    held = explained["held_down_by"] if explained else None
    named = {
        *(held["checks"] if held else ()),
        *(check for check, _ in SEARCH_ROWS if client.shows("search")),
        *(finding["id"] for finding in first_fixes(report) if client.shows("fixes")),
    }
    results = []
    for finding in report["results"]:
        is_whole = client.shows(_section_of(finding))
        if is_whole or finding["id"] in named:
            results.append(finding if is_whole and client.shows("findings") else _bare(finding, client))
    shown = {**report, "results": results}
    if explained and not client.shows("fixes"):
        shown["explained"] = explained = {**explained, "next_rating": None}
    if not client.shows("findings"):
        shown["categories"] = []
        shown["explained"] = explained and {**explained, "caps": [held] if held else []}
    if not client.shows("counted"):
        shown["not_asked"] = []
    if not client.shows("facts"):
        kept = _OUTSIDE if client.shows("outside") else _OUTSIDE[:1]
        shown["facts"] = {name: fact for name, fact in report["facts"].items() if name in kept}
    return shown


def _section_of(finding: Mapping[str, Any]) -> str:
    return "counted" if finding["accepted"] or finding["verdict"] == Verdict.INAPPLICABLE else "findings"


def _bare(finding: Mapping[str, Any], client: ClientView) -> dict[str, Any]:
    accepted = finding["accepted"]
    if accepted and not client.shows("counted"):
        accepted = {"reason": "", "until": None}
    return {**finding, "evidence": [], "evidence_count": 0, "accepted": accepted}
