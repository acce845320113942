"""Security policies in the page's headers and metas: CSP, HSTS, framing, sniffing, referrers."""

import re
from collections.abc import Mapping

from msgspec import Struct

from findable.artifacts.html.document import Document, Element
from findable.artifacts.page.head import Head, SentHead
from findable.artifacts.registry import artifact
from findable.capture.response import Response
from findable.formats.csp import allows_any_site, parse_policy_list
from findable.lazy_pattern import lazy_pattern

_LIMITS_INLINE = lazy_pattern(r"'(?:nonce-[^']+|sha(?:256|384|512)-[^']+|strict-dynamic)'", re.IGNORECASE)
REFERRER_POLICIES = frozenset(
    {
        "no-referrer",
        "no-referrer-when-downgrade",
        "same-origin",
        "origin",
        "strict-origin",
        "origin-when-cross-origin",
        "strict-origin-when-cross-origin",
        "unsafe-url",
    }
)
_LEGACY_REFERRER = {
    "never": "no-referrer",
    "default": "strict-origin-when-cross-origin",
    "always": "unsafe-url",
    "origin-when-crossorigin": "origin-when-cross-origin",
}
"""Legacy keywords that a meta may still use (HTML Standard, 4.2.5.1)."""


class Policy(Struct, frozen=True):
    """One Content-Security-Policy (CSP 3, section 2.2)."""

    directives: Mapping[str, tuple[str, ...]]
    """Lower-case name to source list as written; the first of a repeated directive counts."""
    is_enforced: bool
    """Whether the policy is enforced, not report-only."""
    element: Element | None
    """Meta element that contains the policy; None for a header."""
    text: str
    """Text as sent."""

    @property
    def script_sources(self) -> tuple[str, ...] | None:
        """Sources for scripts: script-src, else default-src; None if neither is set."""
        return self.directives.get("script-src", self.directives.get("default-src"))

    @property
    def limits_scripts(self) -> bool:
        """Whether the policy blocks injected scripts: by a nonce, hash or strict-dynamic, or because 'unsafe-inline' is missing.

        A source list that allows every host (``*``, ``https:``, ``data:``) limits nothing.
        """
        sources = self.script_sources
        if sources is None:
            return False
        if any(_LIMITS_INLINE.fullmatch(source) for source in sources):
            return True
        lowered = {source.lower() for source in sources}
        return not lowered & {"'unsafe-inline'", "*", "http:", "https:", "data:"}

    @property
    def limits_framing(self) -> bool:
        """Whether frame-ancestors excludes any site: ``*`` and ``https:`` do not."""
        ancestors = self.directives.get("frame-ancestors")
        return ancestors is not None and not allows_any_site(ancestors)


class Hsts(Struct, frozen=True):
    """Strict-Transport-Security header (RFC 6797, section 6.1). ``max_age_s`` is None if the header is invalid."""

    text: str
    max_age_s: int | None
    include_subdomains: bool
    preload: bool


class SecurityHeaders(Struct, frozen=True):
    """Policies of the page from headers and metas."""

    policies: tuple[Policy, ...]
    hsts: Hsts | None
    """First header; later ones are ignored (RFC 6797, section 8.1)."""
    x_frame_options: tuple[str, ...]
    """Values in lower case, with comma lists split."""
    nosniff: bool
    referrer_policy: str
    """Effective policy of headers and metas, lower case; empty without a valid one."""
    referrer_policy_element: Element | None
    """Meta that sets it, None for a header."""

    @property
    def upgrades_insecure_requests(self) -> bool:
        """Whether an enforced policy makes browsers load http:// sub-resources over https."""
        return any(policy.is_enforced and "upgrade-insecure-requests" in policy.directives for policy in self.policies)

    @property
    def frame_ancestors(self) -> Policy | None:
        """Enforced header policy with frame-ancestors, the first that limits framing if any does.

        Metas and report-only policies have no effect (CSP 3, 6.4.2).
        """
        found = [policy for policy in self.policies if policy.is_enforced and not policy.element and "frame-ancestors" in policy.directives]
        return next((policy for policy in found if policy.limits_framing), found[0] if found else None)


@artifact
def make_security_headers(response: Response, document: Document, sent_head: SentHead) -> SecurityHeaders:
    """Read the final response's headers and the page's metas."""
    del document  # the policies are only checked on 2xx HTML pages
    headers = response.headers
    hsts = headers.first("strict-transport-security")
    referrer, element = _referrer(headers.all("referrer-policy"), sent_head.head)
    return SecurityHeaders(
        policies=_policies(response, sent_head.head),
        hsts=parse_hsts(hsts) if hsts is not None else None,
        x_frame_options=tuple(part.strip().lower() for line in headers.all("x-frame-options") for part in line.split(",")),
        nosniff=is_nosniff(headers.first("x-content-type-options")),
        referrer_policy=referrer,
        referrer_policy_element=element,
    )


def is_nosniff(value: str | None) -> bool:
    """Return whether the first value of an X-Content-Type-Options header is nosniff, ignoring case (Fetch Standard, 3.6)."""
    return value is not None and value.partition(",")[0].strip().lower() == "nosniff"


def parse_policies(text: str, *, enforced: bool, element: Element | None = None) -> list[Policy]:
    """Parse the comma-separated policies of one header line or meta; empty ones are dropped."""
    return [Policy(directives, enforced, element, written) for written, directives in parse_policy_list(text)]


def _policies(response: Response, head: Head) -> tuple[Policy, ...]:
    found: list[Policy] = []
    for line in response.headers.all("content-security-policy"):
        found += parse_policies(line, enforced=True)
    for line in response.headers.all("content-security-policy-report-only"):
        found += parse_policies(line, enforced=False)
    for meta in head.http_equiv("content-security-policy"):
        if meta.content and meta.in_head:
            found += parse_policies(meta.content, enforced=True, element=meta.element)
    return tuple(found)


def parse_hsts(text: str) -> Hsts:
    """Parse directives in any order and case; a repeated directive or a missing max-age makes the header invalid."""
    values: dict[str, str] = {}
    spoilt = False
    for directive in text.split(";"):
        if not directive.strip():
            continue
        name, _, value = directive.partition("=")
        key = name.strip().lower()
        spoilt = spoilt or key in values
        values[key] = value.strip().strip('"')
    age = values.get("max-age", "")
    valid = not spoilt and age.isascii() and age.isdigit()
    return Hsts(text, int(age[:18]) if valid else None, "includesubdomains" in values, "preload" in values)


def _referrer(lines: tuple[str, ...], head: Head) -> tuple[str, Element | None]:
    """Return the last valid token of the headers; a valid meta overrides it (Referrer Policy, section 8)."""
    tokens = [token.strip().lower() for line in lines for token in line.split(",")]
    policy = next((token for token in reversed(tokens) if token in REFERRER_POLICIES), "")
    element = None
    for meta in head.metas_named("referrer"):
        said = (meta.content or "").strip().lower()
        said = _LEGACY_REFERRER.get(said, said)
        if said in REFERRER_POLICIES:
            policy, element = said, meta.element
    return policy, element
