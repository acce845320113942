"""The whole page asks search engines not to follow any of its links.

In plain words: Google is told to ignore every link on this page, so it may not find the pages behind them.

Why it matters: Pages that are linked only from this page may not be found, and linked pages get no credit for the link.

How to fix: Remove the rule; mark single links instead.

    <a href="https://www.example.org/" rel="sponsored">a paid link</a>

Sources: [Google: Robots meta tag, data-nosnippet, and X-Robots-Tag
specifications](https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag) (2025).

Not judged: rel="nofollow" on single links.
"""

from findable.artifacts.page.robots_directives import GOOGLE, RobotsDirectives
from findable.checks.engine import Finding, check, passed, warned
from findable.checks.indexing_evidence import directive_evidence
from findable.checks.robots_rule_fix import rule_fixes
from findable.vocabulary import EditPlace, Effort, Importance


@check(
    "May links on the page be followed?",
    Importance.LOW,
    Effort.HEAD,
    place=EditPlace.VISIBILITY,
    warned=80,
    mark=r"(?i)\b(?:nofollow|none)\b",
)
def nofollow_page(directives: RobotsDirectives) -> Finding:
    """Warns if a robots rule makes all links of the page nofollow."""
    found = directives.nofollow(*GOOGLE)
    if found is not None:
        return warned(
            "{rule} applies to every link of the page",
            rule=found.name,
            evidence=directive_evidence(found),
            fixes=rule_fixes([found], other_of_none="noindex"),
        )
    return passed("No page-wide nofollow")
