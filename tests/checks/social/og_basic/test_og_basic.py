"""Outcomes of og-basic: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict

OG = """<meta property="og:title" content="Blue widgets">
<meta property="og:type" content="website">
<meta property="og:image" content="https://www.example.com/a.png">
<meta property="og:url" content="https://www.example.com/shop/blue-widgets">"""

OUTCOMES = [
    ("all four", page(head=OG), "passed"),
    ("as names", page(head=OG.replace("property", "name")), "passed"),
    ("secure picture only", page(head=OG.replace("og:image", "og:image:secure_url")), "passed"),
    ("upper case", page(head=OG.replace("og:", "OG:")), "passed"),
    ("in the body", page(OG), "passed"),
    ("two names in one property", page(head=OG.replace("og:title", "og:title twitter:title")), "passed"),
    ("three", page(head=OG.replace("og:type", "og:kind")), "warned"),
    ("an empty one", page(head=OG.replace("Blue widgets", "")), "warned"),
    ("none", page(), "warned"),
    ("only X tags", page(head='<meta name="twitter:title" content="x">'), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("og-basic", html) == expected, case


def test_a_preview_image_is_a_large_image_of_the_content() -> None:
    def images(body: str) -> list[str]:
        return [fix.code for fix in finding("og-basic", page(body)).fixes if "og:image" in fix.code]

    size = 'width="1200" height="630"'
    assert images(f'<header><img src="/a.png" {size}></header><article><img src="/b.jpg" {size}></article>') == [
        '<meta property="og:image" content="https://www.example.com/b.jpg">'
    ]
    assert images(f'<article><img src="/chart.svg?v=2" {size}></article>') == []
    assert (
        images(
            f'<main><img src="/banner.png" {size}><img src="/c.jpg"><img src="/d.jpg" width="900" height="90"><img src="/e.jpg" width="220" height="220"></main>'
        )
        == []
    )


def test_an_article_is_proposed_as_one() -> None:
    data = '<script type="application/ld+json">{"@context":"https://schema.org","@type":"BlogPosting","headline":"Rye"}</script>'

    codes = [fix.code for fix in finding("og-basic", page(head=f"<title>Rye</title>{data}")).fixes]

    assert '<meta property="og:type" content="article">' in codes


def test_a_page_that_its_theme_shows_to_be_an_article_is_offered_the_type_article() -> None:
    post = page("<h1>Rye</h1>", head="<title>Rye</title>").replace("<body", '<body class="single single-post postid-7"')
    assert '<meta property="og:type" content="article">' in [fix.code for fix in finding("og-basic", post).fixes]
    assert '<meta property="og:type" content="website">' in [fix.code for fix in finding("og-basic", page()).fixes]


def test_a_page_with_article_tags_is_offered_the_type_article() -> None:
    made = finding("og-basic", page(head='<meta property="article:published_time" content="2026-10-01T08:00:00Z">'))
    assert any('property="og:type" content="article"' in str(fix) for fix in made.fixes)


def proposed_title(title: str, body: str = "", head: str = "", **given: str) -> str:
    made = finding("og-basic", page(body, head=f"<title>{title}</title>{head}"), **given)
    return next((fix.code.split('"')[3] for fix in made.fixes if "og:title" in fix.code), "")


@pytest.mark.parametrize(
    ("title", "body", "expected"),
    [
        ("Blue widgets", "", "Blue widgets"),
        ("Blue widgets – Acme", "<h1>Blue widgets</h1>", "Blue widgets"),
        ("Blue widgets", "<h1>Acme</h1>", "Blue widgets"),
        ("Buy blue widgets", "<h1>Widgets of the North</h1>", "Buy blue widgets"),
        ("Rye bread - Part 1 - Anna [Baking Archive]", "<h1>Baking Archive beta</h1><h2>Rye bread</h2>", "Rye bread"),
        ("Rye bread [Baking Archive]", "<h1>Baking Archive</h1>", "Rye bread"),
        ("Rye - Anna [Baking Archive]", "<h1>Baking Archive</h1>", "Rye - Anna"),
        ("Rye “for all” - Anna | Baking", '<h1>Rye "for all"</h1>', "Rye &quot;for all&quot;"),
        ("Blue widgets – Acme", "<h1>Acme</h1>", "Blue widgets"),
        ("Artisan bread", "<h1>Art</h1>", "Artisan bread"),
        ("麦の育て方_農業_新聞", "<h1>麦の育て方</h1>", "麦の育て方"),
        # The site's name is that of the host, or repeats.
        ("Blue widgets | Example", "", "Blue widgets"),
        ("Example.com: Blue widgets", "", "Blue widgets"),
        ("Blue widgets [Example]", "", "Blue widgets"),
        ("Example · Blue widgets", "", "Blue widgets"),
        ("Blue widgets - Sizes | Example", "", "Blue widgets - Sizes"),
        ("Blue widgets - Exámple.com", "", "Blue widgets"),
        ("Blue - Blue - Green", "", ""),
        # Which part is the name of the site is not certain.
        ("Blue widgets - Acme", "", ""),
        ("Acme - Example", "<h1>Something else</h1>", "Acme"),
    ],
)
def test_a_proposed_title_is_the_own_title_of_the_page(title: str, body: str, expected: str) -> None:
    assert proposed_title(title, body) == expected


def test_a_proposed_title_lacks_the_site_name_that_the_page_declares() -> None:
    assert proposed_title("Blue – Acme", head='<meta property="og:site_name" content="ACME">') == "Blue"
    assert proposed_title("Acme – Blue", head='<meta property="og:site_name" content="Acme">') == "Blue"
    assert proposed_title("Blue", "<h1>Blue</h1>", head='<meta name="application-name" content="Blue">') == "Blue"


def test_the_name_of_the_site_is_not_proposed() -> None:
    site = '<meta property="og:site_name" content="Acme - The widgets of the north">'
    assert proposed_title("Acme", "<h1>Blue widgets</h1>", head=site) == ""
    assert proposed_title("Blue widgets @ Acme :: Hosting ::", "<h1>Acme</h1>", head=site) == ""


def test_the_start_page_keeps_its_whole_title() -> None:
    assert proposed_title("Example – Widgets", "<h1>Widgets</h1>", url="https://www.example.com/") == "Example – Widgets"


@pytest.mark.parametrize(
    "title",
    [
        "Document",
        "Lorem ipsum dolor sit amet – My website",
        "Lorem Ipsum",
        "{{ title }}",
        "Home",
        "DeepMind \ufffd",
    ],
)
def test_a_dummy_title_is_not_proposed(title: str) -> None:
    assert proposed_title(title, f"<h1>{title}</h1>") == ""
