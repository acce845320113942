"""Whole crawls of real sites on loopback, in one process: what is found, what is never requested, what a kill changes."""

import asyncio
import hashlib
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from findable.capture.crawl import CrawlEnd, Refusal, TrapKind
from findable.capture.site_graph import CrawledLinks, CrawledRedirects, CrawledSitemap, CrawledTemplates, CrawlTraps
from findable.compute import compute_here
from findable.crawl.packed_verdicts import unpack_verdicts
from findable.crawl.page_columns import PageRow
from findable.crawl.settings import CrawlSettings, RobotsRules
from findable.crawl.state import CrawlState
from findable.crawl.traps import CALENDAR_PAGES
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.fetcher import Fetcher
from findable.reports.site_report import SiteReport
from findable.service.crawls.crawl_run import CrawlRun, report_of_crawl
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_roots import CrawlRoots
from findable.store.crawl_store import CrawlStore
from findable.store.site_roots import ReadSite
from findable.store.trap_roots import TrapRoots
from findable.vocabulary import Rating
from tests.crawl.page_rows import page_rows, record_of
from tests.crawl_sites import make_shop, make_traps
from tests.sites.plugin import make_site, site
from tests.sites.server import Site
from tests.tiers import sampled

__all__ = ["make_site", "site"]

FAST = {"rate": 1000.0, "connections": 4, "confirm_after_s": 0.05}


class Crawled:
    """A crawl of a site, and how to look into it."""

    def __init__(self, path: Path, url: str, **settings: Any) -> None:
        self.file = CrawlFile(path)
        self.state = asyncio.run(self._run(CrawlSettings(url, **{**FAST, **settings})))

    async def _run(self, settings: CrawlSettings) -> CrawlState:
        async with Fetcher(Guard(allow_targets=[AllowedTarget.parse("127.0.0.1")])) as fetcher:
            return await CrawlRun(self.file, fetcher, compute_here).run(settings)

    def rows(self) -> dict[str, PageRow]:
        with self.file.engine.connect() as connection:
            return {row.url.partition("/")[2].partition("/")[2].partition("/")[2]: row for row in page_rows(connection, self.state)}

    def verdicts_of(self, url: str) -> dict[str, str]:
        """Verdicts of the checks that a page was asked while it was crawled."""
        record = record_of(self.file, url)
        assert record is not None
        return {name: verdict.value for name, verdict in unpack_verdicts(record.verdicts, self.state.checks).items()}

    def roots(self) -> CrawlRoots:
        return CrawlRoots(self.file.engine.connect(), self.state)

    def traps(self) -> CrawlTraps:
        return TrapRoots(self.file.engine.connect(), self.state).traps()

    def report(self) -> SiteReport:
        return report_of_crawl(self.file, self.state)

    def digest(self, base: str) -> str:
        """The settled crawl in URL order, without times."""
        return digest_of(self.file, self.state, base)


def digest_of(file: CrawlStore, state: CrawlState, base: str) -> str:
    """The settled crawl in URL order, without times."""
    with file.engine.connect() as connection:
        rows = [msgspec.structs.replace(row, first_byte_ms=0.0, requested_at=None) for row in page_rows(connection, state)]
    return hashlib.sha256(msgspec.json.encode(rows).replace(base.encode(), b"")).hexdigest()


def paths(site: Site) -> Counter[str]:
    return Counter(request.target for request in site.requests if request.method == "GET")


