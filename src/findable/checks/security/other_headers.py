"""The report lists other headers that concern security.

In plain words: Further safety settings of your server are listed; visitors and Google miss nothing.

Why it matters: They turn browser features on and off; most pages need none of them.

How to fix: Remove X-XSS-Protection: browsers have removed its filter, because it caused vulnerabilities itself.

    X-XSS-Protection: 0

Sources: [OWASP: HTTP Headers](https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html) (X-XSS-Protection should be
off); [Permissions Policy](https://www.w3.org/TR/permissions-policy/); [HTML Standard:
Cross-Origin-Opener-Policy](https://html.spec.whatwg.org/multipage/browsers.html#cross-origin-opener-policies).

Not judged: This check is informational; a missing header is not a fault.
"""

from findable.artifacts.html.document import Document
from findable.capture.response import Response
from findable.checks.engine import Evidence, Finding, check, header, info
from findable.vocabulary import Effort, Importance

NAMES = (
    "Permissions-Policy",
    "Feature-Policy",
    "Cross-Origin-Opener-Policy",
    "Cross-Origin-Embedder-Policy",
    "Cross-Origin-Resource-Policy",
    "Access-Control-Allow-Origin",
    "X-XSS-Protection",
    "X-Permitted-Cross-Domain-Policies",
    "Expect-CT",
    "Public-Key-Pins",
)


@check("Which other security headers are sent?", Importance.INFO, Effort.SERVER)
def other_headers(response: Response, document: Document) -> Finding:
    del document  # only for HTML pages
    seen = [_evidence(name, value) for name in NAMES for value in response.headers.all(name)]
    return info("{count|other security header|other security headers}", evidence=seen)


def _evidence(name: str, value: str) -> Evidence:
    start = value.strip()
    if name == "X-XSS-Protection" and start.startswith("1"):
        return header(name, value, "harmful: the filter opened holes itself and is gone from browsers")
    if name == "Access-Control-Allow-Origin" and start == "*":
        return header(name, value, "every site may read the page; fine for public pages")
    if name in ("Feature-Policy", "Expect-CT", "Public-Key-Pins"):
        return header(name, value, "browsers ignore it today")
    return header(name, value)
