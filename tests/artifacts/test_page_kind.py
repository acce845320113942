"""Kind of page: what each is decided from, and above all what must not be called so."""

import json
from typing import Any

import pytest

from findable.artifacts.page.page_kind import DeterminedKind, KindSign
from findable.vocabulary import PageKind
from tests.checks.harness import artifacts, page

SENTENCE = "The widget was built in a small workshop near the river, and people have come to see it since. "
TEXT = f"<p>{SENTENCE * 6}</p><p>{SENTENCE * 6}</p>"
SITE = "https://www.example.com"


def data(*items: dict[str, Any]) -> str:
    made = json.dumps([{"@context": "https://schema.org", **item} for item in items])
    return f'<title>Blue widgets</title><script type="application/ld+json">{made}</script>'


def kind(body: str, head: str = "<title>Blue widgets</title>", path: str = "/blue", body_class: str = "") -> DeterminedKind:
    html = page(f"<main><h1>Blue widgets</h1>{body}</main>", head)
    if body_class:
        html = html.replace("<body>", f'<body class="{body_class}">')
    found = artifacts(html, url=SITE + path).get_or_none(DeterminedKind)
    assert found is not None
    return found


def items(kind_of_item: str, count: int, **more: Any) -> list[dict[str, Any]]:
    return [{"@type": kind_of_item, "name": f"Thing {number}", **more} for number in range(count)]


@pytest.mark.parametrize("path", ["/", "/index.html", "/de/", "/en-us", "/pt-BR/"])
def test_a_home_page_is_home_whatever_it_shows(path: str) -> None:
    declared = data(*items("NewsArticle", 1), *items("Recipe", 1))

    assert kind(TEXT, declared, path).kind is PageKind.HOME


@pytest.mark.parametrize("path", ["/qq", "/a/", "/search", "/?p=12"])
def test_a_short_path_that_is_no_language_is_not_home(path: str) -> None:
    assert kind(TEXT, path=path).kind is not PageKind.HOME


@pytest.mark.parametrize("name", ["Product", "NewsArticle", "Recipe", "BlogPosting"])
def test_several_items_without_the_name_of_the_page_are_a_listing(name: str) -> None:
    assert kind(TEXT, data(*items(name, 4)), "/widgets").kind is PageKind.LISTING


@pytest.mark.parametrize(
    ("name", "expected"), [("Product", PageKind.PRODUCT), ("NewsArticle", PageKind.ARTICLE), ("Recipe", PageKind.RECIPE)]
)
def test_of_several_items_the_one_with_the_name_of_the_page_decides(name: str, expected: PageKind) -> None:
    found = kind(TEXT, data(*items(name, 4), {"@type": name, "name": "Blue widgets", "headline": "Blue widgets"}), "/widgets")

    assert (found.kind, found.sign, found.text) == (expected, KindSign.STRUCTURED_DATA, name)
    assert found.element is not None


def test_a_category_with_one_marked_up_product_stays_a_listing() -> None:
    assert kind(TEXT, data(*items("Product", 1)), "/c/tools", body_class="archive tax-product_cat").kind is PageKind.LISTING


def test_a_collection_with_articles_is_a_listing() -> None:
    assert kind(TEXT, data({"@type": "CollectionPage", "name": "News"}, *items("Article", 2)), "/topics/x").kind is PageKind.LISTING


def test_the_blog_around_one_post_does_not_make_it_a_listing() -> None:
    post = {"@type": "BlogPosting", "headline": "Blue widgets"}

    assert kind(TEXT, data({"@type": "Blog", "name": "Our blog", "blogPost": post}), "/b/1").kind is PageKind.ARTICLE
    assert kind(TEXT, data({"@type": "Blog", "name": "Our blog"}), "/b/1").kind is PageKind.UNKNOWN


def test_organization_and_breadcrumbs_say_nothing_of_the_kind() -> None:
    declared = data(
        {"@type": "Organization", "name": "Blue widgets"}, {"@type": "BreadcrumbList"}, {"@type": "WebPage", "name": "Blue widgets"}
    )

    assert kind(TEXT, declared, "/about").kind is PageKind.UNKNOWN


def test_a_recipe_with_its_article_is_a_recipe_but_a_list_of_recipes_is_not() -> None:
    article = {"@type": "Article", "headline": "Blue widgets"}

    assert kind(TEXT, data(article, *items("Recipe", 1))).kind is PageKind.RECIPE
    assert kind(TEXT, data(article, *items("Recipe", 5))).kind is PageKind.ARTICLE


def test_a_recipe_without_markup_is_found_by_its_labels() -> None:
    labels = "<h2>Ingredients</h2><ul><li>Flour<li>Water</ul><h3>Method:</h3><p>Mix.</p>"

    assert kind(labels, path="/pancakes").kind is PageKind.RECIPE
    assert kind(f"<h2>Zutaten</h2>{TEXT}", path="/rezepte/pfannkuchen").kind is PageKind.RECIPE


def test_ingredients_alone_make_no_recipe() -> None:
    assert kind(f"<h2>Ingredients</h2><p>Aqua, Glycerin.</p>{TEXT}", path="/creams/rose").kind is PageKind.UNKNOWN


@pytest.mark.parametrize("path", ["/recipes/", "/recipes/soups"])
def test_a_list_of_recipes_is_no_recipe(path: str) -> None:
    cards = "".join(f"<article><h2><a href=/recipes/r{number}>Soup {number}</a></h2></article>" for number in range(8))

    assert kind(cards, path=path).kind is not PageKind.RECIPE


