"""Main content of pages of every kind, and the time that it takes on hostile ones."""

import time

import pytest

from findable.artifacts.html.document import Document
from findable.artifacts.html.main_content import main_content
from findable.artifacts.page.text import Text, main_text
from findable.artifacts.page.word_count import count_words
from tests.checks.harness import artifacts, page

SENTENCE = (
    "The brass lantern is made by hand in a small workshop in Wales, and every piece is tested for an hour before it leaves the house. "
)
MENU = "<nav><ul>" + "".join(f'<li><a href="/{n}">Section {n}</a></li>' for n in range(12)) + "</ul></nav>"
FOOTER = '<footer><p>© 2026 Example Ltd, 12 High Street, Cardiff. All rights reserved by their owners.</p><a href="/imprint">Imprint</a></footer>'
TEASERS = "".join(
    f'<li class="card"><a href="/story-{n}"><h3>Another story {n}</h3><p>What happened elsewhere, told in a few words that are long enough.</p></a></li>'
    for n in range(20)
)


def main_of(body: str, *, is_home: bool = False) -> str:
    """Return the main text; the heading "Lanterns" may be part of it."""
    return main_text(Document(page(f"{MENU}{body}{FOOTER}"), "https://www.example.com/page"), is_home=is_home).removeprefix("Lanterns ")


def test_a_long_article_is_found_without_what_surrounds_it() -> None:
    text = main_of(
        f"<div class=wrap><div class=col><h1>Lanterns</h1><p>{SENTENCE}</p><p>{SENTENCE * 3}</p></div><div class=side>{TEASERS}</div></div>"
    )

    assert text == (SENTENCE * 4).strip()


@pytest.mark.parametrize("list_class", ["related", "grid", "most-popular", "css-1x2y3z"])
def test_a_short_article_does_not_get_the_list_of_related_ones(list_class: str) -> None:
    text = main_of(f'<div><h1>Lanterns</h1><div><p>{SENTENCE}</p></div></div><div class="{list_class}"><ul>{TEASERS}</ul></div>')

    assert text == SENTENCE.strip()


def test_comments_are_no_part_of_an_article() -> None:
    comments = f"<div class=comment><p>{SENTENCE.replace('brass', 'tin')}</p></div>" * 10
    text = main_of(f"<article><h1>Lanterns</h1><p>{SENTENCE}</p><div id=comments><h2>10 comments</h2>{comments}</div></article>")

    assert text == SENTENCE.strip()


def test_a_product_page_has_its_name_description_and_specification() -> None:
    body = (
        f"<div class=product><h1>Brass lantern</h1><p class=price>49.00 €</p><button>Add to basket</button><div class=tab><p>{SENTENCE}</p>"
        "<table><tr><th>Height</th><td>24 cm</td></tr><tr><th>Material</th><td>Polished brass from old stock, glass</td></tr></table></div></div>"
        f"<section class=recommendations><h2>Others bought</h2><ul>{TEASERS}</ul></section>"
    )
    text = main_of(body)

    assert SENTENCE.strip() in text
    assert "Polished brass" in text
    assert "basket" not in text
    assert "Another story" not in text


def test_a_forum_thread_has_all_its_posts() -> None:
    posts = "".join(
        f"<div class=post><div class=user>user{n}</div><div class=postbody>{SENTENCE} Number {n}.</div></div>" for n in range(6)
    )
    text = main_of(f"<div id=thread><h1>How do I clean a lantern?</h1>{posts}</div>")

    assert text.startswith("How do I clean a lantern?")
    assert all(f"Number {n}." in text for n in range(6))


def test_documentation_has_no_sidebar_and_keeps_chapters_named_like_side_matters() -> None:
    sidebar = '<div class="sidebar"><ul>' + "".join(f'<li><a href="#{n}">Chapter {n}</a></li>' for n in range(40)) + "</ul></div>"
    chapters = f'<section id="setting-up"><h2>Setting up</h2><p>{SENTENCE}</p><pre>make lantern</pre></section>'
    chapters += f'<section id="sharing-with-others"><h2>Sharing with others</h2><p>{SENTENCE}</p></section>'
    text = main_of(f'<div class="has-sidebar">{sidebar}<div class="content"><h1>Manual</h1>{chapters}</div></div>')

    assert text.startswith("Manual Setting up")
    assert "Sharing with others" in text
    assert "make lantern" in text
    assert "Chapter 3" not in text


def test_a_long_chapter_does_not_stand_for_its_page() -> None:
    chapter = f'<div id="s-redirects-and-tags"><h2>Redirects and tags</h2><p>{SENTENCE * 8}</p></div>'
    markup = '<div id="hd"><h1>Manual 3.2</h1></div><div id="{0}"><h1>Release {0}</h1><p>Release {0} fixes {1} and needs no other change.</p>{2}</div>'

    first = main_of(markup.format("1.4.20", "a security issue", chapter))
    second = main_of(markup.format("1.6.11", "two security issues", chapter))

    assert first.startswith("Release 1.4.20 Release 1.4.20 fixes a security issue")
    assert "Redirects and tags" in first
    assert first != second


