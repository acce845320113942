"""What pages load and link to outside of a crawl: what is requested, how often, and what is a fault. First what must not be one."""

import asyncio
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from findable.capture.crawl import Requested
from findable.compute import compute_here
from findable.crawl.page_selection import PageSelection
from findable.crawl.settings import CrawlSettings
from findable.crawl.state import CrawlState
from findable.crawl.tables import CrawlTable, ExternalRow, ResourceRow
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.fetcher import Fetcher
from findable.fetch.resolver import Resolver
from findable.reports.site_report import SiteFinding, SiteReport
from findable.service.crawls.crawl_run import CrawlRun, report_of_crawl
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_findings import stored_finding
from findable.store.table_rows import CrawlTables
from tests.crawl.test_crawls import FAST
from tests.crawl_sites import html, text
from tests.safety.dns import NameServer, name_server
from tests.sites.plugin import make_site, site
from tests.sites.server import Page, Request, Site, Wire, answer_bytes, dynamic

__all__ = ["make_site", "site"]

CHALLENGE = b"<!doctype html><title>Just a moment...</title><h1>Checking</h1>"


@pytest.fixture
def names() -> Iterator[NameServer]:
    """A name server that knows one other site."""
    with name_server(names={"other.com": ["127.0.0.1"], "static.other.com": ["127.0.0.1"]}) as server:
        yield server


class Crawled:
    """A crawl whose names are resolved by a name server of the test."""

    def __init__(self, path: Path, url: str, names: NameServer, earlier: CrawlFile | None = None, **settings: Any) -> None:
        self.file, self._earlier = CrawlFile(path), earlier
        self.state = asyncio.run(self._run(CrawlSettings(url, **{**FAST, "external_interval_s": 0.01, **settings}), names))

    async def _run(self, settings: CrawlSettings, names: NameServer) -> CrawlState:
        resolver = Resolver([names.address], try_timeout_s=0.2)
        async with Fetcher(Guard(allow_targets=[AllowedTarget.parse("127.0.0.1")]), resolver=resolver) as fetcher:
            return await CrawlRun(self.file, fetcher, compute_here, earlier=self._earlier).run(settings)

    def report(self) -> SiteReport:
        return report_of_crawl(self.file, self.state)

    def causes(self, check: str) -> list[SiteFinding]:
        return [finding for finding in self.report().findings if finding.id == check]

    def rows(self, table: CrawlTable) -> list[Any]:
        with self.file.reading() as connection:
            return list(CrawlTables(connection, self.state).rows(table, PageSelection()))

    def pages_of(self, finding: SiteFinding) -> int:
        """Number of pages that the finding lists."""
        with self.file.engine.connect() as connection:
            stored = stored_finding(connection, finding.key)
        assert stored is not None
        return stored.listed_count


def by_method(site: Site) -> dict[str, Counter[str]]:
    return {method: Counter(one.target for one in site.requests if one.method == method) for method in ("HEAD", "GET")}


def only_get(page: Page, head_status: int) -> Callable[[Request, Wire], Any]:
    """A page whose server handles HEAD wrongly."""
    return dynamic(lambda request: page if request.method == "GET" else Page(b"", head_status))


def pages(site: Site, count: int, *, head: str = "", footer: str = "", body: Callable[[int], str] = lambda _: "") -> None:
    """A start page and pages that it links to."""
    listed = "".join(f'<li><a href="/p/{number}">Page {number}</a></li>' for number in range(count))
    site.page("/", html("Start", f"<p>{text('/')}</p><ul>{listed}</ul>", head=head, footer=footer))
    for number in range(count):
        site.page(f"/p/{number}", html(f"Page {number}", f"<p>{text(str(number))}</p>{body(number)}", head=head, footer=footer))
    site.page("/robots.txt", "User-agent: *\nDisallow: /private/\n", content_type="text/plain")


