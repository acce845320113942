"""Stored responses: pages judged again without a request, and requests that ask whether a page has changed."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from findable.compute import compute_here
from findable.crawl.settings import CrawlSettings
from findable.crawl.state import CrawlState
from findable.crawl.stored_responses import unpack_response
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import Identity
from findable.reports.scoring import RULESET
from findable.service.crawls.crawl_rescoring import rescore_crawl
from findable.service.crawls.crawl_run import CrawlRun
from findable.store import crawl_store
from findable.store.crawl_file import CrawlFile
from tests.crawl.test_changes import Crawls
from tests.crawl.test_crawls import Crawled, digest_of, paths
from tests.crawl_sites import html, make_shop, text
from tests.sites.plugin import make_site, site
from tests.sites.server import Request, Site, Wire

__all__ = ["make_site", "site"]


def outdated(crawled: Crawled) -> CrawlState:
    """The crawl as if an older version had judged it, which asked one check only."""
    crawled.file.rename_checks(("title-present",))
    state = crawled.file.state()
    assert state is not None
    crawled.file.save_state(replace(state, ruleset="2025-01"))
    return replace(state, ruleset="2025-01")


def test_an_old_crawl_is_judged_again_without_a_request(site: Site, tmp_path: Path) -> None:
    make_shop(site, products=4)
    crawled = Crawled(tmp_path / "shop.sqlite", site.url("/"))
    rows, report, requests_count = crawled.rows(), crawled.report(), len(site.requests)
    state = outdated(crawled)

    crawled.state = asyncio.run(rescore_crawl(crawled.file, state, state.settings, compute_here))

    assert crawled.state.ruleset == RULESET
    assert crawled.rows() == rows
    assert crawled.report() == report
    assert len(site.requests) == requests_count


def test_pages_without_a_stored_response_keep_their_verdicts(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl_store, "MAX_STORED_BYTES", 6_000)
    make_shop(site, products=8)
    crawled = Crawled(tmp_path / "shop.sqlite", site.url("/"))
    stored = {item.url for batch in crawled.file.stored_responses(5) for item in batch}
    (left,) = [words for words in crawled.report().cut_off() if words.startswith("Responses of pages")]
    assert left.startswith(f"Responses of pages: {len(stored)} of ")
    before = {row.url: crawled.verdicts_of(row.url) for row in crawled.rows().values()}
    state = outdated(crawled)
    crawled.state = asyncio.run(rescore_crawl(crawled.file, state, state.settings, compute_here))
    after = {row.url: crawled.verdicts_of(row.url) for row in crawled.rows().values()}

    assert 0 < len(stored) < sum(bool(verdicts) for verdicts in before.values())
    for url, verdicts in before.items():
        kept = {name: verdict for name, verdict in verdicts.items() if name == "title-present"}
        assert after[url] == (verdicts if url in stored else kept), url


def test_a_continued_crawl_keeps_the_verdicts_of_an_older_version(site: Site, tmp_path: Path) -> None:
    make_shop(site, products=4)
    crawled = Crawled(tmp_path / "shop.sqlite", site.url("/"), pages=6)
    outdated(crawled)
    crawled.file.close()
    again = Crawled(tmp_path / "shop.sqlite", site.url("/"))
    verdicts = [again.verdicts_of(row.url) for row in again.rows().values() if row.indexable]

    assert {found["title-present"] for found in verdicts} == {"passed"}
    assert len({len(found) for found in verdicts}) > 1


class Tagged:
    """Pages with validators, which return 304 to whoever has them."""

    def __init__(self, site: Site, products: int) -> None:
        make_shop(site, products=products)
        self._site = site
        self.versions = {f"/tagged/{number}": 1 for number in range(products)}
        links = "".join(f"<li><a href='{path}'>{path}</a></li>" for path in self.versions)
        site.page("/about", html("About us", f"<p>{text('/about')}</p><ul class='all'>{links}</ul>", description="Who we are."))
        for path in self.versions:
            site.handler(path, self._respond)

    async def _respond(self, request: Request, wire: Wire) -> None:
        version = self.versions[request.path]
        head = f'ETag: "{version}"\r\nLast-Modified: Sun, 01 Nov 2026 00:00:0{version} GMT\r\n'
        if request.headers.get("if-none-match") == f'"{version}"':
            await wire.send(f"HTTP/1.1 304 Not Modified\r\n{head}\r\n".encode())
        else:
            body = html(f"Page {request.path} version {version}", f"<p>{text(request.path)}</p>").encode()
            start = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n{head}\r\n"
            await wire.send(start.encode() + body)
        wire.keep = True


def test_a_later_crawl_asks_whether_pages_have_changed(site: Site, tmp_path: Path) -> None:
    tagged = Tagged(site, 12)
    crawls = Crawls(tmp_path)
    first = crawls.crawl(site.url("/"))
    tagged.versions["/tagged/3"] = 2
    second = crawls.crawl(site.url("/"))
    plain = Crawled(tmp_path / "plain.sqlite", site.url("/"))
    changes = crawls.changes()

    assert first.state.unchanged_count == 0
    assert second.state.unchanged_count in range(8, 12)  # one has changed, and one of fifty is requested in full
    assert [change.url for change in changes.pages if change.kind == "title"] == [site.url("/tagged/3")]
    assert digest_of(second.file, second.state, site.base) == plain.digest(site.base)
    assert paths(site)["/tagged/0"] == 3


def test_secrets_of_the_request_are_not_stored(site: Site, tmp_path: Path) -> None:
    site.page("/", html("Echo", "<p>token S3cr3t-of-the-owner</p>"))
    file = CrawlFile(tmp_path / "secret.sqlite")
    identity = Identity(origin=site.base, headers=(("X-Token", "S3cr3t-of-the-owner"),))

    async def run() -> None:
        async with Fetcher(Guard(allow_targets=[AllowedTarget.parse("127.0.0.1")])) as fetcher:
            await CrawlRun(file, fetcher, compute_here, identity=identity).run(
                CrawlSettings(site.url("/"), rate=1000.0, confirm_after_s=0.05)
            )

    asyncio.run(run())
    (batch,) = file.stored_responses(50)

    assert batch
    assert all(b"S3cr3t" not in unpack_response(item.data).body for item in batch)
