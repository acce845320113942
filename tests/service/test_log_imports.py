"""Requests of bots in the database: imports, limits, deletion, retention, backup."""

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from findable.artifacts.tables.bot_ranges import Verification
from findable.capture.hit_statuses import HitStatus
from findable.clock import now
from findable.crawl.hit_document import HitGroup, encode_groups
from findable.crawl.hit_packing import pack_hits, unpack_hits
from findable.errors import Conflict, NotFound, ValidationFailed
from findable.service import housekeeping
from findable.service.accounts import audit_entries
from findable.service.alerts import alerts
from findable.service.projects import bot_hits, bot_overview, log_imports, log_uploads, projects
from findable.service.reports import bot_metrics
from findable.service.reports.hit_results import HitResults
from findable.service.runtime.service import Service
from findable.service.values.alert_values import AlertQuery
from findable.service.values.audit_log_values import AuditAction, AuditQuery
from findable.service.values.caller import Caller
from findable.service.values.log_values import LogImportAdded, LogImportCreate
from findable.store.backups import back_up, restore
from findable.store.packed_values import pack_page
from tests.service import samples

OK, MISSING = HitStatus.OK, HitStatus.MISSING
DAY = date(2026, 11, 5)
NAME = "example.com"
OTHER_SITE = "https://elsewhere.example/"


def at(day: int, hour: int = 0) -> int:
    return int(datetime(2026, 11, day, hour, tzinfo=UTC).timestamp())


def part(head: str = "a", **more: Any) -> LogImportCreate:
    fields: dict[str, Any] = {"source": "access.log", "format": "combined", "head_hash": head * 32, "head_bytes": 4096, "offset": 9000}
    fields |= {
        "tail_hash": "e" * 32,
        "first_at": at(5),
        "last_at": at(6),
        "lines": 100,
        "unreadable": 1,
        "without_request": 2,
        "days": [DAY],
    }
    return LogImportCreate(**(fields | more))


def hits(*rows: tuple[str, HitStatus, int], bot: str = "Googlebot", verification: str = "verified", day: date = DAY) -> bytes:
    return encode_groups([HitGroup(day, bot, Verification(verification), list(rows))])


def add(service: Service, caller: Caller, name: str, made: LogImportCreate, sent: bytes, *, replaces: bool = False) -> LogImportAdded:
    return log_imports.add(service, caller, name, replace(made, hits=sent, replace=replaces))


@pytest.fixture
def project(service: Service, caller: Caller) -> str:
    samples.made(service, caller, f"https://{NAME}/")
    return NAME


def test_the_same_part_again_changes_nothing(service: Service, caller: Caller, project: str) -> None:
    sent = hits(("/a", OK, 3), ("/b?x=1", MISSING, 2), (OTHER_SITE, OK, 9))
    first = add(service, caller, project, part(), sent)
    again = add(service, caller, project, part(source="renamed"), sent)

    assert (first.is_new, first.hits, first.other_sites) == (True, 5, 9)
    assert again == replace(first, is_new=False, hits=0)
    (counted,) = bot_hits.days(service, caller, project)
    assert (counted.bot, counted.verification, counted.hits, dict(counted.statuses)) == (
        "Googlebot",
        "verified",
        5,
        {"ok": 3, "missing": 2},
    )
    assert [(one.url, one.hits, one.last_day) for one in bot_hits.urls(service, caller, project)] == [
        (f"https://{NAME}/a", 3, DAY),
        (f"https://{NAME}/b?x=1", 2, DAY),
    ]


