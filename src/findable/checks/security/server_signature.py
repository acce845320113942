"""The server reveals its version.

In plain words: Attackers can see which software your server runs, and look for its known weaknesses.

Why it matters: Attackers find servers with a known vulnerability faster; hiding the version does not fix it.

How to fix: Turn the version off.

    # nginx
    server_tokens off;
    # Apache
    ServerTokens Prod
    # php.ini
    expose_php = Off

Sources: [OWASP: HTTP Headers](https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html) (Server, X-Powered-By).

Not judged: A product's name without version; numbers that identify a machine.
"""

import re
from collections.abc import Sequence

from findable.artifacts.page.delivery import Delivery
from findable.checks.engine import Evidence, Finding, check, header, passed, warned
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Effort, Importance

NAMES = ("Server", "X-Powered-By", "X-AspNet-Version", "X-AspNetMvc-Version", "X-Generator")
_IN_BRACKETS = lazy_pattern(r"\([^)]{0,200}\)")
_VERSION = lazy_pattern(r"[A-Za-z][/ ]v?\d+(?:\.\d+)*\b(?![:/])|\w[/ ]v?\d+(?:\.\d+)+\b|^\s*v?\d+(?:\.\d+)+\s*$")
"""Version numbers in headers: ``nginx/1.25``, ``Drupal 10``, ``mt3 1.15``, a bare ``4.0.30319``."""
_VERSION_IN_BRACKETS = lazy_pattern(r"[(\s/]v?\d+(?:\.\d+)+(?:\.\w+|[-+]\w+)*(?=[)\s;,])")
_ADVICE = {
    re.compile(r"Server: (?:nginx|openresty)\b", re.IGNORECASE): "Switch the version off.\n\n    # nginx\n    server_tokens off;",
    re.compile(r"Server: Apache\b", re.IGNORECASE): "Switch the version off.\n\n    # Apache\n    ServerTokens Prod",
    re.compile(
        r"X-Powered-By: PHP\b", re.IGNORECASE
    ): "Switch the version off, or remove the header.\n\n    # php.ini\n    expose_php = Off",
}
"""Advice by the header line of the product."""
OTHER_ADVICE = "Switch the versions off in the settings of these products, or remove the headers."
_IP = lazy_pattern(r"(?:\d{1,3}\.){3}\d{1,3}")


@check("Does the server reveal its version?", Importance.LOW, Effort.SERVER, costs={})
def server_signature(delivery: Delivery) -> Finding:
    headers = delivery.response.headers
    lines = [(name, value) for name in NAMES for value in headers.all(name) if value.strip()]
    telling = [header(name, value) for name, value in lines if _has_version(value[:500])]
    if telling:
        return warned("{count|header reveals|headers reveal} a version", evidence=telling, advice=_advice(telling))
    return passed("{count|header names|headers name} the server, none with a version", evidence=[header(*line) for line in lines])


def _has_version(value: str) -> bool:
    """Return whether the header has a version, as ``jetty(9.4.6.v20170531)`` does; an IP address or machine number in brackets is none."""
    if _VERSION.search(_IN_BRACKETS.sub("", value)):
        return True
    inside = (found for part in _IN_BRACKETS.findall(value) for found in _VERSION_IN_BRACKETS.findall(part))
    return any(not _IP.fullmatch(found[1:].lstrip("v")) for found in inside)


def _advice(telling: Sequence[Evidence]) -> str:
    """Return the advice with the setting of the product that shows its version, or general advice for several or other products."""
    found = {next((advice for line, advice in _ADVICE.items() if line.match(shown.text)), OTHER_ADVICE) for shown in telling}
    return found.pop() if len(found) == 1 else OTHER_ADVICE
