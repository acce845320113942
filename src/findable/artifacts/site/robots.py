"""robots.txt of the site: its state and its rules."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from findable.artifacts.registry import Absent, artifact
from findable.capture.response import NOT_REQUESTED, Failure, ProbeResponse, Response, outcome
from findable.capture.site import SiteCapture
from findable.capture.status_classes import is_server_error
from findable.formats.mime_sniffing import looks_like_html
from findable.formats.robots_txt import Decision, RobotsTxt
from findable.vocabulary import Verdict

TOO_MANY_REQUESTS = 429


class RobotsState(StrEnum):
    """State of robots.txt for crawlers (RFC 9309 section 2.3.1; Google, "How Google interprets the robots.txt specification")."""

    READ = "read"
    MISSING = "missing"
    """Status 4xx, or too many redirects: everything is allowed."""
    UNREACHABLE = "unreachable"
    """Status 5xx or 429, or no response: at first nothing is fetched."""


class Robots(Struct, frozen=True):
    """Response of robots.txt and its rules, which are empty if the file is missing."""

    origin: str
    """Origin whose URLs it applies to."""
    response: ProbeResponse
    state: RobotsState
    rules: RobotsTxt
    is_markup: bool
    """Whether the response is an HTML page."""

    def decide(self, product_tokens: Sequence[str], url: str) -> Decision:
        """Return whether a crawler with these tokens may fetch the URL, and the deciding line."""
        return self.rules.decide(product_tokens, url)

    def url_of(self, response: Response | None) -> str:
        """Return the URL whose crawling is checked: the URL of the page or, for a site, of the home page."""
        return response.final_url if response else f"{self.origin}/"

    @property
    def is_known(self) -> bool:
        """Whether the URLs that robots.txt allows are known; False if the file is unreachable."""
        return self.state is not RobotsState.UNREACHABLE

    @property
    def lines(self) -> Mapping[int, str]:
        """First lines of robots.txt by line number, for evidence."""
        text = self.response.body[:4096].decode("utf-8", "replace").splitlines()[:5]
        return dict(enumerate(text, 1))


@artifact
def make_robots(site: SiteCapture) -> Robots | Absent:
    """Read robots.txt; absent (unknown) only if it was not requested or this machine's network failed."""
    response = site.robots_txt
    if response.failure in NOT_REQUESTED:
        return Absent("robots.txt is not known: {reason}", Verdict.UNKNOWN, outcome(response))
    state = state_of_robots(response)
    body = response.body if state is RobotsState.READ else b""
    return Robots(site.origin, response, state, RobotsTxt.parse(body), looks_like_html(body))


def state_of_robots(response: ProbeResponse) -> RobotsState:
    """Return the state of robots.txt for crawlers, from its response."""
    if response.failure is Failure.TOO_MANY_REDIRECTS:
        return RobotsState.MISSING
    if response.failure is not Failure.NONE or response.status == TOO_MANY_REQUESTS or is_server_error(response.status):
        return RobotsState.UNREACHABLE
    return RobotsState.READ if response.ok else RobotsState.MISSING