@pytest.mark.full
def test_page_bots_lists_and_columns_of_pages_count_the_same(service: Service, caller: Caller, project: str) -> None:
    add(service, caller, project, part(), hits(("/a", OK, 3), ("/b?x=1", MISSING, 2), ("/a", MISSING, 1)))
    add(service, caller, project, part("b", source="b"), hits(("/a", OK, 4), day=DAY + timedelta(days=1)))
    add(service, caller, project, part("c", source="c"), hits(("/a", OK, 5), bot="GPTBot"))
    add(service, caller, project, part("d", source="d"), hits(("/a", OK, 9), verification="fake"))
    a, b = f"https://{NAME}/a", f"https://{NAME}/b?x=1"

    listed = {one.url: one for one in bot_hits.urls(service, caller, project)}
    assert {url: one.hits for url, one in listed.items()} == {a: 13, b: 2}
    assert (listed[a].bots, listed[a].statuses) == ({"Googlebot": 8, "GPTBot": 5}, {"ok": 12, "missing": 1})
    assert (listed[a].last_day, listed[b].last_day) == (DAY + timedelta(days=1), DAY)
    assert [(one.url, one.hits) for one in bot_hits.urls(service, caller, project, bot="GPTBot")] == [(a, 5)]
    seen = bot_overview.get(service, caller, project)
    assert seen.hits is not None
    assert [(one.url, one.hits_count) for one in seen.hits.top.items] == [(a, 13), (b, 2)]
    assert [(one.bot, one.verification, one.hits_count) for one in seen.hits.bots] == [
        ("Googlebot", "verified", 10),
        ("Googlebot", "fake", 9),
        ("GPTBot", "verified", 5),
    ]
    with service.store.read() as session:
        found = bot_metrics.bot_table(HitResults(service, session, 1))
    assert found is not None
    first = (DAY - date(1970, 1, 1)).days
    assert found.rows == {a: (8, 8, 5, first, first + 1), b: (2, 2, None, first, first)}


def test_a_log_that_grew_is_continued_and_once_only(service: Service, caller: Caller, project: str) -> None:
    first = add(service, caller, project, part(), hits(("/a", OK, 3)))
    grown = part(offset=9500, tail_hash="d" * 32, lines=7, last_at=at(7), continues=first.id, from_offset=9000)
    for is_new in (True, False):
        made = add(service, caller, project, grown, hits(("/a", OK, 2), ("/c", OK, 1)))
        assert (made.is_new, made.lines, made.offset) == (is_new, 107, 9500)

    assert Counter({one.url: one.hits for one in bot_hits.urls(service, caller, project)}) == {
        f"https://{NAME}/a": 5,
        f"https://{NAME}/c": 1,
    }
    with pytest.raises(Conflict, match="in the meantime"):
        add(service, caller, project, replace(grown, offset=9900), hits(("/a", OK, 2)))


def test_another_file_of_the_same_time_is_refused_by_name_or_replaces(service: Service, caller: Caller, project: str) -> None:
    add(service, caller, project, part(), hits(("/a", OK, 3)))
    overlapping = part("b", first_at=at(5, 5), last_at=at(8))
    with pytest.raises(Conflict, match=r"access\.log from 2026-11-05 to 2026-11-06"):
        add(service, caller, project, overlapping, hits(("/a", OK, 1)))
    add(service, caller, project, replace(overlapping, source="web2"), hits(("/a", OK, 1)))
    add(service, caller, project, part("c", first_at=at(6) - 60, last_at=at(7)), hits(("/a", OK, 1)))
    add(service, caller, project, part("d", source="cdn", format="cloudfront"), hits(("/a", OK, 1)))
    add(service, caller, project, part("e", source="cdn", format="cloudfront"), hits(("/a", OK, 1)))
    assert sum(one.hits for one in bot_hits.days(service, caller, project)) == 7

    add(service, caller, project, overlapping, hits(("/a", OK, 1)), replaces=True)
    assert sum(one.hits for one in bot_hits.days(service, caller, project)) == 3


def test_what_is_not_a_part_of_a_log_is_refused(service: Service, caller: Caller, project: str) -> None:
    valid = hits(("/", OK, 1))
    bad = [b"no", encode_groups([HitGroup(DAY, "<b>Bot", Verification.FAKE, [("/", OK, 1)])]), hits(("", OK, 1)), hits(("/", OK, 0))]
    bad += [*(valid[:length] for length in range(1, len(valid))), valid + valid]
    for sent in bad:
        with pytest.raises(ValidationFailed):
            add(service, caller, project, part(), sent)
    with pytest.raises(NotFound):
        add(service, caller, "other.example", part(), hits(("/", OK, 1)))
    assert log_imports.find(service, caller, project) == ()


def test_fakes_store_no_url_that_only_they_requested(service: Service, caller: Caller, project: str) -> None:
    add(service, caller, project, part(), hits(("/known", OK, 1)))
    add(service, caller, project, part("b", source="b"), hits(("/known", OK, 2), ("/secret", MISSING, 5), verification="fake"))
    add(service, caller, project, part("c", source="c"), hits(("/secret2", OK, 4), bot="GPTBot", verification="unverified"))

    with service.store.read() as session:
        stored = {row.url for row in session.logs.urls(1, range(1, 99)).values()}
    assert stored == {f"https://{NAME}/known", f"https://{NAME}/…", f"https://{NAME}/secret2"}
    assert {(one.bot, one.verification): one.hits for one in bot_hits.days(service, caller, project)} == {
        ("Googlebot", "verified"): 1,
        ("Googlebot", "fake"): 7,
        ("GPTBot", "unverified"): 4,
    }


