"""Linked URLs of a site: first what is no problem, then each kind of problem."""

import pytest
from msgspec.structs import replace

from findable.capture.crawl import Reason, Refusal
from findable.capture.site_graph import LIST_LIMIT, LinkTarget
from findable.capture.status_classes import REFUSALS
from findable.crawl.site.links import LinkedUrl, faulty_links, is_duplicate, link_faults

START = "https://shop.example/"
PAGE = LinkedUrl(1, f"{START}a", "", 200, "", "", 0, 3, None)
NOT_REQUESTED = {"status": None, "failure": None, "reason": None, "location": None}


def faults(**values: object) -> list[str]:
    return list(link_faults(replace(PAGE, **values), START))


def test_links_to_a_page_an_unknown_url_and_a_refresh_are_no_problem() -> None:
    assert faults() == []
    assert faults(**NOT_REQUESTED) == []
    assert faults(reason=Reason.NOINDEX.value) == []
    assert faults(reason=Reason.REDIRECT.value, location=2) == []


def test_a_refused_request_is_no_broken_link() -> None:
    assert [status for status in REFUSALS if faults(status=status, reason=Reason.STATUS.value)] == []


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ({**NOT_REQUESTED, "refusal": Refusal.ROBOTS.value}, "disallowed"),
        ({"url": "http://shop.example/a"}, "plain_http"),
        ({"url": f"{START}a?utm_source=mail"}, "tracking"),
        ({"status": 0, "failure": "timeout"}, "unreachable"),
        ({"status": 503}, "server_errors"),
        ({"status": 404}, "broken"),
        ({"status": 301, "location": 2}, "redirected"),
        ({"reason": Reason.CANONICAL.value, "canonical_url": f"{START}b"}, "canonicalised"),
    ],
)
def test_each_kind_of_problem(values: dict[str, object], kind: str) -> None:
    assert faults(**values) == [kind]


@pytest.mark.parametrize(
    ("path", "canonical_url"),
    [
        ("a?sort=price", f"{START}a"),
        ("list?page=2", f"{START}list"),
        ("list/page/2/", f"{START}list"),
        ("v1/a", f"{START}v2/a"),
        ("a", "https://other.example/a"),
        ("products/a", START),
    ],
)
def test_a_choice_a_version_a_copy_and_a_wrong_canonical_are_no_duplicates(path: str, canonical_url: str) -> None:
    assert not is_duplicate(f"{START}{path}", canonical_url, START)


def test_another_url_of_a_page_is_a_duplicate() -> None:
    assert is_duplicate(f"{START}a.html", f"{START}a", START)
    assert is_duplicate(f"{START}index.html", START, START)


def test_urls_are_counted_in_full_and_listed_up_to_the_limit() -> None:
    links = (replace(PAGE, number=number, status=404) for number in range(LIST_LIMIT + 1))
    root = faulty_links(links, START, lambda number: LinkTarget(str(number), 404), pages_count=5, links_count=9)

    assert (root.pages_count, root.links_count, root.broken_count, root.broken_links_count) == (5, 9, LIST_LIMIT + 1, 3 * LIST_LIMIT + 3)
    assert [target.url for target in root.broken] == [str(number) for number in range(LIST_LIMIT)]
    assert (root.redirected, root.redirected_count, root.redirected_links_count) == ((), 0, 0)
