"""The folder of most of many paths."""

from collections.abc import Iterable
from random import Random

from findable.crawl.common_folder import MAX_FOLDERS, CommonFolder


def named(paths: Iterable[str]) -> str:
    folder = CommonFolder()
    for path in paths:
        folder.add(path)
    return folder.name


def test_a_template_is_named_after_most_of_its_pages_and_not_after_the_first() -> None:
    first = [f"/about/{number}" for number in range(200)]
    products = [f"/products/{number // 100}/{number}" for number in range(4800)]

    assert named(first + products) == "/products/*"
    assert named([]) == ""
    assert named(["/search", "/search"]) == "/search"
    assert named(["/a/1", "/b/1"]) == "/*"
    assert named(["/only"]) == "/only"


def test_the_name_of_a_template_does_not_depend_on_the_order_of_its_pages() -> None:
    paths = [f"/a/{number}/" for number in range(3000)] + [f"/products/{number}/{part}" for number in range(6000) for part in range(3)]
    shuffled = Random(1).sample(paths, len(paths))

    assert named(paths) == named(reversed(paths)) == named(shuffled) == "/products/*"


def test_the_folder_of_most_pages_is_found_in_bounded_memory() -> None:
    folder = CommonFolder()
    for number in range(20_000):
        folder.add(f"/products/{number}/view/item")

    assert folder.name == "/products/*"
    assert len(folder._counts) <= 2 * MAX_FOLDERS
