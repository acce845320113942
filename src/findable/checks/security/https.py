"""The page does not use HTTPS.

In plain words: Visitors see “Not secure” beside your web address, because the page is not encrypted.

Why it matters: Anybody on the network can read and change the page; browsers mark it as not secure, and search engines prefer the https
URL.

How to fix: Get a certificate (free of charge from an ACME authority) and redirect http to https.

    certbot --nginx -d www.example.com

Sources: [Google: page experience](https://developers.google.com/search/docs/appearance/page-experience) (2025); [Google: consolidate
duplicate URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls) (2025).

Not judged: A page on the local machine, which browsers treat as secure, and a preview judged as another origin.
"""

from findable.artifacts.page.delivery import Transport
from findable.checks.engine import Finding, check, failed, passed, url_evidence
from findable.vocabulary import EditPlace, Effort, Importance


@check("Is the page on HTTPS?", Importance.HIGH, Effort.SERVER, place=EditPlace.HTTPS, failed=60)
def https(transport: Transport) -> Finding:
    response = transport.response
    seen = url_evidence(response.final_url, response.status)
    if transport.url.scheme == "https":
        return passed("The page is on https", evidence=seen)
    return failed("The page is on {scheme}, not https", scheme=transport.url.scheme, evidence=seen)