IMAGE = Page(b"\x89PNG\r\n\x1a\n" + bytes(1000), 200, [("Content-Type", "image/png")])
PRESENT = ("/ok.css", "/get-only.css", "/head-404.js", "/forbidden.js", "/error.js", "/private/hidden.js", "/ok.png")


def test_resources_that_are_there_or_unknown_are_no_fault(site: Site, names: NameServer, tmp_path: Path) -> None:
    body = (
        '<img src="/ok.png" alt="" width="9" height="9"><img src="/pixel.gif" width="1" height="1" alt="">'
        '<img src="{{ image }}" alt=""><img src="http://cdn.other.com/x.png" alt="">'
        '<img src="/fallback.png" srcset="/ok.png 1x" alt=""><script nomodule src="/old.js"></script>'
        '<script type="text/template" src="/template.js"></script><link rel="alternate stylesheet" href="/print.css" title="x">'
    )
    styles = '<link rel="stylesheet" href="/ok.css"><link rel="stylesheet" href="/get-only.css">'
    scripts = "".join(f'<script src="{path}"></script>' for path in PRESENT if path.endswith(".js"))
    pages(site, 3, head=styles + scripts, body=lambda _: body)
    site.page("/ok.css", "p{}", content_type="text/css")
    site.page("/ok.png", IMAGE.body.decode("latin-1"), content_type="image/png")
    site.handler("/get-only.css", only_get(Page(b"p{}", 200), 405))
    site.handler("/head-404.js", only_get(Page(b"1", 200), 404))
    site.page("/forbidden.js", "", status=403)
    site.page("/error.js", "", status=500)
    crawled = Crawled(tmp_path / "calm.sqlite", site.url("/"), names)
    asked = by_method(site)

    assert [finding.id for finding in crawled.report().findings if finding.id.startswith("site-assets")] == []
    assert crawled.report().summary.resources == Requested(7, 6, 4)
    assert {path: asked["HEAD"][path] for path in PRESENT} == {**dict.fromkeys(PRESENT, 1), "/private/hidden.js": 0}
    assert {path: asked["GET"][path] for path in PRESENT if asked["GET"][path]} == {"/get-only.css": 1, "/head-404.js": 1}
    unasked = ("/pixel.gif", "/fallback.png", "/old.js", "/template.js", "/print.css", "/%7B%7B%20image%20%7D%7D")
    assert not [path for path in unasked if path in asked["HEAD"] or path in asked["GET"]]
    assert "cdn.other.com" not in names.asked


def test_missing_files_are_one_cause_with_their_pages_as_a_query(site: Site, names: NameServer, tmp_path: Path) -> None:
    head = '<link rel="stylesheet" href="/gone.css"><script src="/gone.js"></script>'
    pages(site, 12, head=head, body=lambda number: f'<img src="/images/{number}.png" alt="">' if number < 4 else "")
    site.page("/p/11", html("Page 11", f"<p>{text('11')}</p>", head=f'{head}<script src="/own.js"></script>'))
    site.page("/own.js", "1", content_type="text/javascript")
    crawled = Crawled(tmp_path / "gone.sqlite", site.url("/"), names)
    files, images = crawled.causes("site-assets-broken")

    assert (files.pages_count, files.cause.kind.value, files.summary()) == (13, "group", "13 pages load 2 files that do not exist")
    assert {one.url for one in files.evidence} == {site.url("/gone.css"), site.url("/gone.js")}
    assert (images.pages_count, images.cause_name()) == (4, "template /p/*")
    assert {one.params["page"] for one in images.evidence} == {site.url(f"/p/{number}") for number in range(4)}
    assert [crawled.pages_of(files), crawled.pages_of(images)] == [13, 4]
    assert max(Counter((one.method, one.target) for one in site.requests if "gone" in one.target).values()) == 1

    rows: list[ResourceRow] = crawled.rows(CrawlTable.RESOURCES)
    assert {row.url.removeprefix(site.base): (row.used_as, row.status, row.pages) for row in rows if "png" not in row.url} == {
        "/gone.css": ("stylesheet", 404, 13),
        "/gone.js": ("script", 404, 13),
        "/own.js": ("script", 200, 1),
    }
    assert [(row.status, row.pages, row.page) for row in crawled.rows(CrawlTable.IMAGES)] == [
        (404, 1, site.url(f"/p/{number}")) for number in range(4)
    ]


