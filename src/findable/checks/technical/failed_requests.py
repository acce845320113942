"""Scripts or stylesheets of the page do not load.

In plain words: The page may look wrong or not work, because some of its files do not load.

Why it matters: Without them, the page looks or works differently, for readers and for search engines that render it.

How to fix: Correct the URL, or deploy the file.

    <link rel="stylesheet" href="/assets/style.css">

Sources: [Google: JavaScript SEO basics](https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics)
(2025); [RFC 9110, 15.5 and 15.6](https://www.rfc-editor.org/rfc/rfc9110#section-15.5).

Not judged: images (see ``images-broken``) and icons (see ``favicon``); responses that reject this crawler or arrive too late, which are
unverified; the message contains the number of files beyond the budget.
"""

from typing import Any

from findable.artifacts.responses.assets import Assets, AssetState
from findable.artifacts.responses.resources import Resource, ResourceKind, Resources
from findable.checks.engine import Evidence, Finding, check, element, failed, inapplicable, passed, unknown, warned
from findable.vocabulary import Effort, Importance

JUDGED = frozenset({ResourceKind.STYLESHEET, ResourceKind.SCRIPT, ResourceKind.FONT})
NEEDED = frozenset({ResourceKind.STYLESHEET, ResourceKind.SCRIPT})
"""Kinds of resources that the page needs."""


@check("Do scripts and stylesheets load?", Importance.MEDIUM, Effort.SERVER, failed=10, warned=5)
def failed_requests(resources: Resources, assets: Assets) -> Finding:
    """Checks the responses of the page's resources."""
    loaded = {item.url: item for item in reversed(resources.items) if item.kind in JUDGED}
    items = list(reversed(loaded.values()))
    if not items:
        return inapplicable("The page loads no scripts, stylesheets or fonts")
    states = {item.url: asset.state for item in items if (asset := assets.for_url(item.url)) is not None}
    asked_count = sum(1 for state in states.values() if state is not AssetState.UNKNOWN)
    if not asked_count:
        return unknown("Not measured: none of {count|resource was|resources were} requested", count=len(items))
    broken = [item for item in items if states.get(item.url) is AssetState.BROKEN]
    left_count = len(items) - asked_count
    values: dict[str, Any] = {"broken_count": len(broken), "asked_count": asked_count, "left_count": left_count}
    rest = ", {left_count} not requested" if left_count else ""
    if broken:
        own = any(item.kind in NEEDED and not item.third_party for item in broken)
        verdict = failed if own else warned
        return verdict(
            "{broken_count} of {asked_count|requested resource does|requested resources do} not load" + rest,
            evidence=[_evidence(item, assets) for item in broken],
            advice="Correct the URL, deploy the file that it names, or remove the element.",
            **values,
        )
    return passed("{asked_count|resource|resources} requested, none is broken" + rest, **values)


def _evidence(item: Resource, assets: Assets) -> Evidence:
    asset = assets.for_url(item.url)
    return element(item.element, "{url} {reason}", url=item.url, **(asset.outcome if asset else {"reason": ""}))
