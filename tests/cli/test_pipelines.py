"""What pipelines use: waiting for a deployment, pages that a change affects, limits compared with a base, progress, and stopping."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from msgspec import structs

from findable.cli.audit_gate import Gate
from findable.cli.changed_pages import ChangedPages
from findable.cli.config import parse_config
from findable.cli.source_files import SourceFiles, SourceRule
from findable.cli.stored_reports import as_earlier
from findable.cli.terminal import ProgressLine, Terminal
from findable.reports.analysis import analyse
from findable.reports.facts.browser_facts import BrowserFacts, LabMetric, MetricFact
from findable.reports.report import Report
from findable.urls import parse
from tests.checks.harness import capture
from tests.cli.conftest import Run
from tests.cli.test_audit import GOOD, bakery
from tests.sites.plugin import make_site, site
from tests.sites.server import Page, Site, in_turn, silent
from tests.worker.processes import until

__all__ = ["bakery", "make_site", "site"]

SECRET = "c0ffee-bypass"


def test_a_deployment_is_awaited(findable: Run, site: Site) -> None:
    site.handler("/bread", in_turn(Page(b"starting", status=503), Page(b"none", status=404), Page(GOOD.encode())))
    done = findable("audit", site.url("/bread"), "--as", "https://www.example.com", "--wait", "20")

    assert done.returncode == 0, done.stderr


def test_a_deployment_that_does_not_come_is_no_report(findable: Run, site: Site) -> None:
    site.page("/", "none", status=404)
    for command in ("audit", "crawl"):
        done = findable(command, site.url("/"), "--wait", "0.1")
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr == f"findable: {site.url('/')} was not available within 0.1 s: HTTP 404\n"


def test_a_header_from_the_environment_is_sent_to_the_origin_and_shown_nowhere(findable: Run, bakery: Site) -> None:
    bakery.requests.clear()
    option = ("--header-env", "x-vercel-protection-bypass=BYPASS")
    done = findable("audit", bakery.url("/bread"), *option, "--wait", "5", "--format", "json", BYPASS=SECRET)
    missing = findable("audit", bakery.url("/bread"), *option)
    crawled = findable("crawl", bakery.url("/bread"), *option, "--format", "json", BYPASS=SECRET)

    assert done.returncode in (0, 1), done.stderr
    assert {request.headers.get("x-vercel-protection-bypass") for request in bakery.asked("/bread")} == {SECRET}
    assert SECRET not in done.stdout + done.stderr + crawled.stdout + crawled.stderr
    assert (missing.returncode, "the environment variable BYPASS is not set" in missing.stderr) == (2, True)


def git(folder: Path, *arguments: str) -> None:
    command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def test_pages_of_changed_files_and_one_page_of_each_template_are_checked(findable: Run, bakery: Site, tmp_path: Path) -> None:
    for name in ("bread", "rolls", "cakes", "tarts"):
        bakery.page(f"/docs/{name}", GOOD)
        file = tmp_path / "content" / f"{name}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text("# Text\n")
    (tmp_path / ".gitignore").write_text("*.sqlite\ndata\nlist.txt\n")
    git(tmp_path, "init", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-m", "site: begin")
    git(tmp_path, "checkout", "-b", "change")
    (tmp_path / "content" / "cakes.md").write_text("# Other text\n")
    (tmp_path / "list.txt").write_text("".join(f"{bakery.url(f'/docs/{name}')}\n" for name in ("bread", "rolls", "cakes", "tarts")))
    options = ("--list", "list.txt", "--source", "/docs/*=content/*", "--format", "json", "--fail-under", "0")
    done = findable("audit", *options, "--changed-from", "main")
    wrong = findable("audit", *options, "--changed-from", "unknown")
    option = findable("audit", *options, "--changed-from=--output=x")

    assert [one["url"] for one in json.loads(done.stdout)] == [bakery.url("/docs/bread"), bakery.url("/docs/cakes")]
    assert "findable: 2 of 4 pages are checked: changed since main, or of a template" in done.stderr
    assert (wrong.returncode, option.returncode) == (2, 2)
    assert "--changed-from: git: " in wrong.stderr
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("changed", "selected"),
    [
        ((), ["/", "/docs/a", "/goods/1", "/docs/about"]),
        (("content/b.md",), ["/", "/docs/a", "/docs/b", "/goods/1", "/docs/about"]),
        (("app/product.tsx", "README.md"), ["/", "/docs/a", "/goods/1", "/docs/about"]),
    ],
)
def test_a_file_of_many_pages_is_a_template(tmp_path: Path, changed: tuple[str, ...], selected: list[str]) -> None:
    for name in ("content/a.md", "content/b.md", "app/product.tsx", "app/about.tsx"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    rules = [SourceRule("/docs/about", "app/about.tsx"), SourceRule("/docs/*", "content/*"), SourceRule("/goods/*", "app/product.tsx")]
    pages = ["/", "/docs/a", "/docs/b", "/goods/1", "/goods/2", "/docs/about"]
    urls = [url for path in pages if (url := parse(f"https://a.example{path}"))]
    found = [url.path for url in ChangedPages(frozenset(changed), SourceFiles(rules, tmp_path)).select(urls, lambda url: url)]

    assert found == selected


def audited_report(html: str) -> Report:
    return analyse(capture(html, url="https://www.example.com/bread"))


def metric(name: LabMetric, median: float) -> MetricFact:
    return MetricFact(metric=name, median=median, lowest=median, highest=median)


def test_budgets_limit_lab_values_and_growth() -> None:
    report = audited_report(GOOD)
    facts = BrowserFacts(
        browser="Chromium",
        axe_version="",
        after_scripts=True,
        scripts_build=False,
        failure="",
        leads_to="",
        metrics=(metric(LabMetric.LCP, 2600), metric(LabMetric.CLS, 0.02)),
    )
    slow = structs.replace(report, facts=structs.replace(report.facts, browser=facts))
    quick = structs.replace(
        report, facts=structs.replace(report.facts, browser=structs.replace(facts, metrics=(metric(LabMetric.LCP, 2000),)))
    )
    (budget,) = parse_config('[[budgets]]\nurls = ["/*"]\nlcp-ms = 2500\ncls = 0.1\nbytes = 10\n', "x").budgets
    (growth,) = parse_config('[[budgets]]\nurls = ["/*"]\ngrowth = { lcp-ms = 200, cls = 0, tbt-ms = 0 }\n', "x").budgets
    baseline = {report.requested_url: as_earlier(quick)}

    assert [line for line in Gate(0, None, {}, budgets=(budget,)).reasons(slow) if "bytes" not in line] == [
        "LCP in ms 2,600, the budget of /* is 2,500"
    ]
    assert "CLS was not measured, and /* has a budget for it: use --browser lab" in Gate(0, None, {}, budgets=(budget,)).reasons(quick)
    assert Gate(0, "new", baseline, budgets=(growth,)).reasons(slow) == [
        "LCP in ms 2,600, 2,000 in the baseline, the growth budget of /* is 200"
    ]
    assert Gate(0, "new", {}, budgets=(growth,)).reasons(slow) == []


def test_json_begins_with_its_identity_and_has_a_compact_form_and_one_shape(findable: Run, bakery: Site) -> None:
    whole, compact = (
        findable("audit", bakery.url("/bread"), "--format", "json", "--fail-under", "0", *more)
        for more in ((), ("--texts", "none", "--only-problems", "--array"))
    )
    one, (other,) = json.loads(whole.stdout), json.loads(compact.stdout)

    assert list(one)[:6] == ["id", "object", "public_id", "project", "url", "final_url"]
    assert list(one).index("project") < list(one).index("results") < list(one).index("facts")
    assert list(one["results"][0])[:2] == ["id", "key"]
    assert other["url"] == one["url"]
    assert all("how_to_fix" not in finding and "verify" in finding for finding in other["results"])
    assert len(compact.stdout) < len(whole.stdout) / 2


def test_a_log_gets_a_line_of_progress_at_each_interval(capsys: pytest.CaptureFixture[str]) -> None:
    ProgressLine(Terminal(), interval_s=0).show("12 of 40 pages")
    ProgressLine(Terminal(), interval_s=600).show("13 of 40 pages")

    assert capsys.readouterr().err == "findable: 12 of 40 pages\n"


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A shell starts tests in the background with SIGINT ignored, which the processes that they start inherit."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_a_stopped_crawl_says_how_to_continue_and_continues(site: Site, tmp_path: Path) -> None:
    site.page("/", GOOD.replace("https://www.example.com/bread", site.url("/")))
    site.handler("/bread", in_turn(silent(90), Page(b"none", status=404)))  # a crawl of two pages could end before the signal comes
    command = [
        sys.executable,
        "-m",
        "findable",
        "crawl",
        site.url("/"),
        "--render",
        "never",
        "--store",
        "x.sqlite",
        "--confirm-after",
        "0",
        "--rate",
    ]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FINDABLE_")}
    started = partial(subprocess.Popen, cwd=tmp_path, env=kept, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    with started([*command, "2"]) as stopped:
        until(lambda: bool(site.asked("/bread")), 90)
        stopped.send_signal(signal.SIGINT)
        _, complained = stopped.communicate(timeout=90)
    with started([*command, "50"]) as continued:
        _, said = continued.communicate(timeout=90)

    assert stopped.returncode == 130, complained
    assert complained.splitlines()[-1] == "findable: stopped. Run the same command to continue the crawl in x.sqlite"
    assert said.startswith("findable: continuing"), said
    assert continued.returncode in (0, 1)
