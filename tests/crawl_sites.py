"""Sites for tests of crawls: a small shop, and one with endless series of URLs."""

from random import Random

from tests.sites.server import Page, Request, Site, Wire, answer_bytes

WORDS = [
    "oak",
    "pine",
    "steel",
    "brass",
    "lamp",
    "chair",
    "table",
    "shelf",
    "drawer",
    "handle",
    "hinge",
    "screw",
    "paint",
    "varnish",
    "brush",
    "sand",
    "paper",
    "wool",
    "linen",
    "cotton",
    "silk",
    "leather",
    "stone",
    "marble",
    "granite",
    "slate",
    "clay",
    "brick",
    "glass",
    "mirror",
    "frame",
    "candle",
    "basket",
    "box",
    "crate",
    "barrel",
    "bucket",
    "ladder",
    "hammer",
    "saw",
    "plane",
    "chisel",
    "file",
    "drill",
    "bit",
    "wrench",
    "pliers",
    "clamp",
    "vice",
    "bench",
    "apron",
    "glove",
    "boot",
    "hat",
    "coat",
    "scarf",
    "blanket",
    "pillow",
    "cushion",
    "curtain",
    "rug",
    "mat",
    "tile",
    "door",
    "window",
    "gate",
]
MENU = '<header><nav><ul class="menu"><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li><li><a href="/about">About us</a></li></ul></nav></header>'
FOOTER = '<footer><ul class="legal"><li><a href="/imprint">Imprint</a></li><li><a href="/privacy">Privacy</a></li>{}</ul></footer>'


def text(seed: str, words: int = 120) -> str:
    """The same words for the same seed."""
    random = Random(seed)
    return " ".join(random.choice(WORDS) for _ in range(words))


def html(title: str, body: str, *, head: str = "", footer: str = "", description: str = "") -> str:
    told = f'<meta name="description" content="{description}">' if description else ""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">{told}{head}</head>'
        f"<body>{MENU}<main><h1>{title}</h1>{body}</main>{FOOTER.format(footer)}</body></html>"
    )


def make_repeating(site: Site, more: tuple[str, ...] = ()) -> None:
    """A site of seven pages with two groups of equal titles, and pages with more titles."""
    titles = ("Lamps", "Lamps", "Chairs", "Chairs", "Chairs", "Desks", *more)
    listed = "".join(f'<li><a href="/{number}">{title} {number}</a></li>' for number, title in enumerate(titles))
    site.page(
        "/", html("All of the goods", f"<p>{text('/')}</p><ul>{listed}</ul>", description="All goods of a small workshop near the river.")
    )
    for number, title in enumerate(titles):
        site.page(f"/{number}", html(title, f"<p>{text(str(number))}</p>", description=f"Goods with number {number} of a small workshop."))


def make_shop(site: Site, *, products: int = 40, delays: Random | None = None) -> None:
    """A shop with a broken link in its footer, a redirect, a disallowed folder and links that act."""

    def page(path: str, title: str, body: str = "", **settings: str) -> None:
        delay_s = delays.uniform(0, 0.03) if delays else 0.0
        footer = '<li><a href="/gone">Old</a></li>'
        site.page(path, html(title, f"<p>{text(path)}</p>{body}", footer=footer, **settings), delay_s=delay_s)

    names = [f"{WORDS[n % len(WORDS)]}-{WORDS[(n * 7 + 3) % len(WORDS)]}-{n}" for n in range(products)]
    page(
        "/",
        "Home of the shop",
        '<p><a href="/old-shop">All goods</a> <a href="/basket/add?add-to-cart=7">Buy</a></p>',
        description="A shop.",
    )
    listed = "".join(f'<li><a href="/product/{name}">{name}</a></li>' for name in names)
    page(
        "/shop", "All products", f'<ul class="products">{listed}</ul><p><a href="/private/admin">Admin</a></p>', description="All of them."
    )
    page("/about", "About us", '<p><a href="https://example.org/">Friends</a></p>', description="Who we are.")
    page("/imprint", "Imprint", description="Imprint of the shop.")
    page("/privacy", "Privacy", description="Privacy of the shop.")
    page("/sitemap-only", "Only in the sitemap", description="No page links here.")
    for name in names:
        page(f"/product/{name}", f"Product {name}", '<p><a href="/shop">Back</a> to <a href="/">home</a></p>')
    site.redirect("/old-shop", "/shop", 301)
    site.page("/robots.txt", f"User-agent: *\nDisallow: /private/\nSitemap: {site.url('/sitemap.xml')}\n", content_type="text/plain")
    entries = "".join(f"<url><loc>{site.url(path)}</loc></url>" for path in ("/", "/shop", "/sitemap-only"))
    site.page(
        "/sitemap.xml",
        f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>',
        content_type="application/xml",
    )


