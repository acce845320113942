"""The address in the preview tags is not the canonical one.

Why it matters: networks count shares and likes by og:url. Where it names another address than the canonical link, the counts split,
and people share an address that search engines do not show.

How to fix: write the same address in both.

    <link rel="canonical" href="https://www.example.com/shop/blue-widgets">
    <meta property="og:url" content="https://www.example.com/shop/blue-widgets">

Sources: The Open Graph protocol, ogp.me: og:url is "the canonical URL of your object that will be used as its permanent ID in the graph".

Not judged: pages without og:url or without one canonical address; tracking parameters and fragments.
"""

from findable.artifacts.html.document import Document
from findable.artifacts.page.canonical import Canonical, comparable
from findable.artifacts.page.social import Social
from findable.checks.engine import Finding, check, element, inapplicable, passed, warned
from findable.urls import parse
from findable.vocabulary import Effort, Importance


@check(
    question="Does og:url agree with the canonical link?", importance=Importance.LOW, effort=Effort.HEAD, depends_on=("canonical-valid",)
)
def og_url_agrees(document: Document, canonical: Canonical, social: Social) -> Finding:
    tag = social.first("og:url")
    if tag is None:
        return inapplicable("no og:url on the page")
    if canonical.target is None:
        return inapplicable("no single canonical address to compare with")
    url = parse(tag.content, document.base_url)
    shown = [tag.meta.element, *(item.element for item in canonical.counting if item.element is not None)]
    if url is None or not url.is_http:
        return warned("og:url is no web address: “{url}”", url=tag.content, evidence=tag.meta.element)
    if comparable(url.href) == comparable(canonical.target):
        return passed("og:url and canonical link agree: {url}", url=canonical.target, evidence=shown)
    return warned(
        "og:url is {url}, the canonical link {canonical}",
        url=url.href,
        canonical=canonical.target,
        evidence=[element(item) for item in shown],
    )
