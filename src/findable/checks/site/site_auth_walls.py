"""Internal links lead to pages behind a login.

In plain words: Google cannot read pages that require a sign-in, which is usually intended.

Why it matters: Crawlers spend requests without getting a page. For visitors it is usually right: accounts, orders, members' areas.

How to fix: Nothing, if the pages are for members. Otherwise open the page, or link to public pages.

Sources: [Google: HTTP status codes](https://developers.google.com/search/docs/crawling-indexing/http-network-errors) (2025): pages with 4xx
are not indexed.

Not judged: 403 and 429, which may refuse only this crawler; whether the page should be public.
"""

from findable.capture.site_graph import CrawledLinks
from findable.checks.engine import Finding, by_cause, check
from findable.checks.site_causes import block_causes
from findable.vocabulary import Effort, Importance, Stage, Verdict

LOGIN_REQUIRED = frozenset({401, 407})


@check(
    question="Which links lead to a login?",
    importance=Importance.INFO,
    effort=Effort.CONTENT,
    status=Stage.PREVIEW,
)
def site_auth_walls(links: CrawledLinks) -> Finding:
    """Reports internal links to URLs that return 401, grouped by block."""
    targets = [target for target in links.refused if target.status in LOGIN_REQUIRED]
    causes = block_causes(
        targets,
        verdict=lambda _: Verdict.INFO,
        message="{targets_count|link leads|links lead} to a login page",
        message_one="{found_count|page links|pages link} to {target}, which requires a login",
        joins_places=True,
    )
    return by_cause("{found_count|linked URL requires|linked URLs require} a login", causes, found_count=len(targets))
