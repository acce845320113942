"""Notice about the verdict of a site or page in search, above its rating."""

from datetime import tzinfo

from msgspec import Struct

from findable.capture.crawl import Narrower
from findable.reports.search_verdict import SearchVerdict, VerdictCause, VerdictCode
from findable.web.pages.shared.local_times import Moment, moment_of
from findable.wording import Translator


class VerdictNotice(Struct, frozen=True):
    """Verdict in words."""

    kind: str
    """Class of the stylesheet: ``bad``, or ``note`` if nothing is wrong with the site or page."""
    sentence: str
    since: Moment | None
    """Time of the first result with this verdict; None if it is that of the result shown, or does not matter."""
    consequence: str
    """Consequences in search meanwhile; empty if that does not apply."""
    step: str
    """Next step; empty for none."""
    needs_access: bool
    """Whether a login or header in the settings of the project can let this service read the pages."""


def verdict_notice(found: SearchVerdict | None, say: Translator, zone: tzinfo | None) -> VerdictNotice | None:
    """Return the notice about a verdict; None if it needs none."""
    if found is None or not found.needs_words or found.values.get("reason") == Narrower.LIST:
        return None
    since = found.since if found.code is not VerdictCode.NARROWER else None
    return VerdictNotice(
        kind="bad" if found.is_alarming else "note",
        sentence=found.sentence(say),
        since=None if since is None else moment_of(since, say, zone),
        consequence=found.consequence(say),
        step=found.next_step(say),
        needs_access=found.code is VerdictCode.BLOCKED_FOR_US and found.cause is not VerdictCause.DISALLOWED,
    )
