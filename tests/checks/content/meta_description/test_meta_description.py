"""Outcomes of meta-description: first what must not be flagged, then what must."""

import pytest

from findable.checks.page_fix import Fix
from tests.checks.harness import finding, page, verdict

ROSES = f"<main><h1>Roses</h1><p>{'A text about roses and what they need. ' * 12}</p></main>"


def of(title: str, description: str) -> str:
    return page(ROSES, head=f'<title>{title}</title><meta name="description" content="{description}">')


OUTCOMES = [
    ("a script writes it", page("<script>document.write('<meta name=description content=Tea>')</script>", head=""), "unknown"),
    (
        "behind an early end of the head",
        '<!doctype html><html lang="en"><head><p>Tea</p><title>x</title><meta name="description" content="Tea"></head><h1>Tea</h1>',
        "inapplicable",
    ),
    ("one", page(head='<meta name="description" content="Blue widgets.">'), "passed"),
    ("upper case", page(head='<META NAME="Description" CONTENT="Blue widgets.">'), "passed"),
    ("twice the same", page(head='<meta name="description" content="Blue"><meta name="description" content=" Blue ">'), "passed"),
    ("one beside an empty one", page(head='<meta name="description"><meta name="description" content="Blue">'), "passed"),
    ("escaped quotation marks", page(head='<meta name="description" content="The &quot;blue&quot; widget, in twelve sizes.">'), "passed"),
    ("the other quotation marks", page(head="<meta name='description' content='The \"blue\" widget, in twelve sizes.'>"), "passed"),
    ("one quotation mark too many", page(head='<meta name="description" content="Blue widgets in twelve sizes." ">'), "passed"),
    (
        "attributes of frameworks",
        page(head='<meta name="description" content="Blue" data-rh="true" vmid="d" hid="d" itemprop="x">'),
        "passed",
    ),
    (
        "a paraphrase of the title",
        of("Grow roses", "How to grow roses: when to plant, cut and water them, and what to do about lice."),
        "passed",
    ),
    ("a short sentence", of("Roses in May | Gardens", "When to cut them, and how far."), "passed"),
    ("a synonym of the title, a word of the text", of("Blossoms", "Everything about roses and their thorns."), "passed"),
    ("about home pages", of("A new home page for us", "Our home page is new: what changed for readers."), "passed"),
    ("a question of the title, and an offer", of("GPS watches | Fleet", "How far did you run? Get a GPS watch."), "passed"),
    ("Japanese", of("バラの育て方", "公園は3月9日、Wi-Fi利用時の通信を暗号化し保護するアプリを発表した。"), "passed"),
    ("the title once more", of("Roses in May | Gardens", "Roses in May"), "warned"),
    ("the name of the site at the end of the title", of("Roses in May | Gardens and parks", "Gardens and parks"), "warned"),
    ("the title with a date", of("Roses in May: how to cut them | Gardens", "Roses in May: how to cut them (14 May 2026)"), "warned"),
    ("of the start page", of("Roses in May", "The official site of the society. Text and news."), "warned"),
    ("of the whole site, no word of the page", of("Roses in May", "Garden society of Bedford."), "warned"),
    ("cut at a quotation mark", page(head='<meta name="description" content="The "blue" widget, in twelve sizes.">'), "warned"),
    ("cut at an apostrophe", page(head="<meta name='description' content='Example's widgets, in twelve sizes.'>"), "warned"),
    ("none", page(), "warned"),
    ("only og:description", page(head='<meta property="og:description" content="Blue widgets.">'), "warned"),
    ("blank", page(head='<meta name="description" content=" ">'), "warned"),
    ("two that differ", page(head='<meta name="description" content="Blue"><meta name="description" content="Red">'), "warned"),
    ("in a template", page("<template><meta name=description content=x></template>"), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("meta-description", html) == expected, case


def test_the_description_of_a_home_page_may_be_that_of_the_site() -> None:
    assert verdict("meta-description", of("Gardens", "Gardens"), url="https://www.example.com/") == "passed"


def test_drafts_are_whole_sentences_of_a_paragraph_of_the_content() -> None:
    sentence = "The bakery at the old market bakes rye bread, rolls and cakes every morning from five o’clock."
    head = "<h1>History of the bakery at the market¶</h1><h2>Contents</h2>"

    def drafts(body: str) -> list[str]:
        return [fix.code for fix in finding("meta-description", page(f"<main>{head}{body}</main>")).fixes]

    assert drafts(f"<p>{sentence} On Sundays there are croissants and much more that people from the whole valley come for.</p>") == [
        f'<meta name="description" content="{sentence}">'
    ]
    assert drafts("<p>Lorem ipsum dolor sit amet, consectetur adipisici elit, sed eiusmod tempor incidunt ut labore et dolore.</p>") == []
    assert drafts(f"<p>{'many words without an end ' * 20}</p>") == []
    assert drafts(f"<table><tr><td><p>{sentence}</p></td></tr></table>") == []
    assert drafts(f"<p>Finally, {sentence}</p><p>{sentence}</p>") == []  # the middle of a text
    assert drafts(f"<p>Außerdem: {sentence}</p>") == []


def test_a_draft_shares_a_word_with_title_or_main_heading() -> None:
    author = "I joined Example not long after graduating, and have worked there on many things ever since."
    sentence = "The asynchronous task framework schedules callbacks for every team and runs them at a given time."

    def drafts(title: str, heading: str, first: str = sentence) -> list[str]:
        html = page(f"<main><h1>{heading}</h1><p>{first}</p><p>{sentence}</p></main>", head=f"<title>{title}</title>")
        return [fix.code for fix in finding("meta-description", html).fixes]

    draft = f'<meta name="description" content="{sentence}">'
    assert drafts("How we built the task frameworks", "How we did it") == [draft]
    assert drafts("Example", "Asynchronous tasks") == [draft]
    assert drafts("How we built the task frameworks", "How we did it", author) == []  # the second paragraph tells of a part
    assert drafts("How we built the task frameworks", "How we did it", f"{sentence} &amp;#x1F62D;") == []
    assert drafts("Example", "Photographs of wolves") == []
    note = "Choosing to take part in a study is an important personal decision. Talk with your doctor and your family about it."
    assert drafts("Vitamin study in older adults | Example", "Vitamin study in older adults", note) == []  # a note on every page
    assert drafts("Photographs of wolves | Example", "Wolves in Example") == []
    disclaimer = "Disclaimer: descriptions of task frameworks on this page were written for the convenience of the public."
    assert drafts("How we built the task frameworks", "How we did it", disclaimer) == [draft]


def test_cut_and_long_texts_for_previews_are_no_drafts() -> None:
    def drafts(text: str) -> tuple[Fix, ...]:
        return finding("meta-description", page("<p>Short.</p>", head=f'<meta property="og:description" content="{text}">')).fixes

    assert drafts("Blue widgets in twelve sizes, made to measure in a week.")
    assert drafts("Blue widgets in twelve sizes.") == ()  # too short for a description
    assert drafts("Blue widgets in twelve sizes, with Google Pla...") == ()
    assert drafts("Blue widgets in twelve sizes … Continued") == ()
    assert drafts("Blue widgets. " * 20) == ()
    assert drafts("WIDE WIDGETS, WOMEN'S WEAR AND MUCH MORE, " * 3 + "AS WIDE AS THEY GO") == ()  # more pixels than are shown
    assert drafts("Blue widgets") == ()


def test_a_description_that_ends_at_a_quotation_mark_is_one_fault() -> None:
    html = page(head='<meta name="description" content="The "blue" widget, in twelve sizes.">')

    assert finding("meta-description", html).params["text"] == "The"
    assert verdict("meta-description-length", html) == "inapplicable"
