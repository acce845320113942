"""Scripts of other sites are loaded without integrity.

Why it matters: where a content delivery network is broken into, its scripts run in your page; with a digest browsers refuse a changed
file.

How to fix: add the digest of the version you use.

    <script src="https://cdn.example.net/lib@1.2.3/lib.min.js" integrity="sha384-…" crossorigin="anonymous"></script>

Sources: W3C, Subresource Integrity.

Not judged: addresses without a version, whose content may change at any time (analytics, advertisements, maps): a digest would break
them.
"""

import re

from findable.artifacts.responses.resources import Resources, Script, Stylesheet
from findable.artifacts.tables.tag_hosts import DATED, serves_tags
from findable.checks.engine import Finding, check, inapplicable, passed, warned
from findable.urls import parse
from findable.vocabulary import Effort, Importance

_VERSIONED = re.compile(r"[@/_.-]v?\d{1,4}\.\d{1,4}\.\d{1,4}")
_TAGS = re.compile(r"adsby|recaptcha|/gtag/|/gpt/|prebid|piwik|matomo|hotjar|analytics", re.IGNORECASE)
"""Parts of URLs of such scripts, wherever they are served from."""


@check(question="Do scripts of other sites carry a digest?", importance=Importance.INFO, effort=Effort.HEAD)
def sri(resources: Resources) -> Finding:
    loads: list[Script | Stylesheet] = [*resources.scripts, *resources.stylesheets]
    versioned = [item for item in loads if item.third_party and item.url and _is_versioned(item.url[:500])]
    if not versioned:
        return inapplicable(
            "No script or stylesheet of another site has a versioned URL (hosts of ads and analytics, list of {dated}, aside)", dated=DATED
        )
    lacking = [item.element for item in versioned if not item.integrity]
    if lacking:
        return warned(
            "{lacking_count} of {count|file|files} of other sites without integrity",
            lacking_count=len(lacking),
            count=len(versioned),
            evidence=lacking,
        )
    return passed("{count|file|files} of other sites, each with integrity", count=len(versioned))


def _is_versioned(url: str) -> bool:
    parsed = parse(url)
    if parsed is None or serves_tags(parsed.host) or _TAGS.search(url):
        return False
    return _VERSIONED.search(url.partition("?")[0]) is not None
