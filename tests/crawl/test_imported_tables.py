"""Tables of URLs of other crawlers as bases to compare with: what they say, what stays unknown, and hostile files."""

from pathlib import Path

import pytest

from findable import api
from findable.capture.crawl import Reason
from findable.crawl.page_selection import CanonicalKind
from findable.formats import crawler_exports
from findable.formats.crawler_exports import read_url_table
from findable.formats.table_text import TableError, decode_table
from findable.store.page_lists import PageLists
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["make_site", "site"]

SCREAMING_FROG = """\
"Internal - All"
"Address","Content Type","Status Code","Status","Indexability","Indexability Status","Title 1","Title 1 Length","Crawl Depth"
"https://shop.example/","text/html; charset=utf-8","200","OK","Indexable","","Shop ""home"", all","11","0"
"https://shop.example/a","text/html","200","OK","Non-Indexable","noindex","A\nb","3","1"
"https://shop.example/b","text/html","200","OK","Non-Indexable","Canonicalised","B","1","1"
"https://shop.example/gone","text/html","404","Not Found","Non-Indexable","Client Error","","0","2"
"https://shop.example/moved","","301","Moved Permanently","Non-Indexable","Redirected","","0","2"
"https://shop.example/basket","","0","Blocked by robots.txt","Non-Indexable","Blocked by robots.txt","","0",""
"https://shop.example/x.png","image/png","200","OK","Indexable","","","0","1"
"https://other.example/","text/html","200","OK","Indexable","","Other","5","1"
"mailto:a@shop.example","","0","","Non-Indexable","","","0","1"
"""
GERMAN = """\
"Adresse";"Inhaltstyp";"Status-Code";"Status";"Indexierbarkeit";"Indexierbarkeitsstatus";"Titel 1";"Crawltiefe"
"https://shop.example/";"text/html";"200";"OK";"Indexierbar";"";"Start";"0"
"https://shop.example/a";"text/html";"200";"OK";"Nicht indexierbar";"Canonicalised";"A";"1"
"""
SITEBULB = """\
URL,Scheme,HTTP Status Code,HTTP Status,Content Type,Title,Indexable Status,Crawl Depth,
https://shop.example/,https,200,OK,text/html,Start,Indexable,1,
https://shop.example/a,https,200,OK,text/html,--,Not Indexable,2,
https://shop.example/b,https,404,Not Found,--,--,--,--,
"""


def test_a_table_of_screaming_frog_is_read() -> None:
    table = read_url_table(decode_table(b"\xef\xbb\xbf" + SCREAMING_FROG.encode()))
    reasons = {url.removeprefix("https://shop.example/"): found.reason for url, found in table.urls.items()}

    assert (table.program, table.start_url, table.has_titles, table.has_depths) == ("Screaming Frog", "https://shop.example/", True, True)
    assert reasons == {
        "": Reason.NONE,
        "a": Reason.NOINDEX,
        "b": Reason.CANONICAL,
        "gone": Reason.STATUS,
        "moved": Reason.REDIRECT,
        "basket": Reason.ROBOTS,
    }
    assert [found.title for found in table.urls.values()][:2] == ['Shop "home", all', "A\nb"]
    assert table.urls["https://shop.example/basket"].depth is None


def test_german_names_of_columns_are_read() -> None:
    table = read_url_table(GERMAN)

    assert [(found.reason, found.title, found.depth) for found in table.urls.values()] == [
        (Reason.NONE, "Start", 0),
        (Reason.CANONICAL, "A", 1),
    ]


def test_a_list_of_sitebulb_is_read_with_depths_from_0() -> None:
    table = read_url_table(SITEBULB)
    found = list(table.urls.values())

    assert table.program == "Sitebulb"
    assert [(one.status, one.reason, one.title, one.depth) for one in found] == [
        (200, Reason.NONE, "Start", 0),
        (200, Reason.IMPORTED, "", 1),
        (404, Reason.STATUS, "", None),
    ]


HEAD = '"Address","Status Code","Indexability"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "neither the columns"),
        ("URL,Clicks\nhttps://shop.example/,3\n", "neither the columns"),
        (HEAD, "no URL"),
        (HEAD + "ftp://shop.example/,200,Indexable\n", "no URL"),
        (HEAD + '"https://shop.example/","200","perhaps"\n', "Line 2: “perhaps” does not say"),
        (HEAD + '"' + 200_000 * "x", "cannot be read as CSV"),
        (200_000 * '"', "neither the columns"),
        (1000 * (20 * "," + "\n"), "neither the columns"),
    ],
)
def test_what_is_no_table_is_refused_with_the_reason(text: str, words: str) -> None:
    with pytest.raises(TableError, match=words):
        read_url_table(text)


