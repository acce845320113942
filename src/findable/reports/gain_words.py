"""Gains of fixes and expected scores as text, for pages, lists and PDF."""

from collections.abc import Sequence

from findable.reports.fixes import FixGain, cheaper_way, limiting_cap, score_after_first
from findable.reports.projection import ScorePart, by_check, largest
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.reports.scoring import MAX_SCORE, rating_of
from findable.vocabulary import Rating
from findable.wording import Translator

SUMMANDS = 7
"""Maximum number of costs in the sum of a score."""


def points(number: float, say: Translator) -> str:
    """Return points with sign: ``+4.5 points``, ``−1 point``; empty for 0."""
    if not number:
        return ""
    signed = say.signed(float(number))
    return say("%(number)s point", number=signed) if abs(number) == 1 else say("%(number)s points", number=signed)


def gain_shown(gain: int, lost: float) -> float:
    """Return the points to show for a fix: its gain, or what the finding costs by itself if that is less than a point.

    The gains of small fixes are 0 or 1, depending on how the score was rounded before: they would contradict the order of the fixes.
    """
    return round(lost, 1) if gain in (0, 1) and 0 < round(lost, 1) < 1 else gain


def gained(gain: float, say: Translator) -> str:
    """Return the points that a fix gains, with sign: ``+4 points``, ``+0 points``."""
    return points(gain, say) or say("%(number)s points", number=say.signed(0))


def gain_words(report: Report, finding: ReportedFinding, say: Translator, gain: int | None = None) -> str:
    """Return the gain of a fix as text; empty if the finding costs nothing. ``gain`` replaces the stored one.

    The limit is named if the fix gains nothing alone because of it.
    """
    if finding.gain is None:  # The finding has an older ruleset, or its gain was not computed.
        return points(finding.lost, say) if report.score else ""
    words = short_gain(finding, say) if gain is None else gained(gain_shown(gain, finding.lost), say)
    cap = limiting_cap(report, finding) if words else None
    if cap is None:
        return words
    limited = say("%(gain)s alone: limited to %(score)s by %(checks)s", gain=say.signed(0), score=cap.score, checks=", ".join(cap.checks))
    return f"{words} ({limited})"


def short_gain(fix: ReportedFinding | FixGain, say: Translator) -> str:
    """Return the gain of a fix as text; empty if it is not known, and if the finding costs nothing."""
    return "" if fix.gain is None or not (fix.gain or fix.lost) else gained(gain_shown(fix.gain, fix.lost), say)


def score_sum(parts: Sequence[ScorePart], say: Translator, most: int = SUMMANDS) -> str:
    """Return how a score is made up as text: ``100 − 15 (viewport) − 10 (meta-description) − 4 (3 others) = 71``; empty without costs.

    ``most``: maximum number of costs, of which the last one is the rest.
    """
    costs = by_check(parts)
    if not costs:
        return ""
    shown, others = largest(costs, most)
    words = [f"− {-part.points} ({part.id})" for part in shown]
    if others:
        more = say.plural("%(count)s other", "%(count)s others", len(others))
        words.append(f"− {-sum(part.points for part in others)} ({more})")
    return f"{MAX_SCORE} {' '.join(words)} = {costs[-1].left}"


def score_after(score: int, fixes_count: int, say: Translator) -> str:
    """Return the expected score after the first fixes as text: ``87 after the first fix``."""
    return say.plural("%(score)s after the first fix", "%(score)s after the first %(count)s fixes", fixes_count, score=score)


def outlook(report: Report, say: Translator) -> tuple[int, str]:
    """Return the score after the fixes that are listed first, as a number and as text; 0 and an empty text if no gain is projected."""
    after, count = score_after_first(report)
    return outlook_words(report.result, after, count, say)


def outlook_words(before: Rating | None, after: int, count: int, say: Translator) -> tuple[int, str]:
    """Return the score after the first fixes, as a number and as text with the rating that they reach; 0 and an empty text for none."""
    if not count:
        return 0, ""
    rating = rating_of(after)
    if rating == before:
        return after, score_after(after, count, say)
    words = say.plural(
        "%(score)s after the first fix: %(goal)s",
        "%(score)s after the first %(count)s fixes: %(goal)s",
        count,
        score=after,
        goal=say(rating.words),
    )
    return after, words


def cheaper_way_words(report: Report, finding: ReportedFinding, say: Translator) -> str:
    """Return the words that mark a fix on a cheapest way to the next rating that differs from the order of harm; else empty."""
    way = cheaper_way(report)
    if way is None or finding.id not in way.checks:
        return ""
    return say("on the cheapest way to %(goal)s (%(score)s)", goal=say(way.result.words), score=way.score_from)