def change_shop(site: Site) -> None:
    """The shop after a bad day: pages gone and unlinked, noindex, no title, another canonical host."""
    footer = '<li><a href="/gone">Old</a></li>'
    site.page("/about", "<h1>Not found</h1>", status=404)
    site.page("/imprint", html("Imprint", f"<p>{text('/imprint')}</p>", head='<meta name="robots" content="noindex">', footer=footer))
    site.page("/privacy", html("", f"<p>{text('/privacy')}</p>", footer=footer, description="Privacy of the shop."))
    site.page("/new", html("New page", f"<p>{text('/new')}</p>", footer=footer))
    home = '<p><a href="/new">New</a> <a href="/old-shop">All goods</a></p>'
    head = '<link rel="canonical" href="https://preview.example.net/">'
    site.page("/", html("Home of the shop", f"<p>{text('/')}</p>{home}", footer=footer, description="A shop."))
    site.page("/shop", html("All products", f"<p>{text('/shop')}</p>", head=head, footer=footer, description="All of them."))


def make_traps(site: Site, *, real: int = 30) -> None:
    """A site with a calendar, a growing path, facets, session ids and a counter without end, and ``real`` real pages."""
    names = [f"/article/{WORDS[n % len(WORDS)]}-{n}" for n in range(real)]
    for name in names:
        site.page(name, html(name, f"<p>{text(name)}</p><p><a href='/'>Home</a> <a href='/articles'>Articles</a></p>"))
    listed = "".join(f"<li><a href='{name}'>{name}</a></li>" for name in names)
    site.page("/articles", html("Articles", f"<ul>{listed}</ul>"))
    doors = "<a href='/calendar?month=2026-11'>Calendar</a> <a href='/deep/er/'>Deeper</a> <a href='/goods'>Goods</a> <a href='/count/1'>Count</a>"
    site.page(
        "/", html("Home", f"<p>{text('home')}</p><p><a href='/articles'>Articles</a> {doors} <a href='/talk?sid={'0' * 15}a1'>Talk</a></p>")
    )
    site.page("/robots.txt", "User-agent: *\nDisallow:\n", content_type="text/plain")

    async def endless(request: Request, wire: Wire) -> None:
        body = _endless(request.target)
        await wire.send(answer_bytes(Page(body.encode(), 200 if body else 404)))
        wire.keep = True

    site.fallback(endless)


FACETS = ("brand", "color", "fit", "material", "price", "size")


def _endless(target: str) -> str:
    path, _, query = target.partition("?")
    if path == "/calendar":
        year, _, month = query.partition("=")[2].partition("-")
        number = int(year) * 12 + int(month) - 1
        links = [f"/calendar?month={(number + step) // 12}-{(number + step) % 12 + 1:02}" for step in (-1, 1)]
        return html("Events", "<p>No events in this month.</p>" + "".join(f"<a href='{link}'>month</a>" for link in links))
    if path.startswith("/deep/"):
        return html("Deep", f"<p>{text('deep')}</p><a href='{path}er/'>on</a>")
    if path.startswith("/count/"):
        number = int(path.rpartition("/")[2])
        return html(f"Page {number}", f"<p>Nothing on page {number}.</p><a href='/count/{number + 1}'>next</a>")
    if path == "/goods":
        chosen = dict(part.split("=") for part in query.split("&")) if query else {}
        filters = [{**chosen, name: str(value)} for name in FACETS for value in range(20)]
        hrefs = ["/goods?" + "&".join(f"{name}={value}" for name, value in sorted(one.items())) for one in filters]
        return html("Goods", f"<p>{text('goods')}</p>" + "".join(f"<a href='{href}'>filter</a> " for href in hrefs))
    if path == "/talk":
        new = f"{Random(target).getrandbits(64):016x}"
        return html("Talk", f"<p>{text('talk')}</p><a href='/talk?sid={new}'>again</a> <a href='/?sid={new}'>home</a>")
    return ""
