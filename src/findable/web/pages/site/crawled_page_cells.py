"""Columns of the list of pages of a crawl, with the texts of their cells."""

from collections.abc import Mapping

from msgspec import Struct

from findable.capture.crawl import Reason
from findable.capture.status_classes import OK, is_redirect
from findable.crawl.extractors import Extractor
from findable.crawl.page_row import PageRow
from findable.crawl.page_selection import PageSort, Span
from findable.reports.scoring import rating_of
from findable.reports.titles import readable_url
from findable.vocabulary import Verdict
from findable.web.pages.shared.lines import ScoreWords, score_words
from findable.wording import Translator, later


class Column(Struct, frozen=True):
    """Column of the list of pages."""

    name: str
    title: str
    sort: PageSort | None = None
    descends: bool = False
    """Whether the first click sorts in descending order."""


COLUMNS = (
    Column("url", later("Page"), PageSort.URL),
    Column("status", later("Status"), PageSort.STATUS),
    Column("location", later("Redirects to")),
    Column("score", later("Score in this crawl"), PageSort.SCORE),
    Column("problems", later("Findings")),
    Column("depth", later("Depth"), PageSort.DEPTH),
    Column("inlinks", later("Inlinks"), PageSort.INLINKS, descends=True),
    Column("link_score", later("Link score"), PageSort.LINK_SCORE, descends=True),
    Column("words", later("Words"), PageSort.WORDS),
    Column("ttfb_ms", later("First byte"), PageSort.TTFB, descends=True),
    Column("h1", later("Main heading")),
    Column("description", later("Description")),
    Column("canonical", later("Canonical URL")),
    Column("found_by", later("Found by")),
    Column("segment", later("Segment")),
    Column("type", later("Media type")),
    Column("size", later("Transferred")),
)
EXTRACTED = "extracted."
"""Prefix of the column names of extractors; their position follows."""
DATA = "data"
"""Filter by a column of uploaded metrics."""
UPLOADED = f"{DATA}."
"""Prefix of the column names of uploaded metrics."""
DETAILS = frozenset({f"{UPLOADED}google_hits", f"{UPLOADED}bot_first"})
"""Columns of requests of bots that are not shown by default."""
SHOWN_EXTRACTORS = 5
"""Number of extractors shown by default."""
USUAL = ("status", "score", "problems", "depth", "inlinks", "words", "ttfb_ms")
"""Columns shown by default; the URL is always shown."""
USUAL_OF_REDIRECTS = ("status", "location", "depth", "inlinks")
"""Columns shown by default if only redirects are listed."""
REASON_WORDS: Mapping[str, str] = {
    Reason.STATUS: later("status"),
    Reason.REDIRECT: later("redirect"),
    Reason.FAILURE: later("not loaded"),
    Reason.NOT_HTML: later("not HTML"),
    Reason.BLANK: later("empty"),
    Reason.CHALLENGE: later("bot challenge or login page"),
    Reason.COOKIE: later("only with a cookie"),
    Reason.NOINDEX: later("noindex"),
    Reason.CANONICAL: later("canonical elsewhere"),
    Reason.ROBOTS: later("disallowed by robots.txt"),
    Reason.IMPORTED: later("not indexable"),
}
FOUND_BY: Mapping[str, str] = {
    "start": later("start page"),
    "link": later("link"),
    "nofollow_link": later("nofollow link"),
    "sitemap": later("sitemap"),
    "canonical": later("canonical link"),
    "hreflang": later("hreflang"),
    "redirect": later("redirect"),
    "list": later("list"),
    "earlier": later("earlier crawl"),
    "upload": later("uploaded URL"),
}


def are_redirects(status: Span | None) -> bool:
    """Return whether a range of HTTP statuses contains only redirects."""
    return status is not None and all(end is not None and is_redirect(end) for end in (status.low, status.high))


def extracted_cell(row: PageRow, extractor: Extractor, say: Translator) -> str:
    """Return the values of an extractor on the page, or their number if it counts; empty without a match."""
    if extractor.name not in row.extracted:
        return ""
    found = row.extracted[extractor.name]
    if found is None:
        return say("not known")
    return say.number(found.count) if extractor.counts else " | ".join(found.values)


def cell(row: PageRow, name: str, say: Translator) -> str:  # noqa: PLR0911 - one for each column
    """Return the text of a page's cell in one of COLUMNS; empty without a value."""
    match name:
        case "status":
            return status_cell(row, say)
        case "score":
            return score.words if (score := score_of(row, say)) else ""
        case "problems":
            return _problems(row, say)
        case "depth" | "inlinks" | "link_score":
            return "" if (value := getattr(row, name)) is None else say.number(value)
        case "words":
            return say.number(row.words) if row.words else ""
        case "ttfb_ms":
            return "" if row.first_byte_ms is None else f"{say.number(round(row.first_byte_ms))} ms"
        case "size":
            return f"{say.number(max(1, round(row.wire_bytes / 1000)))} kB" if row.wire_bytes else ""
        case "found_by":
            return ", ".join(say.text(FOUND_BY.get(way, way)) for way in row.found_by)
        case "segment":
            return ", ".join(row.segment)
        case "location":
            return readable_url(row.location) if row.location else ""
        case _:
            return str(getattr(row, name))


def score_of(row: PageRow, say: Translator) -> ScoreWords | None:
    """Return the score of a crawled page with its rating; None if it has none."""
    return None if row.score is None or row.status != OK else score_words(row.score, rating_of(row.score).value, say)


def status_cell(row: PageRow, say: Translator) -> str:
    """Return the HTTP status of a crawled page, and the reason if it is not indexable."""
    status = str(row.status) if row.status else say("no response")
    if row.reason and row.reason != Reason.STATUS:
        return f"{status}, {say.text(REASON_WORDS.get(row.reason, row.reason))}"
    return status


def _problems(row: PageRow, say: Translator) -> str:
    failed, warned = len(row.verdicts[Verdict.FAILED]), len(row.verdicts[Verdict.WARNED])
    problems = [say.plural("%(count)s problem", "%(count)s problems", failed)] if failed else []
    problems += [say.plural("%(count)s warning", "%(count)s warnings", warned)] if warned else []
    return ", ".join(problems)
