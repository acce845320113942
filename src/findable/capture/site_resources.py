"""Facts about what the pages of a crawled site load and link to outside of the crawl.

Lists are cut to LISTED of `capture.site_graph`, and a count beside them says how many there are.
"""

from msgspec import Struct

from findable.capture.crawl import Group, Requested
from findable.capture.root import root
from findable.capture.site_graph import LinkTarget
from findable.vocabulary import Source, Subject

_WITHOUT = "the site was not crawled"


class LoadedResource(Struct, frozen=True):
    """Stylesheet, script or image, with its response."""

    url: str
    used_as: str
    """Uses: ``stylesheet``, ``script``, ``image``."""
    status: int
    size_bytes: int = 0
    """Size as transferred; 0 where the server does not state it."""
    page: str = ""
    """First page that loads it."""


class FaultyResources(Struct, frozen=True):
    """Resources with the same fault and the same cause: those that the same pages load, or that pages of one template load."""

    resources: tuple[LoadedResource, ...]
    """First of them."""
    resources_count: int
    landmark: str
    """Landmark of images: ``header``, ``main``, ``footer`` …; empty for others."""
    pages: Group
    """Pages that load them, named by their folder where each has others."""
    is_shared: bool
    """Whether all of these pages load the same ones."""


@root(Source.CRAWL, Subject.SITE, without=_WITHOUT)
class CrawledResources(Struct, frozen=True):
    """Stylesheets, scripts and images of the site that its pages load, those on the most pages first."""

    requested: Requested
    sized_count: int = 0
    """Number of images whose size is known."""
    missing: tuple[FaultyResources, ...] = ()
    """Resources with 404 or 410, requested twice."""
    missing_count: int = 0
    """Number of these resources."""
    heavy: tuple[FaultyResources, ...] = ()
    """Images above the limit of `checks.images.image_weight`."""
    heavy_count: int = 0


class MissingHost(Struct, frozen=True):
    """Host name that does not exist."""

    host: str
    targets: tuple[LinkTarget, ...]
    """First links to it."""
    targets_count: int
    pages: Group
    """Pages that link there."""


@root(Source.CRAWL, Subject.SITE, without=_WITHOUT)
class CrawledExternal(Struct, frozen=True):
    """Links to URLs outside of the crawl."""

    is_requested: bool
    """Whether the crawl was to request them."""
    requested: Requested
    missing: tuple[LinkTarget, ...] = ()
    """Targets with 404 or 410, requested twice; those on the most pages first."""
    missing_count: int = 0
    hosts: tuple[MissingHost, ...] = ()
    """Hosts whose names do not exist, looked up twice. None where no other host responded: names may not be resolved here."""
