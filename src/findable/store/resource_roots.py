"""Resources that pages of a settled crawl load, and its external links, as raw data (roots) for site checks."""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import and_, func, select

from findable.capture.crawl import Requested
from findable.capture.response import NOT_REQUESTED
from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT, LinkTarget
from findable.capture.site_resources import CrawledExternal, CrawledResources, FaultyResources, LoadedResource, MissingHost
from findable.capture.status_classes import ERRORS, GONE, OK
from findable.checks.images.image_weight import WARNED_ABOVE_BYTES
from findable.crawl.blocks import UsedAs
from findable.crawl.site.resources import INDEXABLE_ONLY, SVG, ResourceCause, by_public_host, resource_causes
from findable.crawl.varints import pack_sorted, unpack, unpack_sorted
from findable.store.crawl_frontier import DONE
from findable.store.crawl_reading import AT_ONCE, CrawlReading
from findable.store.crawl_resources import LINKED_OUTSIDE
from findable.store.crawl_schema import BLOCK, BLOCK_PAGES, INDEXABLE, PAGE, RESOURCE, SETTLED, URL
from findable.values import once

_IS_LOADED = (RESOURCE.c.is_own, RESOURCE.c.used_as.op("&")(int(~UsedAs.LINK)) != 0)
_IS_LINK = RESOURCE.c.used_as.op("&")(int(UsedAs.LINK)) != 0
_IS_GONE = and_(RESOURCE.c.state == DONE, RESOURCE.c.status.in_(GONE), RESOURCE.c.detail == "")
_WAS_REQUESTED = and_(RESOURCE.c.state == DONE, RESOURCE.c.failure.not_in([failure.value for failure in NOT_REQUESTED]))
_IS_KNOWN = and_(RESOURCE.c.state == DONE, RESOURCE.c.status.between(OK, ERRORS - 1) | _IS_GONE | RESOURCE.c.is_missing_host)
_IS_SIZED = (
    RESOURCE.c.status == OK,
    RESOURCE.c.size_bytes.is_not(None),
    RESOURCE.c.media_type.startswith("image/"),
    RESOURCE.c.media_type != SVG,
)


class FaultyPages(Struct, frozen=True):
    """Faulty resources of one cause, with the pages that load them."""

    resources: FaultyResources
    pages: bytes
    """Ids of the pages, from `pack_sorted`."""


