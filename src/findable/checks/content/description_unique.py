"""Other pages of the site have the same meta description.

In plain words: In Google, several of your pages may have the same short text under their title, so people cannot tell them apart.

Why it matters: A description that fits every page describes none; search engines then take a piece of the text instead.

How to fix: Vary it, or omit it if there is nothing specific to say.

    <meta name="description" content="Blue widgets of 12 mm, made to measure and delivered in three days.">

Sources: [Google: meta descriptions](https://developers.google.com/search/docs/appearance/snippet) (2025): create unique descriptions for
each page.

Not judged: without a crawl; pages that are not indexable, have another canonical page or another language.
"""

from findable.capture.crawl import PageInCrawl
from findable.checks.engine import Finding, check, inapplicable, passed, url_evidence, warned
from findable.vocabulary import EditPlace, Effort, Importance


@check(
    "Is the description used once on the site?",
    Importance.LOW,
    Effort.CONTENT,
    place=EditPlace.DESCRIPTION,
    warned=30,
    depends_on=("meta-description",),
    site_twins=("site-description-duplicate",),
)
def description_unique(crawl: PageInCrawl) -> Finding:
    if not crawl.description:
        return inapplicable("The page has no meta description")
    if not crawl.same_description:
        return passed("No other of {count|page|pages} has this description", count=crawl.pages_count)
    return warned(
        "{count|page|pages} share this description",
        count=max(len(crawl.same_description), crawl.same_description_count) + 1,
        evidence=[url_evidence(url) for url in crawl.same_description],
    )
