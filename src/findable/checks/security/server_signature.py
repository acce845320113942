"""The server tells its version.

Why it matters: whoever looks for servers with a known hole need not try; hiding the version does not close the hole.

How to fix: switch the version off.

    # nginx
    server_tokens off;
    # php.ini
    expose_php = Off

Sources: OWASP, HTTP Headers Cheat Sheet (Server, X-Powered-By).

Not judged: a product's name without version; numbers that name a machine.
"""

import re

from findable.artifacts.page.delivery import Delivery
from findable.checks.engine import Finding, check, header, passed, warned
from findable.vocabulary import Effort, Importance

NAMES = ("Server", "X-Powered-By", "X-AspNet-Version", "X-AspNetMvc-Version", "X-Generator")
_IN_BRACKETS = re.compile(r"\([^)]{0,200}\)")
_VERSION = re.compile(r"[A-Za-z][/ ]v?\d+(?:\.\d+)*\b(?![:/])|^\s*v?\d+(?:\.\d+)+\s*$")
"""``nginx/1.25``, ``Drupal 10``, a bare ``4.0.30319``."""


@check(question="Does the server tell its version?", importance=Importance.LOW, effort=Effort.SERVER)
def server_signature(delivery: Delivery) -> Finding:
    headers = delivery.response.headers
    lines = [(name, value) for name in NAMES for value in headers.all(name) if value.strip()]
    telling = [header(name, value) for name, value in lines if _VERSION.search(_IN_BRACKETS.sub("", value[:500]))]
    if telling:
        return warned("{count|header tells|headers tell} a version", count=len(telling), evidence=telling)
    return passed(
        "{count|header names|headers name} the server, none with a version", count=len(lines), evidence=[header(*line) for line in lines]
    )
