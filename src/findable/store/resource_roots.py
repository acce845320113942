"""Resources that pages of a settled crawl load, and its external links, as raw data (roots) for site checks."""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import and_, func, select

from findable.artifacts.page.private_hosts import is_private
from findable.capture.crawl import Requested
from findable.capture.response import NOT_REQUESTED
from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT, LinkTarget
from findable.capture.site_resources import CrawledExternal, CrawledResources, FaultyResources, LoadedResource, MissingHost
from findable.capture.status_classes import OK
from findable.checks.images.image_weight import WARNED_ABOVE_BYTES
from findable.crawl.blocks import UsedAs
from findable.crawl.varints import pack_sorted, unpack, unpack_sorted
from findable.store.crawl_frontier import DONE
from findable.store.crawl_reading import AT_ONCE, CrawlReading
from findable.store.crawl_resources import LINKED_OUTSIDE
from findable.store.crawl_schema import BLOCK, BLOCK_PAGES, INDEXABLE, PAGE, RESOURCE, SETTLED, URL
from findable.urls import parse
from findable.values import once

INDEXABLE_ONLY = "site-images-heavy"
"""Check that counts indexable pages only: a missing file is a fault on all pages, including non-indexable ones."""
TEMPLATE_FROM = 3
"""Number of pages of a template, each with different faulty resources, from which the template is the cause (set by Findable)."""
EXAMPLE_HOSTS = ("example", "invalid", "onion")
"""Top-level labels of names that never resolve, as in manuals (RFC 2606, RFC 7686)."""
SVG = "image/svg+xml"
"""Type of images that are transferred compressed, which a HEAD response does not always show."""
_GONE = (404, 410)
_IS_LOADED = (RESOURCE.c.is_own, RESOURCE.c.used_as.op("&")(int(~UsedAs.LINK)) != 0)
_IS_LINK = RESOURCE.c.used_as.op("&")(int(UsedAs.LINK)) != 0
_IS_GONE = and_(RESOURCE.c.state == DONE, RESOURCE.c.status.in_(_GONE), RESOURCE.c.detail == "")
_WAS_REQUESTED = and_(RESOURCE.c.state == DONE, RESOURCE.c.failure.not_in([failure.value for failure in NOT_REQUESTED]))
_IS_KNOWN = and_(RESOURCE.c.state == DONE, RESOURCE.c.status.between(200, 399) | _IS_GONE | RESOURCE.c.is_missing_host)
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
        causes: defaultdict[tuple[bytes, str], list[int]] = defaultdict(list)
        alone: defaultdict[int, list[int]] = defaultdict(list)
        for number, packed in pages.items():
            found_on = unpack_sorted(packed)
            if len(found_on) > 1:
                causes[packed, landmarks[number]].append(number)
            else:
                alone[found_on[0]].append(number)
        found = [
            self._cause([rows[number] for number in numbers], pages, landmark, is_shared=True) for (_, landmark), numbers in causes.items()
        ]
        for own in self._by_template(alone):
            numbers = [number for page in own for number in alone[page]]
            places = {landmarks[number] for number in numbers}
            place = places.pop() if len(places) == 1 else ""
            found.append(self._cause([rows[number] for number in numbers], pages, place, is_shared=False))
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

    def _by_template(self, alone: Mapping[int, Iterable[int]]) -> Iterator[list[int]]:
        """Yield groups of page ids: the pages of one template, or each page alone if there are few."""
        templates: defaultdict[int, list[int]] = defaultdict(list)
        for row in self._connection.execute(select(SETTLED.c.id, SETTLED.c.template).where(SETTLED.c.id.in_(alone)).order_by(SETTLED.c.id)):
            templates[row.template].append(row.id)
        for numbers in templates.values():
            if len(numbers) >= TEMPLATE_FROM:
                yield numbers
            else:
                yield from ([number] for number in numbers)

    def _cause(self, rows: Iterable[Any], pages: Mapping[int, bytes], landmark: str, *, is_shared: bool) -> FaultyPages:
        listed = sorted(rows, key=lambda row: (-(row.size_bytes or 0), row.url))
        packed = _merged([pages[row.id] for row in listed])
        group = self.group_of(unpack_sorted(packed), is_named=not is_shared)
        shown = tuple(
            LoadedResource(row.url, UsedAs(row.used_as).names, row.status, row.size_bytes or 0, self._first_url(pages[row.id]))
            for row in listed[:URL_LIMIT]
        )
        return FaultyPages(FaultyResources(shown, len(listed), landmark, group, is_shared), packed)

    def _first_url(self, packed: bytes) -> str:
        return next(iter(self.urls_of(unpack_sorted(packed)[:1])), "")

    # --- external links

    def external(self) -> CrawledExternal:
        """Return the external links whose targets are missing."""
        joined = RESOURCE.join(URL, URL.c.key == RESOURCE.c.key).join(SETTLED, SETTLED.c.id == URL.c.id)
        linked = select(URL.c.id, URL.c.url, RESOURCE.c.status).select_from(joined).where(_IS_LINK, SETTLED.c.linked_from > 0)
        missing = self._connection.execute(linked.where(_IS_GONE).order_by(SETTLED.c.linked_from.desc(), URL.c.url)).all()
        hosts: defaultdict[str, list[int]] = defaultdict(list)
        if self._has_external_response():
            unknown = linked.where(RESOURCE.c.is_missing_host, RESOURCE.c.state == DONE).order_by(SETTLED.c.linked_from.desc(), URL.c.url)
            for row in self._connection.execute(unknown):
                hosts[public_host(row.url)].append(row.id)
        hosts.pop("", None)
        missing_hosts = sorted((self._missing_host(host, numbers) for host, numbers in hosts.items()), key=_by_pages)
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


def public_host(url: str) -> str:
    """Return the host of a URL; empty for a host name that is not public."""
    parsed = parse(url)
    host = parsed.host.rstrip(".") if parsed is not None else ""
    return "" if "." not in host or is_private(host) or host.rpartition(".")[2] in EXAMPLE_HOSTS else host
