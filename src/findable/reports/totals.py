"""Derive the totals of a report from its findings: score, rating, explanation, categories, counts.

Only findings and registered checks are used, so that acceptances can change a report without its page.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct, structs

from findable.checks.engine import Check
from findable.reports.facts.browser_facts import BrowserFacts
from findable.reports.projection import Projection, cheapest_fixes, gains
from findable.reports.report import CategoryScore, Explanation, Report
from findable.reports.reported_finding import ReportedFinding
from findable.reports.scoring import MAX_SCORE, MEASURED, RATED_FROM, TENTHS, Row, Score, category_row_of, place_of, row_of, worth_of
from findable.vocabulary import Category, Profile, Verdict


class _ScoringRow(Struct, frozen=True):
    """Finding with its check and its row for scoring; accepted findings are excluded from the score."""

    finding: ReportedFinding
    check: Check
    row: Row

    @property
    def category_row(self) -> Row:
        """Row for the score of its category."""
        return category_row_of(self.check, self.row.verdict, self.finding.fault, self.finding.share_percent)


def with_totals(report: Report) -> Report:
    """Return the report with its totals: result, score, coverage, explanation, categories, counts, points of findings.

    A report with an error gets no rating. Raises KeyError for an unknown check.
    """
    rows = [_scoring_row(finding) for finding in report.findings]
    score = Score(tuple(one.row for one in rows))
    is_rated = report.error is None
    findings = tuple(_with_points(one) for one in rows)
    places = {one.check.id: place_of(one.check, one.check.id) for one in rows}
    order = tuple(Projection(score.rows).in_order(places.__getitem__))  # importance and effort break ties
    promised = gains(score.rows, order) if is_rated else {}
    return structs.replace(
        report,
        result=score.rating if is_rated else None,
        score=score.score if is_rated else None,
        coverage=score.coverage,
        explained=_explanation(score, rows, order, is_rated=is_rated),
        categories=tuple(_categories(rows, is_measured=_is_measured(report))),
        counts=_counts(score.rows),
        findings=tuple(_with_gains(finding, promised) for finding in findings),
    )


def score_without(report: Report, categories: Collection[Category]) -> int | None:
    """Return the score of a rated report without the findings of some categories; None if a check was removed."""
    if report.score is None or any(finding.check is None for finding in report.findings):
        return None
    rows = [one for one in map(_scoring_row, report.findings) if one.check.category not in categories]
    return Score(tuple(one.row for one in rows)).score


def gains_in_order(report: Report, order: Sequence[str]) -> Mapping[str, tuple[int, int]]:
    """Return the gains of the fixes in another order. Empty for a report without a rating, or with removed checks."""
    if report.score is None or any(finding.check is None for finding in report.findings):
        return {}
    return gains(tuple(_scoring_row(finding).row for finding in report.findings), order)


def _scoring_row(finding: ReportedFinding) -> _ScoringRow:
    check = finding.check
    if check is None:
        raise KeyError(finding.id)
    verdict = Verdict.INAPPLICABLE if finding.accepted else finding.verdict
    return _ScoringRow(finding, check, row_of(check, verdict, finding.fault, finding.share_percent))


def _with_points(one: _ScoringRow) -> ReportedFinding:
    worth = worth_of(one.check) if one.row.verdict in MEASURED else 0
    return structs.replace(one.finding, worth=worth, lost=one.row.cost / TENTHS)


def _with_gains(finding: ReportedFinding, promised: Mapping[str, tuple[int, int]]) -> ReportedFinding:
    gain, alone = promised.get(finding.id, (None, None))
    if (finding.gain, finding.gain_alone) == (gain, alone):
        return finding
    return structs.replace(finding, gain=gain, gain_alone=alone)


def _counts(rows: Iterable[Row]) -> dict[str, int]:
    found = [row.verdict for row in rows]
    return {verdict.value: found.count(verdict) for verdict in Verdict}


def _explanation(score: Score, rows: Sequence[_ScoringRow], order: tuple[str, ...], *, is_rated: bool) -> Explanation:
    efforts = {one.check.id: int(one.check.effort) for one in rows}
    return Explanation(
        points=score.raw,
        possible=MAX_SCORE,
        raw=score.raw,
        caps=score.caps,
        held_down_by=score.effective_cap,
        provisional=score.provisional and score.score is not None,
        next_rating=cheapest_fixes(score.rows, efforts, order) if is_rated else None,
        fixes=order,
    )


def _is_measured(report: Report) -> bool:
    """Return whether a browser loaded the page, so that the speed of the page itself was measured."""
    facts = report.facts.browser
    return report.engine.profile is not Profile.STATIC and isinstance(facts, BrowserFacts) and (facts.after_scripts or bool(facts.metrics))


def _categories(rows: Iterable[_ScoringRow], *, is_measured: bool) -> Iterable[CategoryScore]:
    """Return the categories with at least one finding, each with its own score, in which all its checks count.

    A category of which less than half was measured has no score.
    """
    by_category: Mapping[Category, list[_ScoringRow]] = {category: [] for category in Category}
    for one in rows:
        by_category[one.check.category].append(one)
    for category, own in by_category.items():
        if all(one.finding.verdict is Verdict.INAPPLICABLE for one in own):
            continue
        score = Score(tuple(one.category_row for one in own))
        is_lab = category is Category.PERFORMANCE and is_measured
        yield CategoryScore(
            id=category,
            title="Performance" if is_lab else category.words,
            score=score.score if score.coverage >= RATED_FROM else None,
            points=score.raw,
            possible=MAX_SCORE,
            counts=_counts(score.rows),
        )
