"""Signals of a site by cause: first what is none."""

import pytest

from findable.checks.evidence import Evidence
from findable.crawl.site.signals import SignalCollector
from findable.reports.reported_finding import ReportedFinding
from findable.vocabulary import Verdict
from tests.crawl.stored_crawl import url

LOCAL = Evidence("element", "<a>", params={"host": "localhost"})
STAGING = Evidence("element", "<a>", params={"host": "staging.shop.example"})


def against(check: str, *evidence: Evidence, verdict: Verdict = Verdict.FAILED, **params: str) -> ReportedFinding:
    return ReportedFinding(id=check, verdict=verdict, message="It is wrong", params=params, evidence=evidence)


def collected(*pages: tuple[str, ReportedFinding], host: str = "shop.example") -> SignalCollector:
    collector = SignalCollector(host)
    for path, finding in pages:
        collector.readers[finding.id](url(path), 1, finding)
    return collector


def test_a_site_without_findings_sends_no_signals() -> None:
    root = collected().as_root(5)

    assert (root.indexable_count, root.soft_errors, root.blocked_files, root.leftover_hosts, root.routes_pages) == (5, (), (), (), None)


@pytest.mark.parametrize("host", ["www.shop.example", "dev.shop.example", "staging.other.example", "other.example"])
def test_other_public_hosts_are_no_leftovers(host: str) -> None:
    collector = collected()
    collector.add_declared(f"https://{host}/a", url("/a"))

    assert collector.as_root(1).leftover_hosts == ()


@pytest.mark.parametrize("own", ["staging.shop.example", "localhost"])
def test_a_staging_or_private_site_may_name_staging_hosts(own: str) -> None:
    collector = collected(host=own)
    collector.add_declared("https://uat.shop.example/a", url("/a"))

    assert collector.as_root(1).leftover_hosts == ()


@pytest.mark.parametrize("host", ["staging.shop.example", "localhost"])
def test_declared_staging_and_private_hosts_are_leftovers(host: str) -> None:
    collector = collected()
    collector.add_declared(f"https://{host}/a", url("/a"))
    (leftover,) = collector.as_root(1).leftover_hosts

    assert (leftover.host, leftover.is_declared, leftover.is_mentioned) == (host, True, False)


def test_a_private_host_is_only_mentioned_until_a_page_loads_it() -> None:
    mentioned = against("links-localhost", LOCAL, verdict=Verdict.WARNED)
    (once,) = collected(("/a", mentioned)).as_root(1).leftover_hosts
    (loaded,) = collected(("/a", mentioned), ("/b", against("links-localhost", LOCAL))).as_root(2).leftover_hosts
    (staging,) = collected(("/a", against("links-localhost", STAGING, verdict=Verdict.WARNED))).as_root(1).leftover_hosts

    assert (once.is_mentioned, loaded.is_mentioned, staging.is_mentioned) == (True, False, False)


def test_error_pages_are_apart_from_doubtful_ones() -> None:
    root = collected(("/gone/1", against("soft-404")), ("/empty", against("soft-404", verdict=Verdict.WARNED))).as_root(2)

    assert [group.urls for group in root.soft_errors] == [(url("/gone/1"),)]
    assert [group.urls for group in root.soft_doubts] == [(url("/empty"),)]


def test_files_are_grouped_by_the_line_of_robots_txt_and_its_effect() -> None:
    files = [Evidence("robots_txt", "Disallow: /js/", params={"address": url(f"/js/{n}.js")}) for n in range(2)]
    pages = [
        ("/a", against("robots-txt-assets", *files)),
        ("/c", against("robots-txt-assets", files[0])),
        ("/b", against("robots-txt-assets", files[0], verdict=Verdict.WARNED)),
    ]
    critical, other = collected(*pages).as_root(2).blocked_files

    assert (critical.is_critical, critical.files, critical.pages.urls) == (True, (url("/js/0.js"), url("/js/1.js")), (url("/a"), url("/c")))
    assert (other.is_critical, other.pages.urls) == (False, (url("/b"),))
