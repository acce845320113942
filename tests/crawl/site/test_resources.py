"""Causes of faulty resources, and hosts that cannot be missing."""

import pytest

from findable.crawl.site.resources import TEMPLATE_FROM, ResourceCause, by_public_host, public_host, resource_causes
from findable.crawl.varints import pack_sorted

BOTH, ONE = pack_sorted([1, 2]), pack_sorted([1])


def test_resources_of_the_same_pages_and_landmark_are_one_cause() -> None:
    causes = resource_causes({7: BOTH, 8: BOTH, 9: BOTH}, {7: "header", 8: "header", 9: "main"}, dict.fromkeys)  # type: ignore[arg-type] # no page has one alone

    assert list(causes) == [ResourceCause([7, 8], "header", is_shared=True), ResourceCause([9], "main", is_shared=True)]


@pytest.mark.parametrize("count", [TEMPLATE_FROM - 1, TEMPLATE_FROM])
def test_a_template_is_the_cause_from_some_pages_on(count: int) -> None:
    pages = {100 + page: pack_sorted([page]) for page in range(1, count + 1)}
    causes = list(resource_causes(pages, dict.fromkeys(pages, "main"), lambda numbers: dict.fromkeys(sorted(numbers), 1)))

    assert len(causes) == (1 if count == TEMPLATE_FROM else count)
    assert [number for cause in causes for number in cause.resources] == list(pages)
    assert {(cause.landmark, cause.is_shared) for cause in causes} == {("main", False)}


def test_a_landmark_is_named_only_if_all_resources_are_in_it() -> None:
    (cause,) = resource_causes({7: ONE, 8: ONE}, {7: "header", 8: "main"}, lambda numbers: dict.fromkeys(numbers, 1))

    assert cause == ResourceCause([7, 8], "", is_shared=False)


def test_names_that_never_resolve_are_not_missing_hosts() -> None:
    urls = [
        "http://intranet/",
        "http://10.0.0.1/",
        "http://printer.local/",
        "https://www.example/",
        "https://a.invalid/",
        "http://localhost/",
    ]

    assert [url for url in urls if public_host(url)] == []
    assert by_public_host([(1, urls[0]), (2, "https://gone.org/a"), (3, "https://gone.org./b")]) == {"gone.org": [2, 3]}
