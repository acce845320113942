"""Origins that stand for each other in two crawls of a site, such as http and https, or a preview host and the public one."""

from collections.abc import Mapping

from findable.crawl.settings import CrawlSettings
from findable.crawl.state import CrawlState
from findable.urls import move_to_origin, origin_part


def with_origins(url: str, origins: Mapping[str, str]) -> str:
    """Return a URL with its origin replaced as in ``origins``."""
    for origin, stands_for in origins.items():
        url = move_to_origin(url, origin, stands_for)
    return url


def public_origins(before: CrawlState, after: CrawlState) -> Mapping[str, str]:
    """Return the public origin by the origin of the start page, if two crawls began at different origins, such as a preview host."""
    return start_origins(before.settings, after.settings)


def start_origins(before: CrawlSettings, after: CrawlSettings) -> Mapping[str, str]:
    """Return the origin of the earlier start page by that of the newer one, if they differ: http and https, with and without ``www.``."""
    origin, earlier = origin_part(after.start_url), origin_part(before.start_url)
    return {} if origin == earlier else {origin: earlier}