def test_a_shop_is_found_whole_and_its_causes_once(site: Site, tmp_path: Path) -> None:
    make_shop(site)
    crawled = Crawled(tmp_path / "shop.sqlite", site.url("/"))
    rows = crawled.rows()

    assert crawled.state.ended_by is CrawlEnd.COMPLETE
    assert sum(path.startswith("product/") for path in rows) == 40
    assert (rows["shop"].depth, rows["sitemap-only"].depth, rows["gone"].status, rows["old-shop"].status) == (1, None, 404, 301)
    assert rows["shop"].inlinks == 45
    assert set(rows["shop"].found_by) == {"link", "sitemap", "redirect"}
    links = crawled.roots().links()
    (gone,) = links.broken
    assert (gone.url, gone.inlinks_count, gone.sources[0].landmark, gone.sources[0].pages_count) == (site.url("/gone"), 46, "footer", 46)
    assert [target.url for target in links.redirected] == [site.url("/old-shop")]
    assert [target.url for target in links.disallowed] == [site.url("/private/admin")]
    assert crawled.roots().redirects() == CrawledRedirects(1)
    orphans = crawled.roots().summary().orphans
    assert orphans is not None
    assert orphans.urls == (site.url("/sitemap-only"),)
    sitemap = crawled.roots().sitemap()
    assert (sitemap.entries_count, sitemap.not_ok) == (3, ())
    assert sitemap.missing is not None
    assert sitemap.missing.pages_count == 43


def test_products_without_description_are_one_finding(site: Site, tmp_path: Path) -> None:
    make_shop(site)
    report = Crawled(tmp_path / "shop.sqlite", site.url("/")).report()

    (found,) = [finding for finding in report.findings if finding.id == "meta-description"]
    assert (found.pages_count, found.cause.kind.value, found.summary()) == (40, "template", "The page has no meta description")
    assert len({finding.key for finding in report.findings}) == len(report.findings)
    assert report.score is not None
    assert not report.provisional


def test_the_log_proves_robots_txt_actions_and_one_request_a_page(site: Site, tmp_path: Path) -> None:
    make_shop(site)
    crawled = Crawled(tmp_path / "shop.sqlite", site.url("/"))
    requested = paths(site)
    refused = {group.name: group.pages_count for group in crawled.roots().summary().left_out}

    assert not [path for path in requested if path.startswith(("/private/", "/basket/"))]
    assert {count for path, count in requested.items() if path.startswith("/product/")} == {1}
    assert requested["/gone"] == 2
    assert refused == {Refusal.ROBOTS.value: 1, Refusal.ACTION.value: 1}


def test_robots_txt_is_ignored_only_where_that_is_set(site: Site, tmp_path: Path) -> None:
    make_shop(site, products=3)
    Crawled(tmp_path / "shop.sqlite", site.url("/"), robots=RobotsRules.IGNORE)

    assert paths(site)["/private/admin"] == 2


def test_a_disallowed_start_ends_the_crawl_with_the_line(site: Site, tmp_path: Path) -> None:
    site.page("/robots.txt", "User-agent: *\nDisallow: /\n", content_type="text/plain")
    crawled = Crawled(tmp_path / "blocked.sqlite", site.url("/"))

    assert crawled.state.ended_by is CrawlEnd.BLOCKED
    start = crawled.state.start
    assert start is not None
    assert (start.blocks_findable, start.blocks_findable_line) == (start.blocks_google, start.blocks_google_line) == ("Disallow: /", 2)
    report = crawled.report()
    assert (report.result, report.score, report.counts) == (Rating.BAD, 0, {"failed": 1, "warned": 0})
    assert [(one.summary(), one.evidence[0].text, one.evidence[0].line, one.evidence[0].url) for one in report.findings] == [
        ("robots.txt disallows the start page for Googlebot", "Disallow: /", 2, site.url("/robots.txt"))
    ]
    assert set(paths(site)) == {"/robots.txt"}


def test_the_rate_holds(site: Site, tmp_path: Path) -> None:
    make_shop(site, products=6)
    Crawled(tmp_path / "slow.sqlite", site.url("/"), rate=20.0, connections=2)
    times = sorted(request.at_s for request in site.requests if request.path.startswith("/product/"))

    assert times[-1] - times[0] >= 5 / 20 * 0.9
    assert site.peak_open_count <= 8  # the requests for the site come before the crawl


