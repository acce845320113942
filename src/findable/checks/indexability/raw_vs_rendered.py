"""The content is not in the HTML; scripts add it.

In plain words: Many programs that read your site, among them AI assistants, see this page without its text.

Why it matters: Google renders pages, later and not always; most crawlers of assistants and link previews do not run scripts at all. Content
that is not in the HTML does not exist for them.

How to fix: Render on the server or ahead of time, and let scripts enhance the content.

    <main><h1>Blue widgets</h1><p>Made to measure, from 5 mm.</p></main>

Sources: [Google: Understand JavaScript SEO
basics](https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics) (2025): not all bots can run
JavaScript.

Not judged: anything without a browser; a page that did not load in time; a page whose server redirects browsers elsewhere. Content that
appears only after a click or while scrolling is ignored. The browser visits as a phone: where the page was also requested as one, that
response is compared. In a crawl, a page whose Vary header says that its HTML depends on the device is not judged if the two differ.
"""

from collections.abc import Iterator

from findable.artifacts.browser.rendered_page import RenderedPage
from findable.artifacts.html.client_side_rendering import is_script_shell
from findable.artifacts.html.document import Document
from findable.artifacts.html.rendered_document import BrowserDestination
from findable.artifacts.page.canonical import comparable
from findable.artifacts.page.robots_directives import GOOGLE, RobotsDirectives
from findable.artifacts.page.sent_page import SentPage
from findable.artifacts.page.text import Text
from findable.artifacts.page.word_count import count_words, words
from findable.artifacts.responses.phone import Phone
from findable.capture.response import Response
from findable.checks.engine import Evidence, Finding, check, element, failed, inapplicable, passed, quoted, unknown, warned
from findable.urls import same_host, without_fragment
from findable.vocabulary import EVIDENCE_TEXT, Code, Effort, Importance, Verdict

MOST = 0.8
LITTLE = 0.3
"""Shares of the rendered words in the raw HTML at which the check passes and fails (set by Findable)."""
MIN_WORDS = 20
LINKS_SHARE = 0.3
"""Share of internal links added by scripts from which the check warns (set by Findable)."""
MIN_LINKS = 5
MAX_LINKS = 5000
DEVICE_HEADERS = frozenset({"user-agent", "sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform"})
"""Request headers by which servers distinguish phones from other devices."""
TEXT_CHARS = 300


class Unquotable(Code, params=(EVIDENCE_TEXT,)):
    """Placeholder evidence for a missing text."""

    NOTHING = "nothing"


@check("Is the content there without JavaScript?", Importance.HIGH, Effort.CONTENT, failed=450, warned=60)
def raw_vs_rendered(
    sent_page: SentPage,
    response: Response,
    phone: Phone | None,
    text: Text | None,
    rendered_page: RenderedPage | None,
    destination: BrowserDestination | None,
) -> Finding:
    """Compares the page before and after its scripts ran; without a browser, looks for an empty shell."""
    if destination is not None:
        if destination.is_redirect:
            return inapplicable("The server sends browsers to another page: {url}", url=destination.url)
        return failed(
            "A script leads to another page: {url}", url=destination.url, evidence=quoted(destination.url, "the page in a browser")
        )
    if rendered_page is None:
        return _shell_finding(sent_page.document, text)
    finding = _difference(_as_sent_to_phones(sent_page, phone), rendered_page)
    if phone is None and finding.verdict in (Verdict.WARNED, Verdict.FAILED) and _depends_on_device(response):
        return unknown("The Vary header says that phones get different HTML; what scripts change in it is not known")
    return finding


def _as_sent_to_phones(sent_page: SentPage, phone: Phone | None) -> SentPage:
    """Return the page as sent to phones; without such a response, the page itself."""
    if phone is None or phone.page.head is None or phone.page.canonical is None:
        return sent_page
    directives = phone.page.artifacts.get_or_none(RobotsDirectives)
    return SentPage(phone.document, phone.page.head, phone.page.canonical, directives or sent_page.directives)


def _depends_on_device(response: Response) -> bool:
    names = {name.strip().lower() for line in response.headers.all("vary") for name in line.split(",")}
    return bool(names & DEVICE_HEADERS)