def test_hostile_cells_stay_texts_and_logins_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        '"https://shop.example/","200","Indexable"',
        '"https://me:secret@shop.example/","200","Indexable"',
        f'"https://shop.example/{3000 * "x"}","200","Indexable"',
        '"https://shop.example/n","99999999999999999999","Non-Indexable"',
        '"javascript:alert(1)","200","Indexable"',
        '"https://shop.example/short"',
    ]
    table = read_url_table(HEAD + "\n".join(rows))
    monkeypatch.setattr(crawler_exports, "MAX_ROWS", 1)

    assert {url: found.status for url, found in table.urls.items()} == {
        "https://shop.example/": 200,
        "https://shop.example/n": 0,
        "https://shop.example/short": 0,
    }
    with pytest.raises(TableError, match="at most 1 rows"):
        read_url_table(HEAD + "\n".join(rows))


def crawled(site: Site, folder: Path) -> api.Crawl:
    return api.crawl(site.url("/"), store=folder / "now.sqlite", rate=50, render=api.Render.NEVER, confirm_after=0)


def table_of(site: Site, *rows: str, head: str = '"Address","Status Code","Indexability","Title 1","Crawl Depth"') -> str:
    return "\n".join([head, *(row.replace("SITE", site.base) for row in rows)])


def test_a_crawl_is_compared_with_a_table_in_what_both_have(site: Site, tmp_path: Path) -> None:
    site.page("/", "<title>Home</title><meta name=description content='Not in the table'><h1>Hello</h1><a href=/a>A</a> <a href=/b>B</a>")
    site.page("/a", "<title>New title</title><h1>A</h1><p>Words that no table has <a href=/new>new</a>")
    site.page("/b", "<title>B</title><meta name=robots content=noindex>")
    site.page("/new", "<title>New</title>")
    (tmp_path / "internal_all.csv").write_text(
        table_of(
            site,
            '"SITE/","200","Indexable","Home","0"',
            '"SITE/a","200","Indexable","Old title","2"',
            '"SITE/b","200","Indexable","B",""',
            '"SITE/lost","404","Non-Indexable","","1"',
        )
    )
    base = api.import_crawl(tmp_path / "internal_all.csv", tmp_path / "base.sqlite")
    comparison = crawled(site, tmp_path).changes(base)
    found = {(change.kind.value, change.url.removeprefix(site.base), change.before, change.after) for change in comparison.pages}

    assert (base.score, base.findings(), base.imported and base.imported.program) == (None, (), "Screaming Frog")
    unknown = "words IS NULL AND inlinks IS NULL AND content_inlinks IS NULL AND link_score IS NULL AND wire_bytes IS NULL AND first_byte_ms IS NULL"
    assert base.query(f"SELECT count(*) FROM pages WHERE {unknown}").rows == ((4,),)
    assert base.query("SELECT count(*) FROM pages WHERE words < 200 OR inlinks < 1").rows == ((0,),)
    unknowns = (
        api.PageSelection(words="..200"),
        api.PageSelection(inlinks="0..1"),
        api.PageSelection(ttfb_ms="..900"),
        api.PageSelection(canonical=CanonicalKind.NONE),
        api.PageSelection(in_sitemap=0),
        api.PageSelection(template=0),
        api.PageSelection(verdict=api.Verdict.PASSED),
    )
    known = (api.PageSelection(status="200"), api.PageSelection(depth="0..2"))
    assert [sum(1 for _ in base.pages(selection)) for selection in (*unknowns, *known)] == [0] * 7 + [3, 3]
    assert base.query("SELECT DISTINCT description, h1, canonical, segment, failure FROM pages").rows == ((None,) * 5,)
    with base._opened() as (file, state), file.reading() as connection:
        walked = [
            PageLists(connection, state).select(api.PageSelection(sort=name)).pages for name in ("words", "ttfb_ms", "inlinks", "depth")
        ]
    assert [[page.value for page in pages] for pages in walked] == [[0] * 4] * 3 + [[1, 2, 3, 0]]
    assert found == {
        ("added", "/new", "", "New"),
        ("title", "/a", "Old title", "New title"),
        ("depth", "/a", "2", "1"),
        ("became_non_indexable", "/b", "", "noindex"),
    }
    assert (*comparison.findings.risen, *comparison.findings.fixed) == ()
    assert comparison.findings.reason is not None
    assert comparison.findings.ruleset_before == ""


def test_columns_that_a_table_lacks_are_not_compared(site: Site, tmp_path: Path) -> None:
    site.page("/", "<title>Home</title><h1>Hello</h1>")
    table = tmp_path / "internal_html.csv"
    table.write_text(table_of(site, '"SITE/","200","Indexable"', head=HEAD.strip()))
    base = api.import_crawl(table, tmp_path / "base.sqlite")

    assert crawled(site, tmp_path).changes(base).pages == ()


def test_an_imported_file_is_neither_overwritten_nor_continued(site: Site, tmp_path: Path) -> None:
    site.page("/", "<title>Home</title>")
    table, store = tmp_path / "internal_html.csv", tmp_path / "base.sqlite"
    table.write_text(table_of(site, '"SITE/","200","Indexable"', head=HEAD.strip()))
    api.import_crawl(table, store)

    with pytest.raises(api.SettingError, match="use a new file"):
        api.import_crawl(table, store)
    with pytest.raises(api.SettingError, match="is imported from Screaming Frog"):
        api.crawl(site.url("/"), store=store)
