"""Pages of a crawl that are none: instant refreshes, empty responses, error messages; and pages that no path of links reaches."""

from pathlib import Path

from findable.capture.crawl import CrawlSummary, Reason
from findable.capture.site_graph import CrawledDuplicates
from findable.capture.site_reach import CrawledReach
from findable.capture.site_signals import CrawledSignals
from tests.crawl.stored_crawl import Link, StoredPage, stored_crawl, url
from tests.crawl.test_crawls import Crawled
from tests.sites.plugin import make_site, site
from tests.sites.server import Page, Request, Site, dynamic

__all__ = ["make_site", "site"]

PAGE = "<!doctype html><html lang=en><title>{0}</title><h1>{0}</h1><p>{1}</p>"


def test_an_instant_refresh_is_a_redirect_and_nothing_else(site: Site, tmp_path: Path) -> None:
    site.page("/", PAGE.format("Start page of the garden", '<a href="/old">Old</a> <a href="/slow">Slow</a>'))
    site.page("/old", '<!doctype html><title>Moved</title><meta http-equiv="refresh" content="0; url=/new">')
    site.page("/slow", '<!doctype html><title>Slow</title><meta http-equiv="refresh" content="5; url=/new"><h1>Slow</h1><p>Wait</p>')
    site.page("/new", PAGE.format("New page", '<a href="/">Start page</a>'))
    crawled = Crawled(tmp_path / "refresh.sqlite", site.url("/"))
    rows, report = crawled.rows(), crawled.report()

    assert rows["old"].reason == Reason.REDIRECT
    assert rows["slow"].reason in (None, Reason.NONE)
    assert rows["new"].depth == 2
    assert "site-links-redirected" not in {finding.id for finding in report.findings}
    verdicts = crawled.verdicts_of(site.url("/old"))
    assert verdicts["redirect-kind"] == "warned"
    assert verdicts["canonical-valid"] == "inapplicable"


