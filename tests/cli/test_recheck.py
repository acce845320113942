"""`findable recheck`: the same verdict as a report, with few requests."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from findable.analyze import report_page
from findable.errors import NotRecheckable
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.fetcher import Fetcher
from findable.recheck import OldFinding, RecheckResult, recheck
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.vocabulary import Verdict
from tests.cli.conftest import Run
from tests.cli.test_audit import GOOD, TERSE, bakery
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["bakery", "make_site", "site"]

LINKED = GOOD.replace("<footer>", "".join(f'<a href="/page{number}">Page {number}</a> ' for number in range(8)) + "<footer>").replace(
    "</h1>", '</h1><a href="/gone">gone</a><a href="/moved">moved</a><img src="/none.png" alt="Bread">'
)
QUICK = ("links-internal-broken", "title-present", "images-broken", "canonical-target", "not-found-status", "favicon", "robots-txt-allows")
NOT_COMPARED = frozenset({"ttfb", "load-time"})
"""Of measured times."""


@pytest.fixture
def linked(bakery: Site) -> Site:
    bakery.page("/linked", LINKED)
    bakery.page("/moved", "", status=301, headers=[("Location", "/bread")])
    for number in range(8):
        bakery.page(f"/page{number}", GOOD)
    return bakery


def in_a_loop(site: Site, url: str, checks: tuple[str, ...] | None) -> list[tuple[ReportedFinding, RecheckResult]]:
    async def main() -> list[tuple[ReportedFinding, RecheckResult]]:
        found = []
        async with Fetcher(Guard(allow_targets=[AllowedTarget.parse("127.0.0.1")])) as fetcher:
            _, judged = await report_page(url, fetcher)
            for finding in judged.report.findings:
                if finding.id in NOT_COMPARED or (checks is not None and finding.id not in checks):
                    continue
                try:
                    found.append((finding, await recheck(old_of(judged.report, finding), fetcher)))
                except NotRecheckable:
                    assert finding.id == "ai-edge-access"
        return found

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(main())).result()


def old_of(report: Report, finding: ReportedFinding) -> OldFinding:
    links = report.facts.links if isinstance(report.facts.links, tuple) else ()
    return OldFinding(report.requested_url, finding.id, finding.verdict, finding.evidence, finding.evidence_count, links)


@pytest.mark.parametrize("checks", [QUICK, pytest.param(None, marks=pytest.mark.full)])
@pytest.mark.parametrize("path", ["/linked", pytest.param("/terse", marks=pytest.mark.full)])
def test_a_recheck_gives_the_verdict_of_a_report(linked: Site, path: str, checks: tuple[str, ...] | None) -> None:
    pairs = in_a_loop(linked, linked.url(path), checks)

    assert len(pairs) >= (len(QUICK) - 1 if checks else 100)
    for before, after in pairs:
        assert (after.finding.verdict, after.finding.summary()) == (before.verdict, before.summary()), before.id
        assert after.finding.key == before.key, before.id
        assert after.requests_count < 30, before.id


def test_only_what_the_finding_needs_is_requested(findable: Run, linked: Site, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text(findable("audit", linked.url("/linked"), "--format", "json").stdout)
    key = next(row["key"] for row in json.loads(file.read_text())["results"] if row["id"] == "links-internal-broken")
    linked.requests.clear()
    broken = findable("recheck", str(file), key)
    asked = {request.target for request in linked.requests}
    linked.page("/linked", LINKED.replace('<a href="/gone">gone</a>', ""))
    linked.requests.clear()
    fixed = findable("recheck", str(file), key)

    assert (broken.returncode, fixed.returncode) == (1, 0)
    assert broken.stdout.startswith("links-internal-broken: still there (")
    assert fixed.stdout.startswith("links-internal-broken: fixed (")
    assert "/gone" in asked
    assert asked <= {"/linked", "/gone", "/robots.txt", "/none.png"}, "links that were sound are not requested again"
    assert not [request for request in linked.requests if request.target.startswith("/page")]


def test_a_link_that_is_new_is_requested(findable: Run, linked: Site, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text(findable("audit", linked.url("/linked"), "--format", "json").stdout)
    linked.page("/linked", LINKED.replace('<a href="/gone">gone</a>', '<a href="/gone-too">gone</a>'))
    done = findable("recheck", str(file), "links-internal-broken")

    assert done.returncode == 1
    assert "/gone-too" in done.stdout


def test_what_cannot_be_told_exits_3_or_2(findable: Run, bakery: Site, site: Site, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    report = json.loads(findable("audit", bakery.url("/terse"), bakery.url("/bread"), "--format", "json").stdout)
    file.write_text(json.dumps(report))
    cases = [
        ((str(file), "nonsense"), f"KEY: {file} has no finding nonsense"),
        ((str(file), "title-present"), "--url: 2 reports have this finding"),
        ((str(tmp_path / "none"), "x"), "REPORT: "),
    ]
    for arguments, complaint in cases:
        done = findable("recheck", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert complaint in done.stderr
    bakery.page("/terse", "please", status=401)
    assert findable("recheck", str(file), "title-present", "--url", bakery.url("/terse")).returncode == 3
    assert TERSE
    assert Verdict.UNKNOWN not in {finding["verdict"] for finding in report[0]["results"] if finding["id"] == "title-present"}
