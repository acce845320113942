"""Facts of the page besides findings: one module per topic, with types and the functions that create them.

Every list is capped and contains the number of omitted items.
"""

from collections.abc import Callable
from typing import TypeVar

from msgspec import UNSET, Struct, UnsetType

from findable.artifacts.html.document import Document
from findable.artifacts.html.ids import Ids
from findable.artifacts.html.page_charset import Charset
from findable.artifacts.page.canonical import Canonical
from findable.artifacts.page.controls import Names
from findable.artifacts.page.forms import Forms
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.images import Images
from findable.artifacts.page.keywords import Keywords
from findable.artifacts.page.language import Language
from findable.artifacts.page.links import Links
from findable.artifacts.page.page_kind import DeterminedKind
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.page.response_cookies import Cookies
from findable.artifacts.page.robots_directives import RobotsDirectives
from findable.artifacts.page.security_headers import SecurityHeaders
from findable.artifacts.page.serp_width import ResultLines
from findable.artifacts.page.social import Preview, Social
from findable.artifacts.page.structured_data import StructuredData
from findable.artifacts.page.technologies import Technologies
from findable.artifacts.page.text import Text
from findable.artifacts.registry import Artifacts
from findable.artifacts.responses.assets import Assets
from findable.artifacts.responses.link_responses import PageLinkResponses
from findable.artifacts.responses.resources import Resources
from findable.artifacts.site.language_versions import LanguageSet
from findable.artifacts.site.robots import Robots
from findable.artifacts.site.sitemap import SitemapListing, Sitemaps
from findable.capture.response import Response
from findable.capture.site import SiteCapture
from findable.reports.facts import browser_facts, content_facts, delivery_facts, indexing_facts, link_facts


class Facts(Struct, frozen=True, kw_only=True):
    """Facts of a page. A member is omitted if its subject does not exist, and null if it could not be measured."""

    kind: content_facts.KindFacts | UnsetType = UNSET
    title: content_facts.ResultLineFacts | UnsetType = UNSET
    description: content_facts.ResultLineFacts | UnsetType = UNSET
    headings: content_facts.HeadingFacts | UnsetType = UNSET
    words: content_facts.WordFacts | UnsetType = UNSET
    language: content_facts.LanguageFacts | UnsetType = UNSET
    keywords: content_facts.KeywordFacts | UnsetType = UNSET
    structured_data: content_facts.StructuredDataFacts | UnsetType = UNSET
    social: content_facts.SocialFacts | UnsetType = UNSET
    headers: tuple[delivery_facts.HeaderFact, ...] | UnsetType = UNSET
    """Headers of the final response in their order; the values of cookies are hidden."""
    headers_count: int | UnsetType = UNSET
    cookies: tuple[delivery_facts.CookieFacts, ...] | UnsetType = UNSET
    cookies_count: int | UnsetType = UNSET
    tls: delivery_facts.TlsFacts | UnsetType | None = UNSET
    """TLS connection; null on http."""
    timings: delivery_facts.TimingFacts | UnsetType = UNSET
    resources: delivery_facts.ResourceFacts | UnsetType = UNSET
    images: tuple[delivery_facts.ImageFacts, ...] | UnsetType = UNSET
    images_count: int | UnsetType = UNSET
    security: delivery_facts.SecurityFacts | UnsetType | None = UNSET
    robots: indexing_facts.RobotsFacts | UnsetType | None = UNSET
    """Facts about robots.txt; null if it is unknown."""
    robots_directives: indexing_facts.RobotsDirectiveFacts | UnsetType | None = UNSET
    canonical: indexing_facts.CanonicalFacts | UnsetType | None = UNSET
    hreflang: tuple[indexing_facts.HreflangFacts, ...] | UnsetType = UNSET
    hreflang_count: int | UnsetType = UNSET
    sitemap: indexing_facts.SitemapFacts | UnsetType | None = UNSET
    """Facts about sitemaps; null if none was requested."""
    redirects: tuple[indexing_facts.RedirectFact, ...] | UnsetType = UNSET
    """Redirects before the page."""
    redirects_count: int | UnsetType = UNSET
    variants: tuple[indexing_facts.VariantFacts, ...] | UnsetType = UNSET
    """Responses of the home page over http and https, with and without www."""
    declared_charset: indexing_facts.CharsetFacts | UnsetType | None = UNSET
    links: tuple[link_facts.LinkFacts, ...] | UnsetType = UNSET
    links_left_count: int | UnsetType = UNSET
    link_counts: link_facts.LinkCounts | UnsetType = UNSET
    top_hosts: tuple[link_facts.HostFacts, ...] | UnsetType = UNSET
    """Hosts with the most external links."""
    technologies: tuple[link_facts.TechnologyFacts, ...] | UnsetType = UNSET
    address: link_facts.AddressFacts | UnsetType = UNSET
    dom: link_facts.DomFacts | UnsetType = UNSET
    forms: link_facts.FormFacts | UnsetType = UNSET
    browser: browser_facts.BrowserFacts | UnsetType = UNSET
    """Visit with a browser, if one was used."""

    @property
    def page_title(self) -> str:
        """Title of the page on one line, empty if there is none."""
        return " ".join(self.title.text.split()) if self.title else ""

    @property
    def meta_description(self) -> str:
        """Meta description on one line, empty if there is none."""
        return " ".join(self.description.text.split()) if self.description else ""

    @property
    def main_heading(self) -> str:
        """Text of the first main heading on one line, empty if there is none."""
        outline = self.headings.outline if self.headings else ()
        return next((" ".join(one.text.split()) for one in outline if one.level == 1), "")

    @property
    def canonical_url(self) -> str:
        """Canonical URL, empty if there is none."""
        return (self.canonical.target or "") if self.canonical else ""


