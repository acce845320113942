"""A noindex rule keeps the page out of search results.

In plain words: This page does not appear in Google, because a setting tells Google to leave it out.

Why it matters: noindex removes the page from the index at the next visit of a crawler. It is the most frequent leftover of a staging
system, and nothing on the visible page shows it.

How to fix: Remove the rule where it is set (template, plug-in, server), or mark the page as not meant for search.

    <meta name="robots" content="index, follow">

Sources: [Google: Robots meta tag, data-nosnippet, and X-Robots-Tag
specifications](https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag) (2025); [Google: Block Search indexing with
noindex](https://developers.google.com/search/docs/crawling-indexing/block-indexing) (2025).

Not judged: X-Robots-Tag headers of redirects and of the page's files, which apply only to those; whether robots.txt hides the rule is
another check.
"""

from datetime import timedelta

from findable.artifacts.page.robots_directives import GOOGLE, RobotsDirectives
from findable.capture.page import PageCapture
from findable.checks.engine import Finding, check, failed, passed, warned
from findable.checks.indexing_evidence import directive_evidence, directives_evidence
from findable.checks.links.links_internal_nofollow import PRIVATE_SPACE
from findable.checks.robots_rule_fix import rule_fixes
from findable.formats.timestamps import moment
from findable.vocabulary import Code, EditPlace, Effort, Importance, Verdict

SOON = timedelta(days=30)
"""Time before an expiry from which it is reported; later expiries are planned."""


class Agent(Code, params=("agent",)):
    """Name of the crawlers that a robots rule applies to if the rule names none."""

    ALL = "all", "all crawlers"


@check(
    "Is the page free of noindex?",
    Importance.HIGH,
    Effort.HEAD,
    place=EditPlace.VISIBILITY,
    failed=850,
    limits={Verdict.FAILED: 15},
    indexing_only=True,
    warned_summary="A rule keeps the page out of the results of some search engines, or from a date on.",
    mark=r"(?i)\b(?:noindex|none)\b",
    start_page_twin="site-start-page",
)
def noindex(page: PageCapture, directives: RobotsDirectives) -> Finding:
    """Merges metas and headers; the strictest rule for Googlebot decides."""
    found = directives.noindex(*GOOGLE)
    if found is not None:
        all_found = [item for item in directives.for_agents(*GOOGLE) if item.name in ("noindex", "none")]
        return failed(
            "{rule} keeps the page out of search results ({agent})",
            rule=found.name,
            agent=found.agent or Agent.ALL,
            evidence=directives_evidence(all_found),
            fixes=[] if PRIVATE_SPACE.search(page.response.final_url[:1000]) else rule_fixes(all_found, other_of_none="nofollow"),
        )
    now = moment(page.captured_at)
    expiry = directives.expiry(*GOOGLE)
    if expiry is not None and expiry.moment is not None:
        if expiry.moment <= now:
            return failed(
                "The page has been unavailable for search since {date}", date=expiry.value[:60], evidence=directive_evidence(expiry)
            )
        if expiry.moment - now <= SOON:
            return warned("The page leaves search results on {date}", date=expiry.value[:60], evidence=directive_evidence(expiry))
    others = [item for item in directives.all if item.name in ("noindex", "none")]
    if others:
        agents = ", ".join(dict.fromkeys(item.agent for item in others))
        return warned(
            "{agents} may not index the page",
            agents=agents[:200],
            evidence=directives_evidence(others),
            fixes=rule_fixes(others, other_of_none="nofollow"),
        )
    count = len(directives.all)
    if not count:
        return passed("No rule for search engines in robots meta elements and headers")
    return passed("No noindex in {count|rule|rules} of meta tags and headers", count=count, evidence=directives_evidence(directives.all))
