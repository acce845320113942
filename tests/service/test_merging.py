"""Reports of one URL are merged into one: who may see them, notes, acceptances, history, crashes."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, select

from findable.errors import Conflict, NotFound, ValidationFailed
from findable.service.projects import projects
from findable.service.reports import acceptances, guest_access, report_links, report_merges, reports
from findable.service.reports.guest_access import Decision, Viewer
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.presentation import ClientView
from findable.service.values.report_values import NewAcceptance, NewReport, ReportChanges, ReportQuery
from findable.store.schema.all_tables import metadata
from findable.vocabulary import Privacy
from tests.service import samples

URL = "https://example.com/"
GUEST = Viewer()


def two(service: Service, caller: Caller, first: dict[str, Any], second: dict[str, Any]) -> tuple[int, int]:
    """Two reports of one page; the second has the newest result."""
    return samples.made(service, caller, URL, **first), samples.made(service, caller, URL, **second)


def link_of(service: Service, caller: Caller, number: int) -> str:
    return reports.get(service, caller, number).public_id


def rows(service: Service) -> dict[str, list[Any]]:
    found = {}
    with service.store.read() as session:
        connection = session.reports._connection
        for table in metadata.sorted_tables:
            found[table.name] = sorted(map(repr, connection.execute(select(table)).all()))
    return found


def test_the_strictest_access_wins_and_old_links_lead_only_those_who_could_open_them(service: Service, caller: Caller) -> None:
    old, new = two(service, caller, {"privacy": Privacy.PASSWORD, "password": "correct horse"}, {"privacy": Privacy.PUBLIC})
    before, kept_link = link_of(service, caller, old), link_of(service, caller, new)
    assert [(one.url, one.report, one.privacy) for one in report_merges.repeated_pages(service, caller, "example.com")] == [
        (URL, new, Privacy.PASSWORD)
    ]
    kept = report_merges.merge(service, caller, old)
    assert (kept.id, kept.privacy, kept.has_password) == (new, Privacy.PASSWORD, True)
    assert guest_access.view(service, before, GUEST).decision is Decision.PASSWORD_NEEDED
    assert guest_access.view(service, kept_link, GUEST).decision is Decision.PASSWORD_NEEDED
    cookie = guest_access.unlock(service, before, "correct horse", "192.0.2.1")
    assert cookie is not None
    moved = guest_access.view(service, before, Viewer(unlock_token=cookie.token))
    assert (moved.decision, moved.moved_to, moved.report) == (Decision.MOVED, kept_link, None)
    owner = guest_access.view(service, before, Viewer(caller))
    assert (owner.decision, owner.moved_to) == (Decision.MOVED, kept_link)
    assert guest_access.progress(service, before, Viewer(unlock_token=cookie.token)) is None
    reports.update(service, caller, new, ReportChanges(Privacy.PRIVATE))
    assert guest_access.view(service, before, Viewer(unlock_token=cookie.token)).decision is Decision.NOT_FOUND


def test_the_link_of_a_private_report_leads_no_guest_anywhere(service: Service, caller: Caller) -> None:
    old, new = two(service, caller, {"privacy": Privacy.PRIVATE}, {"privacy": Privacy.PUBLIC})
    hidden, public = link_of(service, caller, old), link_of(service, caller, new)
    report_merges.merge(service, caller, new)
    assert guest_access.view(service, hidden, GUEST).decision is Decision.NOT_FOUND
    assert guest_access.view(service, public, GUEST).decision is Decision.NOT_FOUND
    stranger = samples.owner(service, "other@example.com")
    assert guest_access.view(service, hidden, Viewer(stranger)).decision is Decision.NOT_FOUND
    with pytest.raises(NotFound):
        report_merges.merge(service, stranger, new)
    with pytest.raises(NotFound):
        report_merges.repeated_pages(service, stranger, "example.com")


def test_notes_and_acceptances_are_joined_and_ids_stay_readable(service: Service, caller: Caller) -> None:
    old, new = two(service, caller, {}, {})
    report_links.write(
        service, caller, old, ClientView(summary="The first.", notes={"image-alt": "Old note."}, prepared_for="Client", sections=())
    )
    report_links.write(service, caller, new, ClientView(summary="The second.", notes={"noindex": "New note."}))
    acceptances.accept(service, caller, old, "image-alt", NewAcceptance("Decoration."))
    kept = report_merges.merge(service, caller, new)
    client = report_links.presentation(service, caller, new).client
    assert (client.summary, client.prepared_for, client.sections) == ("The second.\n\nThe first.", "Client", ())
    assert client.notes == {"noindex": "New note.", "image-alt": "Old note."}
    assert kept.report is not None
    assert [one.id for one in kept.report.findings if one.accepted] == ["image-alt"]
    merged = reports.get(service, caller, old)
    assert (merged.id, merged.score, merged.merged_into) == (old, 100, new)
    assert {one.id for one in reports.find(service, caller, ReportQuery()).items} == {old, new}
    assert [one.id for one in reports.find(service, caller, ReportQuery(pages_only=True)).items] == [new]
    assert [(one.report, one.run) for one in reports.runs(service, caller, new)] == [(new, 1), (old, 1)]
    with pytest.raises(Conflict):
        reports.update(service, caller, old, ReportChanges(results=True))
    assert projects.get(service, caller, "example.com").pages_count == 1


def test_what_cannot_be_merged_says_why(service: Service, caller: Caller) -> None:
    alone = samples.made(service, caller, "https://example.com/alone")
    with pytest.raises(ValidationFailed, match="no other report"):
        report_merges.merge(service, caller, alone)
    old, new = two(service, caller, {}, {})
    report_links.write(service, caller, old, ClientView(run=1))
    with pytest.raises(ValidationFailed, match="always shows one run"):
        report_merges.merge(service, caller, new)
    report_links.write(service, caller, old, ClientView())
    reports.create(service, caller, NewReport(URL))
    with pytest.raises(Conflict):
        report_merges.merge(service, caller, new)


def test_merges_of_merges_are_followed_and_deleted_with_the_last(service: Service, caller: Caller) -> None:
    first, second = two(service, caller, {}, {})
    report_merges.merge(service, caller, second)
    third = samples.made(service, caller, URL)
    report_merges.merge(service, caller, second)
    assert guest_access.view(service, link_of(service, caller, first), GUEST).moved_to == link_of(service, caller, third)
    reports.delete(service, caller, third)
    assert reports.find(service, caller, ReportQuery()).total == 0


def test_a_merge_that_breaks_off_at_any_statement_changes_nothing(tmp_path: Path) -> None:
    service = Service.open(samples.settings(tmp_path))
    caller = samples.owner(service)
    old, new = two(service, caller, {"privacy": Privacy.PRIVATE}, {})
    report_links.write(service, caller, old, ClientView(summary="The first."))
    acceptances.accept(service, caller, old, "image-alt", NewAcceptance("Decoration."))
    engine = service.store._writer  # type: ignore[attr-defined]  # of the two stores, the one on SQLite
    before, broken_off = rows(service), 0
    while True:
        left = [broken_off]

        def break_off(*_: object, left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] < 0:
                raise RuntimeError("killed")

        event.listen(engine, "before_cursor_execute", break_off)
        try:
            report_merges.merge(service, caller, new)
            break
        except RuntimeError:
            broken_off += 1
        finally:
            event.remove(engine, "before_cursor_execute", break_off)
        assert rows(service) == before, broken_off
    assert broken_off > 10
    assert reports.get(service, caller, old).merged_into == new
    service.close()


KILLED = """
import os, signal, sys
from pathlib import Path
from sqlalchemy import event
from findable.service.reports import report_merges
from findable.service.runtime.service import Service
from findable.service.values.caller import SCOPES, Caller
from tests.service import samples

service = Service.open(samples.settings(Path(sys.argv[1])))
left = int(sys.argv[3])

def kill(*_):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

event.listen(service.store._writer, "after_cursor_execute", kill)
report_merges.merge(service, Caller(1, 1, 1, SCOPES), int(sys.argv[2]))
"""


@pytest.mark.full
def test_a_process_killed_within_a_merge_loses_nothing(tmp_path: Path) -> None:
    service = Service.open(samples.settings(tmp_path))
    caller = samples.owner(service)
    old, new = two(service, caller, {"privacy": Privacy.PRIVATE}, {})
    acceptances.accept(service, caller, old, "image-alt", NewAcceptance("Decoration."))
    before = rows(service)
    service.close()
    for statements in (3, 12, 20):
        command = [sys.executable, "-c", KILLED, str(tmp_path), str(new), str(statements)]
        assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
        service = Service.open(samples.settings(tmp_path))
        assert rows(service) == before, statements
        service.close()
    service = Service.open(samples.settings(tmp_path))
    assert report_merges.merge(service, caller, new).privacy is Privacy.PRIVATE
    service.close()