def test_many_values_of_the_same_parameters_are_one_row(service: Service, caller: Caller, project: str) -> None:
    for number, start in enumerate((0, 900)):
        rows = [(f"/search?q={n}&page=2", OK, 1) for n in range(start, start + 900)]
        add(service, caller, project, part("ab"[number], source=str(number)), hits(*rows, ("/x?id=1", OK, 1)))

    found = {one.url: one.hits for one in bot_hits.urls(service, caller, project)}
    assert found[f"https://{NAME}/search?page=…&q=…"] == 900
    assert sum(found.values()) == 1802
    assert len(found) == 902


def test_an_import_is_deleted_with_its_requests(service: Service, caller: Caller, project: str) -> None:
    made = add(service, caller, project, part(), hits(("/a", OK, 3)))
    log_imports.remove(service, caller, project, made.id)

    assert not bot_hits.days(service, caller, project)
    assert not log_imports.find(service, caller, project)
    with pytest.raises(NotFound):
        log_imports.remove(service, caller, project, made.id)


def test_requests_before_a_day_are_forgotten_and_do_not_come_back(service: Service, caller: Caller, project: str) -> None:
    days = [DAY, DAY + timedelta(days=1)]
    sent = encode_groups([HitGroup(day, "Googlebot", Verification.VERIFIED, [("/a", OK, 3)]) for day in days])
    made = part(days=days)
    add(service, caller, project, made, sent)
    add(service, caller, project, part("b", source="web2"), hits(("/b", OK, 5)))
    assert log_imports.forget(service, caller, project, "access.log", days[1]) == 1
    again = add(service, caller, project, made, sent)

    assert (again.is_new, again.days) == (False, [days[1]])
    assert [(one.day, one.hits) for one in bot_hits.days(service, caller, project)] == [(days[0], 5), (days[1], 3)]


def test_everything_is_forgotten_with_its_urls_and_recorded(service: Service, caller: Caller, project: str) -> None:
    add(service, caller, project, part(), hits(("/a", OK, 3)))
    add(service, caller, project, part("b", source="web2"), hits(("/b", OK, 5)))
    assert log_imports.forget(service, caller, project, "web2") == 1
    assert _counts(service) == [1, 2, 1]
    assert log_imports.forget(service, caller, project) == 1

    assert _counts(service) == [0, 0, 0]
    recorded = [(one.action, one.details) for one in audit_entries.find(service, caller, AuditQuery())]
    assert recorded[0] == (AuditAction.LOG_DELETED, {})
    assert add(service, caller, project, part(), hits(("/a", OK, 3))).is_new


def _counts(service: Service) -> list[int]:
    with service.store.read() as session:
        tables = ("log_import", "log_url", "log_day")
        return [session.connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar_one() for name in tables]


def test_everything_is_deleted_with_its_project(service: Service, caller: Caller, project: str) -> None:
    add(service, caller, project, part(), hits(("/a", OK, 3)))
    assert _counts(service) == [1, 1, 1]
    projects.delete(service, caller, project)
    while housekeeping.purge_deleted(service):
        pass

    assert _counts(service) == [0, 0, 0]


def test_requests_of_more_than_13_months_ago_are_deleted(service: Service, caller: Caller, project: str) -> None:
    today = now().date()
    old = date(today.year - 2, 5, 5)
    add(service, caller, project, part(first_at=1, last_at=2), hits(("/old", OK, 3), day=old))
    add(service, caller, project, part("b", source="b", last_at=int(now().timestamp())), hits(("/new", OK, 3), day=today))
    while log_imports.delete_old(service):
        pass

    assert _counts(service) == [1, 1, 1]
    assert [one.url for one in bot_hits.urls(service, caller, project)] == [f"https://{NAME}/new"]


def test_a_backup_contains_the_requests(service: Service, caller: Caller, project: str, tmp_path: Path) -> None:
    if service.settings.database_url.startswith("postgresql"):
        pytest.skip("needs a second database of PostgreSQL, as tests/store has")
    add(service, caller, project, part(), hits(("/a", OK, 3)))
    before = bot_hits.days(service, caller, project)
    back_up(service.settings.database_url, tmp_path / "backup")
    target = f"sqlite:///{tmp_path / 'restored' / 'findable.db'}"
    (tmp_path / "restored").mkdir()
    restore(tmp_path / "backup", target)
    restored = Service.open(samples.settings(tmp_path, database_url=target))
    try:
        assert bot_hits.days(restored, caller, project) == before
    finally:
        restored.close()


