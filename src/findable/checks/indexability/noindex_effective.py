"""The page is noindex, but search engines cannot read the rule.

In plain words: You want this page kept out of Google, but Google cannot read that wish and may show it.

Why it matters: A crawler that robots.txt disallows never reads the rule, and the page stays listed by its URL. A noindex rule in robots.txt
itself has no effect.

How to fix: Allow crawling until the page is gone from the results, and set noindex in the page or its headers.

    X-Robots-Tag: noindex

Sources: [Google: Block Search indexing with noindex](https://developers.google.com/search/docs/crawling-indexing/block-indexing) (2025):
the page must not be blocked by robots.txt; Google, "A note on unsupported rules in robots.txt" (2019).

Not judged: whether scripts remove the rule, without a browser.
"""

from findable.artifacts.browser.rendered_page import RenderedPage
from findable.artifacts.html.document import Document
from findable.artifacts.page.robots_directives import GOOGLE, RobotsDirectives
from findable.artifacts.site.robots import Robots
from findable.checks.engine import Evidence, Finding, check, failed, inapplicable, passed, quoted
from findable.checks.indexing_evidence import decision_evidence, directive_evidence
from findable.formats.robots_txt import pattern_matches
from findable.vocabulary import Effort, Importance


@check("If noindex is set, can it work?", Importance.MEDIUM, Effort.SERVER, failed=100, depends_on=("robots-txt-reachable",))
def noindex_effective(document: Document, directives: RobotsDirectives, robots: Robots, rendered_page: RenderedPage | None) -> Finding:
    """Compares the page's rule with robots.txt and, if known, with the page after its scripts ran."""
    rule = directives.noindex(*GOOGLE)
    if rule is None:
        lines = _lines_without_effect(robots, document.url)
        if lines:
            return failed("noindex is in robots.txt, where no search engine reads it", evidence=lines)
        return inapplicable("The page has no noindex")
    decision = robots.decide(("Googlebot",), document.url)
    if not decision.allowed:
        return failed(
            "robots.txt keeps Googlebot from reading the noindex of this page",
            evidence=[directive_evidence(rule), decision_evidence(robots, decision)],
        )
    if rendered_page is not None and rule.element is not None and not rendered_page.directives.noindex(*GOOGLE):
        return failed("A script removes the noindex, but search engines read it first", evidence=directive_evidence(rule))
    return passed("Search engines can read the noindex of this page", evidence=directive_evidence(rule))


def _lines_without_effect(robots: Robots, page_url: str) -> list[Evidence]:
    found = [item for item in robots.rules.others if item.name.lower() == "noindex" and pattern_matches(item.value, page_url)]
    return [quoted(f"{item.name}: {item.value}", line=item.line, url=robots.response.url, kind="robots_txt") for item in found]
