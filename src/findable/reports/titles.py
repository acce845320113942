"""Titles of the parts of a report, and gains and expected scores as text, for pages, lists and PDF."""

from collections.abc import Mapping, Sequence

from findable.checks.engine import Documentation, find_check
from findable.reports.fixes import FixGain, cheaper_way, limiting_cap, score_after_first
from findable.reports.projection import ScorePart, by_check, largest
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.reports.scoring import MAX_SCORE, rating_of
from findable.urls import display_host, parse
from findable.vocabulary import Effort, Fixer, Importance, Rating, Source, Verdict
from findable.wording import ENGLISH, Translator, later

HALF_MEASURED = later("No rating: less than half could be measured")
RATINGS: Mapping[str, str] = {Rating.GOOD: later("Good"), Rating.DECENT: later("Decent"), Rating.BAD: later("Bad")}
VERDICTS: Mapping[Verdict, str] = {
    Verdict.FAILED: later("Problem"),
    Verdict.WARNED: later("Warning"),
    Verdict.UNKNOWN: later("Not known"),
    Verdict.INFO: later("Fact"),
    Verdict.INAPPLICABLE: later("Not applicable"),
    Verdict.PASSED: later("Passed"),
}
"""Titles of verdicts in list order."""
EFFORTS: Mapping[Effort, str] = {
    Effort.HEAD: later("one line"),
    Effort.SERVER: later("a server setting"),
    Effort.CONTENT: later("work on pages"),
}
FIXERS: Mapping[Fixer, str] = {Fixer.EDITOR: later("editor"), Fixer.DEVELOPER: later("developer"), Fixer.SERVER: later("administrator")}
IMPORTANCES: Mapping[str, str] = {
    Importance.HIGH: later("high importance"),
    Importance.MEDIUM: later("medium importance"),
    Importance.LOW: later("low importance"),
}
SEARCH_ROWS = (
    ("http-status", later("Status")),
    ("robots-txt-allows", later("robots.txt")),
    ("noindex", later("Indexing")),
    ("canonical-valid", later("Canonical URL")),
    ("canonical-self", later("Canonical is this page")),
    ("sitemap-lists-page", later("Sitemap")),
    ("html-lang", later("Language")),
)
"""Checks about indexing, most important first: order and short names in this section only."""


SUMMANDS = 7
"""Maximum number of costs in the sum of a score."""


def parts_of_check(text: Documentation) -> tuple[tuple[str, str], ...]:
    """Return titles and texts of the sections that follow the first line of a check's documentation, without empty ones."""
    named = (
        (later("In plain words"), text.plain),
        (later("Why it matters"), text.why),
        (later("How to fix"), text.how),
        (later("Not judged"), text.not_judged),
        (later("Sources"), text.sources),
    )
    return tuple((title, part) for title, part in named if part)


def question_of(check_id: str, say: Translator) -> str:
    """Return the question of a check; its id if it no longer exists."""
    check = find_check(check_id)
    return say.text(check.question) if check else check_id


def summary_of(check_id: str, say: Translator) -> str:
    """Return the problem that a check looks for, without values of a page; its id if it no longer exists."""
    check = find_check(check_id)
    return say.text(check.documentation.summary) if check else check_id


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


def readable_url(url: str) -> str:
    """Return a URL without its scheme, with the host in Unicode."""
    parsed = parse(url)
    if parsed is None:
        return url
    return f"{display_host(parsed.host)}{parsed.port_part}{'' if parsed.path_and_query == '/' else parsed.path_and_query}"


def measured_sentence(coverage: float, say: Translator) -> str:
    """Return how much of the checks that apply could be measured, in a sentence."""
    return say("Only %(percent)s%% of the applicable checks (by weight) could be measured.", percent=round(coverage * 100))


def needs_words(report: Report, count: int, say: Translator) -> str:
    """Return what a number of checks that were not run need."""
    if Source.BROWSER in report.engine.sources:
        return say.plural("%(count)s needs a crawl", "%(count)s need a crawl", count)
    return say.plural("%(count)s needs a browser or a crawl", "%(count)s need a browser or a crawl", count)


def counts_sentence(counts: Mapping[str, int] | Mapping[Verdict, int], say: Translator = ENGLISH, accepted: int = 0) -> str:
    """Return the number of findings by verdict: ``1 problem, 6 warnings, 88 passed, 20 not applicable``; empty without a finding."""

    def plural(one: str, many: str, count: int) -> str:
        return say.plural(one, many, count) if count else ""

    parts = (
        plural("%(count)s problem", "%(count)s problems", counts.get(Verdict.FAILED, 0)),
        plural("%(count)s warning", "%(count)s warnings", counts.get(Verdict.WARNED, 0)),
        plural("%(count)s passed", "%(count)s passed", counts.get(Verdict.PASSED, 0)),
        plural("%(count)s not applicable", "%(count)s not applicable", counts.get(Verdict.INAPPLICABLE, 0)),
        plural("%(count)s could not be measured", "%(count)s could not be measured", counts.get(Verdict.UNKNOWN, 0)),
        plural("%(count)s fact", "%(count)s facts", counts.get(Verdict.INFO, 0)),
        plural("%(count)s accepted", "%(count)s accepted", accepted),
    )
    return ", ".join(filter(None, parts))
