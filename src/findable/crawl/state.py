"""State of a crawl as a whole, without its URLs and pages."""

from enum import StrEnum

from msgspec import Struct

from findable.capture.crawl import CrawlEnd, StartPage
from findable.crawl.extractors import Extractor
from findable.crawl.rendered import Rendered
from findable.crawl.settings import CrawlSettings


class Phase(StrEnum):
    """Phase of a crawl. Each phase can be repeated from stored data."""

    START = "start"
    DISCOVER = "discover"
    SETTLE = "settle"
    REPORT = "report"
    """The crawl is settled; its report is computed on first access."""
    JUDGE = "judge"
    """The crawl is settled, and its stored responses are being rescored. Until that ends, its lists contain the earlier results."""

    @property
    def has_results(self) -> bool:
        """Whether the crawl has been evaluated, so that its lists and tables can be read."""
        return self in (Phase.REPORT, Phase.JUDGE)


class CrawlState(Struct, frozen=True):
    """Settings and progress of a crawl."""

    typed_url: str
    settings: CrawlSettings
    """Settings with the final URL of the start page."""
    phase: Phase = Phase.START
    ended_by: CrawlEnd | None = None
    start: StartPage | None = None
    """Response of the start page; None before it was requested, and for a list of URLs."""
    started_at: str = ""
    """RFC 3339 UTC."""
    ended_at: str = ""
    known_since: str = ""
    """Start of the first crawl in its series of comparisons; empty if it is the first."""
    seconds: float = 0.0
    """Duration so far, without pauses between runs."""
    checks: tuple[str, ...] = ()
    """Ids of checks in the order of the verdicts of a page."""
    ruleset: str = ""
    """Ruleset under which all pages with stored responses were checked."""
    extracted: tuple[Extractor, ...] = ()
    """Extractors that were applied to all pages with stored responses."""
    judging: str = ""
    """Ruleset and extractors of phase JUDGE."""
    judged_to: int = 0
    """Number of the last page that was rescored in phase JUDGE."""
    unchanged_count: int = 0
    """Number of responses reused from an earlier crawl, because the site returned 304."""
    rendered: Rendered = Rendered()
    """Browser visits, updated after each slice."""
    session_names: tuple[str, ...] = ()
    """Query parameters that are session ids, which the identity of a URL ignores."""

    def can_continue(self, settings: CrawlSettings) -> bool:
        """Return whether a crawl that reached a limit can continue under a higher one, or still has external links to request."""
        if settings.external and not self.settings.external:
            return True
        if self.ended_by is CrawlEnd.PAGES:
            return settings.pages > self.settings.pages
        if self.ended_by in (CrawlEnd.STOPPED, CrawlEnd.UNREACHABLE):
            return True
        return self.ended_by is CrawlEnd.TIME and (settings.seconds is None or settings.seconds > (self.settings.seconds or 0))
