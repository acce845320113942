"""Old reports under a new ruleset: what the page did and what the ruleset did are told apart."""

import asyncio
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from findable.capture.saved import dump
from findable.compute import compute_here
from findable.reports.analysis import analyse
from findable.service.projects import projects
from findable.service.reports import acceptances, report_access, reports
from findable.service.reports.report_jobs import AnalysedPage
from findable.service.reports.rescoring import project_name_of, rescore
from findable.service.results.guest_access import Viewer
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.project_values import ProjectChanges
from findable.service.values.report_values import NewAcceptance, ReportChanges
from tests.checks.harness import capture, page
from tests.service import samples

ROOT = Path(__file__).parents[2]
UNTITLED = page(head="")
NEXT = "2099-01"
STRICTER = f"""
import findable.reports.scoring as scoring
from findable.checks.engine import all_checks
scoring.RULESET = "{NEXT}"
all_checks()["title-present"].limits["failed"] = 10

import asyncio, json, sys
from pathlib import Path
from findable.analyze import analyse_saved
from findable.compute import compute_here
from findable.service.reports import reports
from findable.service.runtime.service import Analysis, Service
from findable.service.accounts.callers import authenticate_key
from findable.service.accounts import api_keys
from findable.service.reports.rescoring import rescore
from findable.settings import Settings

service = Service.open(Settings(data_dir=Path(sys.argv[1]), secret_key="k" * 40, database_url=sys.argv[5]))
if sys.argv[3] != "rescore":
    service.analysis = Analysis(analyse_saved, None)
caller = authenticate_key(service, api_keys.create_key(service, "owner@example.com").token)
tallies = [] if sys.argv[3] == "compare" else [asyncio.run(rescore(service, compute_here, project=sys.argv[2])) for _ in range(2)]
told = []
for number in json.loads(sys.argv[4]):
    view = reports.get(service, caller, number)
    changes = reports.changes(service, caller, number)
    told.append({{
        "run": view.run, "score": view.score, "result": view.result, "ruleset": view.report.engine.ruleset, "at": str(view.generated_at),
        "captured_at": view.report.captured_at, "last_error": view.last_error and view.last_error.code,
        "accepted": [finding.id for finding in view.report.findings if finding.accepted],
        "not_for_search": view.report.not_for_search,
        "runs": [[run.run, run.rescored_from, run.score] for run in reports.runs(service, caller, number)],
        "changes": [*(getattr(changes.score, name) for name in ("before", "after", "from_page", "from_ruleset")), changes.score.from_accepted or 0],
        "first": [getattr(reports.changes(service, caller, number, since=1).score, name) for name in ("from_page", "from_ruleset")] if view.run > 1 else None,
    }})
service.close()
print(json.dumps({{"tallies": [+tally for tally in tallies], "reports": told}}))
"""


def under_the_next_ruleset(service: Service, *numbers: int, project: str = "", action: str = "rescore") -> Any:
    settings = service.settings
    command = [sys.executable, "-c", STRICTER, str(settings.data_dir), project, action, json.dumps(numbers), settings.database_url]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def real(html: str = "", url: str = "https://example.com/", *, not_for_search: bool = False) -> AnalysedPage:
    seen = capture(html or page(), url=url)
    return AnalysedPage(dump(seen), analyse(seen, not_for_search=not_for_search))


@pytest.fixture
def untitled(service: Service, caller: Caller) -> int:
    return samples.made(service, caller, outcome=real(UNTITLED))


def test_a_new_ruleset_changes_the_score_and_the_page_does_not(service: Service, caller: Caller, untitled: int) -> None:
    before = reports.get(service, caller, untitled)
    assert before.report is not None
    told = under_the_next_ruleset(service, untitled)
    (after,) = told["reports"]

    assert told["tallies"] == [{"rescored": 1}, {"current": 1}]
    assert after["ruleset"] == NEXT
    assert after["score"] == 10
    assert (after["run"], after["runs"]) == (2, [[2, 1, 10], [1, None, before.score]])
    assert after["changes"] == [before.score, 10, 0, 10 - (before.score or 0), 0]
    assert after["first"] == [0, 10 - (before.score or 0)]
    assert after["at"] == str(before.generated_at)
    assert after["captured_at"] == before.report.captured_at
    with service.store.read() as session:
        row = session.reports.by_id(untitled)
        assert row is not None
        public_id = row.public_id
    guest = report_access.view(service, public_id, Viewer(None, None))
    owner = report_access.view(service, public_id, Viewer(caller, None))
    assert guest.report is not None
    assert owner.report is not None
    assert (guest.report.run, guest.report.score) == (1, before.score)  # a guest keeps the score of the ruleset
    assert (owner.report.run, owner.report.score, owner.link_run) == (2, 10, 1)
    assert reports.saved_page(service, caller, untitled, 2) == reports.saved_page(service, caller, untitled, 1)


@pytest.mark.full
def test_what_the_page_did_since_is_told_from_what_the_ruleset_did(service: Service, caller: Caller, untitled: int) -> None:
    first = reports.get(service, caller, untitled).score or 0
    reports.update(service, caller, untitled, ReportChanges(results=True))
    samples.work(service, real())
    second = reports.get(service, caller, untitled).score or 0
    (after,) = under_the_next_ruleset(service, untitled, action="both")["reports"]

    from_page, from_ruleset = after["first"]
    assert from_ruleset == 10 - first
    assert from_page == after["score"] - 10
    assert from_page + from_ruleset == after["score"] - first
    assert after["changes"][:4] == [second, after["score"], 0, after["score"] - second]


