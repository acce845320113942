"""Facts about a page and its site that only a crawl of the whole site can provide.

Lists are truncated, and a count gives the complete number, so that a root stays small however large the site is.
"""

from msgspec import Struct

from findable.capture.root import crawl_root, root
from findable.vocabulary import Code, Source, Subject


class CrawlEnd(Code, params=("ended_by",)):
    """Reason why a crawl ended."""

    COMPLETE = "complete", "every URL that was found was crawled"
    PAGES = "pages", "the maximum number of pages was reached"
    TIME = "time", "the maximum time was reached"
    TRAP = "trap", "every URL that was found was crawled, endless series aside"
    STOPPED = "stopped", "it was stopped"
    BLOCKED = "blocked", "robots.txt disallows the start page"
    NEEDS_BROWSER = "needs_browser", "scripts build the pages, and they were read without a browser"
    UNREACHABLE = "unreachable", "the site did not respond"


class Narrower(Code, params=("narrower",)):
    """Respect in which a crawl covers less than the whole site, or than the last crawl that counted."""

    LIST = "list", "it requested a list of URLs"
    STOPPED = "stopped", "it was stopped"
    PREVIEW = "preview", "it requested a preview of the site"
    PATTERNS = "patterns", "patterns excluded parts of the site"
    DEPTH = "depth", "it followed links less deeply"
    HOSTS = "hosts", "it covered fewer hosts"
    PAGES = "pages", "its limit allowed fewer pages"
    TIME = "time", "its limit allowed less time"
    FOLDER = "folder", "it did not request the start page of the site"


class Refusal(Code, params=("refusal",)):
    """Reason why a crawl did not request a URL."""

    ROBOTS = "robots", "robots.txt disallows it"
    SCOPE = "scope", "it is outside the crawl"
    GUARD = "guard", "the network guard does not reach it"
    ACTION = "action", "it looks like an action (sign out, delete, buy)"
    TRAP = "trap", "it belongs to an endless series"
    BUDGET = "budget", "the crawl ended before"
    DEPTH = "depth", "it is deeper than the maximum depth"
    TOO_LONG = "too_long", "it is longer than 2,048 characters"


class TrapKind(Code, params=("trap",)):
    """Kind of crawler trap. A crawler trap is an endless series of URLs."""

    GROWING_PATH = "growing_path", "a path that repeats itself"
    COUNTER = "counter", "a counter without new content"
    CALENDAR = "calendar", "an endless calendar"
    PARAMETERS = "parameters", "parameters that do not change the page"
    FACETS = "facets", "parameters that combine without end"
    SESSION_ID = "session_id", "session ids in URLs"


class Reason(Code, params=("not_indexable",)):
    """Reason why a page is not indexable."""

    NONE = ""
    STATUS = "status", "it returns an error"
    REDIRECT = "redirect", "it redirects"
    FAILURE = "failure", "it could not be loaded"
    NOT_HTML = "not_html", "it is not an HTML page"
    BLANK = "blank", "it is empty or shows only an error message of the server"
    CHALLENGE = "challenge", "a bot challenge, login or consent page was served instead"
    """Page behind a bot challenge, whose content is unknown."""
    COOKIE = "cookie", "it redirects in a loop without a cookie"
    NOINDEX = "noindex", "it is noindex"
    CANONICAL = "canonical", "it declares another page as canonical"
    ROBOTS = "robots", "robots.txt disallows it for Googlebot"
    IMPORTED = "imported", "the program that crawled it says so"
    """Page of an imported table without a known reason."""


HIDDEN_SHARE = 0.25
"""Share of the pages of a crawl up to which URLs of endless series hide nothing worth mentioning (set by Findable)."""


@root(Source.CRAWL, Subject.PAGE, without="the page is not part of a crawl")
class PageInCrawl(Struct, frozen=True):
    """The page among the pages of its site. Checks read this instead of the page, whose markup is no longer available."""

    url: str
    """Final URL of the page."""
    status: int
    title: str
    """First title of the page, with folded white space; empty if there is none."""
    description: str
    """Meta description of the page; empty if there is none."""
    pages_count: int
    """Number of pages of the crawl."""
    depth: int
    """Number of clicks from the home page; negative if no path leads here."""
    found_by: str
    """First way in which it was found: ``link``, else ``sitemap``, ``canonical``, ``hreflang``, ``redirect`` or ``list``."""
    inlinks_count: int
    """Number of followed internal links from other pages."""
    inlinks: tuple[str, ...] = ()
    """URLs of the first pages that link here."""
    path_from_home: tuple[str, ...] = ()
    """URLs of a shortest path of followed links, the home page first; empty if no path leads here."""
    same_title: tuple[str, ...] = ()
    """First of the other indexable, self-canonical pages with the same language and title."""
    same_title_count: int = 0
    """Number of pages with the same language and title."""
    same_description: tuple[str, ...] = ()
    """First of the other indexable, self-canonical pages with the same meta description."""
    same_description_count: int = 0
    same_text: tuple[str, ...] = ()
    """First of the other indexable pages with exactly the same main text."""
    same_text_count: int = 0
    similar_text: tuple[tuple[str, float], ...] = ()
    """Near duplicates: (URL, similarity 0–1)."""
    is_complete: bool = True
    """Whether the whole site was crawled and its links are known; otherwise missing links prove nothing."""


