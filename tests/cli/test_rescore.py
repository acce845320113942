"""`findable rescore`, as an operator runs it."""

from pathlib import Path

import pytest

from findable.service.reports.report_jobs import AnalysedPage
from findable.service.runtime.service import Service
from tests.checks.harness import page
from tests.cli.conftest import Run
from tests.service import samples
from tests.service.test_rescoring import real


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with an old report with its page, one without, and a current one."""
    service = Service.open(samples.settings(tmp_path / "data"))
    caller = samples.owner(service)

    def old(page: bytes) -> AnalysedPage:
        return samples.seen(70, page=page, ruleset="2001-01")

    samples.made(service, caller, "https://a.example/", outcome=old(b"gone"))
    with service.store.write() as session:
        session.runs.remove_saved_before(2**40, 10)
    samples.made(service, caller, "https://b.example/", outcome=old(real(page(head="")).saved_page))
    samples.made(service, caller, "https://c.example/", outcome=old(real().saved_page))
    samples.made(service, caller, "https://d.example/", outcome=real())
    service.close()
    return tmp_path / "data"


def test_old_reports_are_scored_again_once(findable: Run, data: Path) -> None:
    done = findable("rescore", "--project", "B.example")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1", "rescored", "under", "ruleset", real().report.engine.ruleset]

    done = findable("rescore", "--all")
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [["1", "rescored"], ["2", "already"], ["1", "skipped:"]]
    assert "the saved page was deleted" in done.stdout
    done = findable("rescore", "--all")
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [["3", "already"], ["1", "skipped:"]]

    service = Service.open(samples.settings(data))
    with service.store.read() as session:
        rows = [session.reports.by_id(number) for number in (1, 2, 3, 4)]
        runs = [session.runs.get(row.id, row.run or 0) for row in rows if row is not None]
    service.close()
    assert [(run.number, run.rescored_from) for run in runs if run is not None] == [(1, None), (2, 1), (2, 1), (1, None)]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "exactly one of these options is required"),
        (("--all", "--project", "a.example"), "exactly one of these options is required"),
        (("--project", "a/b"), "not the name of a project"),
        (("--project", "nothing.example"), "has no reports"),
    ],
)
def test_wrong_usage_is_named(findable: Run, arguments: tuple[str, ...], complaint: str) -> None:
    done = findable("rescore", *arguments)

    assert done.returncode == 2
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_empty_database_has_nothing_to_score(findable: Run) -> None:
    done = findable("rescore", "--all")

    assert (done.returncode, done.stdout) == (0, "There are no reports with a result.\n")
    assert done.stderr == ""
