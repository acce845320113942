"""Our own reports of our own pages are rated good, and no finding is failed; the largest report is light."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from findable.service.accounts import sign_in_links
from findable.service.reports.report_access import REPORTS
from findable.service.results import share_links
from tests.checks.harness import page
from tests.tiers import sampled
from tests.web.live import Client, Live, run_live

ORIGIN = "https://reports.example"
PAGE_BYTES = 150_000
_WORDS = "What stands here is said in plain words, so that there is something to read and to count. "


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"), base_url=ORIGIN)


def audited(live: Live, path: str, *options: str) -> dict[str, Any]:
    """Our report of a page of ours, judged as if it stood on the internet."""
    host = f"127.0.0.1:{live.port}"
    given = [f"http://{host}{path}", "--as", ORIGIN, "--allow-target", host, "--format", "json", *options]
    done = subprocess.run(
        [sys.executable, "-m", "findable", "audit", *given],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def failed(report: dict[str, Any], verdict: str = "failed") -> list[str]:
    return [result["id"] for result in report["results"] if result["verdict"] == verdict]


def warned(report: dict[str, Any]) -> list[str]:
    return failed(report, "warned")


def test_reports_that_stay_out_of_search_are_good(live: Live) -> None:
    client = live.client()
    shared = client.report("https://bakery.example/bread")["public_id"]
    locked = client.report("https://bakery.example/rolls", privacy=2, password="pw")["public_id"]
    for public_id in (shared, locked):
        made = audited(live, f"/r/{public_id}", "--not-for-search", "*")
        assert failed(made) == []
        assert made["result"] == "good"


@pytest.mark.parametrize(
    "path", sampled(["/", "/docs/checks", "/sign-in", "/docs/checks/noindex", "/api/v1/docs", "/errors/rate_limited"], 2)
)
def test_pages_that_stay_out_of_search_are_good(live: Live, path: str) -> None:
    made = audited(live, path, "--not-for-search", "*")

    assert failed(made) == []
    assert "duplicate-id" not in warned(made)
    assert made["result"] == "good"


def test_a_listed_report_is_good(live: Live) -> None:
    email = live.email()
    live.analyser.pages["bakery.example"] = page(body=f"<h1>Bread</h1><p>{_WORDS * 20}</p>")
    report = live.client(email=email).report("https://bakery.example/")
    session = sign_in_links.redeem(live.service, sign_in_links.create(live.service, email).url.rpartition("/")[2])
    assert session is not None
    share_links.set_terms(live.service, session.caller, REPORTS, report["id"], share_links.TermChanges(listed=True))
    made = audited(live, f"/r/{report['public_id']}")

    assert failed(made) == []
    assert made["result"] == "good"


@pytest.mark.full
def test_the_report_of_a_page_with_all_that_a_report_lists_is_light(live: Live) -> None:
    """Every list of evidence and every table of facts is full: thousands of links, pictures, headings and scripts."""
    many = range(3000)
    body = "".join(
        f'<h2>Part {number}</h2><img src="/picture-{number}-{hash_of(number)}.png"><a href="/page-{number}-{hash_of(number)}">read more</a>'
        f'<input name="field-{number}"><script src="https://cdn-{number % 50}.example/{hash_of(number)}.js"></script>'
        for number in many
    )
    live.analyser.pages["large.example"] = page(head='<meta name="robots" content="noindex">', body=body)
    report = live.client().report("https://large.example/")
    shown = Client(live.port, prefix="").get(f"/r/{report['public_id']}").body

    assert 50_000 < len(shown) <= PAGE_BYTES


def hash_of(number: int) -> str:
    """Letters that do not compress."""
    return f"{number * 2654435761 % 2**32:08x}"
