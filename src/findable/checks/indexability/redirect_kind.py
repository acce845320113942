"""The page was reached by temporary redirects, or redirects by itself.

Why it matters: a temporary redirect tells search engines to keep the old address. A delayed refresh takes the page away while it is
read; people who read slowly or by ear are lost first.

How to fix: redirect on the server, for good.

    location = /old { return 301 https://www.example.com/new; }

Sources: Google, "Redirects and Google Search" (2025); WCAG 2.2, 2.2.1 Timing Adjustable: 20 hours are as good as none.

Not judged: redirects by script, without a browser; a refresh inside noscript; a redirect that says by ``Vary`` that it depends on the
reader's language: only a temporary one fits it.
"""

from findable.artifacts.page.refresh import Refresh, Refreshes
from findable.capture.response import Hop, Response
from findable.checks.engine import Evidence, Finding, check, element, failed, header, passed, url_evidence, warned
from findable.vocabulary import Effort, Importance

TEMPORARY = frozenset({302, 303, 307})
LONG_S = 20 * 60 * 60


@check(question="Are the redirects permanent, and is there no meta refresh?", importance=Importance.LOW, effort=Effort.SERVER)
def redirect_kind(response: Response, refreshes: Refreshes | None) -> Finding:
    """Judges the hops before the page, then what the page itself asks for."""
    asked = refreshes.all if refreshes else ()
    delayed = [item for item in asked if 0 < item.after_s < LONG_S]
    if delayed:
        return failed("the page refreshes itself after {wait_s}", wait_s=delayed[0].after_s, evidence=[_shown(item) for item in delayed])
    instant = [item for item in asked if item.after_s == 0]
    if instant:
        return warned("the page redirects by a refresh instead of a status", evidence=[_shown(item) for item in instant])
    temporary = [hop for hop in response.hops[:-1] if hop.status in TEMPORARY and not _depends_on_language(hop)]
    if temporary:
        evidence = [url_evidence(hop.url, hop.status, "leads to {target}", target=hop.location) for hop in temporary]
        return warned("{count|temporary redirect|temporary redirects} before the page", count=len(temporary), evidence=evidence)
    count = len(response.hops) - 1
    return passed("{count|redirect|redirects}, none of them temporary, no refresh", count=count)


def _depends_on_language(hop: Hop) -> bool:
    return any(name.strip().lower() == "accept-language" for value in hop.headers.all("vary") for name in value.split(","))


def _shown(item: Refresh) -> Evidence:
    note, target = ("leads to {target}", item.url[:300]) if item.url else ("loads the page again", "")
    if item.element is not None:
        return element(item.element, note, target=target)
    return header("Refresh", item.header_value, note, target=target)
