"""The page was reached through temporary redirects, or a meta refresh redirects or reloads it.

In plain words: Google keeps showing the old web address, because the forwarding to this page is marked as temporary or made in an outdated
way.

Why it matters: A temporary redirect tells search engines to keep the old URL. A delayed refresh replaces the page while it is being read;
this affects slow readers and users of screen readers most.

How to fix: Redirect on the server with a permanent status. Instead of reloading the page, let a script fetch new content, or let readers
reload it.

    location = /old { return 301 https://www.example.com/new; }

Sources: [Google: Redirects and Google Search](https://developers.google.com/search/docs/crawling-indexing/301-redirects) (2025): an instant
refresh is a permanent redirect, so the page itself is not indexed; [WCAG 2.2, 2.2.1 Timing
Adjustable](https://www.w3.org/TR/WCAG22/#timing-adjustable): limits above 20 hours are exempt.

Not judged: redirects by script, without a browser; a refresh inside noscript; a redirect whose ``Vary`` header says that it depends on the
reader's language, which must be temporary; a loop that only ends with a cookie (see redirect-chain).
"""

from findable.artifacts.page.refresh import Refresh, Refreshes
from findable.capture.response import Hop, Response
from findable.checks.engine import Evidence, Finding, check, element, failed, header, passed, url_evidence, warned, with_fault
from findable.vocabulary import Effort, Fault, Importance, Verdict

TEMPORARY = frozenset({302, 303, 307})
LONG_S = 20 * 60 * 60


@check(
    "Are redirects permanent, without a meta refresh?",
    Importance.LOW,
    Effort.SERVER,
    costs={Fault.REFRESH: 850, Verdict.FAILED: 10, Verdict.WARNED: 10},
    limits={Fault.REFRESH: 15},
)
def redirect_kind(response: Response, refreshes: Refreshes | None) -> Finding:
    """Checks the redirects before the page, then redirects in the page itself."""
    asked = refreshes.all if refreshes else ()
    leading = [item for item in asked if not item.reloads]
    delayed = [item for item in leading if 0 < item.after_s <= LONG_S]
    if delayed:
        return failed(
            "A refresh leads to another page after {wait_s}", wait_s=delayed[0].after_s, evidence=[_evidence(item) for item in delayed]
        )
    instant = [item for item in leading if item.after_s == 0]
    if instant:
        redirecting = warned(
            "The page redirects with a refresh instead of a status",
            evidence=[_evidence(item) for item in instant],
            advice="Redirect on the server with 301. Search engines index the target instead of this page: analyze that one.",
        )
        return with_fault(redirecting, Fault.REFRESH)
    reloading = [item for item in asked if item.reloads and item.after_s <= LONG_S]
    if reloading:
        return warned(
            "The page reloads itself after {wait_s}", wait_s=reloading[0].after_s, evidence=[_evidence(item) for item in reloading]
        )
    temporary = [hop for hop in response.redirects if hop.status in TEMPORARY and not _depends_on_language(hop)]
    if temporary:
        evidence = [url_evidence(hop.url, hop.status, "leads to {target}", target=hop.location) for hop in temporary]
        return warned("{count|temporary redirect leads|temporary redirects lead} to the page", count=len(temporary), evidence=evidence)
    return passed("{count|redirect|redirects}, none of them temporary, and no refresh", count=len(response.redirects))


def _depends_on_language(hop: Hop) -> bool:
    return any(name.strip().lower() == "accept-language" for value in hop.headers.all("vary") for name in value.split(","))


def _evidence(item: Refresh) -> Evidence:
    note, target = ("leads to {target}", item.url[:300]) if item.url and not item.reloads else ("reloads the page", "")
    if item.element is not None:
        return element(item.element, note, target=target)
    return header("Refresh", item.header_value, note, target=target)