def _difference(sent_page: SentPage, rendered_page: RenderedPage) -> Finding:
    if contradicted := list(_changed_rules(sent_page, rendered_page)):
        return failed("Scripts change the page's metadata", evidence=contradicted)
    share = _share(sent_page.document.text, rendered_page.document.text)
    changed = [*_changed_texts(sent_page, rendered_page), *_added_links(sent_page.document, rendered_page.document)]
    shown = quoted(rendered_page.document.text[:200], "the beginning of the rendered text")
    percent = round(100 * share) if share is not None else 0
    if share is not None and share < MOST:
        return (failed if share < LITTLE else warned)(
            "{share_percent} of the rendered words are in the HTML, less than {limit_percent}",
            share_percent=percent,
            limit_percent=round(100 * (LITTLE if share < LITTLE else MOST)),
            evidence=[shown, *changed],
        )
    if changed:
        return warned("Scripts change titles, descriptions, headings or links", evidence=changed)
    if share is None:
        return inapplicable("The page has too few words to compare")
    return passed("{share_percent} of the rendered words are in the HTML", share_percent=percent, evidence=shown)


def _shell_finding(document: Document, text: Text | None) -> Finding:
    count = text.visible_count if text else count_words(document.text)
    if is_script_shell(document):
        shown = element(document.body or document.html, "{count|word|words}, and an empty element that scripts fill", count=count)
        return unknown("Scripts build this page; the HTML contains {count|word|words}", count=count, evidence=shown)
    return unknown("{count|word|words} in the HTML; scripts were not run", count=count)


def _share(before: str, after: str) -> float | None:
    wanted = [word.casefold() for word in words(after)]
    if len(wanted) < MIN_WORDS:
        return None
    there = {word.casefold() for word in words(before)}
    return sum(1 for word in wanted if word in there) / len(wanted)


def _changed_rules(sent_page: SentPage, rendered_page: RenderedPage) -> Iterator[Evidence]:
    """Yield robots rules that scripts change: search engines may follow either version."""
    before = sent_page.directives
    if bool(before.noindex(*GOOGLE)) != bool(rendered_page.directives.noindex(*GOOGLE)) and not any(
        item.header_value for item in before.all
    ):
        yield quoted("noindex", "differs before and after scripts")
    target, other = rendered_page.canonical.target, sent_page.canonical.target
    if other and target and comparable(target) != comparable(other):
        yield quoted(target, "the canonical URL after scripts, {url} before", url=other)


def _changed_texts(sent_page: SentPage, rendered_page: RenderedPage) -> Iterator[Evidence]:
    """Yield texts shown in search results that scripts change."""
    heading = _main_heading(sent_page.document), _main_heading(rendered_page.document)
    if sent_page.head.title != rendered_page.head.title:
        yield quoted(
            rendered_page.head.title or Unquotable.NOTHING, "the title after scripts, “{title}” before", title=sent_page.head.title
        )
    if sent_page.head.description != rendered_page.head.description:
        before = sent_page.head.description[:TEXT_CHARS]
        yield quoted(
            rendered_page.head.description or Unquotable.NOTHING,
            "the description after scripts, “{description}” before",
            description=before,
        )
    if heading[0] != heading[1]:
        yield quoted(heading[1] or Unquotable.NOTHING, "the main heading after scripts, “{heading}” before", heading=heading[0])


def _main_heading(document: Document) -> str:
    return next((text for node in document.all("h1", limit=10) if (text := node.text_up_to(TEXT_CHARS))), "")


def _added_links(sent_page: Document, rendered_page: Document) -> Iterator[Evidence]:
    """Yield one piece of evidence if scripts add many of the internal links, which most crawlers do not find."""
    before, after = _internal_urls(sent_page), _internal_urls(rendered_page)
    added = [url for url in after if url not in before]
    if len(after) >= MIN_LINKS and len(added) >= LINKS_SHARE * len(after):
        yield quoted(
            added[0],
            "one of {count} internal links that only scripts add, of {all_count}; {limit_percent} or more warn",
            count=len(added),
            all_count=len(after),
            limit_percent=round(100 * LINKS_SHARE),
        )


def _internal_urls(document: Document) -> dict[str, None]:
    written = (value for _, value in document.values("a", "href", MAX_LINKS) if value)
    urls = (document.resolve(value) for value in written)
    return {without_fragment(url): None for url in urls if url and url.startswith("http") and same_host(url, document.url)}
