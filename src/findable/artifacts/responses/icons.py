"""Icons that search results show beside the name of a site."""

from msgspec import Struct

from findable.artifacts.html.document import Element
from findable.artifacts.page.head import Head, LinkTag
from findable.artifacts.registry import Absent, artifact
from findable.artifacts.responses.assets import Asset, Assets
from findable.artifacts.responses.probed_page import read_probed
from findable.capture.response import ProbeResponse
from findable.capture.site import SiteCapture

ICON_RELS = frozenset({"icon", "apple-touch-icon", "apple-touch-icon-precomposed"})


class Icons(Struct, frozen=True):
    """Icons that the page declares, or those of the home page if it declares none."""

    declared: tuple[tuple[LinkTag, Asset | None], ...]
    """Declared icons with their responses; None for those not requested."""
    favicon: ProbeResponse | None
    """Response of /favicon.ico."""
    head: Element | None
    """Head element that was searched for icons."""


@artifact
def make_icons(site: SiteCapture, head: Head | Absent, assets: Assets | None) -> Icons | Absent:
    """Return the icons of the page, or of the home page if the page declares none; absent if the page's metadata is absent."""
    if isinstance(head, Absent) and head.missing is None:
        return head
    own = head if isinstance(head, Head) else None
    links = _links(own) if own else []
    home = None if links else home_head(site)
    links = links or (_links(home) if home else [])
    place = own or home
    declared = tuple((link, assets.for_url(link.url) if assets else None) for link in links)
    return Icons(declared, site.favicon, place.element if place else None)


def home_head(site: SiteCapture) -> Head | None:
    """Return the metadata of the home page, if it was requested separately."""
    page = read_probed(site.home)
    return page.head if page else None


def _links(head: Head) -> list[LinkTag]:
    return [link for link in head.links if link.href and not link.rel.isdisjoint(ICON_RELS)]
