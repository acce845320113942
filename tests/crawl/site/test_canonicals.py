"""Canonical links of a site: first those that are right or unknown, then each kind of problem."""

import pytest
from msgspec.structs import replace

from findable.capture.crawl import Group, Reason
from findable.capture.site_graph import CanonicalPair
from findable.capture.site_signals import VariantOrigin
from findable.crawl.site.canonicals import (
    CanonicalLink,
    Topic,
    canonical_faults,
    diverging_ends,
    faulty_canonicals,
    is_choice,
    other_site,
    pages_with_parameters,
    unlike_pages,
    variant_origins,
)
from findable.formats.sketches import sketch

HOME = "https://shop.example/"
PAIR = CanonicalPair(f"{HOME}a", f"{HOME}b", 200)
OAK, PINE = (sketch(" ".join(f"{word}{n}" for n in range(200))) for word in ("oak", "pine"))


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"target_status": 0, "target_known": False},
        {"target_status": 403, "target_reason": Reason.STATUS.value},
        {"target_reason": Reason.CHALLENGE.value},
        {"target": "http://shop.example/a", "target_status": 404, "target_reason": Reason.STATUS.value},
    ],
)
def test_a_good_target_an_unknown_one_and_another_scheme_are_no_fault(values: dict[str, object]) -> None:
    assert list(canonical_faults(replace(PAIR, **values), HOME)) == []


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ({"target_status": 404, "target_reason": Reason.STATUS.value}, "not_indexable"),
        ({"target_reason": Reason.NOINDEX.value}, "not_indexable"),
        ({"target_reason": Reason.CANONICAL.value, "target_canonical": f"{HOME}c"}, "chains"),
        ({"target": HOME}, "to_home"),
    ],
)
def test_each_kind_of_faulty_target(values: dict[str, object], kind: str) -> None:
    root = faulty_canonicals([replace(PAIR, url=f"{HOME}z", **values), replace(PAIR, **values)], HOME, 2)

    assert [pair.url for pair in getattr(root, kind)] == [f"{HOME}a", f"{HOME}z"]
    assert sum((root.not_indexable_count, root.chains_count, root.to_home_count)) == getattr(root, f"{kind}_count") == 2


def test_several_other_sites_or_the_own_one_are_no_other_site() -> None:
    assert other_site([], HOME) == ""
    assert other_site(["https://a.example/1", "https://b.example/1"], HOME) == ""
    assert other_site(["https://a.example/1", "https://www.shop.example/1"], HOME) == ""
    assert other_site(["https://a.example/1", "https://a.example/2"], HOME) == "https://a.example"


@pytest.mark.parametrize(("path", "to"), [("b?size=2", "b"), ("b?page=2", "b"), ("b/page/2", "b"), ("v1/b", "v2/b")])
def test_a_variant_a_later_page_and_a_version_are_chosen(path: str, to: str) -> None:
    assert is_choice(f"{HOME}{path}", f"{HOME}{to}")
    assert not is_choice(f"{HOME}a", f"{HOME}{to}")


@pytest.mark.parametrize(
    ("topic", "is_unlike"),
    [(Topic("A", sketch=OAK), False), (Topic("B", sketch=PINE), False), (Topic("A"), False), (Topic("A", sketch=PINE), True)],
)
def test_only_another_text_under_another_title_is_unlike(topic: Topic, *, is_unlike: bool) -> None:
    link = CanonicalLink(1, 2, f"{HOME}a", f"{HOME}b", b"a", b"b")
    found = unlike_pages([link], {b"a": topic, b"b": Topic("B", sketch=OAK)}.__getitem__)

    assert [(page, target) for page, target, _ in found.first] == ([(1, 2)] if is_unlike else [])


def test_later_pages_of_lists_need_no_canonical_link() -> None:
    pages = [(f"{HOME}a?page=2", b"no"), (f"{HOME}a?color=1", b"no"), (f"{HOME}a?color=2", b"yes")]
    count, without = pages_with_parameters(pages, lambda record: Topic(declares_canonical=record == b"yes"))

    assert (count, without) == (2, Group("without_canonical", 1, (f"{HOME}a?color=1",)))


def test_canonical_links_that_end_at_one_page_do_not_diverge() -> None:
    urls = {1: f"{HOME}v1/x", 2: f"{HOME}v2/x", 3: f"{HOME}y"}

    assert diverging_ends([(7, 1), (8, 3)], {3: 1}, urls.__getitem__) == {}
    assert diverging_ends([(7, 1), (8, 2)], {}, urls.__getitem__) == {}
    assert diverging_ends([(7, 1), (8, 3), (9, 3)], {}, urls.__getitem__) == {1: 7, 3: 8}


def test_only_another_scheme_or_www_is_a_variant_of_the_origin() -> None:
    declared = [(f"{HOME}{n}", url) for n, url in enumerate((f"{HOME}a", "https://shop.other/a", "http://shop.example/a"))]

    assert list(variant_origins(declared, HOME[:-1], is_hreflang=False)) == [
        VariantOrigin("http://shop.example", is_hreflang=False, pairs=((f"{HOME}2", "http://shop.example/a"),), pages_count=1)
    ]
