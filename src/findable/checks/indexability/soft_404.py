"""The page looks like an error page, yet answers 200.

Why it matters: search engines take such a page for a missing one (a soft 404) and drop it, or waste visits on it. Visitors who come for
something that is gone are not told so.

How to fix: answer 404 or 410 for what is not there; where the page is real, give it a title and content of its own.

    error_page 404 /404.html;   # and no rule that sends unknown addresses to index.html

Sources: Google, "HTTP status codes: soft 404 errors" (2025).

Not judged: wording in languages whose phrases are not known here; a page that scripts build.
"""

from findable.artifacts.address import Address
from findable.artifacts.head import Head
from findable.artifacts.headings import Headings
from findable.artifacts.languages import not_found_wording
from findable.artifacts.text import Language, Text, count_words
from findable.artifacts.variants import MadeUp, likeness_of_texts
from findable.checks.engine import Evidence, Finding, address, check, element, failed, passed, quoted, warned
from findable.vocabulary import Effort, Importance

FEW_WORDS = 50
"""Error pages say little; ours."""
ALIKE = 0.9
"""Share of common words with the answer of a made-up address; ours."""
ENOUGH_CHARS = 3000
"""No language has so long words that this holds FEW_WORDS only."""
MAX_HEADINGS = 3


@check(question="Is this a real page, not an error served as 200?", importance=Importance.HIGH, effort=Effort.SERVER)
def soft_404(page_address: Address, head: Head, headings: Headings, text: Text, language: Language, made_up: MadeUp | None) -> Finding:
    """Two independent signals, one of them strong, are an error page; one strong signal is a doubt."""
    strong = [*_wording(head, headings, language), *_like_made_up(page_address, text, made_up)]
    count = count_words(text.visible[:ENOUGH_CHARS])
    weak = [quoted(text.visible[:200], "the page has {count} words", count=count)] if count <= FEW_WORDS else []
    if strong and len(strong) + len(weak) > 1:
        return failed("the page looks like an error page, but answers 200", evidence=[*strong, *weak])
    if strong:
        return warned("the page may be an error page that answers 200", evidence=strong)
    return passed("nothing says that this is an error page")


def _wording(head: Head, headings: Headings, language: Language) -> list[Evidence]:
    """Title and main heading are one signal: a template fills both."""
    for title in head.titles[:1]:
        if wording := not_found_wording(title.text, language.used):
            return [element(title.element, "says “{wording}”", wording=wording)]
    for heading in headings.main[:MAX_HEADINGS]:
        if wording := not_found_wording(heading.name, language.used):
            return [element(heading.element, "says “{wording}”", wording=wording)]
    return []


def _like_made_up(page_address: Address, text: Text, made_up: MadeUp | None) -> list[Evidence]:
    """A site that answers everything with its home page makes every page like the made-up one only where that is the page."""
    if made_up is None or not made_up.answer.ok or made_up.redirected or page_address.is_home:
        return []
    other = made_up.page.document
    share = likeness_of_texts(text.visible, other.text) if other else None
    if share is None or share < ALIKE:
        return []
    note = "a made-up address answers with {share_percent} of the same words"
    return [address(made_up.answer.url, made_up.answer.status, note, share_percent=round(100 * share))]
