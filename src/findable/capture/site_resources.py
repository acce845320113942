"""Facts about the resources that the pages of a crawled site load, and about their links to other sites.

Lists are cut to LIST_LIMIT of `capture.site_graph`, and a count gives the complete number.
"""

from msgspec import Struct

from findable.capture.crawl import Group, Requested
from findable.capture.root import crawl_root
from findable.capture.site_graph import LinkTarget


class LoadedResource(Struct, frozen=True):
    """Stylesheet, script or image that pages load, with its response."""

    url: str
    used_as: str
    """Uses: ``stylesheet``, ``script``, ``image``."""
    status: int
    size_bytes: int = 0
    """Size as transferred; 0 if the server does not state it."""
    page: str = ""
    """First page that loads it."""


class FaultyResources(Struct, frozen=True):
    """Resources with the same fault and cause: loaded by the same pages, or by pages of one template."""

    resources: tuple[LoadedResource, ...]
    """First of these resources."""
    resources_count: int
    landmark: str
    """Landmark of images: ``header``, ``main``, ``footer`` …; empty for others."""
    pages: Group
    """Pages that load them, named by their folder if each page loads different ones."""
    is_shared: bool
    """Whether all these pages load the same resources."""


@crawl_root
class CrawledResources(Struct, frozen=True):
    """Stylesheets, scripts and images of the site that its pages load; lists begin with those on the most pages."""

    requested: Requested
    sized_count: int = 0
    """Number of images whose size is known."""
    missing: tuple[FaultyResources, ...] = ()
    """Resources with 404 or 410, requested twice."""
    missing_count: int = 0
    """Number of missing resources."""
    heavy: tuple[FaultyResources, ...] = ()
    """Images larger than the limit of `checks.images.image_weight`."""
    heavy_count: int = 0


class MissingHost(Struct, frozen=True):
    """Host name that does not exist."""

    host: str
    targets: tuple[LinkTarget, ...]
    """First links to the host."""
    targets_count: int
    pages: Group
    """Pages that link there."""


@crawl_root
class CrawledExternal(Struct, frozen=True):
    """Links of the site to URLs outside the crawl."""

    is_requested: bool
    """Whether the settings of the crawl include their requests."""
    requested: Requested
    missing: tuple[LinkTarget, ...] = ()
    """Targets with 404 or 410, requested twice; lists begin with those on the most pages."""
    missing_count: int = 0
    hosts: tuple[MissingHost, ...] = ()
    """Hosts whose names do not exist, resolved twice; empty if no other host responded, because name resolution may not work here."""
