"""Made-up sites that are in order, for crawls. Tests plant faults in them: ``faults`` names what is planted."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import combinations
from random import Random
from typing import Any

from msgspec import Struct

from tests.crawl_sites import WORDS
from tests.sites.server import Page, Site, dynamic

SENTENCES = 14
CANONICAL = '<link rel="canonical" href="{}">'
HEADERS = (("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'"), ("X-Content-Type-Options", "nosniff"))
NOINDEX = '<meta name="robots" content="noindex,follow">'


def prose(seed: str, sentences: int = SENTENCES) -> str:
    """Paragraphs of sentences that no other seed has."""
    random = Random(seed)
    found = []
    for _ in range(sentences):
        words = [random.choice(WORDS) for _ in range(random.randint(6, 12))]
        found.append(" ".join(words).capitalize() + ".")
    return "".join(f"<p>{' '.join(found[start : start + 4])}</p>" for start in range(0, len(found), 4))


def links(items: Iterable[tuple[str, str]], kind: str) -> str:
    return f'<ul class="{kind}">' + "".join(f'<li><a href="{href}">{text}</a></li>' for href, text in items) + "</ul>"


class CleanSite:
    """A site of pages with one layout: menu, trail, main text, footer.

    Args:
        site: the server.
        name: at the end of titles.
        menu: links of the header.
        footer: links of the footer.
    """

    def __init__(self, site: Site, name: str, menu: Iterable[tuple[str, str]], footer: Iterable[tuple[str, str]]) -> None:
        self.site = site
        self.name = name
        self.menu = links(menu, "menu")
        self.footer = links(footer, "legal")
        self.entries: list[str] = []
        self.products: list[str] = []

    def page(
        self,
        path: str,
        title: str,
        body: str = "",
        *,
        canonical: str | None = None,
        head: str = "",
        description: str | None = None,
        text: str | None = None,
        lang: str = "en",
        listed: bool = True,
        sitemap: bool = True,
        full_title: str = "",
        data: Mapping[str, Any] | None = None,
    ) -> None:
        """Add a page; without a text it has one of its own. ``listed``: it declares itself as canonical and is in the sitemap.
        ``data``: further structured data."""
        url = self.site.url(path)
        target = canonical if canonical is not None else path
        head = (CANONICAL.format(self.site.url(target)) if target else "") + head
        told = (
            description
            if description is not None
            else f"{title}: {' '.join(Random(path).sample(WORDS, 12))}, all made by hand in our town."
        )
        trail = {
            "@context": "https://schema.org",
            "@type": "BreadcrumbList",
            "itemListElement": [
                {"@type": "ListItem", "position": 1, "name": "Home", "item": self.site.url("/")},
                {"@type": "ListItem", "position": 2, "name": title},
            ],
        }
        maker = {"@type": "Organization", "name": self.name, "url": self.site.url("/"), "logo": self.site.url("/share.png")}
        itself = {"@type": "WebSite", "name": self.name, "url": self.site.url("/")}
        organization = {"@context": "https://schema.org", "@graph": [itself, maker]}
        written = [organization if path == "/" else trail, *([{"@context": "https://schema.org", **data}] if data else [])]
        scripts = "".join(f'<script type="application/ld+json">{json.dumps(item)}</script>' for item in written)
        shared = (
            f'<meta property="og:title" content="{title}"><meta property="og:type" content="website">'
            f'<meta property="og:url" content="{url}"><meta property="og:image" content="{self.site.url("/share.png")}">'
            '<meta name="twitter:card" content="summary_large_image"><link rel="icon" href="/favicon.ico">'
            '<link rel="stylesheet" href="/style.css"><script src="/site.js" defer></script>'
        )
        self.site.page(
            path,
            f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{full_title or f"{title} – {self.name}"}</title>'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="description" content="{told}">{shared}{head}'
            f'{scripts}</head><body><header><img src="/share.png" alt="{self.name}" width="60" height="40"><nav aria-label="Main">{self.menu}</nav></header>'
            f"<main><h1>{title}</h1>{prose(path) if text is None else text}{body}</main><footer>{self.footer}</footer></body></html>",
            headers=HEADERS,
        )
        if listed and sitemap and target == path and NOINDEX not in head:
            self.entries.append(path)

    def finish(self, *, disallow: Iterable[str] = (), further: Iterable[str] = ()) -> None:
        """Add robots.txt, the sitemap with all listed pages and ``further`` ones, and the page for missing URLs."""
        rules = "".join(f"Disallow: {path}\n" for path in disallow) or "Disallow:\n"
        self.site.page("/robots.txt", f"User-agent: *\n{rules}Sitemap: {self.site.url('/sitemap.xml')}\n", content_type="text/plain")
        entries = "".join(f"<url><loc>{self.site.url(path)}</loc></url>" for path in (*self.entries, *further))
        self.site.page(
            "/sitemap.xml",
            f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>',
            content_type="application/xml",
        )
        home = '<h1>This page does not exist</h1><p><a href="/">To the start page</a></p>'
        self.site.fallback(Page(f"<!doctype html><html lang='en'><title>Not found</title>{home}{prose('missing')}</html>".encode(), 404))
        self.site.page("/favicon.ico", b"\0\0\1\0", content_type="image/x-icon")
        self.site.page("/share.png", b"\x89PNG\r\n\x1a\n", content_type="image/png")
        self.site.page("/style.css", "main { max-width: 40em; }", content_type="text/css")
        self.site.page("/site.js", "document.title", content_type="text/javascript")


MENU = (("/", "Home"), ("/services", "Services"), ("/prices", "Prices"), ("/about", "About us"), ("/contact", "Contact"))
FOOTER = (("/imprint", "Imprint"), ("/privacy", "Privacy"), ("/jobs", "Jobs"))


def make_business(site: Site, faults: frozenset[str] = frozenset()) -> None:
    """A small business of eight pages."""
    footer = [*FOOTER, *([("/gone", "Old offers")] if "footer" in faults else [])]
    made = CleanSite(site, "Miller Joinery", MENU, footer)
    more = []
    if "chain" in faults:
        more.append(("/one", "First step"))
        for path, target in (("/one", "/two"), ("/two", "/three"), ("/three", "/services")):
            site.redirect(path, target, 301)
    if "loop" in faults:
        more.append(("/round", "Around"))
        site.redirect("/round", "/about-round", 301)
        site.redirect("/about-round", "/round", 301)
    if "server-error" in faults:
        more.append(("/broken-page", "Booking"))
        site.page("/broken-page", "<!doctype html><title>Error</title>", status=500)
    made.page(
        "/",
        "Miller Joinery in Hill Town",
        links([("/prices", "What a table costs"), *more], "teaser"),
        full_title="Miller Joinery: tables and doors",
        head=NOINDEX if "start" in faults else "",
    )
    same_title = "About our joinery" if "title" in faults else ""
    for path, title in (
        ("/services", "Services of the joinery"),
        ("/prices", "Prices of tables"),
        ("/about", "About the joiners"),
        ("/contact", "How to reach us"),
    ):
        canonical = "/gone-canonical" if "canonical" in faults and path == "/prices" else None
        hidden = NOINDEX if "section" in faults else ""
        made.page(path, title, canonical=canonical, head=hidden, full_title=same_title if path in ("/services", "/about") else "")
    same_text = prose("legal") if "text" in faults else None
    made.page("/imprint", "Imprint of the joinery", text=same_text)
    made.page("/privacy", "Privacy at the joinery", text=same_text)
    made.page("/jobs", "Jobs for joiners")
    further = ["/services", "/prices", "/about", "/contact"] if "section" in faults else []
    if "orphan" in faults:
        made.page("/forgotten", "Forgotten page of the joinery")
    if "sitemap" in faults:
        made.page("/hidden", "Hidden page of the joinery", head=NOINDEX)
        further += ["/missing-entry", "/hidden", "/private/entry"]
    made.finish(disallow=["/private/"], further=further)


TOPICS = ("install", "tutorial", "models", "queries", "forms", "views", "testing", "deploy")
VERSIONS = ("3.1", "3.2", "latest")


def make_docs(site: Site, faults: frozenset[str] = frozenset(), *, canonical: bool = True) -> None:
    """Documentation in three versions with the same pages. ``canonical``: old versions declare the latest one as canonical."""
    made = CleanSite(site, "Widget docs", [("/", "Home"), *((f"/{version}/", f"Version {version}") for version in VERSIONS)], FOOTER[:2])
    made.page("/", "Documentation of Widget", full_title="Widget documentation in all versions")
    for path, title in FOOTER[:2]:
        made.page(path, f"{title} of Widget")
    for version in VERSIONS:
        sidebar = [(f"/{version}/{topic}", topic.title()) for topic in TOPICS]
        if "sidebar" in faults and version == "3.1":
            sidebar.append(("/3.1/removed", "Removed"))
        for topic in ("", *TOPICS):
            target = f"/latest/{topic}"
            if topic and version == "3.1":
                chained = f"/3.2/{topic}" if "chain" in faults else target
                target = f"/latest/old-{topic}" if "target" in faults else "/" if "home" in faults else chained
            others = [(f"/{other}/{topic}", f"In {other}") for other in VERSIONS if other != version]
            if "switcher" in faults:
                others.append((f"/3.0/{topic}", "In 3.0"))
                site.redirect(f"/3.0/{topic}", f"/latest/{topic}", 301)
            made.page(
                f"/{version}/{topic}",
                f"{topic.title() or 'Contents'} of Widget",
                f"<aside>{links(sidebar, 'sidebar')}</aside>{links(others, 'versions')}",
                canonical=target if canonical and version != "latest" else None,
                description=f"How {topic or 'everything'} works in Widget, with examples and all of its settings.",
                text=prose(topic or "contents") + prose(f"{version} {topic}", 1),
            )
    made.finish()


PLACES = (("uk", "en-GB"), ("us", "en-US"))


def make_countries(site: Site, faults: frozenset[str] = frozenset()) -> None:
    """A site for two countries with the same texts, told apart by hreflang."""
    made = CleanSite(site, "Maps of the world", [("/", "World"), ("/uk/", "Britain"), ("/us/", "America")], FOOTER[:2])
    made.page("/", "Maps of all countries", full_title="Maps of the world for walkers")
    for path, title in FOOTER[:2]:
        made.page(path, f"{title} of the maps")
    for place, _ in PLACES:
        for name in ("", "forests", "rivers", "mountains"):
            path = f"/{place}/{name}"
            tags = "".join(f'<link rel="alternate" hreflang="{code}" href="{site.url(f"/{other}/{name}")}">' for other, code in PLACES)
            made.page(
                path,
                f"Maps of {name or 'countries'} for walkers",
                links([(f"/{place}/{other}", other.title()) for other in ("forests", "rivers", "mountains")], "maps"),
                head="" if "hreflang" in faults else tags,
                description=f"Maps of {name or 'everything'} at a scale that shows paths, huts and wells; printed on paper that stands rain.",
                text=prose(f"maps {name}"),
            )
    made.finish()


COLLECTIONS = tuple(
    f"{first}-{second}" for first in ("oak", "pine", "steel", "glass") for second in ("tables", "chairs", "lamps", "doors", "boxes")
)
PRODUCTS = 30
PER_PAGE = 8
FACETS = 1100
"""More than a crawl requests of one path."""
MENU_LINKS = 400


class Shape(Struct, frozen=True):
    """URLs of a shop system."""

    collection: str
    product: str
    page: str
    """Further page of a list; ``{path}`` is that of the list."""
    sort: str
    choice: str
    """Filter with noindex."""
    facet: str
    """Beginning of the names of filters that robots.txt disallows."""


SHOPIFY = Shape("/collections/{}", "/products/{}", "{path}?page={n}", "sort_by=price", "color=red", "filter.")
WOOCOMMERCE = Shape(*("/product-category/{}/", "/product/{}/", "{path}page/{n}/", "orderby=price", "color=red", "filter_"))
MAGENTO = Shape("/{}.html", "/{}.html", "{path}?p={n}", "product_list_order=price", "color=49", "am_")


def make_store(site: Site, faults: frozenset[str] = frozenset(), shape: Shape = SHOPIFY) -> None:
    """A shop in the shapes of Shopify, WooCommerce or Magento.

    Its menu has 400 links. Products have variants with a canonical URL, and reviews on several pages; collections have several pages,
    sort orders that declare the collection as canonical, filters by colour with noindex, and filters that robots.txt disallows, in more
    than a thousand combinations.
    """
    menu = [("/", "Home"), *((shape.collection.format(COLLECTIONS[n % len(COLLECTIONS)]), f"Goods {n}") for n in range(MENU_LINKS - 1))]
    footer = [*FOOTER[:2], *([("/pages/gone", "Old sale")] if "footer" in faults else [])]
    if "calendar" in faults:
        footer.append(("/events?month=2026-01", "Events"))
    made = CleanSite(site, "Timber store", menu, footer)
    products = [f"{WORDS[n % len(WORDS)]}-{WORDS[(n * 7 + 3) % len(WORDS)]}-{n}" for n in range(PRODUCTS)]
    made.products = products
    made.page("/", "Timber store for the home", full_title="Timber store: furniture and lamps of wood")
    for path, title in FOOTER[:2]:
        made.page(path, f"{title} of the store")
    for number, name in enumerate(COLLECTIONS):
        _collection(made, name, products if not number else products[number::10], faults, shape)
    for name in products:
        _product(made, name, faults, shape)
    if "calendar" in faults:
        site.handler("/events", dynamic(lambda request: _month(made, request.target)))
    made.finish(disallow=("/cart", f"/*?*{shape.facet}"))


def _collection(made: CleanSite, name: str, products: list[str], faults: frozenset[str], shape: Shape) -> None:
    path, title = shape.collection.format(name), name.replace("-", " ").capitalize()
    below = path.rstrip("/") + "/products/{}" if "collection-links" in faults else shape.product
    lists = [
        links([(below.format(product), product.replace("-", " ").title()) for product in products[start : start + PER_PAGE]], "products")
        for start in range(0, len(products), PER_PAGE)
    ]
    urls = [path, *(shape.page.format(path=path, n=number) for number in range(2, len(lists) + 1))]
    pager = links([(url, f"Page {number}") for number, url in enumerate(urls, 1)], "pager") if len(urls) > 1 else ""
    facets = _facets(path, shape) if len(urls) > 1 else []
    filters = [(f"{path}?{shape.choice}", "Red"), (f"{path}?{shape.sort}", "By price"), *facets[:: len(urls)]]
    body = lists[0] + pager + (links(filters, "filters") if len(urls) > 1 else "")
    text = prose(path, 3 * SENTENCES)
    made.page(path, title, body, text=text)
    for number, url in enumerate(urls[1:], 2):
        made.page(
            url,
            f"{title}, page {number}",
            lists[number - 1] + pager + links(facets[number - 1 :: len(urls)], "filters"),
            text=prose(url, 3),
            description=f"More of our {title.lower()}, page {number}, made by hand in our town.",
            sitemap=False,
        )
    if "collection-links" in faults:
        for product in products:
            _product(made, product, faults, shape, path=below.format(product))
    if len(urls) > 1:
        canonical = {"canonical": None} if "facets" in faults else {"canonical": path}
        made.page(f"{path}?{shape.sort}", title, body, text=text, sitemap=False, **canonical)
        made.page(f"{path}?{shape.choice}", title, body, head=NOINDEX, canonical="", text=text)


def _facets(path: str, shape: Shape) -> list[tuple[str, str]]:
    """Links to combinations of two filters."""
    pairs = list(combinations(("brand", "fit", "size", "use", "wood"), 2))
    values = range(FACETS // len(pairs))
    return [(f"{path}?{shape.facet}{one}={n}&{shape.facet}{other}={n}", f"{one} {n}") for one, other in pairs for n in values]


def _product(made: CleanSite, name: str, faults: frozenset[str], shape: Shape, path: str = "") -> None:
    url, title = shape.product.format(name), name.replace("-", " ").capitalize()
    more = [(shape.page.format(path=f"{url.removesuffix('/')}/reviews", n=page), f"Reviews {page}") for page in (2, 3)]
    reviews = more if name.endswith("-1") else []
    variants = [(f"{url}?variant=2", "Other size")] if name.endswith("-3") else []
    number = int(name.rpartition("-")[2])
    near = [made.products[(number + step) % len(made.products)] for step in (1, 2, 3)]
    related = links([(shape.product.format(other), other.replace("-", " ").title()) for other in near], "related")
    body = related + (links([*reviews, *variants], "more") if reviews or variants else "")
    canonical = "/" if "home" in faults and number % 10 == 5 else url
    offer = {"@type": "Offer", "price": "49.00", "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}
    data = {"@type": "Product", "name": title, "image": made.site.url("/share.png"), "offers": offer}
    made.page(path or url, title, f"<p>49.00 EUR</p>{body}", canonical=canonical, text=prose(url), sitemap=not path, data=data)
    if path:
        return
    for href, _ in variants:
        made.page(href, title, body, canonical=url, text=prose(url))
    for href, shown in reviews:
        made.page(
            href,
            f"{shown} of {title}",
            text=prose(href),
            description=f"What people say of {title} after a year of use: {shown}.",
            sitemap=False,
        )


def _month(made: CleanSite, target: str) -> Page:
    year, _, month = (target.partition("month=")[2] or "2026-01").partition("-")
    number = int(year) * 12 + int(month)
    following = f"{number // 12}-{number % 12 + 1:02}"
    body = f'<a href="/events?month={following}">Next month</a>'
    title = f"Events in {year}-{month} – {made.name}"
    return Page(f'<!doctype html><html lang="en"><title>{title}</title><main><h1>{title}</h1>{body}</main></html>'.encode(), 200, HEADERS)


SECTIONS = ("politics", "sports", "culture")
ARTICLES = 48
ARCHIVE_PAGES = 12
AMP_STORIES = (10, 30)


def make_news(site: Site) -> None:
    """A news site: sections with archives of twelve pages, AMP versions, a live blog, a sitemap for news."""
    made = CleanSite(site, "Hill Post", [("/", "Home"), *((f"/{name}/", name.title()) for name in SECTIONS)], FOOTER[:2])
    stories = {name: [f"/{name}/{WORDS[n]}-{WORDS[n + 7]}-{SECTIONS.index(name)}{n}" for n in range(ARTICLES)] for name in SECTIONS}
    first = [(paths[0], f"Today in {name}") for name, paths in stories.items()]
    made.page("/", "News of the hill", links([*first, ("/live", "Live")], "top"), full_title="Hill Post: news of the hill")
    for path, title in FOOTER[:2]:
        made.page(path, f"{title} of the Post")
    today = datetime.now(UTC)
    for name, paths in stories.items():
        _archive(made, name, paths)
        for number, path in enumerate(paths):
            _story(made, path, today - timedelta(days=number), has_amp=number in AMP_STORIES)
    live = {"@type": "LiveBlogPosting", "headline": "The match", "datePublished": today.isoformat(), "dateModified": today.isoformat()}
    author = {"author": {"@type": "Person", "name": "Ann Hill", "url": site.url("/")}, "image": site.url("/share.png")}
    made.page("/live", "The match as it happens", text=prose("live"), data={**live, **author})
    made.finish()
    current = [path for paths in stories.values() for path in paths[:2]]
    entries = "".join(_news_entry(site, path, today - timedelta(hours=20)) for path in current)
    site.page(
        "/news.xml",
        '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        f'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">{entries}</urlset>',
        content_type="application/xml",
    )
    site.change("/robots.txt", "Sitemap:", f"Sitemap: {site.url('/news.xml')}\nSitemap:")


def _archive(made: CleanSite, name: str, paths: list[str]) -> None:
    per_page = len(paths) // ARCHIVE_PAGES
    urls = [f"/{name}/", *(f"/{name}/page/{number}" for number in range(2, ARCHIVE_PAGES + 1))]
    pager = links([(url, f"Page {number}") for number, url in enumerate(urls, 1)], "pager")
    for number, url in enumerate(urls, 1):
        own = paths[(number - 1) * per_page : number * per_page]
        listed = links([(path, path.rpartition("/")[2].replace("-", " ").title()) for path in own], "stories")
        title = f"{name.title()} of the hill" + (f", page {number}" if number > 1 else "")
        made.page(url, title, listed + pager, text=prose(url, 3), sitemap=number == 1)


def _story(made: CleanSite, path: str, day: datetime, *, has_amp: bool) -> None:
    section, _, name = path[1:].partition("/")
    title = f"{name.rpartition('-')[0].replace('-', ' ').capitalize()} in {section}, number {path[-2:]}"
    date = day.strftime("%Y-%m-%d")
    data = {
        "@type": "NewsArticle",
        "headline": title,
        "datePublished": date,
        "author": {"@type": "Person", "name": "Ann Hill", "url": made.site.url("/")},
        "image": made.site.url("/share.png"),
    }
    amp = f"/amp{path}"
    head = f'<link rel="amphtml" href="{made.site.url(amp)}">' if has_amp else ""
    fast = links([(amp, "Fast version")], "amp") if has_amp else ""
    made.page(path, title, f'<p><time datetime="{date}">{date}</time></p>{fast}', head=head, data=data)
    if has_amp:
        made.page(amp, title, canonical=path, text=prose(path), data=data)


def _news_entry(site: Site, path: str, at: datetime) -> str:
    publication = "<news:publication><news:name>Hill Post</news:name><news:language>en</news:language></news:publication>"
    date = f"<news:publication_date>{at.isoformat(timespec='seconds')}</news:publication_date>"
    return f"<url><loc>{site.url(path)}</loc><news:news>{publication}{date}<news:title>A story</news:title></news:news></url>"


HOSTS = (("en-GB", "Maps of Britain"), ("en-US", "Maps of America"), ("de-DE", "Karten"))
MAPS = ("", "forests", "rivers", "mountains", "lakes")


def make_hosts(sites: Sequence[Site]) -> None:
    """One site on three hosts for three countries; those in English have the same texts. The first links to the others."""
    for site, (code, name) in zip(sites, HOSTS, strict=True):
        others = [(other.url("/"), shown) for other, (_, shown) in zip(sites, HOSTS, strict=True)]
        made = CleanSite(site, name, [(f"/{page}", page.title() or "Home") for page in MAPS], others)
        for page in MAPS:
            tags = "".join(
                f'<link rel="alternate" hreflang="{other}" href="{at.url(f"/{page}")}">'
                for at, (other, _) in zip(sites, HOSTS, strict=True)
            )
            lang = code.partition("-")[0]
            made.page(
                f"/{page}",
                f"Maps of {page or 'all'} for walkers",
                head=tags,
                lang=lang,
                text=german_prose(page) if lang == "de" else prose(f"maps {page}"),
                description=f"{name} – {page or 'all'}: paths, huts and wells at a scale for walkers; printed on paper that stands rain.",
            )
        made.finish()


GERMAN = (
    "der",
    "die",
    "das",
    "und",
    "ist",
    "nicht",
    "Karte",
    "Wege",
    "Hütte",
    "Brunnen",
    "zeigt",
    "für",
    "Wanderer",
    "mit",
    "auf",
    "Papier",
)


def german_prose(seed: str) -> str:
    random = Random(seed)
    sentences = [" ".join(random.choice(GERMAN) for _ in range(9)).capitalize() + "." for _ in range(SENTENCES)]
    return f"<p>{' '.join(sentences)}</p>"