def month(head: str, *, until: int, away_from: int = 99) -> LogImportCreate:
    """A log of 40 days in which Bingbot comes on each, and Googlebot until a day."""
    days = [date(2026, 10, 1) + timedelta(days=number) for number in range(until)]
    groups = [
        HitGroup(day, bot, Verification.VERIFIED, [("/a", OK, 30)])
        for number, day in enumerate(days)
        for bot in ("Googlebot", "Bingbot")
        if bot == "Bingbot" or number < away_from
    ]
    times = [int(datetime.combine(day, datetime.min.time(), UTC).timestamp()) for day in (days[0], days[-1])]
    return part(head, first_at=times[0], last_at=times[1], days=days, hits=encode_groups(groups), replace=True)


def test_a_bot_that_stays_away_opens_an_alert_until_it_comes_again(service: Service, caller: Caller, project: str) -> None:
    def opened() -> list[tuple[str, str, Mapping[str, str | int]]]:
        query = AlertQuery(project=project, is_open=True)
        return [(one.rule.value, one.phase.value, one.values) for one in alerts.find(service, caller, query)]

    log_imports.add(service, caller, project, month("a", until=34))
    assert opened() == []
    log_imports.add(service, caller, project, month("b", until=38, away_from=34))
    assert opened() == [("bot-away", "open", {"count": 1, "bots": "Googlebot", "date": "2026-11-03"})]
    log_imports.add(service, caller, project, month("c", until=39, away_from=34))
    assert [phase for _, phase, _ in opened()] == ["open"]
    log_imports.add(service, caller, project, month("d", until=40))
    assert [phase for _, phase, _ in opened()] == ["recovering"]
    log_imports.add(service, caller, project, month("e", until=41))
    assert opened() == []

    last = log_imports.add(service, caller, project, month("f", until=45, away_from=40))
    assert [rule for rule, *_ in opened()] == ["bot-away"]
    log_imports.remove(service, caller, project, last.id)
    assert opened() == []


def test_days_of_an_outage_with_its_own_alert_open_none_about_bots(service: Service, caller: Caller, project: str) -> None:
    opened_at, closed_at = at(5), at(6)
    outage = {"project_id": 1, "rule": "site-unreachable", "cause": "", "phase": "ok", "state": "{}", "details": "{}", "examples": "[]"}
    with service.store.write() as session:
        times = {"created_at": opened_at, "opened_at": opened_at, "closed_at": closed_at, "is_over": 1}
        session.alerts.add({"account_id": caller.account_id, **outage, **times})
    log_imports.add(service, caller, project, month("a", until=38, away_from=34))
    assert [one.rule.value for one in alerts.find(service, caller, AlertQuery(project=project))] == ["site-unreachable"]


def test_hits_are_packed_without_loss() -> None:
    found = {url * 8 + status: url + status + 1 for url in (1, 7, 500_000, 1 << 40) for status in range(8)}

    assert unpack_hits(pack_hits(found)) == found
    assert len(pack_page(pack_hits({n * 8: 1 for n in range(1000)}))) < 100


def test_the_process_that_reads_a_log_sees_no_secret(
    service: Service, caller: Caller, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FINDABLE_SECRET_KEY", "hidden")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hidden")
    seen: list[bytes] = []

    async def log() -> AsyncIterator[bytes]:
        async with asyncio.timeout(60):
            while not (found := environments_of_readers()):  # noqa: ASYNC110 - another process starts, which sets no event
                await asyncio.sleep(0.05)
        seen.extend(found)
        yield b"no log\n" * 300

    with pytest.raises(ValidationFailed, match="could not be read"):
        asyncio.run(log_uploads.upload(service, caller, project, log(), "web1"))
    assert len(seen) == 1
    assert b"PYTHONPATH" in seen[0]
    assert b"hidden" not in seen[0]
    assert os.environ["FINDABLE_SECRET_KEY"] == "hidden"


def environments_of_readers() -> list[bytes]:
    """The environments of the children of this process that read a log."""
    children = [int(one) for task in Path("/proc/self/task").iterdir() for one in (task / "children").read_text().split()]
    places = [Path("/proc") / str(pid) for pid in children]
    return [(place / "environ").read_bytes() for place in places if b"log_child" in (place / "cmdline").read_bytes()]
