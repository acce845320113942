"""Temporary redirects over several crawls: a pair keeps the date of the first crawl that found it."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from findable.capture.site_graph import CrawledRedirects
from findable.clock import now, rfc3339
from findable.compute import compute_here
from findable.crawl.settings import CrawlSettings
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.fetcher import Fetcher
from findable.service.crawls.crawl_run import CrawlRun, report_of_crawl
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_roots import CrawlRoots
from tests.crawl.test_crawls import FAST
from tests.crawl_sites import html
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["make_site", "site"]


def crawl(path: Path, site: Site, days_ago: int, earlier: CrawlFile | None = None) -> tuple[CrawlFile, CrawledRedirects]:
    """A crawl as if it had been made some days ago."""
    file = CrawlFile(path)
    settings: dict[str, Any] = dict(FAST)

    async def run() -> None:
        async with Fetcher(Guard(allow_targets=[AllowedTarget.parse("127.0.0.1")])) as fetcher:
            await CrawlRun(file, fetcher, compute_here, earlier=earlier).run(CrawlSettings(site.url("/"), **settings))

    asyncio.run(run())
    state = file.state()
    assert state is not None
    state = replace(state, started_at=rfc3339(now() - timedelta(days=days_ago)))
    file.save_state(state)
    with file.engine.connect() as connection:
        return file, CrawlRoots(connection, state).redirects()


def test_a_pair_is_known_since_the_first_crawl_that_found_it(make_site: Callable[[], Site], tmp_path: Path) -> None:
    site = make_site()
    links = "".join(f'<a href="/{name}">{name}</a> ' for name in ("old", "moving", "later", "permanent"))
    site.page("/", html("Start", f"<p>{links}</p>"))
    for name in ("new", "other"):
        site.page(f"/{name}", html(name, f"<p>{name}</p>"))
    site.redirect("/old", "/new", 302)
    site.redirect("/moving", "/new", 307)
    site.redirect("/permanent", "/new", 301)
    first, found = crawl(tmp_path / "1.sqlite", site, 50)
    assert (found.known_days_count, found.temporary) == (None, ())

    site.redirect("/moving", "/other", 307)
    site.redirect("/later", "/new", 302)
    second, found = crawl(tmp_path / "2.sqlite", site, 20, first)
    assert [(item.url, item.days_count) for item in found.temporary] == [(site.url("/old"), 30)]

    third, found = crawl(tmp_path / "3.sqlite", site, 0, second)
    assert [(item.url.removeprefix(site.base), item.days_count) for item in found.temporary] == [
        ("/old", 50),
        ("/later", 20),
        ("/moving", 20),
    ]
    state = third.state()
    assert state is not None
    notes = [note.summary() for note in report_of_crawl(third, state).notes if note.id == "site-redirect-temporary"]
    assert notes == [f"It has redirected to {site.url('/new')} with 302 for 50 days"]
