"""Other pages of the site have the same title.

In plain words: In Google, several of your pages have the same title, so people cannot tell which one they need.

Why it matters: People who see several results of one site cannot tell them apart, and search engines replace titles that repeat.

How to fix: Include in each title what is unique to the page.

    <title>Blue widgets, 12 mm – Example Ltd</title>

Sources: [Google: title links](https://developers.google.com/search/docs/appearance/title-link) (2025): avoid repeated or boilerplate text
in title elements.

Not judged: without a crawl; pages that are not indexable, have another canonical page or another language.
"""

from findable.capture.crawl import PageInCrawl
from findable.checks.engine import Finding, check, failed, passed, url_evidence, warned
from findable.vocabulary import EditPlace, Effort, Importance

MANY_PAGES = 5
"""Number of pages with the title, including this one, from which a template without a variable is likely."""


@check(
    "Is the title used once on the site?",
    Importance.MEDIUM,
    Effort.CONTENT,
    place=EditPlace.TITLE,
    failed=80,
    warned=80,
    depends_on=("title-present",),
    site_twins=("site-title-duplicate",),
)
def title_unique(crawl: PageInCrawl) -> Finding:
    others = crawl.same_title
    if not others:
        return passed("No other of {count|page|pages} has this title", count=crawl.pages_count)
    count = max(len(others), crawl.same_title_count) + 1
    return (failed if count >= MANY_PAGES else warned)(
        "{count|page|pages} share the title “{title}”", count=count, title=crawl.title, evidence=[url_evidence(url) for url in others]
    )
