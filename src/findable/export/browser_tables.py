"""Tables of a PDF about the browser visit of a page."""

from collections.abc import Iterator, Sequence
from typing import Any

from findable.export.pdf_texts import shorten, snippet_of
from findable.reports.browser_words import (
    COLUMNS,
    FILMSTRIP_NOTE,
    LARGEST_PAINT,
    PAGE_PARTS,
    TITLE,
    filmstrip_alt,
    frame_time,
    lab_rows,
    lab_sentences,
)
from findable.reports.facts import Facts
from findable.reports.facts.browser_facts import BrowserFacts, FrameFact
from findable.wording import Wording

ROWS_COUNT = 30
CELL_CHARS = 300


def browser_tables(facts: Facts, say: Wording, *, all_of_them: bool) -> Iterator[dict[str, Any]]:
    """Yield the lab values; console, requests and differences only if all tables are requested."""
    found = facts.browser
    if not found:
        return
    if values := lab_rows(found, say):
        rows = [[row.name, row.median, row.spread] for row in values]
        table = _table(say(TITLE), [say(name) for name in COLUMNS], rows, " ".join(lab_sentences(found, say)))
        yield {**table, "film": _film(found.filmstrip, say)} if found.filmstrip else table
    if all_of_them:
        yield from _long_tables(found, say)


def _film(frames: Sequence[FrameFact], say: Wording) -> dict[str, Any]:
    """Return the texts of the filmstrip, whose image belongs to the sheet."""
    captions = [f"{frame_time(frame, say)} {say(LARGEST_PAINT)}" if frame.largest_paint else frame_time(frame, say) for frame in frames]
    marks = [frame.largest_paint for frame in frames]
    return {"alt": filmstrip_alt(frames, say), "captions": captions, "marks": marks, "note": say(FILMSTRIP_NOTE)}


def _long_tables(found: BrowserFacts, say: Wording) -> Iterator[dict[str, Any]]:
    is_whole = any(one.with_blocked for one in found.compared)
    whole_column = [say("With the files that robots.txt forbids")] if is_whole else []
    for title, columns, rows in (
        (
            say("Before and after scripts"),
            [say("Part of the page"), say("As sent"), say("After scripts"), *whole_column],
            [
                [say(PAGE_PARTS[one.page_part]), one.as_sent, one.rendered, *([one.with_blocked or ""] if is_whole else [])]
                for one in found.compared
            ],
        ),
        (
            say("Console"),
            [say("Message"), say("URL"), say("Times")],
            [[one.text, one.url, say.number(one.times)] for one in found.console],
        ),
        (
            say("Requests that failed"),
            [say("URL"), say("Reason"), say("Status")],
            [[one.url, one.reason, str(one.status or "")] for one in found.failed_requests],
        ),
        (say("Forbidden to Googlebot by robots.txt"), [say("URL"), ""], [[url, ""] for url in found.blocked_by_robots]),
    ):
        if rows:
            left = max(0, len(rows) - ROWS_COUNT)
            yield _table(title, columns, rows, _more_words(left, say))


def _more_words(left: int, say: Wording) -> str:
    return say.plural("%(count)s more in the JSON of this report.", "%(count)s more in the JSON of this report.", left) if left else ""


def _table(title: str, columns: list[str], rows: list[list[str]], more: str) -> dict[str, Any]:
    return {
        "title": title,
        "columns": columns,
        "rows": [[snippet_of(shorten(text, CELL_CHARS)) for text in row] for row in rows[:ROWS_COUNT]],
        "more": more,
        "wide_first": True,
    }
