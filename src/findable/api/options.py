"""Options of the commands that fetch pages and of `findable.api`, declared once."""

from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Parameter
from msgspec import Struct

PAGES_AT_ONCE = 2
MAX_CONCURRENCY = 16
MAX_RETRIES = 5
PreviewOf = Annotated[
    str | None, Parameter(name="--as", help="Check a preview as if served from this origin, e.g. https://www.example.com.")
]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)  # cyclopts reads options from dataclasses, not from structs
class Access:
    """Options of every command that fetches: allowed targets and request headers."""

    allow_target: tuple[str, ...] = ()
    """Also allow requests to this private host, host:port or network. May be repeated."""
    header: tuple[str, ...] = ()
    """Send this header, 'Name: value', to the page's origin. May be repeated."""
    header_env: tuple[str, ...] = ()
    """Send this header with the value of an environment variable, Name=VARIABLE, to the page's origin. May be repeated."""
    user: str | None = None
    """NAME:PASSWORD for Basic authentication at the page's origin."""
    cookie: tuple[str, ...] = ()
    """Send this cookie, NAME=VALUE, to the page's origin. May be repeated."""
    user_agent: str | None = None
    """User agent for the page's origin."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class VisitOptions:
    """Options of every command that may open pages in a browser."""

    dismiss_consent: Annotated[bool, Parameter(negative=())] = False
    """In the browser: dismiss the cookie banners of well-known services, by refusing if possible."""
    without_blocked: Annotated[bool, Parameter(negative=())] = False
    """In the browser: load no files of the page's host that robots.txt forbids Googlebot."""
    wait_for: str = ""
    """In the browser: wait for an element of this CSS selector, 10 s at most, before the page is read."""
    block_host: tuple[str, ...] = ()
    """In the browser: do not load this host and names below it. May be repeated."""
    load_trackers: Annotated[bool, Parameter(negative=())] = False
    """In the browser: also load well-known hosts of analytics, advertising and chat, which count the visit."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class AuditOptions(Access, VisitOptions):
    """Options of every command that analyses pages."""

    as_: PreviewOf = None
    not_for_search: tuple[str, ...] = ()
    """Pattern of URLs that are not meant for search: /thanks*, https://example.com/cart/*. May be repeated."""
    browser: Literal["none", "view", "lab"] = "none"
    """Also load the page in the installed Chromium: view as visitors see it; lab also loads it three times as on a slow phone, to measure
    its timings (20 s more)."""
    ask_as_crawlers: bool = False
    """Also request the page as AI search crawlers, to check whether the CDN blocks them (takes 6 s more)."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class AuditPace:
    """Options of `findable audit` for its requests."""

    concurrency: Annotated[int | None, Parameter(help=f"Pages fetched at the same time (default: {PAGES_AT_ONCE}).")] = None
    retries: int | None = None
    """Further attempts for a page that could not be loaded (default: 0)."""


class AuditProgress(Struct, frozen=True):
    """Progress of an audit of some pages."""

    url: str
    """Page that is being audited."""
    done: int
    """Number of pages that are done."""
    of: int
    """Number of pages."""
    stage: str
    """What is being done with the page, in English."""
    step: int
    steps: int
    """Number of stages of the page."""
