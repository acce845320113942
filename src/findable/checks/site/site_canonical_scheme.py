"""Canonical or hreflang links use http URLs, or a host that only redirects to this one.

In plain words: Google is pointed to old web addresses of your pages, and may show those.

Why it matters: The page declares a URL that redirects back to it. Google prefers https and may ignore the canonical link; hreflang links to
URLs that redirect do not count.

How to fix: Set the base URL of the template to the origin of the site.

Sources: [Google: How to specify a canonical URL](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)
(2025): Google prefers https; avoid https pages with canonical links to http; [Google: Tell Google about localized versions of your
page](https://developers.google.com/search/docs/specialty/international/localized-versions) (2025).

Not judged: Canonical links to the host with or without ``www.`` if both respond: they connect the two (see host-variants); internal links
(see site-mixed-scheme); sitemap entries of another host (see sitemap-valid).
"""

from findable.artifacts.site.host_variants import HostVariants
from findable.capture.site_signals import CanonicalSignals, VariantOrigin
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, url_evidence
from findable.urls import origin_part
from findable.vocabulary import Effort, Importance, Verdict


@check("Do canonical and hreflang links have the origin of the site?", Importance.HIGH, Effort.HEAD, failed=75)
def site_canonical_scheme(canonicals: CanonicalSignals, variants: HostVariants | None) -> Finding:
    """Fails for canonical links from https to http, and to an origin that redirects to the site."""
    redirected = frozenset(
        origin_part(response.url)
        for response in (variants.responding if variants else ())
        if origin_part(response.final_url) == canonicals.origin != origin_part(response.url)
    )
    causes = [
        _cause(item, canonicals.origin)
        for item in canonicals.variants
        if item.origin in redirected or (canonicals.origin.startswith("https:") and item.origin.startswith("http:"))
    ]
    count = sum(cause.pages_count for cause in causes)
    return by_cause("{found_count|link has|links have} another origin of the site", causes, found_count=count)


def _cause(item: VariantOrigin, origin: str) -> CausedFinding:
    messages = {
        False: "{found_count|page declares a canonical URL|pages declare canonical URLs} on {origin}",
        True: "{found_count|hreflang link leads|hreflang links lead} to {origin}",
    }
    return CausedFinding(
        Cause(CauseKind.HOST, f"{'hreflang' if item.is_hreflang else 'canonical'} {item.origin}", "{origin}", {"origin": item.origin}),
        Verdict.FAILED,
        messages[item.is_hreflang],
        item.pages_count,
        tuple(url_evidence(page, None, "declares {target}", target=target) for page, target in item.pairs[:EVIDENCE_SHOWN]),
        {"found_count": item.pages_count, "origin": item.origin, "right_origin": origin},
        "Write {right_origin} in place of {origin}",
    )
