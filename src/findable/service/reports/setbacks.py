"""Recent changes of pages and sites, stored with each new result."""

import msgspec

from findable.reports.difference import Difference
from findable.reports.recent_changes import Outcome, RecentChanges, after_incomparable, after_result
from findable.store.setback_statements import SetbackKey
from findable.store.store_protocol import Session

_decoder = msgspec.json.Decoder(RecentChanges)


def changes_of(stored_list: str | None) -> RecentChanges:
    """Return stored changes; none if an earlier version stored them in another form."""
    try:
        return RecentChanges() if stored_list is None else _decoder.decode(stored_list)
    except msgspec.ValidationError:
        return RecentChanges()


def record_result(session: Session, key: SetbackKey, before: Outcome, after: Outcome, change: Difference, now: int) -> None:
    """Store the changes of a result since the comparable one before it."""
    stored_list = session.setbacks.recent_changes(key)
    _store(session, key, stored_list, after_result(changes_of(stored_list), before, after, change, now))


def record_incomparable_result(session: Session, key: SetbackKey, after: Outcome, now: int) -> None:
    """Store a result that was not compared, such as under another ruleset or after an acceptance: the scores restart."""
    stored_list = session.setbacks.recent_changes(key)
    if stored_list is not None:
        _store(session, key, stored_list, after_incomparable(changes_of(stored_list), after, now))


def _store(session: Session, key: SetbackKey, stored_list: str | None, changes: RecentChanges) -> None:
    if changes.is_empty:
        if stored_list is not None:
            session.setbacks.end(key)
        return
    session.setbacks.save(key, changes.worse_at, changes.better_at, msgspec.json.encode(changes).decode())
