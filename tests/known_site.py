"""A small site of which everything is known, and sixty questions about its crawl with their answers.

Every page has the menu (three links). The pages: the start page, two categories, fifteen products, a series of six posts, two language
versions, a page that only the sitemap lists, a redirect over two hops, a loop, a missing page and one with a server error.
"""

from collections.abc import Sequence
from typing import Any

from tests.crawl_sites import text
from tests.sites.server import Site

PRODUCTS, POSTS = 15, 6
LONG = "A product with a title that is much longer than what a search result can show to people"
MENU = '<header><nav><a href="/">Home</a> <a href="/c/0">Lamps</a> <a href="/c/1">Chairs</a></nav></header>'
PIXEL = b"\x89PNG\r\n\x1a\n" + bytes(60)
TITLES: dict[int, str] = {1: "Twin", 2: "Twin", 3: "", 5: LONG}
HEADS: dict[int, str] = {6: '<meta name="robots" content="noindex">', 7: '<link rel="canonical" href="/p/8">'}
WITHOUT_DESCRIPTION = frozenset({9})
LINKS: dict[int, str] = {
    0: '<a href="/gone">Gone</a>',
    1: '<a href="/error">Error</a>',
    10: '<a href="/loop-a">Round</a>',
    11: '<a href="/p/12" rel="nofollow">Next</a>',
}


def make_known(site: Site) -> None:
    """Add the pages to a server."""

    def page(path: str, title: str, body: str, head: str = "", *, words: int = 150, h1: str | None = None, described: bool = True) -> None:
        told = f'<meta name="description" content="About {path} of the known site.">' if described else ""
        named = f"<title>{title}</title>" if title else ""
        heading = title or "No title" if h1 is None else h1
        site.page(
            path,
            f'<!doctype html><html lang="en"><head><meta charset="utf-8">{named}{told}{head}</head><body>{MENU}<main>'
            f"{f'<h1>{heading}</h1>' if heading else ''}<p>{text(path, words)}</p>{body}</main></body></html>",
        )

    start = '<a href="/old">Old</a> <a href="/gone">Gone</a> <a href="/posts/0">Posts</a> <a href="/private/x">Private</a> <a href="/en/">English</a>'
    page("/", "Start", f'<p>{start}</p><img src="/big.png" alt="Big" width="9" height="9">')
    for category, numbers in ((0, range(10)), (1, range(10, PRODUCTS))):
        listed = "".join(f'<li><a href="/p/{number}">Product {number}</a></li>' for number in numbers)
        page(f"/c/{category}", f"Category {category}", f"<ul>{listed}</ul>")
    for number in range(PRODUCTS):
        body = f'<p><a href="/c/0">Back</a> {LINKS.get(number, "")}</p><img src="/small.png" alt="Small" width="9" height="9">'
        page(
            f"/p/{number}",
            TITLES.get(number, f"Product {number}"),
            body,
            HEADS.get(number, ""),
            words=40 if number < 3 else 150,
            h1="" if number == 4 else None,
            described=number not in WITHOUT_DESCRIPTION,
        )
    for number in range(POSTS):
        following = f'<p><a href="/posts/{number + 1}">Next post</a></p>' if number + 1 < POSTS else ""
        page(f"/posts/{number}", f"Post {number}", following)
    both = f'<link rel="alternate" hreflang="en" href="{site.url("/en/")}"><link rel="alternate" hreflang="de" href="{site.url("/de/")}">'
    page("/en/", "English", '<p><a href="/de/">German</a></p>', both)
    page("/de/", "German", "", f'<link rel="alternate" hreflang="de" href="{site.url("/de/")}">')
    page("/hidden", "Hidden", "")
    site.redirect("/old", "/older", 301)
    site.redirect("/older", "/p/0", 302)
    site.redirect("/loop-a", "/loop-b", 301)
    site.redirect("/loop-b", "/loop-a", 301)
    site.page("/gone", "<title>Gone</title>", status=404)
    site.page("/error", "<title>Error</title>", status=500)
    site.page("/big.png", PIXEL + bytes(250_000), content_type="image/png")
    site.page("/small.png", PIXEL, content_type="image/png")
    site.page("/robots.txt", f"User-agent: *\nDisallow: /private/\nSitemap: {site.url('/sitemap.xml')}\n", content_type="text/plain")
    listed = "".join(f"<url><loc>{site.url(path)}</loc></url>" for path in ("/", "/c/0", "/hidden", "/p/6", "/gone"))
    site.page(
        "/sitemap.xml",
        f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>',
        content_type="application/xml",
    )


