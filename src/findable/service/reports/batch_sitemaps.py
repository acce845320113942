"""URLs of a batch from a sitemap, including index files and gzip."""

from findable.errors import PageUnavailable, Unavailable, ValidationFailed
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.listed_urls import SitemapUrls, listed_urls
from findable.reports.page_error_text import sitemap_sentence
from findable.service.accounts.permissions import may, reading, require_role
from findable.service.reports.batches import NewBatch
from findable.service.runtime.service import Service
from findable.service.runtime.slots import Slots
from findable.service.sites import site_identities
from findable.service.sites.url_input import REQUIRED, PageTarget, read_url
from findable.service.values.caller import MEMBER, WRITE, Caller
from findable.urls import project_name
from findable.wording import Message, later

READ_URLS = 10_000
"""Maximum number of URLs read from a sitemap; those beyond MAX_URLS are only counted."""
SITEMAPS = 4
"""Number of sitemaps read concurrently."""
SITEMAP_S = 60.0
"""Time limit for all files of a sitemap together."""
BUSY_RETRY_S = 10


class SitemapSlots(Slots):
    """Slots for reading sitemaps, by account."""

    def __init__(self) -> None:
        super().__init__(SITEMAPS)


async def read_sitemap(service: Service, caller: Caller, texts: str, project_id: int | None = None) -> NewBatch:
    """Return the URLs of a sitemap, including index files and gzip, with its URL as source.

    The identity of a project is sent to its own site only, and only for callers who may write in the project. ``project_id``: project for
    which the sitemap is read; None if its URLs may belong to several projects.

    Raises Forbidden; ValidationFailed with the cause if it is empty or cannot be read, Unavailable if too many sitemaps are being read.
    """
    require_role(caller, MEMBER, project_id)
    address = read_url(texts, service.guard)
    if isinstance(address, str):
        raise ValidationFailed({"sitemap": [later("The sitemap field is required.") if address == REQUIRED else address]})
    service.require_accepting()
    identity = await service.run(_identity_for, caller, address.url)
    settings = service.settings
    if not service.memory(SitemapSlots).acquire(caller.account):
        raise Unavailable(later("Too many sitemaps are being read."), retry_after_s=BUSY_RETRY_S)
    try:
        async with Fetcher(service.guard, contact=settings.user_agent_contact, ca_file=settings.ca_file) as fetcher:
            listed = await _read_sitemap(fetcher, address, identity)
    finally:
        service.memory(SitemapSlots).release(caller.account)
    if listed.error is not None:
        raise ValidationFailed({"sitemap": [Message(later("The sitemap cannot be used. %(cause)s"), cause=sitemap_sentence(listed.error))]})
    return NewBatch(listed.urls, source=address.url)


def _identity_for(service: Service, caller: Caller, url: str) -> Identity:
    """Return the identity to send to the URL. Raises ValidationFailed if it cannot be decrypted."""
    with reading(service, caller, scope=WRITE) as session:
        row = session.projects.by_name(caller.account_id, project_name(url))
    if row is None or not may(caller, MEMBER, row.id):
        return NOBODY
    try:
        return site_identities.open_identity(service, row.id, row.identity, url)
    except PageUnavailable as error:
        raise ValidationFailed({"sitemap": [error.code.words]}) from None


async def _read_sitemap(fetcher: Fetcher, address: PageTarget, identity: Identity) -> SitemapUrls:
    """Read the sitemap over https, then over http if no scheme was typed and https is unreachable.

    Identities are never sent unencrypted.
    """
    listed = await listed_urls(fetcher, address.url, READ_URLS, total_timeout_s=SITEMAP_S, identity=identity)
    if identity.origin or not (listed.has_no_response and address.scheme_guessed):
        return listed
    insecure = f"http://{address.url.removeprefix('https://')}"
    again = await listed_urls(fetcher, insecure, READ_URLS, total_timeout_s=SITEMAP_S)
    return listed if again.has_no_response else again
