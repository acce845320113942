"""An https page loads resources over http.

In plain words: Visitors may miss images or functions, because parts of the page are not encrypted and browsers block them.

Why it matters: Browsers block scripts, styles and frames that come over http, so the page breaks; images are requested over https, and
disappear if that fails.

How to fix: Use https URLs, or let browsers change them.

    <script src="https://cdn.example.com/app.js"></script>
    Content-Security-Policy: upgrade-insecure-requests

Sources: [Mixed Content](https://www.w3.org/TR/mixed-content/), sections 3 and 4; [Upgrade Insecure
Requests](https://www.w3.org/TR/upgrade-insecure-requests/).

Not judged: Links, canonical URLs, namespaces and data, which fetch nothing; forms, which insecure-form judges; URLs of the local machine,
which browsers trust; what scripts and other sites' stylesheets load.
"""

from collections.abc import Iterator

from findable.artifacts.html.document import Document, Element
from findable.artifacts.page.image_sets import ImageSets
from findable.artifacts.page.images import Images
from findable.artifacts.page.private_hosts import is_loopback
from findable.artifacts.page.security_headers import SecurityHeaders
from findable.artifacts.responses.resources import ResourceKind, Resources
from findable.checks.engine import Finding, as_evidence, check, failed, inapplicable, passed, warned
from findable.checks.page_fix import Fix, attribute_fix
from findable.formats.css import strip_comments, urls
from findable.lazy_pattern import lazy_pattern
from findable.urls import host_of, is_ip, join, parse
from findable.vocabulary import Effort, Importance

UPGRADED = frozenset({ResourceKind.IMAGE, ResourceKind.MEDIA, ResourceKind.ICON})
"""Kinds that browsers upgrade to https automatically (Mixed Content Level 2, section 3.1)."""
ATTRIBUTES = ("src", "srcset", "imagesrcset", "href", "data", "poster", "style")
MAX_STYLE_CHARS = 500_000
BLOCKED = "browsers block it"
TRIED = "browsers try it over https"
CHANGED = "the policy changes it to https"


@check(
    "Does the HTTPS page load anything over HTTP?",
    Importance.MEDIUM,
    Effort.HEAD,
    failed=30,
    warned=15,
    mark=r"\b(?:src|href|srcset|data|action|poster)=\"http:[^\"]*\"",
)
def mixed_content(
    document: Document, resources: Resources, images: Images | None, image_sets: ImageSets, security: SecurityHeaders
) -> Finding:
    if not document.url.startswith("https:"):
        return inapplicable("The page itself is not on HTTPS")
    blocked: dict[Element, str] = {}
    upgraded: dict[Element, str] = {}
    insecure: dict[Element, str] = {}
    for node, url, is_upgradable in _loaded_urls(document, resources, images, image_sets):
        if _is_insecure(url):
            tried = is_upgradable and not is_ip(host_of(url)) and node.attr("crossorigin") is None
            (upgraded if tried else blocked).setdefault(node, TRIED if tried else BLOCKED)
            insecure.setdefault(node, url)
    found = list({**upgraded, **blocked}.items())
    found.sort(key=lambda pair: pair[1] != BLOCKED)
    if not found:
        return passed("Everything is loaded over HTTPS")
    fixes = (_fix(node, url) for node, url in insecure.items())
    if security.upgrades_insecure_requests:
        return warned(
            "{count|HTTP URL|HTTP URLs}, changed to HTTPS by upgrade-insecure-requests",
            count=len(found),
            evidence=as_evidence((node, CHANGED) for node, _ in found),
            fixes=fixes,
        )
    if blocked:
        return failed(
            "{count|resource is|resources are} loaded over HTTP and blocked", count=len(blocked), evidence=as_evidence(found), fixes=fixes
        )
    return warned(
        "{count|image or video|images or videos} loaded over HTTP; browsers try HTTPS",
        count=len(upgraded),
        evidence=as_evidence(found),
        fixes=fixes,
    )


_SCHEME = lazy_pattern(r"(?<![\w=&?/%:])http:")
"""Scheme of a URL, not of one in the parameters of another."""


def _fix(node: Element, url: str) -> Fix | None:
    """Return the element with https in the attributes that load resources; None for a style element."""
    attrs = node.attrs
    over_https = {name: _SCHEME.sub("https:", attrs[name]) for name in ATTRIBUTES if _SCHEME.search(attrs.get(name, ""))}
    if not over_https and url and attrs.get("href"):
        over_https = {"href": url.replace("http:", "https:", 1)}
    elif not over_https and url and attrs.get("src"):
        over_https = {"src": url.replace("http:", "https:", 1)}
    return attribute_fix(node, **over_https)


def _loaded_urls(
    document: Document, resources: Resources, images: Images | None, image_sets: ImageSets
) -> Iterator[tuple[Element, str, bool]]:
    """Yield the element and URL of everything that the markup loads, and whether browsers upgrade it to https."""
    for item in resources.items:
        if item.kind is ResourceKind.IMAGE and item.element.tag != "link":
            continue  # the loop below handles objects with their parameters
        # Browsers upgrade only images, audio and video to https; they block embed, object and track.
        yield item.element, item.url, item.kind in UPGRADED and item.element.tag not in ("embed", "object", "track")
    for item in resources.imports:
        yield item.element, item.url, False
    for node, url in image_sets.insecure:
        yield node, url, False
    if images is not None:
        for image in images.items:
            if image.url:
                yield image.element, image.url, not image.in_picture and "srcset" not in image.element.attrs
        for node, url in images.backgrounds:
            yield node, url, True
    for style in resources.style_elements:
        text = style.raw_text[:MAX_STYLE_CHARS]
        if "http:" in text:
            for written in urls(strip_comments(text)):
                is_image = not written.lower().partition("?")[0].endswith((".woff2", ".woff", ".ttf", ".css"))
                yield style, join(document.base_url, written) or "", is_image


def _is_insecure(url: str) -> bool:
    if not url.startswith("http:"):
        return False
    parsed = parse(url)
    return parsed is not None and not is_loopback(parsed.host)