HTML = 1 + 2 + PRODUCTS + POSTS + 2 + 1
INDEXABLE = HTML - len(HEADS)
Rows = Sequence[tuple[Any, ...]]
MENU_ROWS = 3 * HTML


def paths(*names: str) -> Rows:
    return [(name,) for name in names]


QUESTIONS: Sequence[tuple[str, Rows]] = (
    ("SELECT count(*) FROM pages", [(HTML + 6,)]),
    ("SELECT status, count(*) FROM pages GROUP BY status ORDER BY status", [(200, HTML), (301, 3), (302, 1), (404, 1), (500, 1)]),
    ("SELECT count(*) FROM pages WHERE indexable", [(INDEXABLE,)]),
    (
        "SELECT reason, count(*) FROM pages GROUP BY reason ORDER BY reason",
        [
            (None, INDEXABLE),
            ("canonical", 1),
            ("noindex", 1),
            ("redirect", 4),
            ("status", 2),
        ],
    ),
    ("SELECT replace(url, :base, '') FROM pages WHERE reason = 'noindex'", paths("/p/6")),
    ("SELECT replace(url, :base, '') FROM pages WHERE title IS NULL AND status = 200", paths("/p/3")),
    ("SELECT replace(url, :base, '') FROM pages WHERE description IS NULL AND status = 200", paths("/p/9")),
    ("SELECT replace(url, :base, '') FROM pages WHERE h1 IS NULL AND status = 200", paths("/p/4")),
    ("SELECT title, count(*) FROM pages WHERE title IS NOT NULL GROUP BY title HAVING count(*) > 1", [("Twin", 2)]),
    ("SELECT replace(url, :base, '') FROM pages WHERE length(title) > 60", paths("/p/5")),
    ("SELECT replace(url, :base, '') FROM pages WHERE status = 200 AND words < 100 ORDER BY url", paths("/p/0", "/p/1", "/p/2")),
    ("SELECT replace(url, :base, ''), depth FROM pages WHERE depth > 4 ORDER BY depth", [("/posts/4", 5), ("/posts/5", 6)]),
    ("SELECT replace(url, :base, '') FROM pages WHERE depth IS NULL", paths("/hidden")),
    ("SELECT replace(url, :base, '') FROM pages WHERE depth = 0", paths("/")),
    ("SELECT max(depth), min(depth) FROM pages", [(6, 0)]),
    (
        "SELECT replace(url, :base, ''), inlinks FROM pages WHERE inlinks > 20 ORDER BY url",
        [("/", HTML - 1), ("/c/0", HTML - 1), ("/c/1", HTML - 1)],
    ),
    ("SELECT replace(url, :base, '') FROM pages WHERE status = 200 AND inlinks = 0", paths("/hidden")),
    ("SELECT replace(url, :base, '') FROM pages WHERE canonical IS NOT NULL", paths("/p/7")),
    (
        "SELECT replace(url, :base, ''), replace(location, :base, '') FROM pages WHERE location IS NOT NULL ORDER BY url",
        [
            ("/loop-a", "/loop-b"),
            ("/loop-b", "/loop-a"),
            ("/old", "/older"),
            ("/older", "/p/0"),
        ],
    ),
    ("SELECT count(*) FROM pages WHERE url LIKE '%/p/%'", [(PRODUCTS,)]),
    (
        "SELECT substr(url, length(:base) + 1, 3) AS folder, count(*) FROM pages WHERE status = 200 GROUP BY folder ORDER BY folder",
        [
            ("/", 1),
            ("/c/", 2),
            ("/de", 1),
            ("/en", 1),
            ("/hi", 1),
            ("/p/", PRODUCTS),
            ("/po", POSTS),
        ],
    ),
    ("SELECT replace(url, :base, '') FROM pages WHERE found_by = 'sitemap'", paths("/hidden")),
    ("SELECT replace(url, :base, '') FROM pages WHERE found_by LIKE '%hreflang%' ORDER BY url", paths("/de/", "/en/")),
    ("SELECT replace(url, :base, '') FROM pages WHERE found_by LIKE '%nofollow_link%'", paths("/p/12")),
    ("SELECT count(*) FROM pages WHERE failure IS NOT NULL", [(0,)]),
    ("SELECT kind, count(*) FROM pages WHERE kind = 'listing' GROUP BY kind", [("listing", 2)]),
    ("SELECT count(DISTINCT template) FROM pages WHERE template > 0", [(1,)]),
    ("SELECT count(*) FROM pages WHERE score IS NULL", [(6,)]),
    ("SELECT count(*) FROM links WHERE landmark = 'nav'", [(MENU_ROWS,)]),
    ("SELECT count(*) FROM links", [(MENU_ROWS + 5 + PRODUCTS + PRODUCTS + len(LINKS) + POSTS - 1 + 1,)]),
    (
        "SELECT landmark, count(*) FROM links GROUP BY landmark ORDER BY landmark",
        [
            ("main", 5 + PRODUCTS + PRODUCTS + len(LINKS) + POSTS - 1 + 1),
            ("nav", MENU_ROWS),
        ],
    ),
    ("SELECT DISTINCT anchor_text FROM links WHERE target_url = :base || '/c/0' ORDER BY anchor_text", paths("Back", "Lamps")),
    (
        "SELECT anchor_text, count(DISTINCT source) FROM links WHERE target_url = :base || '/c/0' GROUP BY anchor_text ORDER BY anchor_text",
        [
            ("Back", PRODUCTS),
            ("Lamps", HTML),
        ],
    ),
    ("SELECT replace(source_url, :base, '') FROM links WHERE nofollow", paths("/p/11")),
    ("SELECT replace(source_url, :base, '') FROM links WHERE target_status = 404 ORDER BY 1", paths("/", "/p/0")),
    ("SELECT replace(source_url, :base, '') FROM links WHERE target_status >= 500", paths("/p/1")),
    ("SELECT count(*) FROM links WHERE target_status BETWEEN 300 AND 399", [(2,)]),
    ("SELECT replace(target_url, :base, '') FROM links WHERE target_status IS NULL", paths("/private/x")),
    ("SELECT count(*) FROM links WHERE source = target", [(3 + 0,)]),
    ("SELECT p.n FROM pages p LEFT JOIN links l ON l.target = p.n WHERE p.status = 200 AND l.target IS NULL", [(3,)]),
    (
        "SELECT replace(p.url, :base, '') FROM pages p JOIN links l ON l.source = p.n GROUP BY p.n ORDER BY count(*) DESC LIMIT 1",
        paths("/c/0"),
    ),
    (
        (
            "SELECT replace(p.url, :base, ''), count(DISTINCT l.source) AS pages FROM pages p JOIN links l ON l.target = p.n AND l.landmark = 'main' "
            "GROUP BY p.n HAVING pages > 1 ORDER BY pages DESC, p.url"
        ),
        [("/c/0", PRODUCTS), ("/gone", 2), ("/p/12", 2)],
    ),
    (
        "SELECT replace(source_url, :base, ''), replace(target_url, :base, '') FROM broken_links ORDER BY 1",
        [
            ("/", "/gone"),
            ("/p/0", "/gone"),
            ("/p/1", "/error"),
        ],
    ),
    (
        "SELECT replace(url, :base, ''), hops, is_loop FROM redirects ORDER BY url",
        [("/loop-a", 2, 1), ("/loop-b", 2, 1), ("/old", 2, 0), ("/older", 1, 0)],
    ),
    (
        "SELECT replace(url, :base, ''), replace(end_url, :base, ''), end_status FROM redirects WHERE NOT is_loop ORDER BY url",
        [
            ("/old", "/p/0", 200),
            ("/older", "/p/0", 200),
        ],
    ),
    ("SELECT replace(url, :base, '') FROM redirects WHERE inlinks > 0 ORDER BY url", paths("/loop-a", "/old")),
    ("SELECT replace(url, :base, ''), replace(canonical, :base, ''), canonical_status FROM canonicals", [("/p/7", "/p/8", 200)]),
    ("SELECT count(*) FROM hreflang", [(3,)]),
    ("SELECT replace(url, :base, ''), replace(alternate, :base, '') FROM hreflang WHERE NOT returns", [("/en/", "/de/")]),
    ("SELECT replace(url, :base, ''), pages FROM images ORDER BY url", [("/big.png", 1), ("/small.png", PRODUCTS)]),
    ("SELECT replace(url, :base, '') FROM images WHERE size_bytes > 200000", paths("/big.png")),
    ("SELECT used_as, count(*), sum(is_own) FROM resources GROUP BY used_as", [("image", 2, 2)]),
    ("SELECT count(*) FROM external", [(0,)]),
    ("SELECT replace(url, :base, ''), reason, detail FROM refused", [("/private/x", "robots", "2: Disallow: /private/")]),
    ("SELECT replace(url, :base, ''), status FROM sitemaps WHERE NOT indexable ORDER BY url", [("/gone", 404), ("/p/6", 200)]),
    ("SELECT count(*) FROM sitemaps", [(5,)]),
    ("SELECT count(*) FROM pages WHERE indexable AND n NOT IN (SELECT n FROM sitemaps)", [(INDEXABLE - 3,)]),
    ("SELECT replace(url, :base, '') FROM orphans", paths("/hidden")),
    ("SELECT kind, count(*) FROM duplicates GROUP BY kind ORDER BY kind", [("h1", 2), ("title", 2)]),
    ("SELECT replace(p.url, :base, '') FROM verdicts v JOIN pages p ON p.n = v.n WHERE v.check_id = 'title-present'", paths("/p/3")),
    (
        "SELECT replace(p.url, :base, '') FROM verdicts v JOIN pages p ON p.n = v.n WHERE v.check_id = 'title-unique' ORDER BY 1",
        paths("/p/1", "/p/2"),
    ),
    (
        (
            "SELECT replace(p.url, :base, '') FROM verdicts a JOIN verdicts b ON b.n = a.n AND b.check_id = 'canonical-self' JOIN pages p ON p.n = a.n "
            "WHERE a.check_id = 'viewport'"
        ),
        [],
    ),
    ("SELECT pages_count FROM findings WHERE check_id = 'viewport'", [(INDEXABLE,)]),
    ("SELECT count(*) FROM finding_pages WHERE check_id = 'site-title-duplicate'", [(2,)]),
    ("SELECT cause FROM findings WHERE check_id = 'site-thin'", [("folder /p/",)]),
    ("SELECT count(*) FROM extracted", [(0,)]),
    ("SELECT count(*) FROM numbers", [(0,)]),
    (
        (
            "WITH RECURSIVE posts(n, at) AS (SELECT n, 0 FROM pages WHERE url = :base || '/posts/0' UNION ALL SELECT l.target, at + 1 FROM posts "
            "JOIN links l ON l.source = posts.n AND l.anchor_text = 'Next post') SELECT max(at) FROM posts"
        ),
        [(POSTS - 1,)],
    ),
    (
        "SELECT replace(url, :base, ''), rank() OVER (ORDER BY inlinks DESC) AS place FROM pages WHERE url LIKE '%/p/%' ORDER BY place, url LIMIT 1",
        [("/p/0", 1)],
    ),
    ("SELECT count(*) FROM pages WHERE url LIKE :text", [(POSTS,)]),
)
"""Questions with their rows; ``:base`` is the URL of the site without its path, ``:text`` is ``%/posts/%``."""


def params_of(sql: str, base: str) -> dict[str, str]:
    """Values of the parameters that a question has."""
    return {name: value for name, value in (("base", base), ("text", "%/posts/%")) if f":{name}" in sql}
