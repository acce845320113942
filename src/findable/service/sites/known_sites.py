"""Site data shared by all workers: a hundred reports of one site cause one set of site requests, on any machine."""

from collections.abc import Sequence

from msgspec import Struct

from findable.capture.response import ProbeResponse
from findable.capture.saved import dump_responses, dump_site, load_responses, load_site
from findable.capture.site import SiteCapture
from findable.errors import SavedPageError
from findable.fetch.site_cache import KEPT_S
from findable.service.runtime.service import Service

MAX_PARTS = 200
"""Maximum number of parts of a site: its capture, and link responses of this many reports."""


class KnownSite(Struct, frozen=True):
    """Site data that other workers stored."""

    site: SiteCapture
    links: tuple[ProbeResponse, ...]
    age_s: float


def load(service: Service, key: str) -> KnownSite | None:
    """Return the data of a site; None if there is none, or it is too old, of another version, or damaged."""
    try:
        with service.store.read() as session:
            parts = session.sites.for_site(key, MAX_PARTS)
        if not parts or not 0 <= session.moment - parts[0][1] < KEPT_S:
            return None
        site = load_site(parts[0][0])
        links = tuple(response for data, _ in parts[1:] for response in load_responses(data))
    except (SavedPageError, ValueError):  # a damaged row counts as missing: the data is fetched again
        return None
    return KnownSite(site, links, float(session.moment - parts[0][1]))


def store(service: Service, key: str, site: SiteCapture) -> None:
    """Store a newly fetched site, replacing older data."""
    data = dump_site(site)
    with service.store.write() as session:
        session.sites.delete(key)
        session.sites.add(key, data, session.moment)


def add_links(service: Service, key: str, responses: Sequence[ProbeResponse]) -> None:
    """Store more link responses of the site."""
    data = dump_responses(responses)
    with service.store.write() as session:
        session.sites.add(key, data, session.moment)


def delete(service: Service, key: str) -> None:
    """Delete the data of a site, so that its next report fetches it again."""
    with service.store.write() as session:
        session.sites.delete(key)


def delete_expired(service: Service) -> None:
    """Delete expired data."""
    with service.store.write() as session:
        session.sites.delete_before(session.moment - int(KEPT_S))
