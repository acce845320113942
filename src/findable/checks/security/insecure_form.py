"""A form sends its input unencrypted.

In plain words: What visitors enter in a form can be read by others on the way to you.

Why it matters: Anybody on the network can read it; browsers warn before sending, and mark password fields on http pages.

How to fix: Use https for the page and the target.

    <form action="https://www.example.com/login" method="post">

Sources: [Mixed Content](https://www.w3.org/TR/mixed-content/), section 4.4; [Chromium: protecting users from insecure
forms](https://blog.chromium.org/2020/08/protecting-google-chrome-users-from.html) (2020).

Not judged: Forms on http pages that send to https, and searches and forms without a field there (see ``https``); forms that scripts send;
hidden forms without a field to fill in; targets on the local machine.
"""

import re

from findable.artifacts.html.document import Element
from findable.artifacts.page.delivery import Transport
from findable.artifacts.page.forms import Form, Forms
from findable.artifacts.page.private_hosts import is_loopback
from findable.artifacts.page.security_headers import SecurityHeaders
from findable.checks.engine import Finding, as_evidence, attribute_mark, check, covered_by, failed, inapplicable, passed, warned
from findable.checks.page_fix import Fix, attribute_fix
from findable.lazy_pattern import lazy_pattern
from findable.urls import parse
from findable.vocabulary import Effort, Importance

PRIVATE_TYPES = frozenset({"email", "tel", "file", "password"})
_PRIVATE_NAME = lazy_pattern(r"email|(?:^|[^a-z])e?-?mail(?:$|[^a-z])|telephone|(?:^|[^a-z])phone", re.IGNORECASE)
"""Names of text fields for an email address or a telephone number."""
_SEARCH = lazy_pattern(r"(?:^|[^a-z])(?:search|suche|buscar|recherche|cerca)(?:$|[^a-z])", re.IGNORECASE)
"""Names and URLs of forms for a search."""


@check("Do forms send safely?", Importance.MEDIUM, Effort.HEAD, failed=15, warned=10, mark=attribute_mark("action"))
def insecure_form(transport: Transport, forms: Forms, security: SecurityHeaders) -> Finding:
    shown = [form for form in forms.items if not form.is_hidden]
    if not shown and not forms.passwords:
        return inapplicable("The page has no form")
    if transport.url.scheme != "https":
        return _http_page_finding(shown, forms.passwords)
    insecure = [form for form in shown if _is_insecure(form)]
    clear = [form.element for form in insecure]
    fixes = [_fix(form) for form in insecure]
    if not clear:
        return passed("{count|form sends|forms send} over https", count=len(shown))
    if security.upgrades_insecure_requests:
        return warned("{count|form has|forms have} an http URL, changed by upgrade-insecure-requests", evidence=clear, fixes=fixes)
    return failed("{count|form sends|forms send} to an http URL", evidence=clear, fixes=fixes)


def _http_page_finding(forms: list[Form], passwords: tuple[Element, ...]) -> Finding:
    if passwords:
        return failed("{count|password field|password fields} on an http page", evidence=passwords)
    insecure = [form for form in forms if not (form.url or "").startswith("https:") and _is_filled_in(form)]
    if not insecure:
        return covered_by("https")
    pairs = ((form.element, "is on an http page") for form in insecure)
    return warned("{count|form|forms} on an http page", count=len(insecure), evidence=as_evidence(pairs))


def _is_filled_in(form: Form) -> bool:
    """Return whether people fill in the form; a GET form or a search must also have a private field."""
    fields = form.fields
    return any(_is_private(field) for field in fields) if form.method == "get" or _is_search(form) else bool(fields)


def _is_search(form: Form) -> bool:
    names = (form.element.attr(name) or "" for name in ("role", "id", "class", "name", "action"))
    return any(_SEARCH.search(name[:300]) for name in names)


def _is_private(field: Element) -> bool:
    names = (field.attr(name) or "" for name in ("name", "id", "autocomplete"))
    return (field.attr("type") or "").strip().lower() in PRIVATE_TYPES or any(_PRIVATE_NAME.search(name[:200]) for name in names)


def _is_insecure(form: Form) -> bool:
    url = parse(form.url) if form.url and form.url.startswith("http:") else None
    return url is not None and not is_loopback(url.host)


def _fix(form: Form) -> Fix | None:
    name = "formaction" if form.element.attr("formaction") else "action"
    return attribute_fix(form.element, **{name: (form.url or "").replace("http:", "https:", 1)})