STANDFIRST = "A workshop in Wales makes brass lanterns as it did a hundred years ago, and has more orders than it can take. "
PARAGRAPHS = f"<p>{SENTENCE * 3}</p><p>{SENTENCE * 3}</p>"
ARTICLE = f"<div class=body>{PARAGRAPHS}</div>"


@pytest.mark.parametrize("name", ["lead", "article-teaser", "teaser-text", "field field--label-hidden"])
def test_the_standfirst_between_heading_and_article_is_content(name: str) -> None:
    text = main_of(f"<article><header><h1>Lanterns</h1><div class='{name}'><p>{STANDFIRST}</p></div></header>{ARTICLE}</article>")

    assert text == STANDFIRST + (SENTENCE * 6).strip()


def test_teasers_with_a_link_and_labels_are_no_standfirst() -> None:
    teaser = f'<div class="article-teaser"><p>{STANDFIRST}</p><a href="/other">more</a></div>'
    linked = f'<p><a href="/other">{STANDFIRST}</a></p>'
    text = main_of(f"<h1>Lanterns</h1><p>By Jane Doe</p><p>22 November 2026</p>{teaser}{linked}{ARTICLE}")

    assert text == (SENTENCE * 6).strip()


def test_long_texts_between_heading_and_article_are_no_standfirst() -> None:
    text = main_of(f"<h1>Lanterns</h1><div><p>{STANDFIRST * 15}</p></div><div class=x>{ARTICLE}<p>{SENTENCE * 80}</p></div>")

    assert STANDFIRST not in text


def test_ingredients_between_heading_and_steps_are_content() -> None:
    items = "<ul><li>200 g of brass, polished and cut</li><li>one pane of glass, four millimetres</li></ul>"
    text = main_of(f"<h1>Lanterns</h1><div>{items}</div>{ARTICLE}")

    assert text.startswith("200 g of brass, polished and cut one pane of glass")


@pytest.mark.parametrize(
    "caption", ["<figcaption>{}</figcaption>", '<p class="wp-caption-text">{}</p>', '<span class="photo-credit">{}</span>']
)
def test_captions_and_credits_of_images_are_no_main_content(caption: str) -> None:
    figure = f"<figure><img src=/a.jpg>{caption.format('The workshop in the winter of 2025, photographed by Jane Doe')}</figure>"
    text = main_of(f"<article><h1>Lanterns</h1>{figure}{ARTICLE}</article>")

    assert text == (SENTENCE * 6).strip()


def test_a_page_of_captions_has_them_as_content() -> None:
    figures = "".join(f"<figure><img src=/{n}.jpg><figcaption>{SENTENCE} Number {n}.</figcaption></figure>" for n in range(9))
    text = main_of(f"<h1>Lanterns</h1>{figures}")

    assert "Number 8." in text


@pytest.mark.parametrize("name", ["hidden-xs", "overflow-hidden", "elementor-widget", "sidebar-layout", "cmp-container"])
def test_classes_of_layouts_do_not_hide_their_text(name: str) -> None:
    text = main_of(f"<article><h1>Lanterns</h1>{PARAGRAPHS}<div class='{name}'><p>{STANDFIRST * 2}</p></div></article>")

    assert text.endswith(STANDFIRST.strip())


def test_a_heading_above_nothing_but_links_goes_with_them() -> None:
    links = "".join(f'<li><a href="/{n}">Another story that is long enough {n}</a></li>' for n in range(4))
    text = main_of(
        f"<article><h1>Lanterns</h1>{PARAGRAPHS}<h2>More on this</h2><ul>{links}</ul><p>Read on:</p><ul>{links}</ul>"
        f"<h2>Materials</h2><p>{SENTENCE}</p></article>"
    )

    assert "More on this" not in text
    assert "Read on" not in text
    assert "Materials" in text


def test_a_part_with_many_links_is_left_out_of_running_text_only() -> None:
    cards = "".join(
        f'<div><h3><a href="/{n}">Another story {n}, and its title</a></h3><p>What happened elsewhere, in words that are long enough {n}.</p></div>'
        for n in range(4)
    )
    below = main_of(f"<div class=page>{ARTICLE}<h1>Lanterns</h1>{ARTICLE}{ARTICLE}<div class=grid>{cards}</div></div>")
    alone = main_of(f"<div class=page><h1>Lanterns</h1><p>{SENTENCE}</p><div class=grid>{cards * 3}</div></div>")

    assert "elsewhere" not in below
    assert "elsewhere" in alone


def test_a_short_line_at_the_end_is_content_if_it_is_a_sentence() -> None:
    credit = main_of(f"<article><h1>Lanterns</h1>{PARAGRAPHS}<p>Photos of the workshop: Jane Doe</p></article>")
    ending = main_of(f"<article><h1>Lanterns</h1>{PARAGRAPHS}<p>I would order one of them again!</p></article>")

    assert credit == (SENTENCE * 6).strip()
    assert ending.endswith("I would order one of them again!")


