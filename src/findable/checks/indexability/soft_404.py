"""The page looks like an error page, yet returns 200.

In plain words: Google takes this page for an error message and leaves it out of its results.

Why it matters: Search engines treat such a page as missing (a soft 404) and drop it, or waste visits on it. Visitors do not learn that the
content was removed.

How to fix: Return 404 or 410 for missing pages; give real pages a unique title and content.

    error_page 404 /404.html;   # and no rule that sends unknown URLs to index.html

Sources: [Google: HTTP status codes: soft 404
errors](https://developers.google.com/search/docs/crawling-indexing/http-network-errors#soft-404-errors) (2025: a page that says that there
is none, "a page with no main content or empty page").

Not judged: wording in languages whose phrases are not known here; a page that scripts build.
"""

from findable.artifacts.html.client_side_rendering import is_blank
from findable.artifacts.html.document import Document
from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.language import Language
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.page.refresh import Refreshes
from findable.artifacts.page.text import Text
from findable.artifacts.page.word_count import count_words
from findable.artifacts.responses.not_found_probe import NotFoundProbe
from findable.artifacts.responses.page_similarity import similarity_of_texts
from findable.artifacts.tables.wordings import fold, not_found_wording
from findable.checks.engine import Evidence, Finding, check, element, failed, passed, quoted, url_evidence, warned
from findable.formats.server_errors import is_error_message
from findable.formats.title_parts import split_title
from findable.vocabulary import Effort, Importance, Verdict

FEW_WORDS = 50
"""Number of words below which a page may be an error page (set by Findable)."""
SIMILAR_SHARE = 0.9
"""Share of common words with the response of a non-existent URL (set by Findable)."""
ENOUGH_CHARS = 3000
"""Number of characters that contain more than FEW_WORDS in any language."""
LONG_WORDS = 150
"""Number of words that articles reach and error pages do not (set by Findable)."""
MAX_HEADINGS = 3


@check(
    "Is this a real page, not an error served as 200?",
    Importance.HIGH,
    Effort.SERVER,
    failed=850,
    limits={Verdict.FAILED: 15},
    accepts_partial_input=True,
    warned_summary="The page may be an error page that returns 200.",
    site_twins=("site-soft-404",),
)
def soft_404(
    page_url: PageUrl,
    document: Document,
    head: Head,
    headings: Headings,
    refreshes: Refreshes,
    text: Text,
    language: Language,
    probe: NotFoundProbe | None,
) -> Finding:
    """Checks for error wording, few words, and similarity to the response of a non-existent URL.

    Error wording together with a second sign fails; a single sign only warns.
    """
    if is_blank(document) and not refreshes.all:
        return failed("The page is empty but returns 200", evidence=url_evidence(page_url.url.href, None, "no word, no image, no script"))
    if is_error_message(text.visible):
        return failed(
            "The page shows only an error message of the server, but returns 200",
            evidence=quoted(text.visible[:200], "the text of the page"),
        )
    count = count_words(text.visible[:ENOUGH_CHARS])
    few = [quoted(text.visible[:200], "the page has {count|word|words}", count=count)] if count <= FEW_WORDS else []
    wording = _wording(head, headings, language, long=count >= LONG_WORDS)
    # A page with few words that scripts build resembles every other page of its site, so similarity proves nothing.
    similar = [] if few else _similarity_evidence(page_url, text, probe)
    if wording and (few or similar):
        return failed("The page looks like an error page, but returns 200", evidence=[*wording, *few, *similar])
    if wording or similar:
        return warned("The page may be an error page that returns 200", evidence=[*wording, *similar])
    return passed("No sign of an error page")


def _wording(head: Head, headings: Headings, language: Language, *, long: bool) -> list[Evidence]:
    """Return the first title or heading with error wording.

    Title and main heading are one signal, because a template fills both.
    """
    places = [(title.text, title.element) for title in head.titles[:1]]
    places += [(heading.name, heading.element) for heading in headings.main[:MAX_HEADINGS]]
    for words, node in places:
        wording = not_found_wording(words, language.used)
        if wording and not (long and _is_about(words, wording)):
            return [element(node, "contains “{wording}”", wording=wording)]
    return []


def _is_about(words: str, wording: str) -> bool:
    """Return whether the title is about such errors ("How to fix “page not found”"), because the wording is its smaller part."""
    part = next((part for part in split_title(fold(words)) if wording in part), fold(words))
    return len(wording) < len(part) / 2


def _similarity_evidence(page_url: PageUrl, text: Text, probe: NotFoundProbe | None) -> list[Evidence]:
    """Return evidence if the page is similar to the response of a non-existent URL.

    The home page is exempt: on sites that return it for every URL, it is similar by design.
    """
    if probe is None or not probe.response.ok or probe.is_redirect or page_url.is_home:
        return []
    other = probe.page.document
    share = similarity_of_texts(text.visible, other.text) if other else None
    if share is None or share < SIMILAR_SHARE:
        return []
    note = "a non-existent URL responds with {share_percent} of the same words"
    return [url_evidence(probe.response.url, probe.response.status, note, share_percent=round(100 * share))]
