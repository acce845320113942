"""The content is not in the HTML; scripts put it there.

Why it matters: Google renders pages, later and not always; most crawlers of assistants and link previews do not run scripts at all.
What is not in the HTML does not exist for them.

How to fix: Render on the server or ahead of time, and let scripts add to what is there.

    <main><h1>Blue widgets</h1><p>Made to measure, from 5 mm.</p></main>

Sources: [Google: Understand JavaScript SEO
basics](https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics) (2025): not all bots can run
JavaScript.

Not judged: anything without a browser.
"""

from findable.artifacts.browser.rendered_page import RenderedPage
from findable.artifacts.html.client_side_rendering import is_script_shell
from findable.artifacts.html.document import Document
from findable.artifacts.page.canonical import Canonical, comparable
from findable.artifacts.page.head import Head
from findable.artifacts.page.robots_directives import GOOGLE, RobotsDirectives
from findable.artifacts.page.text import Text, count_words, words
from findable.checks.engine import Evidence, Finding, check, element, failed, inapplicable, passed, quoted, unknown, warned
from findable.vocabulary import Effort, Importance

MOST = 0.8
LITTLE = 0.3
"""Shares of the rendered words that are in the raw HTML (set by Findable)."""
MIN_WORDS = 20


@check(question="Is the content there without JavaScript?", importance=Importance.HIGH, effort=Effort.CONTENT)
def raw_vs_rendered(
    document: Document, head: Head, canonical: Canonical, directives: RobotsDirectives, text: Text | None, rendered: RenderedPage | None
) -> Finding:
    """Compares the page before and after its scripts ran; without a browser, looks for an empty shell."""
    if rendered is None:
        return _without_browser(document, text)
    after = rendered.document
    changed = _changed_head(head, canonical, directives, rendered)
    share = _share(document.text, after.text)
    if changed:
        return failed("Scripts change what the page says of itself", evidence=changed)
    if share is None:
        return inapplicable("The page has too few words to compare")
    shown = quoted(after.text[:200], "the beginning of the rendered text")
    percent = round(100 * share)
    if share < LITTLE:
        return failed(
            "{share_percent} of the rendered words stand in the HTML, less than {limit_percent}",
            share_percent=percent,
            limit_percent=round(100 * LITTLE),
            evidence=shown,
        )
    if share < MOST:
        return warned(
            "{share_percent} of the rendered words stand in the HTML, less than {limit_percent}",
            share_percent=percent,
            limit_percent=round(100 * MOST),
            evidence=shown,
        )
    return passed("{share_percent} of the rendered words stand in the HTML", share_percent=percent, evidence=shown)


def _without_browser(document: Document, text: Text | None) -> Finding:
    count = text.visible_count if text else count_words(document.text)
    if is_script_shell(document):
        shown = element(document.body or document.html, "{count|word|words}, and an empty element that scripts fill", count=count)
        return unknown("Scripts build this page; the HTML holds {count|word|words}", count=count, evidence=shown)
    return unknown("{count|word|words} in the HTML; scripts were not run", count=count)


def _share(before: str, after: str) -> float | None:
    wanted = [word.casefold() for word in words(after)]
    if len(wanted) < MIN_WORDS:
        return None
    there = {word.casefold() for word in words(before)}
    return sum(1 for word in wanted if word in there) / len(wanted)


def _changed_head(head: Head, canonical: Canonical, directives: RobotsDirectives, rendered: RenderedPage) -> list[Evidence]:
    after = rendered.head
    found = []
    if head.title != after.title:
        found.append(quoted(after.title, "the title after scripts, “{title}” before", title=head.title))
    if bool(directives.noindex(*GOOGLE)) != bool(rendered.directives.noindex(*GOOGLE)) and _meta_only(directives):
        found.append(quoted("noindex", "differs before and after scripts"))
    target = rendered.canonical.target
    if canonical.target and target and comparable(target) != comparable(canonical.target):
        found.append(quoted(target, "the canonical URL after scripts, {url} before", url=canonical.target))
    return found


def _meta_only(directives: RobotsDirectives) -> bool:
    """Return whether all rules are in meta elements, since scripts cannot change headers."""
    return not any(item.header_value for item in directives.all)
