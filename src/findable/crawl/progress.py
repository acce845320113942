"""Progress of a running crawl: one total, an honest rest, the latest pages and the first findings."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from msgspec import Struct

from findable.checks.engine import all_checks, site_twins
from findable.crawl.pace import Pace
from findable.crawl.packed_verdicts import names_with
from findable.crawl.visits import CrawlCounts, Visit
from findable.vocabulary import Importance, Verdict
from findable.wording import ENGLISH, Translator, later

LATEST = 8
"""Number of latest pages to show."""
FIRST_FINDINGS = 5
MAX_TEXT_CHARS = 300
WINDOW_S = 60.0
"""Time over which the speed of a crawl is observed."""
GROWTH_S = 15.0
"""Time over which the growth of the queue is observed."""
LEAST_S = 5.0
"""Shortest observed time from which the rest is estimated."""
LEAST_SHARE = 0.2
"""Share of the requests by which the queue must shrink, or new URLs are found too fast to estimate the rest."""

LIMITS = {"politeness": later("limited by politeness"), "site": later("as fast as the site responds")}


class CrawlStage(StrEnum):
    """Stage of a running crawl."""

    URLS = "urls"
    """URLs of the crawl are requested."""
    FILES = "files"
    """Stylesheets, scripts, images and links to other sites are requested."""
    RESCORING = "rescoring"
    """Stored responses are rescored."""


class LatestPage(Struct, frozen=True):
    """URL that was just requested."""

    url: str
    status: int
    """HTTP status; 0 without a response."""
    title: str


class FirstFinding(Struct, frozen=True):
    """Result of a check on the pages so far. What only the whole site shows is missing."""

    check: str
    verdict: Verdict
    pages_count: int

    def summary(self, say: Translator = ENGLISH) -> str:
        """Return the finding in one sentence."""
        check = all_checks()[self.check]
        is_warned = self.verdict is Verdict.WARNED
        return say.text((is_warned and check.warned_summary) or check.documentation.summary)


class CrawlProgress(Struct, frozen=True):
    """Progress of a crawl for display."""

    counts: CrawlCounts
    stage: CrawlStage
    done: int
    """Number of completed requests of the stage, or of rescored responses."""
    of: int
    """Known number of URLs of the stage, or of stored responses to rescore."""
    is_at_least: bool = False
    """Whether more URLs may be found."""
    pages_per_second: float = 0.0
    """Speed over the last minute."""
    limited_by: str = ""
    """Limit of the speed: ``politeness`` or ``site``; ``analysis`` while stored responses are rescored."""
    eta_s: float | None = None
    """Time left for the stage; None if it cannot be estimated, because new URLs are found as fast as others are requested."""
    latest: tuple[LatestPage, ...] = ()
    """URLs that were requested last, the latest first."""
    findings: tuple[FirstFinding, ...] = ()
    """First findings, the most important first."""

    def words(self, say: Translator = ENGLISH) -> str:
        """Return what is done and the total in words."""
        numbers = {"done": say.number(self.done), "of": say.number(self.of)}
        if self.stage is CrawlStage.RESCORING:
            return say("%(done)s of %(of)s stored pages rescored", **numbers)
        if self.stage is CrawlStage.FILES:
            return say("%(done)s of %(of)s files and links to other sites requested", **numbers)
        if self.is_at_least:
            return say("%(done)s of at least %(of)s URLs requested", **numbers)
        return say("%(done)s of %(of)s URLs requested", **numbers)

    def parts(self, say: Translator = ENGLISH) -> Iterator[str]:
        """Yield the speed, its limit, and the time left, in words."""
        if self.pages_per_second:
            yield say("%(rate)s requests per second", rate=say.number(self.pages_per_second, 1))
            if self.limited_by in LIMITS:
                yield say.text(LIMITS[self.limited_by])
        yield self._rest(say)

    def by_status(self, say: Translator = ENGLISH) -> Mapping[str, str]:
        """Return the numbers of URLs in words, by class of status."""
        numbers = self.counts.statuses
        words = {
            "2xx": say.plural("%(count)s loaded", "%(count)s loaded", numbers.get("2xx", 0)),
            "3xx": say.plural("%(count)s redirect", "%(count)s redirects", numbers.get("3xx", 0)),
            "4xx": say.plural("%(count)s client error", "%(count)s client errors", numbers.get("4xx", 0)),
            "5xx": say.plural("%(count)s server error", "%(count)s server errors", numbers.get("5xx", 0)),
            "none": say.plural("%(count)s without response", "%(count)s without response", numbers.get("none", 0)),
        }
        return {name: words[name] for name in words if numbers.get(name)}

    def _rest(self, say: Translator) -> str:
        if self.stage is CrawlStage.URLS and self.counts.doubtful and not self.counts.waiting:
            confirmed = self.counts.doubtful
            return say.plural(
                "%(count)s error is confirmed by a second request", "%(count)s errors are confirmed by a second request", confirmed
            )
        if self.eta_s is None:
            return say("the time left cannot be said yet")
        return say("about %(time)s left", time=say.duration(self.eta_s))


class CrawlMemory:
    """Memory that the slices of a crawl share: the pace of each origin, its speed, and its latest pages."""

    def __init__(self) -> None:
        self.paces: dict[str, Pace] = {}
        self._latest: deque[LatestPage] = deque(maxlen=LATEST)
        self._samples: deque[tuple[float, int, int]] = deque()
        self._stage = CrawlStage.URLS
        self._requests_count = 0

    @property
    def latest(self) -> tuple[LatestPage, ...]:
        """URLs that were requested last, the latest first."""
        return tuple(reversed(self._latest))

    def add(self, visits: Iterable[Visit]) -> None:
        """Add visits of URLs."""
        for visit in visits:
            if visit.page is not None:
                record = visit.page.record
                self._latest.append(LatestPage(record.url[:MAX_TEXT_CHARS], record.status, record.title[:MAX_TEXT_CHARS]))
            self._requests_count += visit.page is not None or visit.is_unchanged

    def add_requests(self, count: int) -> None:
        """Add requests of other kinds."""
        self._requests_count += count

    def speed(self, stage: CrawlStage, now_s: float, left_count: int) -> tuple[float, float | None]:
        """Return requests per second over the last minute, and the time in seconds until none are left; None if it cannot be estimated.

        ``left_count``: number of requests that are left in the stage.
        """
        if stage is not self._stage:
            self._stage = stage
            self._samples.clear()
        self._samples.append((now_s, self._requests_count, left_count))
        while self._samples[0][0] < now_s - WINDOW_S:
            self._samples.popleft()
        first_s, first_count, _ = self._samples[0]
        _, before_count, before_left = next((one for one in reversed(self._samples) if one[0] <= now_s - GROWTH_S), self._samples[0])
        if now_s - first_s < LEAST_S:
            return 0.0, None
        rate = (self._requests_count - first_count) / (now_s - first_s)
        is_shrinking = before_left - left_count > LEAST_SHARE * (self._requests_count - before_count)
        return rate, left_count / rate if rate and is_shrinking else None


def first_findings(packed: Mapping[bytes, int], names: tuple[str, ...]) -> tuple[FirstFinding, ...]:
    """Return the most important findings on pages. ``packed``: number of pages by packed verdicts; ``names``: ids of the checks in them."""
    counts = Counter[tuple[str, Verdict]]()
    for verdicts, count in packed.items():
        for verdict in (Verdict.FAILED, Verdict.WARNED):
            counts.update({(name, verdict): count for name in names_with(verdict, verdicts, names)})
    checks, importances = all_checks(), tuple(Importance)
    found = [FirstFinding(name, verdict, count) for (name, verdict), count in counts.items() if name in checks and not site_twins(name)]

    def order(one: FirstFinding) -> tuple[int, bool, int, str]:
        return importances.index(checks[one.check].importance), one.verdict is not Verdict.FAILED, -one.pages_count, one.check

    return tuple(sorted(found, key=order)[:FIRST_FINDINGS])
