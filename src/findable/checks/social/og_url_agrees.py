"""The URL in the preview tags is not the canonical one.

In plain words: When somebody shares this page, the link may lead to another web address than the one in Google.

Why it matters: Networks count shares and likes by og:url. If it differs from the canonical URL, the counts are split, and people share a
URL that search engines do not show. Without a canonical link, a URL on another site says that the page belongs there.

How to fix: Use the same URL in both.

    <link rel="canonical" href="https://www.example.com/shop/blue-widgets">
    <meta property="og:url" content="https://www.example.com/shop/blue-widgets">

Sources: [The Open Graph protocol](https://ogp.me/): og:url is "the canonical URL of your object that will be used as its permanent ID in
the graph".

Not judged: pages without og:url or with several canonical URLs; tracking parameters and fragments. Without a canonical link, og:url is
compared with the page's own URL, where another spelling of it passes.
"""

import re
import unicodedata
from urllib.parse import unquote

from findable.artifacts.html.document import Document
from findable.artifacts.page.canonical import VARIANTS, Canonical, comparable, differences, preferred_form
from findable.artifacts.page.private_hosts import is_private_copy
from findable.artifacts.page.social import Social
from findable.checks.engine import Finding, attribute_mark, check, element, inapplicable, passed, warned, with_fault
from findable.checks.page_fix import attribute_fix
from findable.urls import origin_part, parse, same_site
from findable.vocabulary import Effort, Fault, Importance


@check(
    "Does og:url match the canonical URL?",
    Importance.LOW,
    Effort.HEAD,
    costs={Fault.OTHER_SITE: 60},
    depends_on=("canonical-valid",),
    mark=attribute_mark("content"),
)
def og_url_agrees(document: Document, canonical: Canonical, social: Social) -> Finding:
    tag = social.first("og:url")
    if tag is None:
        return inapplicable("The page has no og:url")
    if len(canonical.targets) > 1:
        return inapplicable("The page declares several canonical URLs: see “{check}”", check="canonical-valid")
    url = parse(tag.content, document.base_url)
    if url is None or not url.is_http:
        return warned("og:url is not an http(s) URL: “{url}”", url=tag.content, evidence=tag.meta.element)
    if any(item.url and comparable(item.url) == comparable(url.href) for item in canonical.declared if not item.counts):
        return inapplicable("og:url agrees with a canonical link that search engines ignore: see “{check}”", check="canonical-valid")
    if canonical.target is None:
        if differences(_normalize(canonical.page_url), _normalize(url.href)) <= VARIANTS:
            return passed("og:url leads to the page: {url}", url=url.href, evidence=tag.meta.element)
        finding = warned(
            "og:url is {url}, the URL of another page",
            url=url.href,
            evidence=tag.meta.element,
            fixes=[attribute_fix(tag.meta.element, content=preferred_form(canonical.page_url))],
        )
        is_elsewhere = not same_site(canonical.page_url, url.href) and not is_private_copy(canonical.page_url, url.href)
        return with_fault(finding, Fault.OTHER_SITE if is_elsewhere else None)
    shown = [tag.meta.element, *(item.element for item in canonical.effective if item.element is not None)]
    if comparable(url.href) == comparable(canonical.target):
        return passed("og:url matches the canonical URL: {url}", url=canonical.target, evidence=shown)
    return warned(
        "og:url is {url}, the canonical URL is {canonical}",
        url=url.href,
        canonical=canonical.target,
        evidence=[element(item) for item in shown],
        fixes=[attribute_fix(tag.meta.element, content=canonical.target)] if same_site(canonical.page_url, canonical.target) else [],
    )


def _normalize(url: str) -> str:
    """Return the URL in one spelling: decoded, with composed characters, and with single slashes in its path."""
    origin = origin_part(url)
    return origin + re.sub("/{2,}", "/", unicodedata.normalize("NFC", unquote(url[len(origin) :])))