def test_equivalent_escapes_in_links_and_sitemap_are_one_page(site: Site, tmp_path: Path) -> None:
    site.page("/robots.txt", f"User-agent: *\nDisallow:\nSitemap: {site.url('/sitemap.xml')}\n", content_type="text/plain")
    listed = "".join(f"<url><loc>{site.url(path)}</loc></url>" for path in ("/", "/caf%c3%a9"))
    site.page("/sitemap.xml", f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>', content_type="text/xml")
    site.page("/", PAGE.format("Start page of the garden", '<a href="/café">Coffee in the garden</a>'))
    for path in ("/caf%C3%A9", "/caf%c3%a9"):
        site.page(path, PAGE.format("Coffee in the garden", 'Open every day <a href="/">Start page</a>'))
    report = Crawled(tmp_path / "escapes.sqlite", site.url("/")).report()

    assert not {finding.id for finding in report.findings} & {"site-text-duplicate", "site-orphans", "site-sitemap-missing"}
    assert len(site.asked("/caf%c3%a9")) == 2  # once as a sample of the sitemap, once by the crawl
    assert not site.asked("/caf%C3%A9")


def test_a_redirect_to_other_escapes_is_no_loop(site: Site, tmp_path: Path) -> None:
    site.page("/", PAGE.format("Start page of the garden", '<a href="/café">Coffee in the garden</a> <a href="/b%c3%a9">Loop</a>'))
    site.redirect("/caf%C3%A9", "/caf%c3%a9", 301)
    site.page("/caf%c3%a9", PAGE.format("Coffee in the garden", 'Open every day <a href="/">Start page</a>'))
    site.redirect("/b%c3%a9", "/b%C3%A9", 301)
    site.redirect("/b%C3%A9", "/b%c3%a9", 301)
    crawled = Crawled(tmp_path / "escapes.sqlite", site.url("/"))
    rows, report = crawled.rows(), crawled.report()

    assert (rows["caf%C3%A9"].status, rows["caf%C3%A9"].reason) == (200, None)
    loops = next(finding for finding in report.findings if finding.id == "site-redirect-loops")
    assert [item.url for item in loops.evidence][:1] == [site.url("/b%c3%a9")]
    assert len(site.asked("/caf%c3%a9")) == len(site.asked("/caf%C3%A9")) == 1


def test_a_page_behind_a_cookie_is_read_and_not_indexable(site: Site, tmp_path: Path) -> None:
    links = " ".join(f'<a href="/{name}">The {name} page</a>' for name in ("gate", "loop", "old"))
    site.page("/", PAGE.format("Start page of the garden", links))

    def respond(request: Request) -> Page:
        if "seen=Vx81" in request.headers.get("cookie", ""):
            return Page(PAGE.format("Page behind a gate", '<a href="/behind">Behind the gate</a>').encode())
        return Page(b"", 302, [("Location", "/gate"), ("Set-Cookie", "seen=Vx81; Path=/")])

    site.handler("/gate", dynamic(respond))
    site.redirect("/loop", "/loop")
    site.page("/old", status=301, headers=[("Location", "/behind"), ("Set-Cookie", "session=Vx82; Path=/")])
    site.page("/behind", PAGE.format("Behind the gate", '<a href="/">Start page</a>'))
    crawled = Crawled(tmp_path / "cookies.sqlite", site.url("/"))
    rows, report = crawled.rows(), crawled.report()

    assert (rows["gate"].status, rows["gate"].reason, rows["gate"].title) == (200, Reason.COOKIE, "Page behind a gate")
    assert (rows["behind"].reason, rows["old"].reason) == (None, Reason.REDIRECT)
    loops = [finding for finding in report.findings if finding.id == "site-redirect-loops"]
    assert {item.url for finding in loops for item in finding.evidence} == {site.url("/loop")}
    assert crawled.verdicts_of(site.url("/gate"))["redirect-chain"] == "failed"
    assert b"Vx8" not in (tmp_path / "cookies.sqlite").read_bytes()


def test_a_page_behind_a_check_of_cookies_at_another_url_is_read(site: Site, tmp_path: Path) -> None:
    site.page("/", PAGE.format("Start page of the garden", '<a href="/gate">The gate</a> <a href="/x">The loop</a>'))

    def gate(request: Request) -> Page:
        if "seen=Vx81" in request.headers.get("cookie", ""):
            return Page(PAGE.format("Page behind a gate", '<a href="/behind">Behind the gate</a>').encode())
        return Page(b"", 302, [("Location", "/check?to=/gate")])

    site.handler("/gate", dynamic(gate))
    site.page("/check?to=/gate", status=302, headers=[("Location", "/gate"), ("Set-Cookie", "seen=Vx81; Path=/")])
    site.redirect("/x", "/y")
    site.redirect("/y", "/x")
    site.page("/behind", PAGE.format("Behind the gate", '<a href="/">Start page</a>'))
    crawled = Crawled(tmp_path / "cookies.sqlite", site.url("/"))
    rows, report = crawled.rows(), crawled.report()

    assert (rows["gate"].status, rows["gate"].reason, rows["gate"].title) == (200, Reason.COOKIE, "Page behind a gate")
    assert rows["behind"].reason is None
    loops = [finding for finding in report.findings if finding.id == "site-redirect-loops"]
    assert {item.url for finding in loops for item in finding.evidence} == {site.url("/x"), site.url("/y")}
    assert crawled.verdicts_of(site.url("/gate"))["redirect-chain"] == "failed"
    assert b"Vx8" not in (tmp_path / "cookies.sqlite").read_bytes()


def test_empty_responses_and_error_messages_are_reported(site: Site, tmp_path: Path) -> None:
    links = " ".join(f'<a href="/{name}">The {name} list</a>' for name in ("empty", "blank", "fatal", "markup", "file.txt"))
    site.page("/", PAGE.format("Start page of the garden", links))
    site.page("/empty", "")
    site.page("/blank", "\r\n\r\n")
    site.page("/fatal", "PHP Fatal error:  Uncaught Error: Call to undefined function a() in /srv/a.php:3")
    site.page("/markup", "<br /><b>Fatal error</b>:  Uncaught Error in <b>/srv/a.php</b> on line <b>3</b><br />")
    site.raw("/file.txt", b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n")
    report = Crawled(tmp_path / "empty.sqlite", site.url("/")).report()
    found = [finding for finding in report.findings if finding.id == "site-soft-404"]

    assert {item.url for finding in found for item in finding.evidence} == {
        site.url(f"/{name}") for name in ("empty", "blank", "fatal", "markup")
    }
    assert {finding.verdict.value for finding in found} == {"failed"}


def test_pages_that_link_to_each_other_alone_are_orphans(tmp_path: Path) -> None:
    pages = {
        "/": StoredPage((Link("/a"), Link("/moved"))),
        "/a": StoredPage((Link("/"),)),
        "/moved": StoredPage(record={"reason": Reason.REDIRECT, "refresh": url("/behind")}),
        "/behind": StoredPage((Link("/"),)),
        "/tags": StoredPage((Link("/tags/2"), Link("/"))),
        "/tags/2": StoredPage((Link("/tags"),)),
        "/alone": StoredPage((Link("/"),)),
    }
    summary = stored_crawl(tmp_path, pages, sitemap=("/tags", "/tags/2", "/alone", "/a"))[CrawlSummary]

    assert summary.orphans is not None
    assert set(summary.orphans.urls) == {url(path) for path in ("/tags", "/tags/2", "/alone")}


def test_pages_whose_links_are_unknown_are_named(tmp_path: Path) -> None:
    pages = {"/": StoredPage((Link("/large"),)), "/large": StoredPage(record={"is_unread": True})}
    reach = stored_crawl(tmp_path, pages)[CrawledReach]

    assert (reach.unread_count, reach.unread) == (1, (url("/large"),))


def test_a_page_of_unknown_language_shares_its_title_with_others(tmp_path: Path) -> None:
    pages = {
        "/": StoredPage((Link("/a"), Link("/b"), Link("/c"), Link("/d"))),
        "/a": StoredPage(record={"title": "List of functions", "lang": ""}),
        "/b": StoredPage(record={"title": "List of functions", "lang": "en"}),
        "/c": StoredPage(record={"title": "Kontakt", "lang": "de"}),
        "/d": StoredPage(record={"title": "Kontakt", "lang": "pl"}),
    }
    duplicates = stored_crawl(tmp_path, pages)[CrawledDuplicates]

    assert [set(group.urls) for group in duplicates.titles] == [{url("/a"), url("/b")}]
    assert duplicates.titles_count == 1


def test_a_blank_page_is_a_signal(tmp_path: Path) -> None:
    blank = {"reason": Reason.BLANK, "verdicts": b""}
    pages = {"/": StoredPage((Link("/a"), Link("/b"))), "/a": StoredPage(record=blank), "/b": StoredPage(record=blank)}
    signals = stored_crawl(tmp_path, pages)[CrawledSignals]

    assert signals.blank is not None
    assert signals.blank.urls == (url("/a"), url("/b"))
