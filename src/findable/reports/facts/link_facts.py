"""Facts about links, technologies, the URL, the DOM tree and the forms of the page."""

from msgspec import UNSET, Struct, UnsetType

from findable.artifacts.html.document import Document
from findable.artifacts.html.ids import Ids
from findable.artifacts.page.controls import ControlKind, Names
from findable.artifacts.page.forms import Forms
from findable.artifacts.page.links import Link, Links
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.page.technologies import Technologies
from findable.artifacts.responses.link_responses import LinkResponse, LinkState, PageLinkResponses

LINKS_SHOWN = 1000
HOSTS_SHOWN = 20
TECHNOLOGIES_SHOWN = 50
URL_CHARS = 500
TEXT_CHARS = 150


class LinkFacts(Struct, frozen=True):
    """Link of the page. ``status`` is null and ``state`` empty if its URL was not requested."""

    url: str
    kind: str
    anchor_text: str
    rel: tuple[str, ...]
    region: str
    line: int | None
    status: int | None
    state: str
    redirect_status: int | UnsetType = UNSET
    """Status of the first redirect of the URL; absent without a redirect."""
    final_url: str | UnsetType = UNSET
    """URL at which the redirects end; absent without a redirect, and for endless redirects."""


class LinkCounts(Struct, frozen=True):
    """Number of links of each kind."""

    all_count: int
    internal_count: int
    external_count: int
    same_page_count: int
    not_crawlable_count: int
    unique_count: int
    nofollow_count: int
    sponsored_count: int
    ugc_count: int
    asked_count: int
    not_asked_count: int


class HostFacts(Struct, frozen=True):
    """Host that external links point to."""

    host: str
    links_count: int


class TechnologyFacts(Struct, frozen=True):
    """Technology of the page, and its evidence."""

    name: str
    kind: str
    version: str
    sign: str


class AddressFacts(Struct, frozen=True):
    """Parts of the page's URL."""

    url: str
    host: str
    is_home: bool
    depth: int
    path_chars: int
    parameters: tuple[str, ...]


class DomFacts(Struct, frozen=True):
    """Size of the DOM tree of the page."""

    elements_count: int
    depth: int
    widest_selector: str
    widest_children_count: int
    ids_count: int
    parse_errors_count: int


class FormFacts(Struct, frozen=True):
    """Forms and controls of the page."""

    forms_count: int
    fields_count: int
    buttons_count: int
    nameless_count: int


def links(artifact: Links, responses: PageLinkResponses | None) -> tuple[LinkFacts, ...]:
    """Return the first LINKS_SHOWN links of the page, with the responses of their URLs."""
    known = responses.by_url() if responses else {}
    return tuple(_link(link, known.get(link.address)) for link in artifact.items[:LINKS_SHOWN])


def _link(link: Link, response: LinkResponse | None) -> LinkFacts:
    is_loop = response is not None and response.state is LinkState.LOOP
    redirected = (
        response.response if response and (response.redirects or is_loop) and response.response and response.response.hops else None
    )
    return LinkFacts(
        url=(link.url or link.href or "")[:URL_CHARS],
        kind=link.kind,
        anchor_text=link.name[:TEXT_CHARS],
        rel=tuple(sorted(link.rel)[:10]),
        region=link.context.region,
        line=link.element.line,
        status=(response.status or None) if response else None,
        state=response.state if response else "",
        redirect_status=redirected.hops[0].status if redirected else UNSET,
        final_url=redirected.final_url[:URL_CHARS] if redirected and not is_loop else UNSET,
    )


def link_counts(artifact: Links, responses: PageLinkResponses | None) -> LinkCounts:
    """Return the numbers of the page's links by kind, and of their requested URLs."""
    leading = (*artifact.internal, *artifact.external)
    every = (*responses.internal.responses, *responses.external.responses) if responses else ()
    asked_count = len(responses.internal.requested) + len(responses.external.requested) if responses else 0
    return LinkCounts(
        all_count=artifact.count,
        internal_count=len(artifact.internal),
        external_count=len(artifact.external),
        same_page_count=sum(1 for link in artifact.items if link.same_page),
        not_crawlable_count=len(artifact.faulty),
        unique_count=len({link.address for link in leading}),
        nofollow_count=sum(1 for link in leading if "nofollow" in link.rel),
        sponsored_count=sum(1 for link in leading if "sponsored" in link.rel),
        ugc_count=sum(1 for link in leading if "ugc" in link.rel),
        asked_count=asked_count,
        not_asked_count=len(every) - asked_count,
    )


def top_hosts(artifact: Links) -> tuple[HostFacts, ...]:
    """Return the HOSTS_SHOWN hosts with the most external links."""
    return tuple(HostFacts(host, count) for host, count in artifact.hosts.most_common(HOSTS_SHOWN))


def technologies(artifact: Technologies) -> tuple[TechnologyFacts, ...]:
    """Return the technologies of the page with their evidence, at most TECHNOLOGIES_SHOWN."""
    return tuple(TechnologyFacts(item.name, item.kind, item.version, item.sign) for item in artifact.items[:TECHNOLOGIES_SHOWN])


def address(artifact: PageUrl) -> AddressFacts:
    """Return the parts of the page's URL."""
    return AddressFacts(
        url=artifact.url.href[:URL_CHARS],
        host=artifact.display_host,
        is_home=artifact.is_home,
        depth=artifact.depth,
        path_chars=len(artifact.url.path),
        parameters=tuple(name[:TEXT_CHARS] for name in artifact.parameters[:20]),
    )


def dom(document: Document, ids: Ids | None) -> DomFacts:
    """Return the size of the DOM tree, its widest element and the number of parse errors."""
    widest, children_count = document.widest
    return DomFacts(
        elements_count=document.element_count,
        depth=document.max_depth,
        widest_selector=widest.selector[:URL_CHARS] if widest else "",
        widest_children_count=children_count,
        ids_count=ids.count if ids else 0,
        parse_errors_count=len(document.faults),
    )


def forms(artifact: Forms | None, names: Names | None) -> FormFacts:
    """Return the numbers of forms, fields, buttons and controls without a name; zero for unknown numbers."""
    controls = names.controls if names else ()
    return FormFacts(
        forms_count=len(artifact.items) if artifact else 0,
        fields_count=sum(1 for control in controls if control.kind is ControlKind.FIELD),
        buttons_count=sum(1 for control in controls if control.kind is ControlKind.BUTTON),
        nameless_count=sum(1 for control in controls if not control.name and control.is_checkable),
    )
