"""A redirect that has stayed for a month is still marked as temporary.

In plain words: Google keeps showing an old web address, because its forwarding is still marked as temporary.

Why it matters: A temporary redirect (302, 307) tells Google to keep the old URL in search results, a permanent one (301, 308) to show the
new one. A redirect that lasts for months is usually intended as permanent.

How to fix: Return 301 or 308 if the old URL will not return. Keep the temporary redirect if the target will change.

    location = /old { return 301 /new; }

Sources: [Google: Redirects and Google Search](https://developers.google.com/search/docs/crawling-indexing/301-redirects) (2025): a
permanent redirect is a strong signal for the target as canonical URL, a temporary one a weak signal.

Not judged: Redirects to a language, a current version, a login, a basket, a search or a download, and from the home page: these differ by
visitor or time. Redirects whose target has changed; a site without an earlier crawl at least 30 days before.
"""

import re
from collections import defaultdict

from findable.capture.site_graph import CrawledRedirects, TemporaryRedirect
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Evidence, Finding, by_cause, check, unknown, url_evidence
from findable.checks.links.links_internal_nofollow import PRIVATE_SPACE
from findable.checks.site_causes import page_cause
from findable.lazy_pattern import lazy_pattern
from findable.urls import parse
from findable.vocabulary import Effort, Importance, Stage, Verdict

MIN_DAYS = 30
"""Number of days between two crawls with the same temporary redirect from which it is reported (set by Findable)."""
SAME_FROM = 3
"""Number of redirects of one folder from which a common rule is the cause (set by Findable)."""
_LANGUAGE = lazy_pattern(r"/[a-z]{2}(?:[-_][a-z]{2,4})?(?=/|$)", re.IGNORECASE)
_VERSION = lazy_pattern(r"/(?:v?\d+(?:\.(?:\d+|x))*|latest|stable|current|dev|main|master|next)(?=/|$)", re.IGNORECASE)


@check("Are lasting redirects permanent?", Importance.INFO, Effort.SERVER, status=Stage.PREVIEW)
def site_redirect_temporary(redirects: CrawledRedirects) -> Finding:
    """Reports redirects with 302 or 307 and the same target in two crawls at least 30 days apart, grouped by folder."""
    if (redirects.known_days_count or 0) < MIN_DAYS:
        return unknown("Not known: there is no earlier crawl at least {days_count} days before", days_count=MIN_DAYS)
    lasting = [item for item in redirects.temporary if item.days_count >= MIN_DAYS and not _is_intended(item)]
    folders: defaultdict[str, list[TemporaryRedirect]] = defaultdict(list)
    for item in lasting:
        folders[item.url.partition("?")[0].rpartition("/")[0] + "/"].append(item)
    causes: list[CausedFinding] = []
    for folder, items in folders.items():
        causes += [_folder_cause(folder, items)] if len(items) >= SAME_FROM else map(_redirect_cause, items)
    return by_cause("{found_count|redirect has|redirects have} been temporary for a month", causes, found_count=len(lasting))


def _is_intended(item: TemporaryRedirect) -> bool:
    """Return whether a redirect is probably temporary on purpose."""
    source, target = parse(item.url), parse(item.target)
    if source is None or target is None or source.path == "/" or PRIVATE_SPACE.search(source.path) or PRIVATE_SPACE.search(target.path):
        return True
    return source.path != target.path and any(
        pattern.sub("", source.path, count=1) == pattern.sub("", target.path, count=1) for pattern in (_LANGUAGE, _VERSION)
    )


def _redirect_cause(item: TemporaryRedirect) -> CausedFinding:
    return page_cause(
        item.url,
        verdict=Verdict.INFO,
        message="It has redirected to {target} with {redirect_status} for {days_count|day|days}",
        evidence=[_evidence(item)],
        advice="Return 301 with “Location: {target}” at {page}, unless the page is coming back.",
        target=item.target,
        page=item.url,
        redirect_status=item.status,
        days_count=item.days_count,
    )


def _folder_cause(folder: str, items: list[TemporaryRedirect]) -> CausedFinding:
    return CausedFinding(
        Cause(CauseKind.FOLDER, folder, "folder {url}", {"url": folder}),
        Verdict.INFO,
        "{found_count|URL of this folder has|URLs of this folder have} redirected with 302 or 307 for at least {days_count|day|days}",
        len(items),
        tuple(_evidence(item) for item in items[:EVIDENCE_SHOWN]),
        {"found_count": len(items), "days_count": min(item.days_count for item in items)},
    )


def _evidence(item: TemporaryRedirect) -> Evidence:
    return url_evidence(item.url, item.status, "redirects to {target}", target=item.target)