@pytest.mark.full
def test_a_site_with_endless_series_ends_with_every_real_page(site: Site, tmp_path: Path) -> None:
    make_traps(site)
    crawled = Crawled(tmp_path / "traps.sqlite", site.url("/"))
    rows = crawled.rows()

    assert crawled.state.ended_by is CrawlEnd.TRAP
    assert sum(path.startswith("article/") for path in rows) == 30
    assert len(site.requests) < 2000
    traps = Counter(trap.trap for trap in crawled.traps().items)
    assert {TrapKind.CALENDAR, TrapKind.COUNTER, TrapKind.FACETS, TrapKind.GROWING_PATH, TrapKind.SESSION_ID} <= set(traps)


def test_dated_articles_that_link_to_the_one_before_are_no_calendar(site: Site, tmp_path: Path) -> None:
    count = CALENDAR_PAGES + 30
    addresses = ["/", *(f"/2026/{1 + number // 28}/{1 + number % 28}/{4000 + number}.html" for number in range(count))]
    for number, address in enumerate(addresses):
        words = Random(number).choices([f"{one}{other}" for one in "bdfgklmnp" for other in ("ale", "iro", "omu", "una", "ek")], k=150)
        earlier = f'<a href="{addresses[number + 1]}">The story before</a>' if number < count else ""
        site.page(
            address, f"<!doctype html><title>Story {number}</title><main><h1>Story {number}</h1><p>{' '.join(words)}.</p>{earlier}</main>"
        )
    crawled = Crawled(tmp_path / "news.sqlite", site.url("/"))

    assert crawled.state.ended_by is CrawlEnd.COMPLETE
    assert len([path for path in crawled.rows() if path.endswith(".html")]) == count


def test_a_limit_of_pages_ends_it_and_a_higher_one_goes_on(site: Site, tmp_path: Path) -> None:
    make_shop(site)
    first = Crawled(tmp_path / "shop.sqlite", site.url("/"), pages=10)
    provisional = first.report().provisional
    first.file.close()
    before = len(site.requests)
    second = Crawled(tmp_path / "shop.sqlite", site.url("/"))

    assert (first.state.ended_by, second.state.ended_by) == (CrawlEnd.PAGES, CrawlEnd.COMPLETE)
    assert provisional
    assert len(site.requests) - before == 48 - 10 + 1  # one confirmation


def test_a_finished_crawl_is_reported_again_without_a_request(site: Site, tmp_path: Path) -> None:
    make_shop(site, products=5)
    first = Crawled(tmp_path / "shop.sqlite", site.url("/"))
    before = len(site.requests)
    second = Crawled(tmp_path / "shop.sqlite", site.url("/"))

    assert len(site.requests) == before
    assert second.report() == first.report()


def test_depth_and_patterns_limit_what_is_requested(site: Site, tmp_path: Path) -> None:
    make_shop(site)
    shallow = Crawled(tmp_path / "depth.sqlite", site.url("/"), depth=1).rows()
    excluded = Crawled(tmp_path / "pattern.sqlite", site.url("/"), exclude=("/product/*",)).rows()

    assert not [path for path in (*shallow, *excluded) if path.startswith("product/")]
    assert "shop" in shallow


def test_a_list_is_requested_and_no_link_is_followed(site: Site, tmp_path: Path) -> None:
    make_shop(site)
    listed = tuple(site.url(path) for path in ("/about", "/old-shop", "/gone"))
    rows = Crawled(tmp_path / "list.sqlite", listed[0], urls=listed).rows()

    assert set(rows) == {"about", "old-shop", "gone", "shop"}  # and the end of the redirect


