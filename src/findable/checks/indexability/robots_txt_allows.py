"""robots.txt disallows this page for a search engine.

In plain words: Google or another search engine is not allowed to read this page, so it cannot show it properly.

Why it matters: A disallowed page cannot be read. It may still be listed, but only by its URL, without title and snippet.

How to fix: Remove the Disallow line, or allow this page with a longer Allow line in the same group.

    User-agent: *
    Disallow: /shop/
    Allow: /shop/blue-widgets

Sources: [RFC 9309, section 2.2](https://www.rfc-editor.org/rfc/rfc9309#section-2.2); [Google: How Google interprets the robots.txt
specification](https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt) (2025).

Not judged: crawlers of AI services, which have separate checks.
"""

from findable.artifacts.site.robots import Robots, RobotsState
from findable.capture.response import Response
from findable.checks.engine import Finding, check, failed, passed, warned
from findable.checks.indexing_evidence import decision_evidence
from findable.checks.robots_txt_fix import robots_txt_fixes
from findable.vocabulary import Code, Effort, Importance, Verdict

ASKED = ("Googlebot", "Bingbot", "*")


class Agent(Code, params=("agents",)):
    """Name of the crawlers without a group of their own in robots.txt."""

    OTHERS = "others", "all others"


@check(
    "May search engines fetch this page?",
    Importance.HIGH,
    Effort.SERVER,
    failed=850,
    limits={Verdict.FAILED: 15},
    depends_on=("robots-txt-reachable",),
    indexing_only=True,
    warned_summary="robots.txt disallows this page for some search engines, but not for Googlebot.",
    start_page_twin="site-start-page",
)
def robots_txt_allows(robots: Robots, response: Response) -> Finding:
    """Checks with Google's matcher for Googlebot, Bingbot and all other crawlers."""
    decisions = {token: robots.decide((token,), response.final_url) for token in ASKED}
    refused = [token for token, decision in decisions.items() if not decision.allowed]
    evidence = [decision_evidence(robots, decisions[token], "decides for {agent}", agent=token) for token in refused or ASKED]
    fixes = robots_txt_fixes((decisions[token].agent for token in refused), response.final_url)
    if "Googlebot" in refused:
        return failed("robots.txt forbids {agents} to fetch this page", agents=_names(refused), evidence=evidence, fixes=fixes)
    if refused:
        return warned(
            "robots.txt forbids {agents} to fetch this page, Googlebot may", agents=_names(refused), evidence=evidence, fixes=fixes
        )
    if robots.state is RobotsState.MISSING:
        return passed("There is no robots.txt: everything may be fetched", evidence=evidence[:1])
    return passed("Googlebot, Bingbot and all others may fetch this page", evidence=evidence)


def _names(tokens: list[str]) -> list[str]:
    return [Agent.OTHERS if token == "*" else token for token in tokens]  # noqa: S105 - the general group
