"""Recent changes of pages and sites, stored with each new result."""

import msgspec

from findable.reports.recent_changes import Outcome, RecentChanges, after_other_rules, after_result
from findable.store.setback_statements import SetbackKey
from findable.store.store_protocol import Session

_decoder = msgspec.json.Decoder(RecentChanges)


def changes_of(stored_list: str | None) -> RecentChanges:
    """Return stored changes."""
    return RecentChanges() if stored_list is None else _decoder.decode(stored_list)


def record_result(session: Session, key: SetbackKey, before: Outcome | None, after: Outcome | None, now: int) -> None:
    """Store the changes since the previous result; ``before`` is None if there is no comparable one."""
    if after is not None:
        stored_list = session.setbacks.recent_changes(key)
        _store(session, key, stored_list, after_result(changes_of(stored_list), before, after, now))


def record_rescored_result(session: Session, key: SetbackKey, after: Outcome | None, now: int) -> None:
    """Store that the newest result was rescored, for example after a finding was accepted."""
    stored_list = session.setbacks.recent_changes(key)
    if after is not None and stored_list is not None:
        _store(session, key, stored_list, after_other_rules(changes_of(stored_list), after, now))


def _store(session: Session, key: SetbackKey, stored_list: str | None, changes: RecentChanges) -> None:
    if changes.is_empty:
        if stored_list is not None:
            session.setbacks.end(key)
        return
    session.setbacks.save(key, changes.worse_at, changes.better_at, msgspec.json.encode(changes).decode())