def test_a_home_page_has_all_that_stands_outside_navigation_and_footer() -> None:
    text = main_of(f"<h1>Example Ltd</h1><p>{SENTENCE}</p><ul>{TEASERS}</ul>", is_home=True)

    assert text.startswith("Example Ltd The brass")
    assert "Another story 19" in text
    assert "Section 3" not in text


def test_a_list_of_links_without_sentences_has_its_whole_list() -> None:
    cards = "".join(f'<li><a href="/p{n}">Lantern {n}</a> <b>{n}.00 €</b></li>' for n in range(30))
    text = main_of(f"<main><h1>Lanterns</h1><ul>{cards}</ul></main>")

    assert text.startswith("Lantern 0 0.00 €")
    assert "Lantern 29" in text


def test_a_list_with_an_introduction_below_50_words_has_its_whole_list() -> None:
    cards = "".join(f'<li><a href="/p{n}">Lantern {n}</a> <b>{n}.00 €</b></li>' for n in range(30))
    text = main_of(f"<main><h1>Lanterns</h1><div><p>{SENTENCE}</p></div><ul>{cards}</ul></main>")

    assert "Lantern 29" in text


def test_a_page_that_is_one_table_has_its_cells() -> None:
    rows = "".join(
        f'<tr><td><a href="/f{n}">Film number {n}</a></td><td>A man relives the same day {n} times over</td></tr>' for n in range(20)
    )
    text = main_of(f"<h1>Films</h1><table>{rows}</table>")

    assert "Film number 19 A man relives" in text


@pytest.mark.parametrize("banner", ['<div id="cookie-banner">{}</div>', '<div role="dialog">{}</div>', '<div class="cmp-layer">{}</div>'])
def test_a_cookie_banner_is_no_main_content(banner: str) -> None:
    notice = "<p>" + "We and our partners store cookies on your device and read them, to measure how the site is used. " * 8 + "</p>"
    text = main_of(f"<div><h1>Lanterns</h1><p>{SENTENCE}</p></div>{banner.format(notice)}")

    assert text == SENTENCE.strip()


def test_noscript_is_never_text() -> None:
    fallback = f'<noscript><p>{SENTENCE * 5}</p><img src="/x.gif"></noscript>'
    text = artifacts(page(f"<div><h1>Lanterns</h1><p>{SENTENCE}</p>{fallback}</div>")).get_or_none(Text)

    assert text is not None
    assert text.main == f"Lanterns {SENTENCE.strip()}"
    assert count_words(text.visible) == text.main_count


def test_a_wrapper_named_like_a_side_matter_is_read() -> None:
    text = main_of(f'<div class="modal-page banner"><h1>Lanterns</h1><p>{SENTENCE * 4}</p></div>')

    assert text.startswith("The brass")


def test_an_article_named_like_a_side_matter_is_read() -> None:
    text = main_of(f'<h1>Lanterns</h1><div class="promo-text"><p>{SENTENCE}</p></div><div class=list><ul>{TEASERS}</ul></div>')

    assert SENTENCE.strip() in text


def test_the_marked_article_body_wins_over_longer_texts() -> None:
    others = f"<div class=box><p>{SENTENCE.replace('brass', 'tin') * 2}</p></div>"
    text = main_of(f'<div><h1>Lanterns</h1><div itemprop="articleBody"><p>{SENTENCE * 2}</p></div>{others}</div>')

    assert "tin" not in text


def test_chinese_sentences_are_found() -> None:
    sentence = "我们的手工小部件质量很好，小部件的价格也便宜，欢迎选购。"
    text = main_of(f"<div><h1>部件</h1><p>{sentence * 4}</p><p>{sentence * 3}</p></div><div class=x><ul>{TEASERS}</ul></div>")

    assert text.removeprefix("部件 ") == f"{sentence * 4} {sentence * 3}"


def test_empty_elements_do_not_cut_words() -> None:
    text = main_of(
        f"<div><h1>Lanterns</h1><p>{SENTENCE.replace('workshop', 'work<wbr>shop').replace('every', 'eve<a id=x></a>ry')}</p></div>"
    )

    assert text == SENTENCE.strip()


def test_a_page_without_sentences_has_no_main_content() -> None:
    assert main_content(Document("<body><p>Hello", "https://www.example.com/")) is None
    assert main_content(Document("<frameset><frame>", "https://www.example.com/")) is None


@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 500 + "x" * 1000,
        f"<div class=related>{SENTENCE}" * 20_000,
        "<ul><li>" * 400 + f"<a href=/>{SENTENCE}</a>" * 1000,
        f"<a><div>{SENTENCE}" * 10_000,
        "<table><tr><td>" * 300 + f"<p>{SENTENCE}</p>" * 5_000,
        f'<div class="{"aA-" * 10_000}">' * 500,
        "<h1>a</h1>" * 20_000,
        f'<section id="{"ad-" * 30}x">{"ad " * 30}</section>' * 5_000,
    ],
)
def test_hostile_pages_take_time_by_their_length(markup: str) -> None:
    document = Document(f"<body>{markup}", "https://www.example.com/")
    start = time.process_time()
    main_content(document)

    assert time.process_time() - start < 2
