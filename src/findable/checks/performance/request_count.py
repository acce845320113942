"""The page requests many files.

In plain words: Visitors wait longer, because the page consists of very many files.

Why it matters: Every file costs a request; with HTTP/2 many small ones cost less than they used to. This finding is only a hint.

How to fix: Bundle small scripts and stylesheets, and lazy-load images and iframes below the fold.

    <img src="map.jpg" loading="lazy" alt="Map" width="600" height="400">

Sources: The limit of 100 requests is set by this report; [HTTP Archive: page weight](https://httparchive.org/reports/page-weight)
(2025): the median page requests about 70 files.

Not judged: Requests that scripts and stylesheets make are not counted without a browser.
"""

from collections import Counter

from findable.artifacts.browser.browser_requests import BrowserRequests
from findable.artifacts.responses.resources import Resources
from findable.checks.engine import Evidence, Finding, check, passed, quoted, unknown, warned
from findable.urls import parse
from findable.vocabulary import Effort, Importance

MANY = 100
ADVICE = "Bundle small scripts and stylesheets, and lazy-load images and iframes below the fold."


@check("How many files does the page request?", Importance.LOW, Effort.CONTENT, failed=4, warned=3)
def request_count(resources: Resources, browser_requests: BrowserRequests | None) -> Finding:
    if resources.built_by_script and browser_requests is not None:
        return _browser_finding(browser_requests)
    requests = resources.requests
    count = len(requests) + 1
    kinds = Counter(item.kind.value for item in requests.values())
    hosts = Counter(item.parsed_url.host for item in requests.values())
    evidence = _evidence(kinds, hosts)
    if count > MANY:
        return warned(
            "The markup causes {count|request|requests}, more than {limit_count}",
            count=count,
            limit_count=MANY,
            evidence=evidence,
            advice=ADVICE,
        )
    if resources.built_by_script:
        return unknown("At least {count|request|requests}: scripts load the rest of this page", count=count)
    return passed("{count|request|requests} from the markup", count=count, evidence=evidence)


def _evidence(kinds: Counter[str], hosts: Counter[str]) -> list[Evidence]:
    by_type = [quoted(f"{kind}: {number}", "by type") for kind, number in kinds.most_common()]
    return by_type + [quoted(f"{host}: {number}", "by host") for host, number in hosts.most_common(5)]


def _browser_finding(browser_requests: BrowserRequests) -> Finding:
    """Return the finding for the number of requests that a browser made before scrolling."""
    requests = browser_requests.at_once.values()
    kinds = Counter(request.kind for request in requests)
    hosts = Counter(url.host for request in requests if (url := parse(request.url)))
    evidence = _evidence(kinds, hosts)
    if len(requests) > MANY:
        message = "{count|request|requests} in a browser, more than {limit_count}"
        return warned(message, count=len(requests), limit_count=MANY, evidence=evidence, advice=ADVICE)
    return passed("{count|request|requests} in a browser", count=len(requests), evidence=evidence)
