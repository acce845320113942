"""Many files are fetched over HTTP/1.1.

In plain words: Visitors wait longer, because your server sends the files of the page in an old way.

Why it matters: HTTP/1.1 fetches six files at a time; HTTP/2 and HTTP/3 fetch all over one connection. Search engines give no advantage for
it.

How to fix: Turn HTTP/2 on in the server or the content delivery network.

    # nginx
    listen 443 ssl;
    http2 on;

Sources: [RFC 9113](https://www.rfc-editor.org/rfc/rfc9113); [RFC 9114](https://www.rfc-editor.org/rfc/rfc9114); [Lighthouse: modern-http
insight](https://developer.chrome.com/docs/performance/insights/modern-http); the limit on requests is set by this report.

Not judged: Other hosts; HTTP/3, which browsers learn of from Alt-Svc or DNS.
"""

from findable.artifacts.page.delivery import Delivery
from findable.artifacts.responses.resources import Resources
from findable.checks.engine import Finding, check, header, passed, quoted, warned
from findable.vocabulary import Effort, Importance

FEW_REQUESTS = 20
MODERN = ("2", "3")


@check("Is HTTP/2 or HTTP/3 used?", Importance.LOW, Effort.SERVER, failed=4, warned=3)
def http_protocol(delivery: Delivery, resources: Resources) -> Finding:
    final = delivery.response.final
    own = sum(not item.third_party for item in resources.requests.values()) + 1
    alternative = final.headers.first("alt-svc")
    evidence = [quoted(f"HTTP/{final.http_version}", url=final.url)]
    if alternative:
        evidence.append(header("Alt-Svc", alternative))
    if final.http_version.startswith(MODERN) or own <= FEW_REQUESTS:
        return passed("HTTP/{version}, {count|request|requests} to this site", version=final.http_version, count=own, evidence=evidence)
    return warned(
        "HTTP/{version} with {count|request|requests} to this site, more than {limit_count}",
        version=final.http_version,
        count=own,
        limit_count=FEW_REQUESTS,
        evidence=evidence,
    )
