"""Scripts of other hosts are loaded without integrity.

In plain words: If a company whose programs you use is hacked, the changed programs also run in your page.

Why it matters: If a content delivery network is compromised, its scripts run in your page; with a digest, browsers reject a changed file.

How to fix: Add the digest of the version you use, and ``crossorigin="anonymous"``: without it browsers refuse files of other hosts.

    <script src="https://cdn.example.net/lib@1.2.3/lib.min.js" integrity="sha384-…" crossorigin="anonymous"></script>

Sources: [Subresource Integrity](https://www.w3.org/TR/SRI/).

Not judged: URLs without a version, whose content may change at any time (analytics, advertisements, maps): a digest would break them;
scripts that a loader such as RequireJS inserts; hosts that also serve images of the page, and therefore belong to its publisher; pages on
http, where an attacker can also change the digest, and files on http (see ``mixed-content``).
"""

import re
from base64 import b64encode
from collections import Counter
from hashlib import sha384

from findable.artifacts.html.document import Element
from findable.artifacts.page.delivery import Transport
from findable.artifacts.responses.assets import Asset, Assets
from findable.artifacts.responses.resources import ResourceKind, Resources, Script, Stylesheet
from findable.artifacts.tables.tag_hosts import DATED, serves_tags
from findable.checks.engine import Finding, check, inapplicable, passed, warned
from findable.checks.page_fix import Fix, attribute_fix
from findable.lazy_pattern import lazy_pattern
from findable.urls import parse, registrable_domain
from findable.vocabulary import Effort, Importance

ASSET_IMAGES = 3
"""Number of images from which a host counts as the publisher's (set by Findable)."""
_VERSIONED = lazy_pattern(r"[@/_.-]v?\d{1,4}\.\d{1,4}\.\d{1,4}")
_TAGS = lazy_pattern(r"adsby|recaptcha|/gtag/|/gpt/|prebid|piwik|matomo|hotjar|analytics", re.IGNORECASE)
"""Parts of the URLs of advertising, analytics and captcha scripts, wherever they are hosted."""


@check("Do scripts of other hosts have a digest?", Importance.INFO, Effort.HEAD)
def sri(transport: Transport, resources: Resources, assets: Assets) -> Finding:
    if transport.url.scheme != "https":
        return inapplicable("Over http the page can be changed on the way, digests included")
    loads: list[Script | Stylesheet] = [*resources.scripts, *resources.stylesheets]
    own = _asset_sites(resources)
    versioned = [
        item for item in loads if item.third_party and item.url and not _is_inserted(item.element) and _is_versioned(item.url[:500], own)
    ]
    if not versioned:
        return inapplicable(
            "No script or stylesheet of another host has a version in its URL (hosts of ads and analytics, list of {dated}, aside)",
            dated=DATED,
        )
    bare = [item for item in versioned if not item.integrity]
    lacking = [item.element for item in bare]
    if lacking:
        return warned(
            "{lacking_count} of {count|file|files} of other hosts with a version in the URL lack integrity",
            lacking_count=len(lacking),
            count=len(versioned),
            evidence=lacking,
            fixes=(_fix(item.element, assets.for_url(item.url)) for item in bare),
        )
    return passed("{count|file|files} of other hosts with a version in the URL, each with integrity", count=len(versioned))


def _is_inserted(element: Element) -> bool:
    """Return whether RequireJS inserted the element, which then cannot have an integrity attribute."""
    return element.attr("data-requiremodule") is not None


def _asset_sites(resources: Resources) -> frozenset[str]:
    """Return sites that also serve several images, where the page's publisher hosts files."""
    sites = Counter(registrable_domain(item.parsed_url.host) for item in resources.items if item.kind is ResourceKind.IMAGE)
    return frozenset(site for site, count in sites.items() if count >= ASSET_IMAGES)


def _is_versioned(url: str, own: frozenset[str]) -> bool:
    """Return whether the URL is a fixed version of a third-party library over https."""
    parsed = parse(url)
    if parsed is None or parsed.scheme != "https" or serves_tags(parsed.host) or _TAGS.search(url):
        return False
    if registrable_domain(parsed.host) in own:
        return False
    return _VERSIONED.search(url.partition("?")[0]) is not None


def _fix(element: Element, asset: Asset | None) -> Fix | None:
    """Return the element with the integrity of the file, if it was fetched completely."""
    if asset is None or not asset.is_loaded or asset.response.truncated or not asset.response.body:
        return None
    digest = b64encode(sha384(asset.response.body).digest()).decode()
    return attribute_fix(element, integrity=f"sha384-{digest}", crossorigin="anonymous")
