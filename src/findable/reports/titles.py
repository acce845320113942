"""Titles of the parts of a report, and gains and expected scores as text, for pages, lists and PDF."""

from collections.abc import Mapping, Sequence

from findable.reports.cheapest_fixes import NextRating
from findable.reports.fixes import FixGain, cheaper_way, fixes_above, gains_of, limiting_cap, next_gain, score_after_first
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.reports.scoring import rating_of
from findable.urls import display_host, parse
from findable.vocabulary import Effort, Fixer, Importance, PageKind, Rating, Verdict
from findable.wording import Translator, later

RATINGS: Mapping[str, str] = {
    Rating.GOOD: later("Good"),
    Rating.DECENT: later("Decent"),
    Rating.BAD: later("Bad"),
}
RATING_WORDS: Mapping[str, str] = {Rating.GOOD: later("good"), Rating.DECENT: later("decent"), Rating.BAD: later("bad")}
"""Ratings for the middle of a sentence."""
VERDICTS: Mapping[Verdict, str] = {
    Verdict.FAILED: later("Problem"),
    Verdict.WARNED: later("Warning"),
    Verdict.UNKNOWN: later("Not known"),
    Verdict.INFO: later("Fact"),
    Verdict.INAPPLICABLE: later("Not applicable"),
    Verdict.PASSED: later("Passed"),
}
"""Titles of verdicts in list order."""
PAGE_KINDS: Mapping[str, str] = {
    PageKind.ARTICLE: later("article"),
    PageKind.PRODUCT: later("product"),
    PageKind.RECIPE: later("recipe"),
    PageKind.LISTING: later("listing"),
    PageKind.HOME: later("home page"),
    PageKind.FORUM: later("forum thread"),
    PageKind.DOCUMENTATION: later("documentation"),
    PageKind.FORM: later("form"),
    PageKind.PHOTO: later("photo"),
    PageKind.UNKNOWN: later("not known"),
}
EFFORTS: Mapping[Effort, str] = {
    Effort.HEAD: later("one line"),
    Effort.SERVER: later("a server setting"),
    Effort.CONTENT: later("work on pages"),
}
FIXERS: Mapping[Fixer, str] = {
    Fixer.EDITOR: later("editor"),
    Fixer.DEVELOPER: later("developer"),
    Fixer.SERVER: later("administrator"),
}
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
"""Checks about indexing, most important first."""


def points(number: float, say: Translator) -> str:
    """Return points with sign: ``+4.5 points``, ``−1 point``; empty for 0."""
    if not number:
        return ""
    signed = say.signed(float(number))
    return say("%(number)s point", number=signed) if abs(number) == 1 else say("%(number)s points", number=signed)


def gain_words(report: Report, finding: ReportedFinding, say: Translator, gain: int | None = None) -> str:
    """Return the gain of a fix as text: ``+4 points``, or the cap if it gains nothing alone; ``gain`` replaces the stored one."""
    if finding.gain is None:  # The finding has an older ruleset, or its gain was not computed.
        return points(finding.lost, say) if report.score else ""
    gained = points(finding.gain if gain is None else gain, say)
    cap = limiting_cap(report, finding) if finding.lost else None
    if cap is None:
        return gained
    limited = say("%(gain)s alone: limited to %(score)s by %(checks)s", gain=say.signed(0), score=cap.score, checks=", ".join(cap.checks))
    return f"{gained} ({limited})" if gained else limited


def gain_in_order(report: Report, findings: Sequence[ReportedFinding], place: int, say: Translator) -> str:
    """Return the gain of the fix at ``place`` in the order of harm, even if it gains points only together with other fixes."""
    finding = findings[place]
    if finding.gain is None:
        return points(finding.lost if report.score else 0, say)
    return gain_at(gains_of(report, findings), place, say)


def gain_at(gains: Sequence[FixGain | None], place: int, say: Translator) -> str:
    """Return the gain of the fix at ``place`` as text; empty if it is not known, and if it gains nothing."""
    one = gains[place]
    if one is None:
        return ""
    joint, count = next_gain(gains, place)
    gained, above = points(joint or one.gain, say), fixes_above(gains, place)
    if count and above:
        return say("together with the fixes above and below")
    if count:
        return say.plural(
            "this and the next fix together: %(gained)s", "this and the next %(count)s fixes together: %(gained)s", count, gained=gained
        )
    if one.gain and above:
        return say.plural("together with the fix above", "together with the fixes above", above)
    if one.gain and not one.alone and place:
        return say.plural("%(gained)s after the fix above", "%(gained)s after the fixes above", place, gained=gained)
    if one.gain:
        return gained
    return without_gain(one.lost, say)


def without_gain(lost: float, say: Translator) -> str:
    """Return why a fix gains no point by itself, as text; empty if the finding costs nothing."""
    return "" if not lost else say("points only with other fixes") if lost >= 1 else say("under 1 point")


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
        goal=say(RATING_WORDS[rating]),
    )
    return after, words


def cheaper_way_words(report: Report, finding: ReportedFinding, say: Translator) -> str:
    """Return the words that mark a fix on a cheapest way to the next rating that differs from the order of harm; else empty."""
    way = cheaper_way(report)
    if way is None or finding.id not in way.checks:
        return ""
    return say("on the cheapest way to %(goal)s (%(score)s)", goal=say(RATING_WORDS[way.result]), score=score_span(way, say))


def score_span(next_rating: NextRating, say: Translator) -> str:
    """Return the score at the next rating as text: ``72``; a range in reports of older rulesets."""
    low, high = next_rating.score_from, next_rating.score_to
    return str(high) if low == high else say("%(low)s to %(high)s", low=low, high=high)


def readable_url(url: str) -> str:
    """Return a URL without its scheme, with the host in Unicode."""
    parsed = parse(url)
    if parsed is None:
        return url
    return f"{display_host(parsed.host)}{parsed.port_part}{'' if parsed.path_and_query == '/' else parsed.path_and_query}"