def test_og_type_article_without_text_or_date_is_not_believed() -> None:
    head = "<title>Contact</title><meta property=og:type content=article>"

    assert kind("<p>Call us.</p>", head, "/about-us").kind is PageKind.UNKNOWN
    assert kind(TEXT, head, "/about-us").kind is PageKind.ARTICLE


def test_og_type_website_says_nothing() -> None:
    assert kind(TEXT, "<title>T</title><meta property=og:type content=website>").kind is PageKind.UNKNOWN


def test_an_article_that_reviews_a_product_stays_an_article() -> None:
    head = data({"@type": "NewsArticle", "headline": "Blue widgets"}, {"@type": "Product", "name": "Blue widgets"})

    assert kind(TEXT, head, "/reviews/blue-widgets").kind is PageKind.ARTICLE


CART = "<form class=add-to-cart><span class=price>9 €</span><button class=add-to-cart>Buy</button></form>"


def test_a_shop_page_without_markup_is_found_by_its_cart() -> None:
    assert kind(f"{CART}{TEXT}", path="/blue-widget").kind is PageKind.PRODUCT
    assert kind(CART * 12, path="/widgets").kind is PageKind.LISTING


def test_a_newsletter_and_a_search_are_no_form() -> None:
    body = f"<form role=search><input name=q></form><form><input type=email name=e><button>Subscribe</button></form>{TEXT}"

    assert kind(body, path="/about").kind is PageKind.UNKNOWN


def test_a_contact_page_is_a_form_and_a_post_with_comments_is_not() -> None:
    form = "<form method=post action=/send><input name=a><input name=b><textarea name=c></textarea></form>"

    assert kind(form, path="/contact").kind is PageKind.FORM
    assert kind(f"{TEXT}{form}", path="/2019/11/20/blue-widgets").kind is PageKind.ARTICLE


def test_a_thread_and_the_index_of_a_forum() -> None:
    head = '<title>T</title><meta name="generator" content="Discourse 3.2">'

    assert kind(TEXT, head, "/t/blue-widgets/4711").kind is PageKind.FORUM
    assert kind(TEXT, head, "/c/support/5").kind is PageKind.LISTING
    assert kind(TEXT, path="/forum/viewtopic.php?t=12").kind is PageKind.FORUM
    assert kind(TEXT, path="/topic/economy").kind is not PageKind.FORUM


def test_documentation_by_generator_host_or_folder() -> None:
    assert kind(TEXT, '<title>T</title><meta name="generator" content="mkdocs-1.5">', "/install/").kind is PageKind.DOCUMENTATION
    assert kind(TEXT, path="/docs/install").kind is PageKind.DOCUMENTATION
    assert kind(TEXT, path="/guides/best-beaches").kind is not PageKind.DOCUMENTATION


@pytest.mark.parametrize("path", ["/2019/11/", "/category/news/", "/tag/blue/", "/blog/page/3/"])
def test_an_archive_is_no_article(path: str) -> None:
    assert kind(TEXT, path=path).kind is not PageKind.ARTICLE


@pytest.mark.parametrize("path", ["/2019/11/", "/blog/2019/11/20", "/2019/11/20/"])
def test_the_archive_of_a_month_or_day_is_a_listing(path: str) -> None:
    assert kind(TEXT, path=path).kind is PageKind.LISTING
    assert kind(TEXT, data({"@type": "Article", "headline": "Blue widgets"}), path).kind is PageKind.ARTICLE


@pytest.mark.parametrize("path", ["/2019/", "/v/2019/13/", "/2019/11/blue", "/release/1.2019/11"])
def test_a_year_or_a_number_is_no_archive(path: str) -> None:
    assert kind(SENTENCE, path=path).kind is not PageKind.LISTING


def test_a_photo_has_few_words() -> None:
    image = '<img src=/i.jpg alt="A boat" width=900 height=600>'

    assert kind(f"{image}<p>A boat.</p>", path="/photos/17").kind is PageKind.PHOTO
    assert kind(f"{image}{TEXT}", path="/photos/17").kind is PageKind.UNKNOWN


def test_a_plain_page_is_unknown() -> None:
    assert kind(TEXT, path="/about").kind is PageKind.UNKNOWN


def test_declarations_decide_when_scripts_build_the_page() -> None:
    head = data({"@type": "Product", "name": "Blue widgets"})
    html = f'<!doctype html><html><head>{head}</head><body><div id="root"></div><script src="/static/js/main.js"></script></body></html>'
    found = artifacts(html, url=f"{SITE}/p/1").get_or_none(DeterminedKind)

    assert found is not None
    assert found.kind is PageKind.PRODUCT


def test_the_title_of_a_paper_is_no_date() -> None:
    paper = '<title>Blue widgets</title><meta name="citation_title" content="On widgets">'

    assert kind(TEXT, paper).kind is PageKind.UNKNOWN
    assert kind(TEXT, paper.replace("citation_title", "citation_publication_date")).kind is PageKind.ARTICLE


def test_a_list_with_the_type_of_a_product_and_many_prices_is_a_listing() -> None:
    declared = '<title>Pots</title><meta property="og:type" content="product">'
    prices = "".join(f"<p>Pot {number}: $ {number}.50</p>" for number in range(20))

    assert kind(prices, declared).kind is PageKind.LISTING
    assert kind(prices[:200], declared).kind is PageKind.PRODUCT
    assert kind(prices, declared + '<meta property="product:price:amount" content="5">').kind is PageKind.PRODUCT
