"""Options of `findable crawl` and `findable.api.crawl`. An audit does not load them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from findable.api.options import Access, PreviewOf, VisitOptions
from findable.crawl.settings import CONFIRM_AFTER_S, CONNECTIONS, DEFAULT_PAGES, DEFAULT_RATE, Extent, Render, RobotsRules


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CrawlingOptions(Access, VisitOptions):
    """Options of `findable crawl` that concern the crawl itself."""

    store: Path | None = None
    """File of the crawl (default: HOST.crawl.sqlite). The same command continues it."""
    pages: Annotated[int | None, Parameter(help=f"Maximum number of URLs to request (default: {DEFAULT_PAGES}).")] = None
    rolling: int | None = None
    """Request this many URLs, those that are important, new or longest unread, and carry the other pages of --baseline over."""
    depth: int | None = None
    """Maximum number of clicks from the start page."""
    seconds: int | None = None
    """Maximum duration."""
    scope: Extent = Extent.ORIGIN
    """origin: scheme, host and port; host: also http and www; domain: all subdomains."""
    host: tuple[str, ...] = ()
    """Further host of the same site. May be repeated."""
    extract: tuple[str, ...] = ()
    """Additional column of the pages: 'NAME=h1' (text of the first element), 'NAME=a@href' (attribute), 'NAME=all: .tag', 'NAME=count:
    img', 'NAME=contains: words'. May be repeated."""
    include: tuple[str, ...] = ()
    """Pattern of URLs to crawl: /shop/*. May be repeated."""
    exclude: tuple[str, ...] = ()
    """Pattern of URLs not to crawl. May be repeated."""
    as_: PreviewOf = None
    robots: RobotsRules = RobotsRules.FINDABLE
    """Rules of robots.txt to obey: those for Findable, for Googlebot, or none."""
    render: Render | None = None
    """Pages to load in the installed Chromium: never; needed: pages built by scripts; sample: three of each template, and all pages of a
    template that scripts change, up to 5 % of the pages; all (default: sample where a browser works, else never)."""
    rate: Annotated[float | None, Parameter(help=f"Maximum requests per second (default: {DEFAULT_RATE:g}).")] = None
    connections: Annotated[int | None, Parameter(help=f"Maximum requests at the same time (default: {CONNECTIONS}).")] = None
    external: Annotated[bool, Parameter(negative=())] = False
    """Request links to other sites too, without following them: up to 2,000, and 100 to one host."""
    confirm_after: float = CONFIRM_AFTER_S
    """Seconds before a failed URL is requested once more."""
