"""All links to a page are called "here" or "read more".

In plain words: Visitors and Google do not learn what a page is about from its links, which only say “here” or “read more”.

Why it matters: Google uses link texts to understand the linked page. If all of them are generic, they say nothing about the page.

How to fix: Describe the page in the link text, like its heading.

    <a href="/shop/blue-widgets">Prices of blue widgets</a>

Sources: [Google: make links crawlable](https://developers.google.com/search/docs/crawling-indexing/links-crawlable) (2025): "click here"
and "read more" are too generic.

Not judged: Pages with at least one descriptive link; images with an alt text, which is their link text; languages without a list of such
texts; nofollow links; the start page.
"""

from typing import Any

from findable.capture.site_reach import CrawledReach, GenericLinks
from findable.checks.causes import CausedFinding
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, inapplicable, url_evidence
from findable.checks.site_causes import page_cause
from findable.vocabulary import EditPlace, Effort, Fixer, Importance, Verdict

TEXTS_SHOWN = 3


@check(
    "Does each page have a descriptive link text?",
    Importance.LOW,
    Effort.CONTENT,
    place=EditPlace.LINKS,
    failed=20,
    warned=10,
    fixer=Fixer.EDITOR,
)
def site_anchor_text(reach: CrawledReach) -> Finding:
    """Warns about indexable pages whose followed links all have generic texts."""
    if not reach.judged_links_count:
        return inapplicable("The site has no internal links with a text")
    numbers: dict[str, Any] = {"found_count": reach.generic_links_count, "pages_count": reach.judged_links_count}
    return by_cause(
        "{found_count} of {pages_count|linked page has|linked pages have} only generic link texts",
        [_cause(item) for item in reach.generic_links],
        **numbers,
    )


def _cause(item: GenericLinks) -> CausedFinding:
    texts = [f"“{text}”" for text in item.anchor_texts[:TEXTS_SHOWN]]
    evidence = [
        url_evidence(
            source.pages[0] if source.pages else item.url,
            None,
            "linked as “{anchor_text}” in {selector}",
            anchor_text=source.anchor_text,
            selector=source.selector,
        )
        for source in item.sources[:EVIDENCE_SHOWN]
    ]
    return page_cause(item.url, verdict=Verdict.WARNED, message="All links to it are called {texts}", evidence=evidence, texts=texts)
