"""An https page loads things over http.

Why it matters: browsers block scripts, styles and frames that come over http, so the page breaks; pictures are tried over https and
vanish where that fails.

How to fix: write https addresses, or let browsers change them.

    <script src="https://cdn.example.com/app.js"></script>
    Content-Security-Policy: upgrade-insecure-requests

Sources: W3C, Mixed Content (Level 2), sections 3 and 4; W3C, Upgrade Insecure Requests.

Not judged: links, canonical addresses, namespaces and data, which fetch nothing; forms, which insecure-form judges; addresses of the
own machine, which browsers trust; what scripts and other sites' style sheets load.
"""

from collections.abc import Iterator

from findable.artifacts.html.document import Document, Element
from findable.artifacts.page.delivery import Transport, is_loopback
from findable.artifacts.page.images import Images
from findable.artifacts.page.security_headers import SecurityHeaders
from findable.artifacts.responses.resources import ResourceKind, Resources
from findable.checks.engine import Finding, check, failed, noted, passed, warned
from findable.formats.css import urls, without_comments
from findable.urls import join, parse
from findable.vocabulary import Effort, Importance

UPGRADED = frozenset({ResourceKind.IMAGE, ResourceKind.MEDIA, ResourceKind.ICON})
"""Kinds that browsers try over https by themselves (Mixed Content Level 2, section 3.1)."""
MAX_STYLE_CHARS = 500_000
BLOCKED = "browsers block it"
TRIED = "browsers try it over https"
CHANGED = "the policy changes it to https"


@check(question="Does the https page load anything over http?", importance=Importance.MEDIUM, effort=Effort.HEAD, depends_on=("https",))
def mixed_content(
    transport: Transport, document: Document, resources: Resources, images: Images | None, security: SecurityHeaders
) -> Finding:
    del transport  # only where the scheme is what visitors get
    blocked: dict[Element, str] = {}
    upgraded: dict[Element, str] = {}
    for node, url, tried_over_https in _loads(document, resources, images):
        if _is_insecure(url):
            (upgraded if tried_over_https else blocked).setdefault(node, TRIED if tried_over_https else BLOCKED)
    found = list({**blocked, **upgraded}.items())
    if not found:
        return passed("everything is loaded over https")
    if security.upgrades_insecure_requests:
        return warned(
            "{count|http address|http addresses}, changed to https by upgrade-insecure-requests",
            count=len(found),
            evidence=noted((node, CHANGED) for node, _ in found),
        )
    if blocked:
        return failed("{count|thing is|things are} loaded over http and blocked", count=len(blocked), evidence=noted(found))
    return warned(
        "{count|picture or film|pictures or films} named over http, tried over https by browsers",
        count=len(upgraded),
        evidence=noted(found),
    )


def _loads(document: Document, resources: Resources, images: Images | None) -> Iterator[tuple[Element, str, bool]]:
    """(element, address, whether browsers try https by themselves) of everything that markup fetches."""
    for item in resources.items:
        embedded = item.element.tag in ("embed", "object")  # plug-in content may be a page: blocked
        yield item.element, item.url, item.kind in UPGRADED and not embedded
    if images is not None:
        for image in images.items:
            for url in image.urls:
                yield image.element, url, True
        for node, url in images.backgrounds:
            yield node, url, True
    for style in resources.style_elements:
        text = style.raw_text[:MAX_STYLE_CHARS]
        if "http:" in text:
            for written in urls(without_comments(text)):
                yield (
                    style,
                    join(document.base_url, written) or "",
                    not written.lower().partition("?")[0].endswith((".woff2", ".woff", ".ttf", ".css")),
                )


def _is_insecure(url: str) -> bool:
    if not url.startswith("http:"):
        return False
    parsed = parse(url)
    return parsed is not None and not is_loopback(parsed.host)