def test_a_server_error_that_passes_is_not_one(site: Site, tmp_path: Path) -> None:
    make_shop(site, products=3)
    calls: list[str] = []

    async def moody(request: Any, wire: Any) -> None:
        calls.append(request.target)
        status = "503 Busy" if len(calls) == 1 else "200 OK"
        body = b"<!doctype html><title>Back</title><h1>Back</h1><a href='/new'>new</a>"
        await wire.send(f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        wire.keep = True

    site.handler("/about", moody)
    site.page("/new", "<!doctype html><title>New</title><h1>New</h1>")
    rows = Crawled(tmp_path / "moody.sqlite", site.url("/")).rows()

    assert (len(calls), rows["about"].status, rows["new"].status) == (2, 200, 200)


def test_a_bot_challenge_is_not_judged_as_the_page(site: Site, tmp_path: Path) -> None:
    make_shop(site, products=3)
    challenge = "<!doctype html><title>Just a moment...</title><script>window._cf_chl_opt={}</script><h1>Checking</h1>"
    site.page("/about", challenge, status=200, headers=[("cf-mitigated", "challenge")])
    crawled = Crawled(tmp_path / "challenge.sqlite", site.url("/"))

    assert (crawled.rows()["about"].reason, crawled.rows()["about"].checks_asked) == ("challenge", 0)
    assert paths(site)["/about"] == 2
    assert crawled.roots().links().broken_count == 1  # the link in the footer


def test_a_page_behind_a_linked_redirect_is_no_orphan(site: Site, tmp_path: Path) -> None:
    make_shop(site, products=3)
    site.page("/about", "<!doctype html><title>About</title><h1>About</h1><p><a href='/to-it'>More</a></p>")
    site.redirect("/to-it", "/sitemap-only", 301)
    summary = Crawled(tmp_path / "orphan.sqlite", site.url("/")).roots().summary()

    assert summary.orphans is None
    assert summary.is_complete


def test_a_part_of_a_site_knows_nothing_of_the_rest(site: Site, tmp_path: Path) -> None:
    make_shop(site, products=3)
    crawled = Crawled(tmp_path / "part.sqlite", site.url("/"), exclude=("/about",))

    assert not crawled.roots().summary().is_complete
    assert not crawled.report().provisional


def test_what_refuses_this_crawler_is_no_fault(site: Site, tmp_path: Path) -> None:
    make_shop(site, products=3)
    site.page("/about", "<!doctype html><title>No</title><h1>No</h1>", status=403)
    site.page("/imprint", "<!doctype html><title>I</title><link rel=canonical href=/about><h1>I</h1>")
    site.page("/sitemap.xml", f"<urlset><url><loc>{site.url('/about')}</loc></url></urlset>", content_type="application/xml")
    roots = Crawled(tmp_path / "refused.sqlite", site.url("/")).roots()

    assert site.url("/about") not in {target.url for target in roots.links().broken}
    assert roots.canonicals().pages_count == 1
    assert roots.canonicals().not_indexable == ()
    assert roots.sitemap().not_ok == ()


def test_a_page_on_a_private_address_is_not_reached(site: Site, make_site: Callable[..., Site], tmp_path: Path) -> None:
    inner = make_site(host="127.0.0.2")
    site.page("/", f'<!doctype html><title>A</title><h1>A</h1><p><a href="{inner.url("/secret")}">in</a> <a href="/moved">moved</a></p>')
    site.redirect("/moved", inner.url("/moved"))
    Crawled(tmp_path / "guard.sqlite", site.url("/"), hosts=("127.0.0.2",))

    assert inner.requests == []


@pytest.mark.parametrize("seed", [*sampled(range(3), 0), *(pytest.param(seed, marks=pytest.mark.endurance) for seed in range(3, 20))])
def test_random_delays_do_not_change_the_settled_crawl(make_site: Callable[..., Site], tmp_path: Path, seed: int) -> None:
    slow, quick = make_site(), make_site()
    make_shop(slow, delays=Random(seed))
    make_shop(quick)

    first = Crawled(tmp_path / "slow.sqlite", slow.url("/"))
    second = Crawled(tmp_path / "quick.sqlite", quick.url("/"))

    assert first.digest(slow.base) == second.digest(quick.base)


def make_fan(site: Site, delays: Random) -> None:
    """A site of three levels that is larger than a crawl of it, with pages that are also in its sitemap, and slow pages here and there."""
    names = range(12)

    def page(path: str, links: Sequence[str]) -> None:
        body = "".join(f'<a href="{link}">{link}</a> ' for link in links)
        site.page(path, f"<!doctype html><title>{path}</title><h1>{path}</h1><p>{body}</p>", delay_s=delays.uniform(0, 0.04))

    page("/", [f"/{n}" for n in names])
    for n in names:
        page(f"/{n}", [f"/{n}/{m}" for m in names])
        for m in names:
            page(f"/{n}/{m}", [f"/{n}/{m}/{o}?sort={o}" for o in names])
    listed = "".join(f"<url><loc>{site.url(f'/{n}/{11 - n}')}</loc></url>" for n in names)
    site.page("/sitemap.xml", f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>', content_type="text/xml")


@pytest.mark.parametrize("pages", [7, *sampled((60, 100), 1)])
def test_a_crawl_with_a_page_limit_requests_the_same_urls_each_time(make_site: Callable[..., Site], tmp_path: Path, pages: int) -> None:
    requested = []
    for seed in range(2):
        site = make_site()
        make_fan(site, Random(seed))
        crawled = Crawled(tmp_path / f"{seed}.sqlite", site.url("/"), pages=pages)
        assert crawled.state.ended_by is CrawlEnd.PAGES
        requested.append((crawled.digest(site.base), sorted(crawled.rows())))

    assert len(requested[0][1]) == pages
    assert requested[0] == requested[1]


@pytest.mark.parametrize(
    ("products", "rate", "kills"), [(40, 20, (25, 35, 45)), pytest.param(1993, 50, range(60, 2000, 97), marks=pytest.mark.endurance)]
)
def test_a_killed_crawl_goes_on_and_ends_as_if_nothing_had_been(
    make_site: Callable[..., Site], tmp_path: Path, products: int, rate: int, kills: Sequence[int]
) -> None:
    disturbed, calm = make_site(), make_site()
    make_shop(disturbed, products=products)
    make_shop(calm, products=products)
    path = tmp_path / "killed.sqlite"
    command = [
        sys.executable,
        "-m",
        "findable",
        "crawl",
        disturbed.url("/"),
        "--store",
        str(path),
        "--rate",
        str(rate),
        "--confirm-after",
        "0.1",
        "--fail-under",  # the shop is rated bad
        "0",
    ]
    for count in kills:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        disturbed.wait_for_requests(count, 60)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    subprocess.run(command, check=True, capture_output=True)

    first, second = Crawled(path, disturbed.url("/")), Crawled(tmp_path / "calm.sqlite", calm.url("/"))
    assert first.digest(disturbed.base) == second.digest(calm.base)
    assert len(disturbed.requests) <= len(calm.requests) + len(kills) * 64
    print(f"{len(first.rows())} URLs, {len(kills)} kills: {len(disturbed.requests)} requests, {len(calm.requests)} without kills")


def test_templates_and_links_of_a_crawl_are_roots(site: Site, tmp_path: Path) -> None:
    make_shop(site)
    crawled = Crawled(tmp_path / "shop.sqlite", site.url("/"))
    with crawled.file.engine.connect() as connection:
        roots = {type(root): root for root in ReadSite(connection, crawled.state).roots(crawled.state)}

    templates = roots[CrawledTemplates]
    assert isinstance(templates, CrawledTemplates)
    assert sum(template.pages_count for template in templates.items) == 46
    assert dict(crawled.roots().template_names()) == {template.number: template.name for template in templates.items}
    assert {CrawledLinks, CrawledSitemap, CrawlTraps} <= set(roots)