Artifact = TypeVar("Artifact")
Made = TypeVar("Made")
Missing = TypeVar("Missing")


def _of(artifacts: Artifacts, kind: type[Artifact], make: Callable[[Artifact], Made], missing: Missing) -> Made | Missing:
    """Return the facts made from an artifact; ``missing`` if there is none."""
    artifact = artifacts.get_or_none(kind)
    return missing if artifact is None else make(artifact)


def facts_of(artifacts: Artifacts) -> Facts:
    """Return all facts of a page, each list capped."""
    response, site = artifacts.get_or_none(Response), artifacts.get_or_none(SiteCapture)
    if response is None or site is None:
        return Facts()
    hops = response.hops[:-1]
    cookies, images, hreflang = artifacts.get_or_none(Cookies), artifacts.get_or_none(Images), artifacts.get_or_none(LanguageSet)
    assets, responses = artifacts.get_or_none(Assets), artifacts.get_or_none(PageLinkResponses)
    links, document = artifacts.get_or_none(Links), artifacts.get_or_none(Document)
    return Facts(
        kind=_of(artifacts, DeterminedKind, content_facts.kind, UNSET),
        title=_of(artifacts, ResultLines, lambda lines: content_facts.result_line(lines.title), UNSET),
        description=_of(artifacts, ResultLines, lambda lines: content_facts.result_line(lines.description), UNSET),
        headings=_of(artifacts, Headings, content_facts.headings, UNSET),
        words=_of(artifacts, Text, lambda text: content_facts.words(text, artifacts.get_or_none(Language)), UNSET),
        language=_of(artifacts, Language, content_facts.language, UNSET),
        keywords=_of(artifacts, Keywords, content_facts.keywords, UNSET),
        structured_data=_of(artifacts, StructuredData, content_facts.structured_data, UNSET),
        social=_of(artifacts, Social, lambda social: content_facts.social(social, artifacts.get_or_none(Preview)), UNSET),
        headers=delivery_facts.headers(response),
        headers_count=len(response.headers.lines),
        cookies=delivery_facts.cookies(cookies) if cookies else (),
        cookies_count=len(cookies.items) if cookies else 0,
        tls=delivery_facts.tls(response.tls) if response.tls else None,
        timings=delivery_facts.timings(response),
        resources=delivery_facts.resources(response, artifacts.get_or_none(Resources), assets),
        images=delivery_facts.images(images, assets) if images else (),
        images_count=max(len(images.items), images.imgs_count) if images else 0,
        security=_of(artifacts, SecurityHeaders, delivery_facts.security, None),
        robots=_of(artifacts, Robots, lambda robots: indexing_facts.robots(robots, response.final_url), None),
        robots_directives=_of(artifacts, RobotsDirectives, indexing_facts.robots_directives, None),
        canonical=_of(artifacts, Canonical, indexing_facts.canonical, None),
        hreflang=indexing_facts.hreflang(hreflang),
        hreflang_count=hreflang.entries_count if hreflang else 0,
        sitemap=_of(artifacts, Sitemaps, lambda sitemaps: indexing_facts.sitemap(sitemaps, artifacts.get_or_none(SitemapListing)), None),
        redirects=indexing_facts.redirects(hops),
        redirects_count=len(hops),
        variants=indexing_facts.variants(site.variants),
        declared_charset=_of(artifacts, Charset, indexing_facts.declared_charset, None),
        links=link_facts.links(links, responses) if links is not None else UNSET,
        links_left_count=max(0, links.count - link_facts.LINKS_SHOWN) if links is not None else UNSET,
        link_counts=link_facts.link_counts(links, responses) if links is not None else UNSET,
        top_hosts=link_facts.top_hosts(links) if links is not None else UNSET,
        technologies=_of(artifacts, Technologies, link_facts.technologies, UNSET),
        address=_of(artifacts, PageUrl, link_facts.address, UNSET),
        dom=link_facts.dom(document, artifacts.get_or_none(Ids)) if document is not None else UNSET,
        forms=link_facts.forms(artifacts.get_or_none(Forms), artifacts.get_or_none(Names)) if document is not None else UNSET,
        browser=browser_facts.browser(artifacts) or UNSET,
    )