def test_the_old_page_judged_again_in_passing_gives_the_same_split(service: Service, caller: Caller, untitled: int) -> None:
    under_the_next_ruleset(service, untitled)
    told = under_the_next_ruleset(service, untitled, action="compare")
    (rescored,) = told["reports"]
    with service.store.write() as session:
        row = session.reports.by_id(untitled)
        assert row is not None
        session.runs._connection.exec_driver_sql("UPDATE run SET rescored_from = NULL")
    (compared,) = under_the_next_ruleset(service, untitled, action="compare")["reports"]

    assert compared["changes"] == rescored["changes"]
    assert compared["changes"][2] == 0


def test_what_the_owner_chose_goes_on(service: Service, caller: Caller) -> None:
    projects_page = page(head='<title>A page of a shop</title><meta name="robots" content="noindex">')
    hidden = samples.made(service, caller, outcome=real(projects_page, not_for_search=True))
    accepted = samples.made(service, caller, "https://example.com/b", outcome=real(projects_page, "https://example.com/b"))
    projects.update(service, caller, "example.com", ProjectChanges(not_for_search=["/other"]))
    acceptances.accept(service, caller, accepted, "noindex", NewAcceptance("a test page"))
    told = under_the_next_ruleset(service, hidden, accepted)["reports"]

    assert [one["not_for_search"] for one in told] == [True, False]
    assert [one["accepted"] for one in told] == [[], ["noindex"]]
    assert [one["changes"][2] for one in told] == [0, 0]
    assert [one["changes"][4] for one in told] == [0, 0]


@pytest.mark.full
def test_reports_without_a_saved_page_are_counted_and_left(service: Service, caller: Caller, untitled: int) -> None:
    other = samples.made(service, caller, "https://other.example/", outcome=real(url="https://other.example/"))
    with service.store.write() as session:
        session.runs.remove_saved_before(2**40, 10)
    third = samples.made(service, caller, "https://third.example/", outcome=real(url="https://third.example/"))
    told = under_the_next_ruleset(service, untitled, other, third, project="third.example")
    assert told["tallies"] == [{"rescored": 1}, {"current": 1}]
    assert [one["ruleset"] == NEXT for one in told["reports"]] == [False, False, True]

    told = under_the_next_ruleset(service, untitled, other)
    assert told["tallies"][0] == {"current": 1, "without_page": 2}
    assert [one["run"] for one in told["reports"]] == [1, 1]


def test_a_failure_since_stays_told_and_unrated_pages_leave_what_is_shown(service: Service, caller: Caller) -> None:
    shell = '<!doctype html><html><head><title>App</title></head><body><div id="root"></div><script src="/app.js"></script></body></html>'
    old = samples.seen(70, ruleset="2001-01", page=real(shell).saved_page)
    report_id = samples.made(service, caller, outcome=old)
    broken = samples.made(service, caller, "https://b.example/", outcome=samples.seen(70, ruleset="2001-01", page=b"no page"))
    good = samples.made(service, caller, "https://c.example/", outcome=samples.seen(70, ruleset="2001-01", page=real().saved_page))
    with service.store.write() as session:
        session.reports.change(good, 1, last_error=json.dumps({"code": "dns_failed", "message": "x", "retryable": True}))

    for rescored, current in ((1, 0), (0, 1)):
        tally = asyncio.run(rescore(service, compute_here, at_once=2))
        assert tally == Counter(rescored=rescored, current=current, unrated=1, failed=1)
    assert [reports.get(service, caller, number).score for number in (report_id, broken)] == [70, 70]
    last_error = reports.get(service, caller, good).last_error
    assert last_error is not None
    assert last_error.code == "dns_failed"


def test_report_that_cannot_be_rescored_is_counted_and_logged(service: Service, caller: Caller, caplog: pytest.LogCaptureFixture) -> None:
    broken = samples.made(service, caller, outcome=samples.seen(70, page=b"broken", ruleset="2001-01"))
    tally = asyncio.run(rescore(service, compute_here))

    assert tally == {"failed": 1, "current": 0}
    (record,) = caplog.records
    assert record.getMessage() == f"report {broken} could not be rescored"
    assert record.exc_info is not None


def test_a_report_that_is_generated_again_meanwhile_keeps_its_new_result(service: Service, caller: Caller) -> None:
    report_id = samples.made(service, caller, outcome=samples.seen(70, ruleset="2001-01", page=real().saved_page))
    reports.update(service, caller, report_id, ReportChanges(results=True))

    async def slowly(function: Any, *arguments: Any) -> Any:
        samples.work(service, real(UNTITLED))
        return function(*arguments)

    assert asyncio.run(rescore(service, slowly)) == {"current": 1}
    view = reports.get(service, caller, report_id)
    assert view.run == 2
    assert [run.rescored_from for run in reports.runs(service, caller, report_id)] == [None, None]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Example.COM", "example.com"),
        ("www.example.com", "example.com"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("a/b", ""),
        ("", ""),
    ],
)
def test_a_project_is_named_as_it_is_typed(typed: str, name: str) -> None:
    assert project_name_of(typed) == name
