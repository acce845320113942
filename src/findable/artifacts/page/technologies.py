"""Technologies of the page as far as it reveals them, each with its evidence."""

import re
from enum import StrEnum
from functools import cache

from msgspec import Struct

from findable.artifacts.html.document import Document, Element
from findable.artifacts.page.head import Head
from findable.artifacts.registry import artifact
from findable.capture.page import PageCapture
from findable.capture.response import Headers

MAX_SCRIPTS = 300
MAX_SIGN_CHARS = 200


class TechnologyKind(StrEnum):
    """Purpose of a technology."""

    CMS = "cms"
    SHOP = "shop"
    FRAMEWORK = "framework"
    LIBRARY = "library"
    SERVER = "server"
    LANGUAGE = "language"
    CDN = "cdn"
    ANALYTICS = "analytics"
    TAG_MANAGER = "tag_manager"
    ADS = "ads"
    CONSENT = "consent"
    FEATURE = "feature"
    """Feature that the page offers: a feed, a web app manifest, an AMP version."""


class Technology(Struct, frozen=True):
    """One technology and its evidence."""

    name: str
    kind: TechnologyKind
    version: str
    """Version as stated, empty if unknown."""
    sign: str
    """Evidence: a meta, a header line, a URL; cut at MAX_SIGN_CHARS."""
    element: Element | None


class Technologies(Struct, frozen=True):
    """Technologies without duplicates, in the order of the table."""

    items: tuple[Technology, ...]

    def of(self, kind: TechnologyKind) -> tuple[Technology, ...]:
        """Return technologies of one kind."""
        return tuple(item for item in self.items if item.kind is kind)


