"""Tables about the browser visit of a page, for its PDF."""

from collections.abc import Iterator, Sequence
from typing import Any

from findable.export.pdf_tables import table_of, widest_first
from findable.export.pdf_texts import shorten, snippet_of
from findable.reports.browser_words import (
    COLUMNS,
    FILMSTRIP_NOTE,
    LARGEST_PAINT,
    TITLE,
    compared_columns,
    compared_rows,
    filmstrip_alt,
    frame_time,
    lab_rows,
    lab_sentences,
)
from findable.reports.facts import Facts
from findable.reports.facts.browser_facts import BrowserFacts, FrameFact
from findable.wording import Translator

ROWS_COUNT = 30
FEW_ROWS_COUNT = 10
"""Rows of the console in a PDF without further tables."""
CELL_CHARS = 300


def browser_tables(facts: Facts, say: Translator, *, is_complete: bool) -> Iterator[dict[str, Any]]:
    """Yield the tables of lab values, changes made by scripts, and console errors; failed requests only if ``is_complete``."""
    found = facts.browser
    if not found:
        return
    if values := lab_rows(found, say):
        rows = [[row.name, row.median, row.spread] for row in values]
        table = _table(say(TITLE), [say(name) for name in COLUMNS], rows, " ".join(lab_sentences(found, say)))
        yield {**table, "film": _film(found.filmstrip, say)} if found.filmstrip else table
    yield from _compared(found, say, is_complete=is_complete)
    yield from _console(found, say, ROWS_COUNT if is_complete else FEW_ROWS_COUNT)
    if is_complete:
        yield from _request_tables(found, say)


def _film(frames: Sequence[FrameFact], say: Translator) -> dict[str, Any]:
    """Return the texts of a filmstrip; its image is a member of the `Sheet`."""
    captions = [f"{frame_time(frame, say)} {say(LARGEST_PAINT)}" if frame.largest_paint else frame_time(frame, say) for frame in frames]
    marks = [frame.largest_paint for frame in frames]
    return {"alt": filmstrip_alt(frames, say), "captions": captions, "marks": marks, "note": say(FILMSTRIP_NOTE)}


def _compared(browser: BrowserFacts, say: Translator, *, is_complete: bool) -> Iterator[dict[str, Any]]:
    columns = compared_columns(browser, say)
    if rows := compared_rows(browser, say, changed_only=not is_complete):
        yield _table(
            say("Before and after scripts"), columns, [[row.name, *row.values] for row in rows], "", (1, *[2] * (len(columns) - 1))
        )


def _console(browser: BrowserFacts, say: Translator, rows_count: int) -> Iterator[dict[str, Any]]:
    rows = [[one.text, one.url, say.number(one.times)] for one in browser.console]
    if rows:
        more = more_words(max(0, len(rows) - rows_count), say)
        yield _table(say("Console"), [say("Message"), say("URL"), say("Times")], rows[:rows_count], more, (3, 2, 1))


def _request_tables(browser: BrowserFacts, say: Translator) -> Iterator[dict[str, Any]]:
    for title, columns, rows in (
        (
            say("Requests that failed"),
            [say("URL"), say("Reason"), say("Status")],
            [[one.url, one.reason, str(one.status or "")] for one in browser.failed_requests],
        ),
        (say("Forbidden to Googlebot by robots.txt"), [say("URL"), ""], [[url, ""] for url in browser.blocked_by_robots]),
    ):
        if rows:
            count = max(0, len(rows) - ROWS_COUNT)
            yield _table(title, columns, rows, more_words(count, say))


def more_words(count: int, say: Translator) -> str:
    """Return a sentence with the number of omitted rows; empty if none is omitted."""
    return say.plural("%(count)s more in the JSON of this report.", "%(count)s more in the JSON of this report.", count) if count else ""


def _table(title: str, columns: Sequence[str], rows: list[list[str]], more: str, shares: Sequence[int] = ()) -> dict[str, Any]:
    """Return a table for the typesetter. ``shares``: relative widths of the columns; by default the first one is wider."""
    cells = [[snippet_of(shorten(text, CELL_CHARS)) for text in row] for row in rows[:ROWS_COUNT]]
    return table_of(title, columns, cells, more, shares or widest_first(columns))
