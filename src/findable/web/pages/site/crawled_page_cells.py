"""Columns of the list of pages of a crawl, with the texts of their cells."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from findable.capture.crawl import Reason
from findable.capture.status_classes import OK, is_redirect
from findable.crawl.column_declaration import Listed
from findable.crawl.extractors import Extractor
from findable.crawl.page_columns import REASON_WORDS, PageRow
from findable.crawl.page_selection import DATA, Span, span_of
from findable.reports.reported_finding import AGAINST
from findable.reports.scoring import rating_of
from findable.reports.titles import counts_sentence, readable_url
from findable.web.pages.shared.lines import ScoreWords, score_words
from findable.wording import Translator

EXTRACTED = "extracted."
"""Prefix of the column names of extractors; their position follows."""
UPLOADED = f"{DATA}."
"""Prefix of the column names of uploaded metrics."""
DETAILS = frozenset({f"{UPLOADED}google_hits", f"{UPLOADED}bot_first"})
"""Columns of requests of bots that are not shown by default."""
SHOWN_EXTRACTORS = 5
"""Number of extractors shown by default."""
USUAL_OF_REDIRECTS = ("status", "location", "depth", "inlinks")
"""Columns shown by default if only redirects are listed."""


def are_redirects(status: str) -> bool:
    """Return whether a range of HTTP statuses, which may be empty, contains only redirects."""
    span = span_of(status) if status else Span()
    return all(end is not None and is_redirect(end) for end in (span.low, span.high))


def extracted_cell(row: PageRow, extractor: Extractor, say: Translator) -> str:
    """Return the values of an extractor on the page, or their number if it counts; empty without a match."""
    if extractor.name not in row.extracted:
        return ""
    found = row.extracted[extractor.name]
    if found is None:
        return say("not known")
    return say.number(found.count) if extractor.counts else " | ".join(found.values)


def cell(row: PageRow, column: Listed, say: Translator) -> str:
    """Return the text of a page's cell in a column; empty without a value."""
    if column.name in _CELLS:
        return _CELLS[column.name](row, say)
    value = getattr(row, column.field)
    if value is None or value == "" or (not value and column.unit):
        return ""
    if isinstance(value, tuple):
        return ", ".join(say.text(column.words.get(one, one)) for one in value)
    return _UNITS[column.unit](value, say) if column.unit or isinstance(value, int) else str(value)


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
    return counts_sentence({verdict: len(row.verdicts[verdict]) for verdict in AGAINST}, say)


def _score(row: PageRow, say: Translator) -> str:
    score = score_of(row, say)
    return score.words if score else ""


def _requested_at(row: PageRow, say: Translator) -> str:
    return say.day(datetime.fromisoformat(row.requested_at)) if row.requested_at else ""


_CELLS: Mapping[str, Callable[[PageRow, Translator], str]] = {
    "status": status_cell,
    "score": _score,
    "problems": _problems,
    "requested_at": _requested_at,
}
"""Cells of columns that contain more than the value."""
_UNITS: Mapping[str, Callable[[Any, Translator], str]] = {
    "": lambda value, say: say.number(value),
    "count": lambda value, say: say.number(value),
    "ms": lambda value, say: f"{say.number(round(value))} ms",
    "bytes": lambda value, say: f"{say.number(max(1, round(value / 1000)))} kB",
    "url": lambda value, _: readable_url(value),
}