_K = TechnologyKind
# Values of <meta name="generator">; URLs of scripts, stylesheets and images; names of
# headers and cookies. From public pages and the products' own documentation, November 2026.
GENERATORS: tuple[tuple[str, TechnologyKind, str], ...] = (
    ("WordPress", _K.CMS, r"^WordPress(?: ([\d.]+))?"),
    ("WooCommerce", _K.SHOP, r"^WooCommerce(?: ([\d.]+))?"),
    ("Joomla", _K.CMS, r"^Joomla!?(?: ([\d.]+))?"),
    ("Drupal", _K.CMS, r"^Drupal(?: ([\d.]+))?"),
    ("TYPO3", _K.CMS, r"^TYPO3(?: CMS)?(?: ([\d.]+))?"),
    ("Ghost", _K.CMS, r"^Ghost(?: ([\d.]+))?"),
    ("MediaWiki", _K.CMS, r"^MediaWiki(?: ([\d.a-z-]+))?"),
    ("Wix", _K.CMS, r"^Wix\.com"),
    ("Webflow", _K.CMS, r"^Webflow"),
    ("Squarespace", _K.CMS, r"^Squarespace"),
    ("Blogger", _K.CMS, r"^blogger"),
    ("PrestaShop", _K.SHOP, r"^PrestaShop"),
    ("Shopware", _K.SHOP, r"^Shopware"),
    ("Contao", _K.CMS, r"^Contao"),
    ("Hugo", _K.CMS, r"^Hugo(?: ([\d.]+))?"),
    ("Jekyll", _K.CMS, r"^Jekyll v?([\d.]+)?"),
    ("Eleventy", _K.CMS, r"^Eleventy(?: v?([\d.]+))?"),
    ("Hexo", _K.CMS, r"^Hexo(?: ([\d.]+))?"),
    ("Gatsby", _K.FRAMEWORK, r"^Gatsby(?: ([\d.]+))?"),
    ("Astro", _K.FRAMEWORK, r"^Astro(?: v?([\d.]+))?"),
    ("Next.js", _K.FRAMEWORK, r"^Next\.js(?: ([\d.]+))?"),
    ("Docusaurus", _K.CMS, r"^Docusaurus(?: v?([\d.]+))?"),
    ("VitePress", _K.CMS, r"^VitePress(?: v?([\d.]+))?"),
    ("MkDocs", _K.CMS, r"^mkdocs-([\d.]+)?"),
    ("Elementor", _K.CMS, r"^Elementor(?: ([\d.]+))?"),
)
ADDRESSES: tuple[tuple[str, TechnologyKind, str], ...] = (
    ("WordPress", _K.CMS, r"/wp-(?:content|includes)/"),
    ("Drupal", _K.CMS, r"/sites/(?:default|all)/(?:files|themes|modules)/|/core/misc/drupal\.js"),
    ("TYPO3", _K.CMS, r"/typo3(?:temp|conf)/"),
    ("MediaWiki", _K.CMS, r"/load\.php\?.*modules="),
    ("Shopify", _K.SHOP, r"//cdn\.shopify\.com/|/cdn/shop/"),
    ("WooCommerce", _K.SHOP, r"/plugins/woocommerce/"),
    ("Magento", _K.SHOP, r"/static/version\d+/frontend/|/mage/(?:cookies|requirejs)"),
    ("Squarespace", _K.CMS, r"//(?:static\d*|assets)\.squarespace\.com/"),
    ("Wix", _K.CMS, r"//static\.(?:parastorage|wixstatic)\.com/"),
    ("Webflow", _K.CMS, r"//(?:assets|cdn)\.(?:website-files|prod\.website-files)\.com/|/webflow\.[\w.]*js"),
    ("HubSpot", _K.CMS, r"//js\.hs-scripts\.com/|//[\w.-]+\.hubspotusercontent"),
    ("Next.js", _K.FRAMEWORK, r"/_next/static/"),
    ("Nuxt", _K.FRAMEWORK, r"/_nuxt/"),
    ("Gatsby", _K.FRAMEWORK, r"/webpack-runtime-[0-9a-f]+\.js"),
    ("SvelteKit", _K.FRAMEWORK, r"/_app/immutable/"),
    ("Astro", _K.FRAMEWORK, r"/_astro/"),
    ("React", _K.LIBRARY, r"/react(?:-dom)?(?:@|[./-])[\w./@-]*js"),
    ("Vue.js", _K.LIBRARY, r"/vue(?:@([\d.]+))?[\w./@-]*\.js"),
    ("jQuery", _K.LIBRARY, r"/jquery(?:[.@/-]([\d.]+\d))?(?:[.-](?:slim|min))*\.js"),
    ("Bootstrap", _K.LIBRARY, r"/bootstrap(?:[.@/-]([\d.]+\d))?[\w./@-]*\.(?:js|css)"),
    ("Font Awesome", _K.LIBRARY, r"font-?awesome|//(?:kit|use)\.fontawesome\.com/"),
    ("Google Fonts", _K.LIBRARY, r"//fonts\.(?:googleapis|gstatic)\.com/"),
    ("Google Analytics", _K.ANALYTICS, r"//www\.google-analytics\.com/|googletagmanager\.com/gtag/js"),
    ("Google Tag Manager", _K.TAG_MANAGER, r"googletagmanager\.com/gtm\.js"),
    ("Matomo", _K.ANALYTICS, r"/(?:matomo|piwik)\.js"),
    ("Plausible", _K.ANALYTICS, r"//plausible\.io/js/"),
    ("Fathom", _K.ANALYTICS, r"//cdn\.usefathom\.com/"),
    ("Cloudflare Web Analytics", _K.ANALYTICS, r"//static\.cloudflareinsights\.com/"),
    ("Meta Pixel", _K.ANALYTICS, r"//connect\.facebook\.net/[^/]+/fbevents\.js"),
    ("Hotjar", _K.ANALYTICS, r"//static\.hotjar\.com/"),
    ("Microsoft Clarity", _K.ANALYTICS, r"//www\.clarity\.ms/"),
    ("Google AdSense", _K.ADS, r"//pagead2\.googlesyndication\.com/"),
    ("Google Publisher Tag", _K.ADS, r"//(?:www\.googletagservices\.com|securepubads\.g\.doubleclick\.net)/"),
    ("Cookiebot", _K.CONSENT, r"//consent\.cookiebot\.com/"),
    ("OneTrust", _K.CONSENT, r"//cdn\.(?:cookielaw|onetrust)\.(?:org|com)/"),
    ("Usercentrics", _K.CONSENT, r"//(?:app|web)\.(?:usercentrics|cmp\.usercentrics)\.eu/"),
    ("jsDelivr", _K.CDN, r"//cdn\.jsdelivr\.net/"),
    ("cdnjs", _K.CDN, r"//cdnjs\.cloudflare\.com/"),
    ("unpkg", _K.CDN, r"//unpkg\.com/"),
)
HEADERS: tuple[tuple[str, TechnologyKind, str, str], ...] = (
    ("Cloudflare", _K.CDN, "cf-ray", r""),
    ("Fastly", _K.CDN, "x-served-by", r"cache-"),
    ("Amazon CloudFront", _K.CDN, "x-amz-cf-id", r""),
    ("Akamai", _K.CDN, "x-akamai-transformed", r""),
    ("Vercel", _K.CDN, "x-vercel-id", r""),
    ("Netlify", _K.CDN, "x-nf-request-id", r""),
    ("GitHub Pages", _K.SERVER, "x-github-request-id", r""),
    ("bunny.net", _K.CDN, "cdn-pullzone", r""),
    ("Varnish", _K.SERVER, "x-varnish", r""),
    ("nginx", _K.SERVER, "server", r"^nginx(?:/([\d.]+))?"),
    ("Apache", _K.SERVER, "server", r"^Apache(?:/([\d.]+))?"),
    ("Microsoft IIS", _K.SERVER, "server", r"^Microsoft-IIS(?:/([\d.]+))?"),
    ("LiteSpeed", _K.SERVER, "server", r"^LiteSpeed"),
    ("Caddy", _K.SERVER, "server", r"^Caddy"),
    ("OpenResty", _K.SERVER, "server", r"^openresty(?:/([\d.]+))?"),
    ("PHP", _K.LANGUAGE, "x-powered-by", r"PHP(?:/([\d.]+))?"),
    ("ASP.NET", _K.LANGUAGE, "x-powered-by", r"ASP\.NET"),
    ("Express", _K.FRAMEWORK, "x-powered-by", r"^Express"),
    ("Next.js", _K.FRAMEWORK, "x-powered-by", r"^Next\.js(?: ([\d.]+))?"),
    ("Drupal", _K.CMS, "x-generator", r"^Drupal(?: ([\d.]+))?"),
    ("WordPress", _K.CMS, "link", r"rel=\"https://api\.w\.org/\""),
    ("Shopify", _K.SHOP, "x-shopid", r""),
)
COOKIES: tuple[tuple[str, TechnologyKind, str], ...] = (
    ("PHP", _K.LANGUAGE, r"^PHPSESSID$"),
    ("ASP.NET", _K.LANGUAGE, r"^ASP\.NET_SessionId$"),
    ("Java", _K.LANGUAGE, r"^JSESSIONID$"),
    ("Laravel", _K.FRAMEWORK, r"^laravel_session$"),
    ("Django", _K.FRAMEWORK, r"^csrftoken$"),
    ("Magento", _K.SHOP, r"^mage-cache-sessid$"),
)
FEEDS = {"application/rss+xml": "RSS feed", "application/atom+xml": "Atom feed", "application/feed+json": "JSON feed"}


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


