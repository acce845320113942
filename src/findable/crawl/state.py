"""State of a crawl beside its URLs and pages."""

from enum import StrEnum

from msgspec import Struct

from findable.capture.crawl import CrawlEnd
from findable.crawl.extractors import Extractor
from findable.crawl.rendered import Rendered
from findable.crawl.scope import CrawlSettings


class Phase(StrEnum):
    """Phase of a crawl. Each can be repeated from what is stored."""

    START = "start"
    DISCOVER = "discover"
    SETTLE = "settle"
    REPORT = "report"
    """Settled crawl, whose report is made when it is read."""
    JUDGE = "judge"
    """Settled crawl whose stored responses are being judged again. Until that is done its lists are those of before."""

    @property
    def has_results(self) -> bool:
        """Whether the crawl was settled, so that its lists can be read."""
        return self in (Phase.REPORT, Phase.JUDGE)


class CrawlState(Struct, frozen=True):
    """Settings and progress of a crawl."""

    typed_url: str
    settings: CrawlSettings
    """Settings with the final URL of the start page."""
    phase: Phase = Phase.START
    ended_by: CrawlEnd | None = None
    started_at: str = ""
    """RFC 3339 UTC."""
    ended_at: str = ""
    known_since: str = ""
    """Start of the first of the crawls that this one was compared with; empty if it is the first."""
    seconds: float = 0.0
    """Duration so far, pauses between runs left out."""
    checks: tuple[str, ...] = ()
    """Ids of checks in the order of the verdicts of a page."""
    ruleset: str = ""
    """Ruleset under which all pages were judged whose responses are stored."""
    extracted: tuple[Extractor, ...] = ()
    """Extractors that were run over all pages whose responses are stored."""
    judging: str = ""
    """Ruleset and extractors of phase JUDGE."""
    judged_to: int = 0
    """Number of the last page that was judged again in phase JUDGE."""
    unchanged_count: int = 0
    """Responses that an earlier crawl had stored: the site returned 304."""
    rendered: Rendered = Rendered()
    """Visits with a browser, as far as slices have ended."""
    session_names: tuple[str, ...] = ()
    """Parameters that are session ids: they do not count for the identity of a URL."""

    def goes_on(self, settings: CrawlSettings) -> bool:
        """Return whether a crawl that ended by a limit continues under a higher one, or has external links to request as well."""
        if settings.external and not self.settings.external:
            return True
        if self.ended_by is CrawlEnd.PAGES:
            return settings.pages > self.settings.pages
        if self.ended_by in (CrawlEnd.STOPPED, CrawlEnd.UNREACHABLE):
            return True
        return self.ended_by is CrawlEnd.TIME and (settings.seconds is None or settings.seconds > (self.settings.seconds or 0))
