"""Stored results of requests of bots: they equal a recount after everything that changes the logs of a project."""

import random
from collections import Counter
from datetime import UTC, date, datetime, timedelta

import pytest
from msgspec.structs import replace

from findable.artifacts.tables.bot_ranges import Verification
from findable.capture.hit_statuses import HitStatus
from findable.clock import now
from findable.crawl import hit_sums
from findable.crawl.hit_document import HitGroup, encode_groups
from findable.crawl.hit_packing import STATUSES
from findable.service.projects import bot_hits, bot_overview, hit_recounting, log_imports
from findable.service.reports import bot_metrics, hit_results
from findable.service.reports.hit_results import HitResults
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.log_values import LogImportAdded, LogImportCreate
from tests.service import samples

NAME = "example.com"
BOTS = ("Googlebot", "Bingbot", "GPTBot")


@pytest.fixture(autouse=True)
def _small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hit_sums, "AT_ONCE", 7)


def add(service: Service, caller: Caller, head: str, days: list[date], *, rng: random.Random, **more: object) -> LogImportAdded:
    """Import a log with random requests on some days."""
    groups = [
        HitGroup(day, bot, verification, [(f"/{rng.randrange(40)}", rng.choice(list(HitStatus)), rng.randrange(1, 9)) for _ in range(12)])
        for day in days
        for bot in BOTS
        for verification in (Verification.VERIFIED, Verification.FAKE)
    ]
    first, last = (int(datetime.combine(day, datetime.min.time(), UTC).timestamp()) for day in (days[0], days[-1]))
    part = LogImportCreate(
        source=f"server {head}",
        format="combined",
        head_hash=head * 32,
        head_bytes=4096,
        offset=9000,
        tail_hash=head * 32,
        first_at=first,
        last_at=last + 80_000,
        lines=1000,
        days=days,
        hits=encode_groups(groups),
    )
    return log_imports.add(service, caller, NAME, replace(part, **more))


def assert_equal_to_a_recount(service: Service, caller: Caller) -> None:
    """Compare all results with the requests of the last 30 days, counted in the plainest way."""
    with service.store.read() as session:
        imports = session.logs.imports(1)
        if not imports:
            assert bot_hits.urls(service, caller, NAME) == ()
            assert bot_overview.get(service, caller, NAME).hits is None
            return
        last = max(row.last_at for row in imports) // 86_400
        days = session.logs.hits(1, last - 29, last)
        urls = {row.id: row.url for row in session.logs.urls_between(1, 0, 1000)}
        table = bot_metrics.bot_table(HitResults(service, session, 1))
    of_bot: dict[tuple[str, str], Counter[str]] = {}
    for one in days:
        for place, count in zip(one.places, one.counts, strict=True):
            of_bot.setdefault((one.bot, one.verification), Counter())[urls[place // STATUSES]] += count
    verified = {bot: of_bot.get((bot, "verified"), Counter()) for bot in BOTS}
    for bot, counts in verified.items():
        assert {one.url: one.hits for one in bot_hits.urls(service, caller, NAME, bot=bot)} == counts
    listed = bot_hits.urls(service, caller, NAME)
    assert {one.url: one.hits for one in listed} == sum(verified.values(), Counter())
    assert all(one.hits == sum(one.bots.values()) == sum(one.statuses.values()) for one in listed)
    found = bot_overview.get(service, caller, NAME).hits
    assert found is not None
    assert {(one.bot, one.verification): (one.hits_count, one.urls_count) for one in found.bots} == {
        key: (counts.total(), len(counts)) for key, counts in of_bot.items()
    }
    search = verified["Googlebot"] + verified["Bingbot"]
    assert found.hits_count == search.total()
    assert table is not None
    assert {url: row[:3] for url, row in table.rows.items() if any(row)} == {
        url: tuple(float(one[url]) or None for one in (search, verified["Googlebot"], verified["GPTBot"]))
        for url in search | verified["GPTBot"]
    }


def test_results_equal_a_recount_after_every_change_of_the_logs(service: Service, caller: Caller) -> None:
    samples.made(service, caller, f"https://{NAME}/")
    rng, today = random.Random(3), now().date()
    old = [today - timedelta(days=log_imports.DAYS_STORED + 20 - n) for n in range(40)]
    recent = [today - timedelta(days=40 - n) for n in range(40)]
    first = add(service, caller, "a", old, rng=rng)
    assert_equal_to_a_recount(service, caller)
    while log_imports.delete_old(service):  # some days of the last 30 of these logs are older than 13 months
        pass
    assert_equal_to_a_recount(service, caller)
    second = add(service, caller, "b", recent[:35], rng=rng)  # the last days are others now
    assert_equal_to_a_recount(service, caller)
    add(service, caller, "b", recent[:35], rng=rng)
    add(service, caller, "b", recent[35:], rng=rng, continues=second.id, from_offset=9000, offset=9900, tail_hash="f" * 32)
    assert_equal_to_a_recount(service, caller)
    add(service, caller, "c", recent[20:], rng=rng, source="server b", replace=True)
    assert_equal_to_a_recount(service, caller)
    log_imports.forget(service, caller, NAME, before=recent[25])
    assert_equal_to_a_recount(service, caller)
    assert_equal_to_a_recount(service, caller)
    for one in (first, *log_imports.find(service, caller, NAME)[1:]):
        log_imports.remove(service, caller, NAME, one.id)
        assert_equal_to_a_recount(service, caller)


def test_large_logs_show_earlier_results_until_a_worker_counted_again(
    service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples.made(service, caller, f"https://{NAME}/")
    rng, days = random.Random(5), [now().date() - timedelta(days=1)]
    add(service, caller, "a", days, rng=rng)
    hit_recounting.count_changed(service)
    before = bot_hits.urls(service, caller, NAME)
    monkeypatch.setattr(hit_results, "LARGE", 1)
    made = add(service, caller, "b", days, rng=rng)
    assert bot_hits.urls(service, caller, NAME) == before
    monkeypatch.setattr(hit_recounting, "LARGE", 1)
    monkeypatch.setattr(hit_recounting, "is_resting", lambda _row: False)
    hit_recounting.count_changed(service)
    assert bot_hits.urls(service, caller, NAME) != before
    assert_equal_to_a_recount(service, caller)

    log_imports.remove(service, caller, NAME, made.id)
    assert bot_hits.urls(service, caller, NAME) == before
    assert_equal_to_a_recount(service, caller)
