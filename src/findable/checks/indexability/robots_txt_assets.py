"""robots.txt disallows stylesheets or scripts for Googlebot that this page needs.

In plain words: Google does not see this page as visitors do, because it may not load parts of it.

Why it matters: Google renders the page before indexing it, without disallowed files. Content from a blocked script is not indexed; without
its stylesheet a page may not appear mobile-friendly.

How to fix: Allow the folders that contain stylesheets and scripts.

    User-agent: *
    Disallow: /app/
    Allow: /app/*.css
    Allow: /app/*.js

Sources: [Google: Understand JavaScript SEO
basics](https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics) (2025): Google does not render
JavaScript from blocked files.

Not judged: files of other hosts, whose robots.txt was not read; a page that Googlebot may not fetch itself.
"""

from findable.artifacts.responses.resources import Resource, ResourceKind, Resources
from findable.artifacts.site.robots import Robots
from findable.checks.engine import Evidence, Finding, check, failed, inapplicable, passed, warned
from findable.checks.indexing_evidence import decision_evidence
from findable.formats.robots_txt import Decision
from findable.vocabulary import Effort, Importance

CRITICAL = frozenset({ResourceKind.STYLESHEET, ResourceKind.SCRIPT})
MAX_ASKED = 500


@check(
    "May crawlers fetch the CSS and JavaScript of the page?",
    Importance.MEDIUM,
    Effort.SERVER,
    failed=60,
    warned=30,
    depends_on=("robots-txt-reachable", "robots-txt-allows"),
    site_twins=("site-robots-resources",),
)
def robots_txt_assets(robots: Robots, resources: Resources) -> Finding:
    """Checks every file on the page's own origin with Google's matcher."""
    own = {item.url: item for item in (*resources.items, *resources.imports) if item.parsed_url.origin == robots.origin}
    asked = list(own.values())[:MAX_ASKED]
    if not asked:
        return inapplicable("The page loads no files from its host")
    refused = [(item, decision) for item in asked if not (decision := robots.decide(("Googlebot",), item.url)).allowed]
    critical = [pair for pair in refused if pair[0].kind in CRITICAL]
    if critical:
        return failed(
            "Googlebot may not fetch {count|stylesheet or script|stylesheets and scripts} of this page",
            count=len(critical),
            evidence=_evidence(robots, critical),
        )
    if refused:
        return warned(
            "Googlebot may not fetch {count|image or other file|images and other files} of this page",
            count=len(refused),
            evidence=_evidence(robots, refused),
        )
    return passed("Googlebot may fetch the {count|file|files} that the page loads from its host", count=len(asked))


def _evidence(robots: Robots, resources: list[tuple[Resource, Decision]]) -> list[Evidence]:
    return [decision_evidence(robots, decision, "forbids {address}", address=item.url[:300]) for item, decision in resources]
