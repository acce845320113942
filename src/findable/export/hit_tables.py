"""Tables about requests of bots in the PDF of a site or project."""

from collections.abc import Iterator
from typing import Any

from findable.capture.site_hits import SiteHits
from findable.export.pdf_tables import table_of, widest_first
from findable.export.pdf_texts import clean, snippet_of
from findable.reports import hit_words
from findable.wording import Translator

ROWS = 12
"""Maximum number of bots, and of folders."""
BOT_SHARES = (1.7, 1, 0.7, 0.8, 1.3, 1, 1.1, 1.1)
"""Widths of the columns of bots, wide enough for the titles in German."""


def hit_tables(hits: SiteHits, say: Translator) -> Iterator[dict[str, Any]]:
    """Yield tables of bots, one for each verification, of what their requests met, and of the folders."""
    heads = hit_words.heads(say)
    for verification, title in hit_words.BY_VERIFICATION.items():
        rows = [[one.bot, *hit_words.cells(one, say)] for one in hits.bots if one.verification == verification]
        if rows:
            yield table_of(say.text(title), heads, rows[:ROWS], shares=BOT_SHARES)
    met = [(say.text(title), getattr(hits, name)) for name, title in hit_words.MET.items()]
    rows = [[title, say.number(found.hits_count), say.number(found.urls_count)] for title, found in met if found.hits_count]
    new = f" {hit_words.new_pages(hits.new_pages, say)}" if hits.new_pages else ""
    words = f"{hit_words.sentence(hits, say)}{new} {hit_words.coverage(hits.coverage, say)}"
    columns = [say("Kind"), say("Requests"), say("URLs")]
    yield table_of(say("Where requests of search bots are lost"), columns, rows[:ROWS], clean(words), widest_first(columns, 2.5))
    if hits.is_joined and len(hits.by_folder) > 1:
        columns = [say("By folder"), say("Requests"), say("Indexable pages"), say("never requested")]
        numbers = [(one.name, one.hits_count, one.pages_count, one.pages_count - one.requested_count) for one in hits.by_folder]
        rows = [[snippet_of(name), *map(say.number, counts)] for name, *counts in numbers]
        yield table_of(say("Requests of search bots by folder"), columns, rows[:ROWS], shares=widest_first(columns, 2.5))
