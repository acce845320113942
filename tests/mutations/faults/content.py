"""Faults of title, description, headings and text."""

from tests.mutations.draft import HEADING, TITLE, Draft, meta
from tests.mutations.fault import but, fault

CJK = but("tea")
WITHOUT_TEXT = (
    *("keyword-overlap", "language-match", "content-keywords", "link-text", "links-external-broken", "unsafe-cross-origin-links"),
    *("duplicate-id", "insecure-form", "links-fragment", "iframe-title"),
)
"""Checks of what stood in the text."""
ARTICLES = ("article", "docs", "news", "tea")
"""Pages that say when they were published."""


@fault({"title-present": "failed"})
def the_title_removed(draft: Draft) -> None:
    draft.replace(TITLE, "")


@fault({"title-present": "failed"})
def an_empty_title(draft: Draft) -> None:
    draft.replace(TITLE, "<title>  </title>")


@fault({"title-present": "warned"})
def a_second_title(draft: Draft) -> None:
    draft.in_head("<title>Another title that some plugin adds</title>")


@fault({"title-length": "warned"})
def a_title_far_too_long(draft: Draft) -> None:
    draft.edit(
        TITLE, "</title>", " – with everything that anybody could ever want to know about this matter, told once more at length</title>"
    )


@fault({"title-quality": "failed", "title-length": "warned", "keyword-overlap": "warned"}, pages=CJK)
def the_title_of_a_template(draft: Draft) -> None:
    draft.replace(TITLE, "<title>Document</title>")


@fault({"title-quality": "failed"}, pages=but("article", "docs"))
def a_title_with_a_placeholder(draft: Draft) -> None:
    draft.edit(TITLE, "</title>", " {{s}}</title>")


@fault({"meta-description": "warned"})
def no_description(draft: Draft) -> None:
    draft.drop(meta("description"))


@fault({"meta-description": "warned"})
def a_second_description(draft: Draft) -> None:
    draft.in_head(
        '<meta name="description" content="Another description, which a plugin adds to every page of the site, whatever stands on it.">'
    )


@fault({"meta-description-length": "warned"})
def a_short_description(draft: Draft) -> None:
    draft.edit(meta("description"), r'content="[^"]*"', f'content="{draft.value("description")[:20]}"')


@fault({"h1-present": "warned"}, closes=["h1-multiple"])
def no_main_heading(draft: Draft) -> None:
    draft.demote_heading()


@fault(notes=("h1-multiple",))
def a_second_main_heading(draft: Draft) -> None:
    draft.in_main("<h1>Another heading</h1>")


@fault({"heading-order": "warned"})
def an_empty_heading(draft: Draft) -> None:
    draft.in_main("<h2></h2>")


@fault({"heading-order": "warned"})
def a_skipped_heading_level(draft: Draft) -> None:
    draft.edit(HEADING, r"\Z", "\n<h4>1961 – 2026</h4>")


@fault({"placeholder-text": "warned"})
def lorem_ipsum(draft: Draft) -> None:
    draft.in_content("<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit.</p>")


@fault({"placeholder-text": "failed"})
def a_garbled_heading(draft: Draft) -> None:
    draft.edit(HEADING, r"</h1>", " – StraÃŸe und CafÃ©</h1>")


@fault({"content-keywords": "warned"}, pages=CJK, closes=["language-match"])
def one_word_over_and_over(draft: Draft) -> None:
    draft.in_content("<p>" + "Rhubarb, and again rhubarb, cheap rhubarb, best rhubarb. " * 25 + "</p>")


@fault({"dates-consistent": "failed"}, pages=ARTICLES)
def an_article_from_the_future(draft: Draft) -> None:
    draft.redate("2027-05-05")


@fault({"dates-consistent": "warned"}, pages=("news", "tea"))
def an_article_with_two_dates(draft: Draft) -> None:
    draft.redate("2019-02-02", visible=False)


@fault({"soft-404": "warned"})
def a_heading_that_says_not_found(draft: Draft) -> None:
    draft.edit(HEADING, "</h1>", f" – {draft.not_found}</h1>")


@fault({"data-nosnippet": "warned"})
def data_nosnippet_where_it_does_nothing(draft: Draft) -> None:
    draft.in_main("<p data-nosnippet>2026</p>")


@fault({"max-image-preview": "warned"}, pages=("docs", "tea"), closes=["robots-meta-valid"])
def an_article_with_small_previews(draft: Draft) -> None:
    draft.drop(meta("robots"))


@fault({"title-quality": "warned", "title-length": "warned", "keyword-overlap": "warned"}, pages=but("home", "tea"))
def a_title_that_says_home(draft: Draft) -> None:
    draft.replace(TITLE, "<title>Home</title>")


@fault({"content-length": "warned"}, pages=but("product", "recipe"), closes=WITHOUT_TEXT)
def hardly_any_text(draft: Draft) -> None:
    draft.only_main(f"<h1>{draft.words}</h1>\n{draft.hero}")


@fault({"soft-404": "failed", "content-length": "warned"}, pages=but("product", "recipe"), closes=WITHOUT_TEXT)
def an_error_page_that_answers_200(draft: Draft) -> None:
    draft.only_main(f"<h1>{draft.words} – {draft.not_found}</h1>\n{draft.hero}")
