"""Setbacks of pages and sites: lower scores and new failed findings, noted with each new result, until it is made good or old."""

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from findable.store.setback_statements import SetbackKey
from findable.store.store_protocol import Session

SHOWN_S = 7 * 86_400
"""Time for which a setback is shown."""
MAX_FINDINGS = 20
"""New failed findings that are stored of one page or site."""


class Outcome(Struct, frozen=True):
    """Score of a result and the keys of its failed findings."""

    score: int
    failed: frozenset[str]

    @staticmethod
    def of(score: int | None, failed: Iterable[str]) -> "Outcome | None":
        """Return the outcome; None without a score."""
        return None if score is None else Outcome(score, frozenset(failed))


def note(session: Session, key: SetbackKey, before: Outcome | None, after: Outcome | None, now: int) -> None:
    """Note what is worse than in the result before; an earlier setback ends once its score is back and its findings are gone."""
    if after is None:
        return
    stored = session.setbacks.known(key)
    known = stored if stored is not None and stored.at >= now - SHOWN_S else None
    new = after.failed - before.failed if before is not None else frozenset()
    is_worse = bool(new) or (before is not None and after.score < before.score)
    if known is None and not (is_worse and before is not None):
        if stored is not None:
            session.setbacks.end(key)
        return
    start = known.score_before if known is not None else before.score if before is not None else after.score
    still = after.failed & set(msgspec.json.decode(known.findings_json, type=list[str])) if known is not None else frozenset()
    if not (new or still) and after.score >= start:
        session.setbacks.end(key)
        return
    findings = msgspec.json.encode(sorted(new | still)[:MAX_FINDINGS]).decode()
    at = now if known is None or is_worse else known.at
    session.setbacks.keep(key, at, start, after.score, findings)