def test_heavy_images_are_told_by_the_pages_that_show_them(site: Site, names: NameServer, tmp_path: Path) -> None:
    logo = '<li><img src="/logo.png" alt="Logo"></li>'
    video = '<video src="/film.mp4" poster="/still.jpg"></video><img src="/light.png" alt=""><img src="/drawing.svg" alt="">'
    pages(site, 5, footer=logo, body=lambda _: video + '<img src="/chunked.png" alt="">')

    def image(size: int, kind: str) -> Callable[[Request, Wire], Any]:
        return dynamic(lambda _: Page(bytes(size), 200, [("Content-Type", kind)]))

    async def chunked(_request: Request, wire: Wire) -> None:
        await wire.send(b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nTransfer-Encoding: chunked\r\n\r\n")

    for path, size, kind in (
        *(("/logo.png", 1_500_000, "image/png"), ("/still.jpg", 250_000, "image/jpeg"), ("/light.png", 200_000, "image/png")),
        *(("/drawing.svg", 900_000, "image/svg+xml"), ("/film.mp4", 9_000_000, "video/mp4")),
    ):
        site.handler(path, image(size, kind))
    site.handler("/chunked.png", chunked)
    crawled = Crawled(tmp_path / "heavy.sqlite", site.url("/"), names)
    logo_cause, still_cause = crawled.causes("site-images-heavy")

    assert (logo_cause.verdict.value, logo_cause.pages_count, logo_cause.cause_name()) == (
        *("failed", 6),
        f"{site.url('/logo.png')} in the footer",
    )
    assert (still_cause.verdict.value, still_cause.pages_count, crawled.pages_of(still_cause)) == ("warned", 5, 5)
    assert "/film.mp4" not in by_method(site)["HEAD"]


EXTERNAL = {
    "/ok": Page(b"<h1>Fine</h1>"),
    "/wall": Page(b"no", 403),
    "/linkedin": Page(b"no", 999),
    "/error": Page(b"no", 500),
    "/challenge": Page(CHALLENGE, 404, [("Content-Type", "text/html")]),
    "/login?action=delete": Page(b"no", 404),
    "/private/page": Page(b"no", 404),
}


def make_other(other: Site) -> None:
    """A site whose responses say nothing against the links to it, and /gone."""
    for path, page in EXTERNAL.items():
        other.handler(path, dynamic(lambda _, page=page: page))  # type: ignore[misc]  # the default binds the page of this turn
    other.handler("/get-only", only_get(Page(b"<h1>Fine</h1>"), 501))
    other.handler("/head-404", only_get(Page(b"<h1>Fine</h1>"), 404))
    other.page("/robots.txt", "User-agent: *\nDisallow: /private/\n", content_type="text/plain")
    other.page("/gone", "gone", status=410)


def outside(other: Site, path: str, host: str = "other.com") -> str:
    return other.url(path).replace("127.0.0.1", host)


def anchors(*urls: str) -> str:
    return "<p>" + " ".join(f'<a href="{url.replace("&", "&amp;")}">Friends {number}</a>' for number, url in enumerate(urls)) + "</p>"


def test_links_that_refuse_us_or_are_unknown_are_not_flagged(
    site: Site, make_site: Callable[[], Site], names: NameServer, tmp_path: Path
) -> None:
    other = make_site()
    make_other(other)
    paths = [*EXTERNAL, "/get-only", "/head-404"]
    servers = ("http://silent.com/", "http://failing.com/", "http://manual.example/", "http://intranet/", "http://box.local/")
    pages(site, 1, body=lambda _: anchors(*(outside(other, path) for path in paths), *servers, "http://10.1.2.3/"))
    names.silent.add("silent.com")
    names.codes["failing.com"] = 2
    crawled = Crawled(tmp_path / "calm.sqlite", site.url("/"), names, external=True)
    rows: dict[str, ExternalRow] = {row.url.replace(outside(other, ""), ""): row for row in crawled.rows(CrawlTable.EXTERNAL)}
    asked = by_method(other)

    assert crawled.causes("site-external-broken") == []
    assert (rows["/private/page"].failure, rows["/private/page"].detail) == ("robots_txt", "2: Disallow: /private/")
    assert (rows["/challenge"].status, rows["/challenge"].detail) == (404, "Cloudflare")
    assert (rows["/get-only"].status, rows["/head-404"].status, rows["/linkedin"].status) == (200, 200, 999)
    assert rows["/login?action=delete"].failure == "skipped"
    assert rows["http://10.1.2.3/"].failure == "refused"
    assert not [path for path in (*asked["HEAD"], *asked["GET"]) if path.startswith(("/private", "/login"))]
    assert max((asked["HEAD"] + asked["GET"])[path] for path in paths) == 2
    assert (asked["HEAD"]["/ok"], asked["GET"]["/ok"]) == (1, 0)


def test_dead_links_are_told_by_host_page_and_block(site: Site, make_site: Callable[[], Site], names: NameServer, tmp_path: Path) -> None:
    other = make_site()
    make_other(other)
    gone, missing = outside(other, "/gone"), outside(other, "/missing")
    other.fallback(Page(b"nothing here", 404))
    footer = f'<li><a href="{gone}">Partner</a></li>'
    dead = "http://no-longer.com/a", "http://no-longer.com/b"
    pages(site, 6, footer=footer, body=lambda number: anchors(missing, *dead[: number % 3], site.url(f"/p/{number}")))
    crawled = Crawled(tmp_path / "dead.sqlite", site.url("/"), names, external=True)
    causes = {finding.cause.kind.value: finding for finding in crawled.causes("site-external-broken")}

    assert {kind: (finding.pages_count, crawled.pages_of(finding)) for kind, finding in causes.items()} == {
        "block": (7, 7),
        "page": (6, 6),
        "host": (4, 4),
    }
    assert causes["host"].summary() == "2 links lead to the host no-longer.com, which does not exist"
    assert names.asked.count("no-longer.com") >= 4  # A and AAAA, twice
    assert crawled.report().summary.external == Requested(4, 4, 4)
    again = Crawled(tmp_path / "again.sqlite", site.url("/"), names, external=True)
    rolling = Crawled(tmp_path / "rolling.sqlite", site.url("/"), names, again.file, external=True, rolling=2)
    for table in (CrawlTable.EXTERNAL, CrawlTable.RESOURCES):
        assert sorted(map(repr, rolling.rows(table))) == sorted(map(repr, again.rows(table)))
    assert {finding.key for finding in again.report().findings} == {finding.key for finding in crawled.report().findings}


def test_pages_that_link_to_a_dead_host_are_not_those_of_a_longer_name(
    site: Site, make_site: Callable[[], Site], names: NameServer, tmp_path: Path
) -> None:
    other = make_site()
    make_other(other)
    dead = ("http://no-longer.com:8080/a", "http://no-longer.com/b"), ("http://no-longer.com.au/", "http://no-longer.community/")
    pages(site, 5, body=lambda number: anchors(outside(other, "/ok"), *dead[number % 2]))
    crawled = Crawled(tmp_path / "dead.sqlite", site.url("/"), names, external=True)
    causes = {finding.cause.key: finding for finding in crawled.causes("site-external-broken")}

    assert {host: (finding.pages_count, crawled.pages_of(finding)) for host, finding in causes.items()} == {
        "no-longer.com": (3, 3),
        "no-longer.com.au": (2, 2),
        "no-longer.community": (2, 2),
    }


def test_without_the_option_no_other_host_is_requested(
    site: Site, make_site: Callable[[], Site], names: NameServer, tmp_path: Path
) -> None:
    other = make_site()
    pages(site, 2, body=lambda _: anchors(outside(other, "/gone")))
    first = Crawled(tmp_path / "both.sqlite", site.url("/"), names)
    before = len(site.requests)

    assert (other.requests, first.report().summary.external) == ([], None)
    (row,) = first.rows(CrawlTable.REFUSED)
    assert (row.reason, row.page, row.found_by) == ("scope", site.url("/p/0"), ("link",))
    assert "site-external-broken" in first.report().unknown
    first.file.close()
    second = Crawled(tmp_path / "both.sqlite", site.url("/"), names, external=True)
    assert len(second.causes("site-external-broken")) == 1
    assert len(site.requests) == before


def test_a_name_that_does_not_exist_is_unknown_where_no_other_host_responds(site: Site, names: NameServer, tmp_path: Path) -> None:
    pages(site, 2, body=lambda _: anchors("http://no-longer.com/"))
    crawled = Crawled(tmp_path / "alone.sqlite", site.url("/"), names, external=True)

    assert crawled.causes("site-external-broken") == []


def test_other_hosts_are_asked_one_at_a_time_and_given_up(
    site: Site, make_site: Callable[[], Site], names: NameServer, tmp_path: Path
) -> None:
    other = make_site()
    open_count = most = 0

    async def slow(request: Request, wire: Wire) -> None:
        nonlocal open_count, most
        open_count += 1
        most = max(most, open_count)
        await asyncio.sleep(0.01)
        open_count -= 1
        await wire.send(answer_bytes(Page(b"fine"), head_only=request.method == "HEAD"))
        wire.keep = True

    other.fallback(slow)
    busy = make_site()
    busy.fallback(Page(b"busy", 429))
    many = [outside(other, f"/{number}") for number in range(110)]
    pages(site, 2, body=lambda _: anchors(*many, *(outside(busy, f"/{number}", "static.other.com") for number in range(5))))
    crawled = Crawled(tmp_path / "polite.sqlite", site.url("/"), names, external=True)
    times = sorted(one.at_s for one in other.requests if one.method == "HEAD")
    reasons = Counter(row.failure for row in crawled.rows(CrawlTable.EXTERNAL))

    assert (most, len(times)) == (1, 100)
    assert times[-1] - times[0] >= 0.01 * (len(times) - 1)
    assert len([one for one in busy.requests if one.method == "HEAD"]) == 1
    assert reasons == {None: 111, "not_asked": 4}  # 10 of the many were left out
    assert crawled.report().summary.external == Requested(115, 101, 100)
    assert Counter(row.reason for row in crawled.rows(CrawlTable.REFUSED)) == {"budget": 14}


def test_a_killed_crawl_asks_again_only_what_was_open(site: Site, make_site: Callable[[], Site], names: NameServer, tmp_path: Path) -> None:
    other = make_site()
    other.fallback(Page(b"fine", 200))
    pages(site, 2, body=lambda _: anchors(*(outside(other, f"/{number}") for number in range(40))))
    path = tmp_path / "killed.sqlite"
    code = (
        "from pathlib import Path; from tests.safety.dns import NameServer; from tests.crawl.test_resources import Crawled;"
        f"Crawled(Path({str(path)!r}), {site.url('/')!r}, NameServer(port={names.port}), external=True)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2])
    other.wait_for_requests(25, 60)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    crawled = Crawled(path, site.url("/"), names, external=True)
    heads = Counter(one.target for one in other.requests if one.method == "HEAD")

    assert crawled.report().summary.external == Requested(40, 40, 40)
    assert (len(heads), max(heads.values())) == (40, 2)
    assert 40 < sum(heads.values()) <= 40 + 16