class Group(Struct, frozen=True):
    """Pages of a crawl with a common property."""

    name: str
    """Common status, reason or title."""
    pages_count: int
    urls: tuple[str, ...] = ()
    """URLs of the first pages."""


class StartPage(Struct, frozen=True):
    """Response of the start page of a crawl, and the rules of robots.txt about it."""

    is_home: bool = False
    """Whether it is the start page of its host, which represents the whole site."""
    status: int = 0
    """HTTP status; 0 without a response, or if it was not requested."""
    failure: str = ""
    """`capture.response.Failure` of its request; empty for none."""
    cause: str = ""
    """`errors.Cause` of the failure, if it says more; empty for none."""
    host: str = ""
    """Host of the request."""
    detail: str = ""
    """Message of a library about the failure; empty for none."""
    reason: Reason = Reason.NONE
    """Reason why it is not indexable."""
    target: str = ""
    """URL to which it redirects; empty for none."""
    url: str = ""
    """URL of the page, once it was requested, or if robots.txt disallows it for Googlebot."""
    canonical: str = ""
    """Other page that it declares as canonical; empty for none."""
    robots_status: int = 0
    """Status of robots.txt; 0 without a response."""
    robots_failure: str = ""
    """`capture.response.Failure` of robots.txt; empty for none."""
    blocks_google: str = ""
    """Rule of robots.txt that disallows the page for Googlebot, as written; empty for none."""
    blocks_google_line: int = 0
    blocks_findable: str = ""
    """Rule of robots.txt that disallows the page for this crawler, as written; empty for none."""
    blocks_findable_line: int = 0


class Requested(Struct, frozen=True):
    """Numbers of found and requested URLs of one kind outside the crawl's pages: resources, or external links."""

    found_count: int
    requested_count: int = 0
    known_count: int = 0
    """Number of requested URLs whose response shows whether they exist."""


class Readings(Struct, frozen=True):
    """Requests that a rolling crawl is made of: its own, and those of the crawls before it."""

    requested_count: int
    """Number of URLs that this crawl requested."""
    carried_count: int
    """Number of URLs that it carried over."""
    unread_count: int
    """Number of known URLs that no crawl has requested yet."""
    failed_count: int
    """Number of URLs that could not be loaded this time, and were carried over."""
    oldest_at: int
    """Earliest last request of a URL, in seconds since 1970; 0 without any."""


@crawl_root
class CrawlSummary(Struct, frozen=True):
    """Summary of a site from its crawl: numbers of pages, groups of pages, and how the crawl ended."""

    start_url: str
    captured_at: str
    """RFC 3339 UTC; when the crawl ended."""
    pages_count: int
    indexable_count: int
    by_status: tuple[tuple[int, int], ...] = ()
    """Groups of URLs: (status, URLs)."""
    not_indexable: tuple[Group, ...] = ()
    """Pages by the reason that keeps them out of search results."""
    duplicates: tuple[Group, ...] = ()
    """Pages with the same or nearly the same main text."""
    orphans: Group | None = None
    """Indexable pages of sitemaps or of a list that no other page links to, directly or through redirects."""
    not_in_sitemap: Group | None = None
    """Indexable pages that no sitemap lists."""
    left_out: tuple[Group, ...] = ()
    """URLs that were not requested, by reason."""
    ended_by: CrawlEnd = CrawlEnd.COMPLETE
    is_limited: bool = False
    """Whether the settings exclude parts of the site: a list of URLs, patterns, a maximum depth."""
    resources: Requested = Requested(0)
    """Stylesheets, scripts and images of the site."""
    stored_count: int | None = None
    """Number of stored responses; None if none are stored."""
    external: Requested | None = None
    """Links to URLs outside the crawl; None if the settings do not include their requests."""
    start: StartPage | None = None
    """Start page; None for a list of URLs."""
    canonical_to: str = ""
    """Origin of another site that all pages not indexable for this reason declare as canonical; empty for none, or several sites."""

    hidden_count: int = 0
    """Number of URLs that were not requested because their series seemed endless: a counter, a calendar or a parameter."""
    cms: str = ""
    """Content management system of its first page; empty unless the clicks in it are known."""
    readings: Readings | None = None
    """Requests that a rolling crawl is made of; None for other crawls."""

    @property
    def hides_pages(self) -> bool:
        """Whether so many URLs of series were not requested that numbers of the report are lower limits (HIDDEN_SHARE)."""
        return self.hidden_count > HIDDEN_SHARE * self.pages_count

    @property
    def is_finished(self) -> bool:
        """Whether the crawl covered everything that the settings allow; the endless URLs of a trap are nothing that it should cover."""
        return self.ended_by in {CrawlEnd.COMPLETE, CrawlEnd.TRAP}

    @property
    def is_complete(self) -> bool:
        """Whether the whole site was crawled; otherwise missing pages and links prove nothing."""
        return self.is_finished and not self.is_limited
