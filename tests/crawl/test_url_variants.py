"""Variants of one URL: what differs in one respect, and what is something else."""

import pytest

from findable.capture.site_urls import VariantKind
from findable.crawl.page_numbers import page_number
from findable.crawl.url_variants import has_double_slash, normalize_variant, variant_kind

HOST = "https://a.example"


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("/shop", "/shop/", VariantKind.SLASH),
        ("/Shop/Lamps", "/shop/lamps", VariantKind.CASE),
        ("/docs/", "/docs/index.html", VariantKind.INDEX),
        ("/docs", "/docs/Default.aspx", VariantKind.INDEX),
        ("/caf%C3%A9", "/cafe%CC%81", VariantKind.ENCODING),
        ("/a%7eb", "/a~b", VariantKind.ENCODING),
        ("/a//b", "/a/b", VariantKind.DOUBLE_SLASH),
        ("/list?b=2&a=1", "/list?a=1&b=2", VariantKind.PARAMETER_ORDER),
    ],
)
def test_urls_that_differ_in_one_respect(one: str, other: str, kind: VariantKind) -> None:
    assert normalize_variant(HOST + one) == normalize_variant(HOST + other)
    assert variant_kind(HOST + one, HOST + other) is kind


@pytest.mark.parametrize(
    ("one", "other"),
    [("/a%2Fb", "/a/b"), ("/a?x=1", "/a?x=2"), ("/a?q=A", "/a?q=a"), ("/", "/index"), ("/a+b", "/a%20b"), ("/a?b%26c=1", "/a?b&c=1")],
)
def test_urls_of_different_things_are_no_variants(one: str, other: str) -> None:
    assert normalize_variant(HOST + one) != normalize_variant(HOST + other)
    assert variant_kind(HOST + one, HOST + other) is None


@pytest.mark.parametrize(("path", "is_double"), [("/a//b", True), ("//a", True), ("/web/https://b.example/", False), ("/a?u=//b", False)])
def test_a_url_within_a_path_is_no_double_slash(path: str, *, is_double: bool) -> None:
    assert has_double_slash(HOST + path) is is_double


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/list?page=2", ("/list", 2)),
        ("/list?page=2&sort=new", ("/list?sort=new", 2)),
        ("/list/page/12/", ("/list/", 12)),
        ("/?p=123", None),
        ("/page/about", None),
    ],
)
def test_the_number_of_a_page_of_a_list(path: str, found: tuple[str, int] | None) -> None:
    expected = None if found is None else (HOST + found[0], found[1])
    assert page_number(HOST + path) == expected
