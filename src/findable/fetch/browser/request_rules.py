"""Rules for the requests of a page: hosts that are not loaded, requests that are withheld, headers of the project; others are unchanged."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from findable import urls
from findable.artifacts.tables.tag_hosts import COUNTING_HOSTS
from findable.capture.browser_options import BrowserOptions, covers
from findable.capture.rendering import WithheldReason
from findable.fetch.identity import NOBODY, Identity
from findable.formats.robots_txt import RobotsTxt

GOOGLEBOT = ("Googlebot",)
_COOKIE = "cookie"
Pairs = tuple[tuple[str, str], ...]


class RequestRules(Struct, frozen=True):
    """Rules for the requests of one visit. They do not decide which hosts can be reached: the guard of the proxy does."""

    page_url: str
    robots: RobotsTxt | None = None
    """robots.txt of the page's host; requests that it disallows for Googlebot are withheld. None withholds nothing."""
    identity: Identity = NOBODY
    """Headers for one origin; sent only if it is the origin of the page."""

    @property
    def intercepts(self) -> bool:
        """Whether requests must be paused to apply these rules."""
        return self.robots is not None or bool(self._added_headers(self.page_url))

    @property
    def cookies(self) -> Pairs:
        """Cookies for the origin of the page."""
        written = [value for name, value in self.identity.headers if name.lower() == _COOKIE]
        parted = (pair.partition("=") for line in written for pair in line.split(";"))
        return (*self.identity.cookies, *((name.strip(), value.strip()) for name, _, value in parted))

    def withheld(self, url: str, *, is_page: bool) -> WithheldReason:
        """Return why a request is withheld, `WithheldReason.NOT` if it is sent. The page itself is always sent."""
        if is_page or self.robots is None or urls.origin_part(url) != urls.origin_part(self.page_url):
            return WithheldReason.NOT
        return WithheldReason.NOT if self.robots.decide(GOOGLEBOT, url).allowed else WithheldReason.ROBOTS

    def headers(self, url: str, sent_headers: Mapping[str, str]) -> Pairs | None:
        """Return the changed headers of a request to the URL; None if they do not change.

        A redirect to another origin still carries headers that were added before: they are removed.
        """
        added = self._added_headers(url)
        if added:
            names = {name.lower() for name, _ in added}
            return (*((name, value) for name, value in sent_headers.items() if name.lower() not in names), *added)
        own = {(name.lower(), value) for name, value in self._added_headers(self.page_url)}
        kept = tuple((name, value) for name, value in sent_headers.items() if (name.lower(), value) not in own)
        return kept if len(kept) < len(sent_headers) else None

    def _added_headers(self, url: str) -> Pairs:
        """Return the headers that are added to a request to the URL."""
        lines = tuple(line for line in self.identity.lines_for(url, with_cookies=False) if line[0].lower() != _COOKIE)
        agent = self.identity.agent_for(url)
        return (*lines, *([("User-Agent", agent)] if agent else []))


def limit_to_page(identity: Identity, page_url: str) -> Identity:
    """Return the identity if it is for the origin of the page, otherwise one that sends nothing."""
    return identity if identity.origin and urls.origin_of(page_url) == identity.origin else NOBODY


def hosts_not_loaded(options: BrowserOptions, page_url: str) -> tuple[str, ...]:
    """Return the hosts that the options block, and those that would count the visit as a visitor. The guard of the proxy refuses them."""
    counting = () if options.load_trackers else other_hosts(sorted(COUNTING_HOSTS), page_url)
    return (*options.blocked_hosts, *counting)


def other_hosts(hosts: Iterable[str], page_url: str) -> tuple[str, ...]:
    """Return the hosts without those that cover the host of the page."""
    host = urls.host_of(page_url)
    return tuple(one for one in hosts if not covers((one,), host))
