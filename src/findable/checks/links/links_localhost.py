"""The page uses a host that is only reachable internally.

In plain words: Visitors miss images or get dead links, because parts of the page are only reachable within your company.

Why it matters: ``localhost``, private networks and staging hosts do not exist for visitors: links break, images and styles are missing, and
names of internal machines become public.

How to fix: Set the base URL of the site (``siteUrl``, ``WP_HOME``, ``BASE_URL``) to the public one and build again.

    <link rel="stylesheet" href="https://www.example.com/style.css">

Sources: [RFC 6761](https://www.rfc-editor.org/rfc/rfc6761) (localhost, .test); [RFC 6762](https://www.rfc-editor.org/rfc/rfc6762) (.local);
[RFC 1918](https://www.rfc-editor.org/rfc/rfc1918) (private addresses); [IANA: special-purpose
addresses](https://www.iana.org/assignments/iana-ipv4-special-registry/).

Not judged: A page that is itself on such a host. A link whose text contains the URL is shown as a warning: manuals tell readers to open
it.
"""

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from findable.artifacts.html.document import Document, Element
from findable.artifacts.page.headings import OUTSIDE_CONTENT
from findable.artifacts.page.links import Link, Links
from findable.artifacts.page.private_hosts import is_loopback, is_private
from findable.capture.response import Response
from findable.checks.engine import Evidence, Finding, attribute_mark, check, element, failed, inapplicable, passed, warned
from findable.checks.page_fix import Fix, attribute_fix
from findable.urls import MAX_URL_CHARS, Url, origin_part, parse, registrable_domain
from findable.vocabulary import Effort, Importance

STAGING_LABELS = frozenset({"staging", "stg", "preprod", "uat"})
"""First labels of staging hosts (set by Findable; "dev" and "test" may be public)."""
LOADING = (("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("video", "src"), ("audio", "src"))
IN_TEXT_ADVICE = "Mark up URLs of the reader's machine as code instead of links, or accept this finding."
PROGRAM_PORTS = frozenset({5601, 7474, 8080, 8081, 8086, 8088, 8161, 8500, 8888, 9000, 9090, 9093, 9200, 15672, 16686, 50070})
"""Default ports of programs with a web interface (Kibana, Flink, Prometheus, Jupyter …), without those of development servers of sites."""
MAX_ELEMENTS = 2000
MAX_HOSTS = 2000
"""Number of different hosts that are checked."""


class _HostKind(StrEnum):
    PRIVATE = "{host} cannot be reached from the internet"
    STAGING = "{host} is a staging host"


class _Place(Struct, frozen=True):
    """URL in a link or a resource of the page."""

    element: Element
    url: str
    link: Link | None
    """Link with the URL; None for resources of the page."""


@check(
    "Do all URLs lead to public hosts?",
    Importance.MEDIUM,
    Effort.HEAD,
    failed=30,
    warned=20,
    warned_summary="The page mentions private or staging hosts.",
    mark=attribute_mark("(?:href|src|action)"),
    site_twins=("site-staging-links",),
)
def links_localhost(links: Links, document: Document, response: Response) -> Finding:
    """Checks the hosts of links and of the page's resources."""
    page = parse(response.final_url)
    if page is None or is_private(page.host):
        return inapplicable("The page itself is on a private host")
    verdicts: dict[str, tuple[_HostKind | None, str]] = {}
    wrong: list[tuple[_Place, _HostKind, str]] = []
    mentioned: list[tuple[_Place, _HostKind, str]] = []
    judged_count = 0
    for url, link, order in _places(links, document, page):
        judged_count += 1
        origin = origin_part(url)
        if origin not in verdicts and len(verdicts) < MAX_HOSTS:
            verdicts[origin] = _kind_and_host(parse(origin), page)
        kind, host = verdicts.get(origin, (None, ""))
        if kind is not None:
            place = _Place(document.element_at(order), url, link)
            is_soft = kind is _HostKind.STAGING or _is_tutorial(place, host, document)
            (mentioned if is_soft else wrong).append((place, kind, host))
    if wrong:
        return failed(
            "{count|URL leads|URLs lead} to a private host",
            count=len(wrong),
            evidence=_evidence(wrong + mentioned),
            fixes=_fixes([*wrong, *(item for item in mentioned if item[1] is _HostKind.STAGING)], page),
        )
    if mentioned:
        return warned(
            "{count|URL leads|URLs lead} to a private or staging host",
            count=len(mentioned),
            evidence=_evidence(mentioned),
            advice="" if any(kind is _HostKind.STAGING for _, kind, _ in mentioned) else IN_TEXT_ADVICE,
            fixes=_fixes([item for item in mentioned if item[1] is _HostKind.STAGING], page),
        )
    return passed("{count|URL|URLs}, none on a private host", count=judged_count)


def _is_tutorial(place: _Place, host: str, document: Document) -> bool:
    """Return whether a link belongs to a text about a program of the reader: it shows the host, or opens a program that the text explains.

    Such a link is in the content and leads to a port of the reader's machine, and two of three are true: it leads to the start page, it is
    the port of a well-known program, the page shows code.
    """
    if place.link is None:
        return False
    if host in place.link.name:
        return True
    url = parse(place.url)
    if url is None or not url.port_part or not is_loopback(host) or place.link.context.region in OUTSIDE_CONTENT:
        return False
    shows_code = any(document.tag_counts.get(tag) for tag in ("code", "pre", "kbd", "samp"))
    is_start_page, is_program = url.path == "/", url.port in PROGRAM_PORTS
    return (is_start_page and (shows_code or is_program)) or (shows_code and is_program)


def _places(links: Links, document: Document, page: Url) -> Iterator[tuple[str, Link | None, int]]:
    """Yield URL, link (None for resources of the page) and the element's position in the document."""
    for link in links.external:
        yield link.url, link, link.element.order
    for tag, attribute in LOADING:
        for order, written in document.values(tag, attribute, MAX_ELEMENTS):
            if not written:
                continue
            value = written[:MAX_URL_CHARS].strip()
            if value.startswith("//"):
                value = f"{page.scheme}:{value}"
            if value.startswith(("http:", "https:")):
                yield value, None, order


def _kind_and_host(url: Url | None, page: Url) -> tuple[_HostKind | None, str]:
    if url is None or not url.is_http:
        return None, ""
    if is_private(url.host):
        return _HostKind.PRIVATE, url.host
    label = url.host.partition(".")[0]
    own = url.host != page.host and registrable_domain(url.host) == registrable_domain(page.host)
    if own and label in STAGING_LABELS and page.host.partition(".")[0] not in STAGING_LABELS:
        return _HostKind.STAGING, url.host
    return None, ""


def _evidence(places: list[tuple[_Place, _HostKind, str]]) -> list[Evidence]:
    return [element(place.element, kind.value, host=host) for place, kind, host in places]


def _fixes(places: list[tuple[_Place, _HostKind, str]], page: Url) -> Iterator[Fix | None]:
    """Yield the elements with the page's own host, as with a correct base URL."""
    for place, _, _ in places:
        url = parse(place.url)
        for name in ("href", "src"):
            if url is not None and place.element.attr(name) is not None:
                rest = place.url[len(origin_part(place.url)) :]
                yield attribute_fix(place.element, **{name: f"{page.origin}{rest}"})
                break
