"""Browsers cache static files only briefly, or not at all.

In plain words: Visitors who come back wait again for files that have not changed.

Why it matters: Returning visitors load unchanged files again.

How to fix: Give files a name that changes with their content, and let browsers keep them for a year.

    Cache-Control: public, max-age=31536000, immutable

Sources: [RFC 9111, section 4.2](https://www.rfc-editor.org/rfc/rfc9111#section-4.2) and [RFC 9111, section
5.2](https://www.rfc-editor.org/rfc/rfc9111#section-5.2); [RFC 8246](https://www.rfc-editor.org/rfc/rfc8246) (immutable);
[Lighthouse: cache insight](https://developer.chrome.com/docs/performance/insights/cache); the limit of 30 days is set by this report.

Not judged: Files of other sites; the page itself, which should be short-lived.
"""

import re
from email.utils import parsedate_to_datetime

from findable.artifacts.page.delivery import Delivery
from findable.artifacts.responses.assets import Asset, Assets
from findable.artifacts.responses.resources import ResourceKind, Resources
from findable.capture.response import Headers
from findable.checks.engine import Evidence, Finding, check, failed, inapplicable, passed, unknown, warned
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import EVIDENCE_TEXT, Code, Effort, Importance

LONG_S = 30 * 24 * 3600
NO_CACHING_SHARE = 0.5
"""Share of files without any caching header above which the check fails."""
KINDS = (ResourceKind.STYLESHEET, ResourceKind.SCRIPT, ResourceKind.FONT, ResourceKind.IMAGE)
_HASHED = lazy_pattern(r"[._-](?=[0-9a-z]*\d)(?=[0-9a-z]*[a-z])[0-9a-z]{8,64}\.[a-z0-9]{2,5}$|/[0-9a-f]{16,64}[/.]", re.IGNORECASE)
_AGE = lazy_pattern(r"\d{1,12}")


class Unquotable(Code, params=(EVIDENCE_TEXT,)):
    """Placeholder evidence if there is nothing to quote."""

    NO_CACHE_CONTROL = "no Cache-Control"


@check("Do browsers keep static files?", Importance.LOW, Effort.SERVER, failed=4, warned=3)
def cache_lifetime(delivery: Delivery, resources: Resources, assets: Assets) -> Finding:
    del delivery  # applies only if visitors load the files from this host
    urls = resources.own_urls(*KINDS)
    if not urls:
        return inapplicable("The page loads no static file from its site")
    browser_requests = assets.loaded_assets(urls)
    if not browser_requests:
        return unknown("Not measured, {count|file|files}: {reason}", count=len(urls), **assets.unknown_reason(urls))
    never = [asset for asset in browser_requests if is_hashed(asset.url) and "no-store" in directives(asset.response.headers)]
    bare = [asset for asset in browser_requests if not _has_caching(asset.response.headers)]
    short = [asset for asset in browser_requests if not _is_long_lived(asset)]
    if never:
        return failed("{count|file|files} with a versioned name may not be cached", evidence=[_evidence(asset) for asset in never])
    if len(bare) > len(browser_requests) * NO_CACHING_SHARE:
        return failed(
            "{bare_count} of {count|file|files} without any caching header",
            bare_count=len(bare),
            count=len(browser_requests),
            evidence=[_evidence(asset) for asset in bare],
        )
    if short:
        return warned(
            "{short_count} of {count|file|files} cached for less than {limit_days} days",
            short_count=len(short),
            count=len(browser_requests),
            limit_days=LONG_S // 86400,
            evidence=[_evidence(asset) for asset in short],
        )
    return passed(
        "{count|file|files} of this site, all cached for {limit_days} days or more", count=len(browser_requests), limit_days=LONG_S // 86400
    )


def is_hashed(url: str) -> bool:
    """Return whether the file name contains a digest of the content."""
    return bool(_HASHED.search(url.partition("?")[0][-200:]))


def directives(headers: Headers) -> dict[str, str]:
    """Return the directives of all Cache-Control headers, in lower case, with unquoted values."""
    found = {}
    for line in headers.all("cache-control"):
        for directive in line.split(","):
            name, _, value = directive.partition("=")
            found[name.strip().lower()] = value.strip().strip('"')
    return found


def lifetime_s(headers: Headers) -> int | None:
    """Return how long a browser may store the response without revalidation (RFC 9111, 4.2.1); None if no header declares it."""
    said = directives(headers)
    if "no-store" in said or "no-cache" in said:
        return 0
    if _AGE.fullmatch(said.get("max-age", "")):
        return int(said["max-age"])
    expires, date = headers.first("expires"), headers.first("date")
    if expires is None or date is None:
        return None
    try:
        return max(0, round((parsedate_to_datetime(expires) - parsedate_to_datetime(date)).total_seconds()))
    except (ValueError, TypeError):
        return 0  # an invalid Expires such as "0" counts as past (RFC 9111, 5.3)


def _is_long_lived(asset: Asset) -> bool:
    headers = asset.response.headers
    if is_hashed(asset.url) and "immutable" in directives(headers):
        return True
    return (lifetime_s(headers) or 0) >= LONG_S


def _has_caching(headers: Headers) -> bool:
    return any(headers.first(name) is not None for name in ("cache-control", "expires", "etag", "last-modified"))


def _evidence(asset: Asset) -> Evidence:
    line = asset.response.headers.first("cache-control")
    text = f"Cache-Control: {line}" if line is not None else Unquotable.NO_CACHE_CONTROL
    return Evidence("url", text=text[:300], url=asset.url, status=asset.response.status)
