"""Missing folders: several blocks of links point into them, and no URL in them loads."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT, LinkTarget
from findable.capture.site_urls import MissingFolder
from findable.urls import origin_part

MISSING_FROM = 3
"""Number of missing pages of a folder, and of sources linking to them, from which the folder is the cause (set by Findable)."""


def missing_folders(
    broken: Sequence[tuple[int, str]],
    living: Iterable[str],
    sources_count: Callable[[Sequence[int]], tuple[int, int]],
    target: Callable[[int], LinkTarget],
) -> tuple[MissingFolder, ...]:
    """Return the missing folders, those with the most linked URLs first.

    Args:
        broken: (id, URL) of linked pages that do not exist.
        living: URLs that load; not read if few do not exist.
        sources_count: returns the numbers of blocks and of pages with a link to some URLs.
        target: returns a URL with the links to it.
    """
    if len(broken) < MISSING_FROM:
        return ()
    existing: set[str] = set()
    for url in living:
        existing.update(folders_of(url))
    by_folder: defaultdict[str, list[int]] = defaultdict(list)
    for number, url in broken:
        folder = next((folder for folder in folders_of(url) if folder not in existing), None)
        if folder is not None:
            by_folder[folder].append(number)
    ranked = sorted(by_folder.items(), key=lambda item: (-len(item[1]), item[0]))[:LIST_LIMIT]
    counted = ((folder, numbers, *sources_count(numbers)) for folder, numbers in ranked if len(numbers) >= MISSING_FROM)
    return tuple(
        MissingFolder(folder, len(numbers), blocks_count, pages_count, tuple(map(target, numbers[:URL_LIMIT])))
        for folder, numbers, blocks_count, pages_count in counted
        if blocks_count >= MISSING_FROM
    )


def folders_of(url: str) -> Iterator[str]:
    """Yield the folders of a URL, the outermost first, without the root of the host."""
    start = len(origin_part(url)) + 1
    path = url.partition("?")[0]
    end = path.find("/", start)
    while end > 0:
        yield url[: end + 1]
        end = path.find("/", end + 1)
