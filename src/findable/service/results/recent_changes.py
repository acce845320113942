"""Recent changes of pages and sites, stored with each new result."""

import msgspec

from findable.reports.difference import Difference
from findable.reports.recent_changes import Outcome, RecentChanges, after_incomparable, after_result
from findable.reports.search_verdict import BAD_AFTER
from findable.store.setback_statements import SetbackKey
from findable.store.store_protocol import Session

LATEST_S = 30 * 86_400
"""Time after which an outage that nobody looked at again is no longer looked for, because a service that was off for longer is rare."""
_decoder = msgspec.json.Decoder(RecentChanges)


def changes_of(changes_json: str | None) -> RecentChanges:
    """Return stored changes."""
    return RecentChanges() if changes_json is None else _decoder.decode(changes_json)


def record_result(session: Session, key: SetbackKey, before: Outcome, after: Outcome, change: Difference, now: int) -> None:
    """Store the changes of a result since the comparable one before it."""
    changes_json = session.setbacks.recent_changes(key)
    _store(session, key, changes_json, after_result(changes_of(changes_json), before, after, change, now))


def record_incomparable_result(session: Session, key: SetbackKey, after: Outcome, now: int, *, is_rated: bool = True) -> None:
    """Store a result that was not compared, such as under another ruleset or after an acceptance: the scores restart."""
    changes_json = session.setbacks.recent_changes(key)
    if changes_json is not None:
        _store(session, key, changes_json, after_incomparable(changes_of(changes_json), after, now, is_rated=is_rated))


def _store(session: Session, key: SetbackKey, changes_json: str | None, changes: RecentChanges) -> None:
    if changes.is_empty:
        if changes_json is not None:
            session.setbacks.end(key)
        return
    session.setbacks.save(key, changes.worse_at, changes.better_at, msgspec.json.encode(changes).decode())


def outage_span(session: Session) -> tuple[int, int]:
    """Return the times between which an outage began that is confirmed by now, although nobody tried again."""
    until = session.moment - int(BAD_AFTER.total_seconds())
    return until - LATEST_S, until
