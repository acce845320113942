"""Which URLs are one page, whose results are one history, and which are not."""

from itertools import combinations

from findable.urls import project_name, subject_key

SAME = (
    (
        "https://example.com/",
        "http://example.com",
        "https://www.example.com/",
        "http://www.example.com/index.html",
        "https://EXAMPLE.com/#top",
    ),
    (
        "https://example.com/shop",
        "https://example.com/shop/",
        "http://www.example.com/shop/index.php",
        "https://example.com/shop/default.aspx",
    ),
    ("https://example.com/?p=3", "http://example.com/index.php?p=3", "https://www.example.com/?p=3"),
    ("http://127.0.0.1:8202/", "https://127.0.0.1:8202/", "https://127.0.0.1:8202/index.html"),
    ("https://xn--mnchen-3ya.example/", "http://münchen.example/"),
    ("https://[::1]:8080/a", "http://[::1]:8080/a/"),
)
OTHER = (
    "https://example.com/",
    "https://example.com/Shop",
    "https://example.com/shop",
    "https://example.com/shop/a",
    "https://example.com/shop//a",
    "https://example.com/shop%2Fa",
    "https://example.com/?a=1",
    "https://example.com/?a=1&b=2",
    "https://example.com/?b=2&a=1",
    "https://example.com/?utm_source=x",
    "https://example.com/index",
    "https://example.com/Index.html",
    "https://example.com/index.html/x",
    "https://example.com/index.json",
    "https://example.com/my-index.html",
    "https://example.com/index.php/shop",
    "https://example.com:8443/",
    "https://shop.example.com/",
    "https://www.shop.example.com/x",
    "https://www2.example.com/",
    "https://example.org/",
)


def test_forms_of_one_url_have_one_key() -> None:
    for forms in SAME:
        assert len({subject_key(url) for url in forms}) == 1, forms


def test_other_pages_have_other_keys() -> None:
    for first, second in combinations(OTHER, 2):
        assert subject_key(first) != subject_key(second), (first, second)


def test_urls_of_one_key_belong_to_one_project() -> None:
    for url in (*OTHER, *(form for forms in SAME for form in forms)):
        assert subject_key(url).startswith(f"{project_name(url)}/")
