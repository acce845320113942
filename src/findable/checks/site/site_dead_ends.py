"""Pages have no link to another page of the site.

In plain words: Visitors who arrive on some pages find no link to go on.

Why it matters: Readers who come from a search find no way on, and the page passes no link score to the rest of the site.

How to fix: Give the page the menu or the footer of the site, or a link to the page above it.

    <a href="/">Home</a>

Sources: [Google: make links crawlable](https://developers.google.com/search/docs/crawling-indexing/links-crawlable) (2025): Google follows
links to find pages; the requirement of links to other pages is set by this report.

Not judged: Files that are not HTML pages; legal notices; pages that scripts build or that are too large to be read, whose links are not
known; a site of one page; a list of URLs or a part of a site, whose other pages are not known.
"""

from findable.capture.crawl import CrawlSummary
from findable.capture.site_reach import CrawledReach
from findable.checks.engine import Finding, by_cause, check, inapplicable, unknown
from findable.checks.site_causes import template_cause
from findable.vocabulary import Effort, Fixer, Importance, Stage, Verdict


@check(
    question="Do pages link to the rest of the site?",
    importance=Importance.LOW,
    effort=Effort.CONTENT,
    costs={Verdict.FAILED: 40, Verdict.WARNED: 20},
    fixer=Fixer.EDITOR,
    status=Stage.PREVIEW,
)
def site_dead_ends(reach: CrawledReach, summary: CrawlSummary) -> Finding:
    """Warns about indexable pages without a link to another page of the site, by template."""
    if summary.is_limited:
        return unknown("Not known: the crawl did not cover the whole site")
    if reach.indexable_count < 2:  # noqa: PLR2004 - a link needs another page
        return inapplicable("The site has fewer than two indexable pages")
    count = sum(group.pages_count for group in reach.dead_ends)
    message = "{found_count|page has|pages have} no link to another page of the site"
    causes = [template_cause(group, verdict=Verdict.WARNED, message=message) for group in reach.dead_ends]
    return by_cause(message, causes, found_count=count)
