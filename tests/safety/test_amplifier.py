"""What one report costs the site it is about, whatever its page names."""

import asyncio
from pathlib import Path

import pytest

from findable.fetch.extra_request_budget import MAX_REQUESTS, Budget
from findable.fetch.politeness import HOST_CONNECTIONS
from findable.service.reports import reports
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.report_values import NewReport
from findable.vocabulary import Status
from tests.sites.server import Page, Site
from tests.worker.test_reports_of_real_sites import WAIT_S, made, story

CONTACT = "https://www.example.com/contact"
MAX_OF_A_REPORT = MAX_REQUESTS + 20
"""The extra requests, and what comes before them: the page, its redirects, a second try."""


def greedy(site: Site) -> str:
    """A page that names thousands of addresses of every kind, and a site that answers them all."""
    kinds = (
        '<a href="{}">a link</a>',
        '<img src="{}">',
        '<script src="{}"></script>',
        '<link rel="stylesheet" href="{}">',
        '<link rel="alternate" hreflang="en" href="{}">',
        '<iframe src="{}"></iframe>',
    )
    named = "".join(kind.format(site.url(f"/{number}-{index}")) for number in range(1000) for index, kind in enumerate(kinds))
    site.fallback(Page(b"<!doctype html><title>A page</title><h1>A page</h1>"))
    sitemaps = "".join(f"Sitemap: {site.url(f'/sitemap-{number}.xml')}\n" for number in range(500))
    site.page("/robots.txt", f"User-agent: *\nDisallow:\n{sitemaps}", content_type="text/plain")
    locs = "".join(f"<url><loc>{site.url(f'/listed-{number}')}</loc></url>" for number in range(5000))
    site.page("/sitemap.xml", f"<urlset>{locs}</urlset>", content_type="application/xml")
    return site.page("/", f"<!doctype html><html lang=en><title>Greedy</title><h1>Greedy</h1>{named}</html>")


def test_s93_a_report_costs_its_site_a_bounded_number_of_requests(tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    # On a busy machine its time would end before its requests do, and hide what they would have been.
    monkeypatch.setattr("findable.analyze.Budget", lambda: Budget(WAIT_S))
    monkeypatch.setattr("findable.fetch.site_requests.SITE_SHARE_S", WAIT_S / 2)
    url = greedy(site)

    async def tell(service: Service, caller: Caller) -> None:
        report = await made(service, caller, url)
        assert report.status is Status.DONE

    story(tmp_path, (site,), tell, user_agent_contact=CONTACT)
    assert MAX_REQUESTS / 2 < len(site.requests) <= MAX_OF_A_REPORT
    assert site.peak_open_count <= HOST_CONNECTIONS
    ours = [request for request in site.requests if "Findable/" in request.headers.get("user-agent", "")]
    assert all(CONTACT in request.headers["user-agent"] for request in ours)
    assert len(ours) > len(site.requests) / 2


@pytest.mark.full
def test_s92_s93_many_reports_of_one_site_share_its_connections(tmp_path: Path, site: Site) -> None:
    urls = [f"{greedy(site)}?{number}" for number in range(3)]

    async def tell(service: Service, caller: Caller) -> None:
        created = [reports.create(service, caller, NewReport(url)) for url in urls]
        settled = await asyncio.gather(*(service.wait_until_done(each.report.id, 3 * WAIT_S) for each in created))
        assert all(settled)

    story(tmp_path, (site,), tell, host_concurrency=3)
    assert len(site.requests) <= 3 * MAX_OF_A_REPORT
    assert site.peak_open_count <= HOST_CONNECTIONS
