"""The page's URL is written differently in different places.

In plain words: Google finds this page under several web addresses, and does not know which one to show.

Why it matters: Canonical link, og:url, sitemap and language versions all declare the URL of the page. If they differ, shares and signals
are split between URLs.

How to fix: Fill all of them from the same value.

    <link rel="canonical" href="https://www.example.com/shop/blue-widgets">
    <meta property="og:url" content="https://www.example.com/shop/blue-widgets">

Sources: [Google: How to specify a canonical URL with rel=canonical and other
methods](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls) (2025); [Google: Fix Search-related
JavaScript problems](https://developers.google.com/search/docs/crawling-indexing/javascript/fix-search-javascript) (2025).

Not judged: structured data other than the one web page that a page's JSON-LD describes, which may describe other things than the page;
lists of language versions in sitemaps; what scripts change, without a browser. canonical-self reports that the page declares another page
as canonical, and og-url-agrees that og:url differs from the canonical link; they are not repeated here.
"""

from findable.artifacts.html.document import Document
from findable.artifacts.page.canonical import VARIANTS, Canonical, comparable, differences
from findable.artifacts.page.head import Head
from findable.artifacts.page.sent_page import SentPage
from findable.artifacts.page.structured_data import StructuredData
from findable.artifacts.page.structured_items import Syntax
from findable.artifacts.site.language_versions import LanguageSet
from findable.artifacts.site.sitemap import SitemapListing
from findable.checks.engine import Evidence, Finding, check, element, failed, inapplicable, passed, unknown, url_evidence, warned
from findable.checks.indexing_evidence import alternate_evidence, declarations_evidence
from findable.vocabulary import Effort, Importance

OG_URL = "og:url"
PAGE_TYPES = (
    *("WebPage", "CollectionPage", "FAQPage", "ItemPage", "MedicalWebPage", "QAPage"),
    *("RealEstateListing", "MediaGallery", "ImageGallery", "VideoGallery"),
)
"""WebPage and types that schema.org derives from it (29.3), but none of which a site has one that all pages may describe (ContactPage)."""
Signal = tuple[str, str, Evidence]
"""Signal for a canonical URL: its source, the URL, and its evidence."""


@check(
    "Do all signals agree on the URL?",
    Importance.LOW,
    Effort.HEAD,
    failed=10,
    warned=10,
    depends_on=("canonical-valid",),
    accepts_partial_input=True,
)
def canonical_consistency(
    document: Document,
    canonical: Canonical,
    head: Head,
    hreflang: LanguageSet,
    data: StructuredData,
    listing: SitemapListing | None,
    sent_page: SentPage | None,
) -> Finding:
    """Compares the URLs in og:url, JSON-LD, sitemap and hreflang with the canonical URL, or else the page's URL."""
    declared = declarations_evidence(canonical.effective)
    before = sent_page.canonical if sent_page is not None else canonical
    if canonical.target and before.target and comparable(before.target) != comparable(canonical.target):
        evidence = declarations_evidence(before.effective)
        return failed("A script changes the canonical URL to {url}", url=canonical.target, evidence=evidence)
    agreeing = {comparable(canonical.page_url), comparable(canonical.target or canonical.page_url)}
    signals = [*_signals(head, hreflang, listing, document), *_json_ld_url(data, document)]
    signals = [item for item in signals if item[0] != OG_URL or comparable(item[1]) in agreeing or _is_variant(item[1], canonical)]
    if not signals or (canonical.target is None and len(signals) < 2):  # noqa: PLR2004 - a single signal cannot disagree
        if listing is not None and not listing.is_complete:
            return unknown("Too few signals to compare, and the sitemap was not searched to its end")
        return inapplicable("Too few signals to compare")
    differing = [item for item in signals if comparable(item[1]) not in agreeing]
    if differing:
        return warned(
            "Another URL than {measure} in {names}",
            names=", ".join(name for name, _, _ in differing),
            measure=canonical.target or canonical.page_url,
            evidence=[*declared, *(item[2] for item in differing)],
        )
    return passed("{names} agree", names=", ".join(["canonical"] * bool(canonical.target) + [name for name, _, _ in signals]))


def _is_variant(url: str, canonical: Canonical) -> bool:
    """Return whether og:url is a variant of the page's URL, which og-url-agrees does not report without a canonical link."""
    return canonical.target is None and differences(canonical.page_url, url) <= VARIANTS


def _signals(head: Head, hreflang: LanguageSet, listing: SitemapListing | None, document: Document) -> list[Signal]:
    found: list[Signal] = []
    for meta in head.properties("og:url")[:1]:
        url = document.resolve(meta.content) if meta.content and meta.content.strip() else None
        if url:
            found.append((OG_URL, url, element(meta.element)))
    own = hreflang.for_url(document.url)
    if own and own[0].url:
        found.append(("hreflang", own[0].url, alternate_evidence(own[0])))
    if listing is not None and listing.entries:
        entry = listing.entries[0]
        found.append(("sitemap", entry.url, url_evidence(entry.url, note="is in {sitemap}", sitemap=entry.sitemap_url)))
    return found


def _json_ld_url(data: StructuredData, document: Document) -> list[Signal]:
    """Return the page's URL in JSON-LD; nothing if it describes several pages or none that is certainly this one."""
    pages = [item for item in data.items if item.syntax is Syntax.JSON_LD and item.is_a(*PAGE_TYPES)]
    written = [(item, text) for item in pages if (text := data.text(item, "url").strip())]
    if len(pages) != 1 or not written or data.has_broken_block or data.is_cut:
        return []
    item, text = written[0]
    url = document.resolve(text)
    return [("JSON-LD", url, element(item.element, "its url is {url}", url=url))] if url and url.startswith(("http:", "https:")) else []