class ResourceRoots(CrawlReading):
    """Computes `CrawledResources` and `CrawledExternal` of one crawl."""

    def requested_resources(self) -> Requested:
        """Return the number of the site's resources that pages load, and the number of requested ones."""
        return Requested(self._count(*_IS_LOADED), self._count(*_IS_LOADED, _WAS_REQUESTED), self._count(*_IS_LOADED, _IS_KNOWN))

    def requested_external(self) -> Requested:
        """Return the number of external URLs that pages link to, and the number of requested ones."""
        known = self._count(_IS_LINK, _IS_KNOWN) if self._has_external_response() else 0
        return Requested(self.count_urls(*LINKED_OUTSIDE), self._count(_IS_LINK, _WAS_REQUESTED), known)

    def _has_external_response(self) -> bool:
        """Return whether any external host responded; if not, the network may be at fault."""
        return bool(self._count(_IS_LINK, RESOURCE.c.status > 0))

    def _count(self, *conditions: Any) -> int:
        return int(self._connection.execute(select(func.count()).select_from(RESOURCE).where(*conditions)).scalar_one())

    # --- resources

    def resources(self) -> CrawledResources:
        """Return the resources of pages with faults."""
        missing, heavy = (self.faulty(check) for check in RESOURCE_CHECKS)
        return CrawledResources(
            self.requested_resources(),
            sized_count=self._count(*_IS_LOADED, *_IS_SIZED),
            missing=tuple(item.resources for item in missing[:LIST_LIMIT]),
            missing_count=sum(item.resources.resources_count for item in missing),
            heavy=tuple(item.resources for item in heavy[:LIST_LIMIT]),
            heavy_count=sum(item.resources.resources_count for item in heavy),
        )

    def faulty(self, check: str) -> list[FaultyPages]:
        """Return the faulty resources that a check reports by cause, those on the most pages first."""
        chosen = select(RESOURCE).where(*_IS_LOADED, *RESOURCE_CHECKS[check])
        rows = {row.id: row for row in self._connection.execute(chosen)}
        pages, landmarks = ({}, {}) if not rows else self._pages_of(rows)
        if check == INDEXABLE_ONLY:
            pages = {number: left for number, packed in pages.items() if (left := self._indexable_of(packed))}
        causes = resource_causes(pages, landmarks, self._templates_of)
        found = [self._faulty_pages([rows[number] for number in cause.resources], pages, cause) for cause in causes]
        return sorted(found, key=lambda item: (-item.resources.pages.pages_count, item.resources.resources[0].url))

    def _pages_of(self, resources: Container[int]) -> tuple[dict[int, bytes], dict[int, str]]:
        """Return, by id of the resource, the packed ids of the pages that load it, and the landmark that contains it."""
        pages: defaultdict[int, list[bytes]] = defaultdict(list)
        landmarks: dict[int, str] = {}
        chosen = select(BLOCK.c.resources, BLOCK.c.landmark, BLOCK_PAGES.c.pages).join(BLOCK_PAGES, BLOCK_PAGES.c.block == BLOCK.c.id)
        blocks = chosen.where(BLOCK.c.resources != b"").order_by(BLOCK.c.id)
        for row in self._connection.execute(blocks).yield_per(AT_ONCE):
            held = [number for number in unpack(row.resources) if number in resources]
            for number in held:
                pages[number].append(row.pages)
                landmarks.setdefault(number, row.landmark)
        return {number: _merged(packed) for number, packed in pages.items()}, landmarks

    def _indexable_of(self, packed: bytes) -> bytes:
        return pack_sorted(number for number in unpack_sorted(packed) if number in self._indexable)

    @once
    def _indexable(self) -> frozenset[int]:
        return frozenset(self._connection.execute(select(PAGE.c.id).where(*INDEXABLE)).scalars())

    def _templates_of(self, pages: Iterable[int]) -> dict[int, int]:
        """Return the templates of pages by their ids, in ascending order."""
        chosen = select(SETTLED.c.id, SETTLED.c.template).where(SETTLED.c.id.in_(pages)).order_by(SETTLED.c.id)
        return {row.id: row.template for row in self._connection.execute(chosen)}

    def _faulty_pages(self, rows: Iterable[Any], pages: Mapping[int, bytes], cause: ResourceCause) -> FaultyPages:
        listed = sorted(rows, key=lambda row: (-(row.size_bytes or 0), row.url))
        packed = _merged([pages[row.id] for row in listed])
        group = self.group_of(unpack_sorted(packed), is_named=not cause.is_shared)
        shown = tuple(
            LoadedResource(row.url, UsedAs(row.used_as).names, row.status, row.size_bytes or 0, self._first_url(pages[row.id]))
            for row in listed[:URL_LIMIT]
        )
        return FaultyPages(FaultyResources(shown, len(listed), cause.landmark, group, cause.is_shared), packed)

    def _first_url(self, packed: bytes) -> str:
        return next(iter(self.urls_of(unpack_sorted(packed)[:1])), "")

    # --- external links

    def external(self) -> CrawledExternal:
        """Return the external links whose targets are missing."""
        joined = RESOURCE.join(URL, URL.c.key == RESOURCE.c.key).join(SETTLED, SETTLED.c.id == URL.c.id)
        linked = select(URL.c.id, URL.c.url, RESOURCE.c.status).select_from(joined).where(_IS_LINK, SETTLED.c.linked_from > 0)
        missing = self._connection.execute(linked.where(_IS_GONE).order_by(SETTLED.c.linked_from.desc(), URL.c.url)).all()
        unknown = linked.where(RESOURCE.c.is_missing_host, RESOURCE.c.state == DONE).order_by(SETTLED.c.linked_from.desc(), URL.c.url)
        found = ((row.id, row.url) for row in self._connection.execute(unknown)) if self._has_external_response() else ()
        missing_hosts = sorted((self._missing_host(host, numbers) for host, numbers in by_public_host(found).items()), key=_by_pages)
        return CrawledExternal(
            self._state.settings.external,
            self.requested_external(),
            missing=tuple(structs.replace(self.target(row.id), status=row.status) for row in missing[:LIST_LIMIT]),
            missing_count=len(missing),
            hosts=tuple(missing_hosts[:LIST_LIMIT]),
        )

    def _missing_host(self, host: str, numbers: list[int]) -> MissingHost:
        targets: tuple[LinkTarget, ...] = tuple(self.target(number) for number in numbers[:URL_LIMIT])
        return MissingHost(host, targets, len(numbers), self.group_of(self.pages_linking_to(numbers)))


RESOURCE_CHECKS: Mapping[str, tuple[Any, ...]] = {
    "site-assets-broken": (_IS_GONE,),
    "site-images-heavy": (*_IS_SIZED, RESOURCE.c.size_bytes > WARNED_ABOVE_BYTES),
}
"""Conditions for the resources that each check reports."""


def _merged(lists: Sequence[bytes]) -> bytes:
    """Return the union of packed lists of ids."""
    different = set(lists)
    return lists[0] if len(different) == 1 else pack_sorted(sorted({number for packed in different for number in unpack_sorted(packed)}))


def _by_pages(item: MissingHost) -> tuple[int, str]:
    return -item.pages.pages_count, item.host
