"""Made-up sites that are in order, for crawls. Tests plant faults in them: ``faults`` names what is planted."""

import json
from collections.abc import Iterable
from random import Random

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
    ) -> None:
        """Add a page; without a text it has one of its own. ``listed``: it declares itself as canonical and is in the sitemap."""
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
        data = json.dumps(organization if path == "/" else trail)
        shared = (
            f'<meta property="og:title" content="{title}"><meta property="og:type" content="website">'
            f'<meta property="og:url" content="{url}"><meta property="og:image" content="{self.site.url("/share.png")}">'
            '<meta name="twitter:card" content="summary_large_image"><link rel="icon" href="/favicon.ico">'
        )
        self.site.page(
            path,
            f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{full_title or f"{title} – {self.name}"}</title>'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="description" content="{told}">{shared}{head}'
            f'<script type="application/ld+json">{data}</script></head><body><header><nav aria-label="Main">{self.menu}</nav></header>'
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
MENU_LINKS = 400
RULES = ("/cart", "/*?*filter")


def make_store(site: Site, faults: frozenset[str] = frozenset()) -> None:
    """A shop in the shapes of Shopify, WooCommerce and Magento.

    Its menu has 400 links. Products have variants with a canonical URL, and reviews on several pages; collections have several pages,
    sort orders that declare the collection as canonical, filters by colour with noindex, and filters that robots.txt disallows.
    """
    menu = [("/", "Home"), *((f"/collections/{COLLECTIONS[n % len(COLLECTIONS)]}", f"Goods {n}") for n in range(MENU_LINKS - 1))]
    footer = [*FOOTER[:2], *([("/pages/gone", "Old sale")] if "footer" in faults else [])]
    if "calendar" in faults:
        footer.append(("/events?month=2026-01", "Events"))
    made = CleanSite(site, "Timber store", menu, footer)
    products = [f"{WORDS[n % len(WORDS)]}-{WORDS[(n * 7 + 3) % len(WORDS)]}-{n}" for n in range(PRODUCTS)]
    made.page("/", "Timber store for the home", full_title="Timber store: furniture and lamps of wood")
    for path, title in FOOTER[:2]:
        made.page(path, f"{title} of the store")
    for number, name in enumerate(COLLECTIONS):
        own = products[number::10]
        _collection(made, name, own, faults, is_first=not number)
    for name in products:
        _product(made, name, faults)
    if "calendar" in faults:
        site.handler("/events", dynamic(lambda request: _month(made, request.target)))
    made.finish(disallow=RULES)


def _collection(made: CleanSite, name: str, products: list[str], faults: frozenset[str], *, is_first: bool) -> None:
    path, title = f"/collections/{name}", name.replace("-", " ").capitalize()
    below = f"{path}/products/" if "collection-links" in faults else "/products/"
    listed = links([(below + product, product.replace("-", " ").title()) for product in products], "products")
    filters = [(f"{path}?color=red", "Red"), (f"{path}?filter=cheap", "Cheap")] if is_first else []
    further = [(f"{path}?sort_by=price", "By price"), (f"{path}?page=2", "Next page")] if is_first else []
    chosen = links([*filters, *further], "filters") if is_first else ""
    made.page(path, title, listed + chosen)
    if "collection-links" in faults:
        for product in products:
            _product(made, product, faults, path=below + product)
    if not is_first:
        return
    canonical = {"canonical": None} if "facets" in faults else {"canonical": path}
    made.page(f"{path}?sort_by=price", title, listed, text=prose(path), sitemap=False, **canonical)
    made.page(f"{path}?color=red", title, listed, head=NOINDEX, canonical="", text=prose(path))
    made.page(
        f"{path}?page=2",
        title,
        listed,
        text=prose(f"{path} second page", 2),
        description=f"More of our {title}, made by hand.",
        sitemap=False,
    )


def _product(made: CleanSite, name: str, faults: frozenset[str], path: str = "") -> None:
    url, title = f"/products/{name}", name.replace("-", " ").capitalize()
    reviews = [(f"{url}/reviews?page={page}", f"Reviews {page}") for page in (1, 2)] if name.endswith("-1") else []
    variants = [(f"{url}?variant=2", "Other size")] if name.endswith("-3") else []
    body = links([*reviews, *variants], "more") if reviews or variants else ""
    canonical = "/" if "home" in faults and int(name.rpartition("-")[2]) % 10 == 5 else url
    made.page(path or url, title, body, canonical=canonical, text=prose(url), sitemap=not path)
    if path:
        return
    for href, _ in variants:
        made.page(href, title, body, canonical=url, text=prose(url))
    for href, _ in reviews:
        made.page(href, f"Reviews of {title}", text=prose(href), description=f"What people say of {title}.", sitemap=False)


def _month(made: CleanSite, target: str) -> Page:
    year, _, month = (target.partition("month=")[2] or "2026-01").partition("-")
    number = int(year) * 12 + int(month)
    following = f"{number // 12}-{number % 12 + 1:02}"
    body = f'<a href="/events?month={following}">Next month</a>'
    title = f"Events in {year}-{month} – {made.name}"
    return Page(f'<!doctype html><html lang="en"><title>{title}</title><main><h1>{title}</h1>{body}</main></html>'.encode(), 200, HEADERS)
