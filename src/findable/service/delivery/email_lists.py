"""Lists in emails: their headings, alerts as entries, and how many entries are shown."""

from collections.abc import Iterable, Sequence

from findable.notify.email_blocks import Block, Entries, Entry, Heading
from findable.service.alerts.alert_sentences import sentence_of
from findable.store.alert_statements import AlertRow
from findable.wording import Translator

SHOWN = 10
"""Maximum number of entries per list; the rest is counted."""


def alert_entries(rows: Iterable[AlertRow], say: Translator, *, with_project: bool = True) -> list[Entry]:
    """Return an entry for each alert, with the name of its project if requested."""
    return [Entry(": ".join(filter(None, (row.project_words if with_project else "", sentence_of(row, say))))) for row in rows]


def list_blocks(title: str, entries: Sequence[Entry], say: Translator) -> list[Block]:
    """Return a heading with the number of entries, and the first ones; nothing without entries."""
    if not entries:
        return []
    return [Heading(f"{say(title)} ({say.number(len(entries))})"), Entries(tuple(_at_most(entries, say)))]


def _at_most(entries: Sequence[Entry], say: Translator) -> Iterable[Entry]:
    """Yield the first entries, and the number of the others."""
    yield from entries[:SHOWN]
    if len(entries) > SHOWN:
        yield Entry(say.plural("and %(count)s more", "and %(count)s more", len(entries) - SHOWN))
