"""From kept findings to what is said of them together: score, rating, how they came about, categories, counts.

It reads nothing but the findings and the registered checks, so that a finding accepted later changes a report without its page.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from findable.checks.engine import Check, all_checks
from findable.records import record
from findable.reports.cheapest_fixes import cheapest_path
from findable.reports.scoring import HALVES, Row, Score
from findable.vocabulary import Category, Profile, Verdict

Kept = Mapping[str, Any]
"""A finding as it is stored."""

CATEGORY_TITLES = {
    Category.INDEXABILITY: "Indexability & crawling",
    Category.CONTENT: "Content",
    Category.LINKS: "Links",
    Category.IMAGES: "Images",
    Category.PERFORMANCE: "Delivery (no browser)",
    Category.SECURITY: "Security & trust",
    Category.STRUCTURED_DATA: "Structured data",
    Category.SOCIAL: "Social previews",
    Category.INTERNATIONAL: "International",
    Category.ACCESSIBILITY: "Accessibility",
    Category.AI: "AI & answer engines",
    Category.MOBILE: "Mobile",
    Category.TECHNICAL: "Technical",
}
"""Titles in the static profile; with lab data performance is called "Performance"."""


@record
class _Judged:
    """A finding with its check and what scoring sees of it: an accepted one leaves the sum."""

    kept: Kept
    check: Check
    row: Row


_VERDICTS = {verdict.value: verdict for verdict in Verdict}


def judgement(findings: Iterable[Kept], profile: Profile, *, rated: bool) -> dict[str, Any]:
    """The members of an analysis that follow from its findings: result, score, coverage, explained, categories, counts, findings.

    ``rated`` is False for a page that is judged as far as it goes and gets no rating. Raises KeyError for a check that is unknown.
    """
    judged = [_judged(kept) for kept in findings]
    score = Score(tuple(one.row for one in judged))
    return {
        "result": score.rating.value if score.rating and rated else None,
        "score": score.score if rated else None,
        "coverage": score.coverage,
        "explained": _explained(score, judged),
        "categories": _categories(judged, profile),
        "counts": _counts(score.rows),
        "findings": [_with_worth(one, score) for one in judged],
    }


def _judged(kept: Kept) -> _Judged:
    check = all_checks()[kept["id"]]
    verdict = Verdict.INAPPLICABLE if kept.get("accepted") else _VERDICTS[kept["verdict"]]
    return _Judged(kept, check, Row(check.id, check.importance, verdict))


def _with_worth(one: _Judged, score: Score) -> dict[str, Any]:
    kept = dict(one.kept)
    if one.row.verdict in HALVES:
        kept["worth"], kept["lost"] = score.worth(one.row), score.lost(one.row)
    else:
        kept.pop("worth", None)
        kept.pop("lost", None)
    return kept


def _counts(rows: Iterable[Row]) -> dict[str, int]:
    found = [row.verdict for row in rows]
    return {name: found.count(verdict) for name, verdict in _VERDICTS.items()}


def _explained(score: Score, judged: Sequence[_Judged]) -> dict[str, Any]:
    """How the score came about, and the cheapest way to the next rating."""
    efforts = {one.check.id: int(one.check.effort) for one in judged}
    parents = {one.check.id: one.check.after for one in judged}
    path = cheapest_path(score.rows, efforts, parents)
    held = score.held_down_by
    return {
        "points": score.points,
        "possible": score.possible,
        "raw": round(score.raw, 1),
        "caps": [{"score": cap.score, "checks": list(cap.checks)} for cap in score.caps],
        "held_down_by": {"score": held.score, "checks": list(held.checks)} if held else None,
        "provisional": score.provisional and score.score is not None,
        "next_rating": None
        if path is None
        else {
            "result": path.rating.value,
            "checks": list(path.checks),
            "effort": path.effort,
            "score_from": path.score_from,
            "score_to": path.score_to,
        },
    }


def _categories(judged: Sequence[_Judged], profile: Profile) -> list[dict[str, Any]]:
    """Categories that have at least one finding that was judged or shown, with their own score (no caps)."""
    found = []
    by_category: dict[Category, list[_Judged]] = {category: [] for category in Category}
    for one in judged:
        by_category[one.check.category].append(one)
    for category, own in by_category.items():
        if all(one.kept["verdict"] == Verdict.INAPPLICABLE for one in own):
            continue
        score = Score(tuple(one.row for one in own))
        found.append(
            {
                "id": category.value,
                "title": "Performance" if category is Category.PERFORMANCE and profile is not Profile.STATIC else CATEGORY_TITLES[category],
                "score": int(score.raw) if score.possible else None,
                "points": score.points,
                "possible": score.possible,
                "counts": _counts(score.rows),
            }
        )
    return found