@cache
def _addresses() -> tuple[tuple[str, TechnologyKind, re.Pattern[str]], ...]:
    return tuple((name, kind, _pattern(pattern)) for name, kind, pattern in ADDRESSES)


@cache
def _any_address() -> re.Pattern[str]:
    """Return a pattern that detects in one pass whether a URL reveals anything."""
    return re.compile("|".join(re.sub(r"\((?!\?)", "(?:", pattern) for _, _, pattern in ADDRESSES), re.IGNORECASE)


class _Finder:
    """Collects technologies, with the first evidence of each."""

    def __init__(self) -> None:
        self.found: dict[str, Technology] = {}

    def add(self, name: str, kind: TechnologyKind, sign: str, *, version: str | None = "", element: Element | None = None) -> None:
        known = self.found.get(name)
        if known is None or (version and not known.version):
            self.found[name] = Technology(name, kind, version or "", sign[:MAX_SIGN_CHARS], element)

    def generators(self, head: Head) -> None:
        for meta in head.named("generator")[:20]:
            content = (meta.content or "").strip()[:MAX_SIGN_CHARS]
            for name, kind, pattern in GENERATORS:
                if match := _pattern(pattern).match(content):
                    self.add(name, kind, f"generator: {content}", version=_version(match), element=meta.element)

    def addresses(self, document: Document, head: Head) -> None:
        loaded = [(script.attr("src"), script) for script in document.all("script", limit=MAX_SCRIPTS)]
        loaded += [(link.url, link.element) for link in head.links[:MAX_SCRIPTS] if link.rel & {"stylesheet", "preload", "modulepreload"}]
        for url, element in loaded:
            if not url or not _any_address().search(url, 0, 1000):
                continue
            for name, kind, pattern in _addresses():
                if match := pattern.search(url, 0, 1000):
                    self.add(name, kind, url, version=_version(match), element=element)

    def headers(self, headers: Headers) -> None:
        for name, kind, field, pattern in HEADERS:
            for value in headers.all(field)[:20]:
                if match := _pattern(pattern).search(value[:MAX_SIGN_CHARS]):
                    self.add(name, kind, f"{field}: {value}", version=_version(match))
        for line in headers.all("set-cookie")[:50]:
            cookie = line.partition("=")[0].strip()
            for name, kind, pattern in COOKIES:
                if _pattern(pattern).search(cookie):
                    self.add(name, kind, f"cookie {cookie}")

    def features(self, document: Document, head: Head) -> None:
        for link in head.links[:MAX_SCRIPTS]:
            if "alternate" in link.rel and link.type in FEEDS:
                self.add(FEEDS[link.type], _K.FEATURE, link.url or "", element=link.element)
            elif "manifest" in link.rel:
                self.add("web app manifest", _K.FEATURE, link.url or "", element=link.element)
            elif "amphtml" in link.rel:
                self.add("AMP version", _K.FEATURE, link.url or "", element=link.element)
        for element in document.holders("ng-version", limit=1):
            self.add("Angular", _K.FRAMEWORK, "ng-version", version=(element.attr("ng-version") or "")[:20], element=element)
        html = document.html
        if html.attr("amp") is not None or html.attr("⚡") is not None:
            self.add("AMP", _K.FEATURE, "amp attribute", element=html)


def _version(match: re.Match[str]) -> str:
    return (match.group(1) or "") if match.re.groups else ""


@artifact
def make_technologies(page: PageCapture, document: Document, head: Head) -> Technologies:
    """Read metas, URLs, headers and cookie names, without further requests."""
    finder = _Finder()
    finder.generators(head)
    finder.addresses(document, head)
    finder.headers(page.response.headers)
    finder.features(document, head)
    if ":" in page.response.final.address:
        finder.add("IPv6", _K.FEATURE, f"the page was fetched over IPv6 ({page.response.final.address})")
    order = {kind: index for index, kind in enumerate(TechnologyKind)}
    return Technologies(tuple(sorted(finder.found.values(), key=lambda item: (order[item.kind], item.name.lower()))))
