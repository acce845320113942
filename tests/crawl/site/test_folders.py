"""Missing folders."""

from collections.abc import Sequence

from findable.capture.site_graph import LinkTarget
from findable.capture.site_urls import MissingFolder
from findable.crawl.site.folders import folders_of, missing_folders

SITE = "https://shop.example"
BROKEN = [(number, f"{SITE}/old/shoes/{number}") for number in range(3)]


def found(broken: Sequence[tuple[int, str]], living: Sequence[str], blocks_count: int = 3) -> list[tuple[str, int]]:
    def target(number: int) -> LinkTarget:
        return LinkTarget(dict(broken)[number], 404)

    folders: Sequence[MissingFolder] = missing_folders(broken, living, lambda _numbers: (blocks_count, 9), target)
    return [(folder.url, folder.targets_count) for folder in folders]


def test_folders_come_from_the_outside_without_the_root() -> None:
    assert list(folders_of(f"{SITE}/a/b/c.html?d=/e/")) == [f"{SITE}/a/", f"{SITE}/a/b/"]


def test_a_folder_with_a_page_that_loads_is_not_missing() -> None:
    assert found(BROKEN, [f"{SITE}/old/shoes/new"]) == []


def test_few_missing_pages_or_few_sources_do_not_make_a_folder_the_cause() -> None:
    assert found(BROKEN[:2], []) == []
    assert found([*BROKEN[:2], (7, f"{SITE}/page")], []) == []
    assert found(BROKEN, [], blocks_count=2) == []


def test_the_outermost_missing_folder_is_the_cause() -> None:
    assert found(BROKEN, [f"{SITE}/"]) == [(f"{SITE}/old/", 3)]
    assert found(BROKEN, [f"{SITE}/old/hats"]) == [(f"{SITE}/old/shoes/", 3)]
