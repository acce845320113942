"""Faulty resources and external links of a crawled site, by cause."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from findable.artifacts.page.private_hosts import is_private
from findable.crawl.varints import unpack_sorted
from findable.urls import parse

INDEXABLE_ONLY = "site-images-heavy"
"""Check that counts indexable pages only: a missing file is a fault on all pages, including non-indexable ones."""
TEMPLATE_FROM = 3
"""Number of pages of a template, each with different faulty resources, from which the template is the cause (set by Findable)."""
EXAMPLE_HOSTS = ("example", "invalid", "onion")
"""Top-level labels of names that never resolve, as in manuals (RFC 2606, RFC 7686)."""
SVG = "image/svg+xml"
"""Type of images that are transferred compressed, which a HEAD response does not always show."""


class ResourceCause(Struct, frozen=True):
    """Resources, by their ids, with the same fault and cause."""

    resources: Sequence[int]
    landmark: str
    """Landmark that contains all of them; empty for none."""
    is_shared: bool
    """Whether the same pages load all of them."""


def resource_causes(
    pages: Mapping[int, bytes], landmarks: Mapping[int, str], templates_of: Callable[[Iterable[int]], Mapping[int, int]]
) -> Iterator[ResourceCause]:
    """Yield faulty resources by cause: those that the same pages load, then those that single pages of a template load.

    Args:
        pages: ids of the pages, from `pack_sorted`, by the id of the resource that they load.
        landmarks: landmark by the id of the resource.
        templates_of: returns the templates of pages, by their ids in ascending order.
    """
    shared: defaultdict[tuple[bytes, str], list[int]] = defaultdict(list)
    alone: defaultdict[int, list[int]] = defaultdict(list)
    for number, packed in pages.items():
        found_on = unpack_sorted(packed)
        if len(found_on) > 1:
            shared[packed, landmarks[number]].append(number)
        else:
            alone[found_on[0]].append(number)
    for (_, landmark), numbers in shared.items():
        yield ResourceCause(numbers, landmark, is_shared=True)
    for own in _by_template(templates_of(alone)):
        numbers = [number for page in own for number in alone[page]]
        places = {landmarks[number] for number in numbers}
        yield ResourceCause(numbers, places.pop() if len(places) == 1 else "", is_shared=False)


def _by_template(templates: Mapping[int, int]) -> Iterator[list[int]]:
    """Yield groups of page ids: the pages of one template, or each page alone if there are few."""
    pages: defaultdict[int, list[int]] = defaultdict(list)
    for page, template in templates.items():
        pages[template].append(page)
    for numbers in pages.values():
        if len(numbers) >= TEMPLATE_FROM:
            yield numbers
        else:
            yield from ([number] for number in numbers)


def by_public_host(urls: Iterable[tuple[int, str]]) -> dict[str, list[int]]:
    """Return the ids of URLs by their host; those whose host name is not public are left out."""
    hosts: defaultdict[str, list[int]] = defaultdict(list)
    for number, url in urls:
        hosts[public_host(url)].append(number)
    hosts.pop("", None)
    return hosts


def public_host(url: str) -> str:
    """Return the host of a URL; empty for a host name that is not public."""
    parsed = parse(url)
    host = parsed.host.rstrip(".") if parsed is not None else ""
    return "" if "." not in host or is_private(host) or host.rpartition(".")[2] in EXAMPLE_HOSTS else host
