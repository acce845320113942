"""A year of daily runs of 100 pages fits into 150 MB with the default retention; the size is printed."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import cycle

import pytest
from msgspec.structs import replace

from findable.reports.analysis import analyse
from findable.service.projects import projects, retention
from findable.service.reports.save_run import make_current, new_run
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.store import packed_values, run_statements
from findable.store.rows import NewRun
from tests.mutations.world import NAMES, captured, site
from tests.service import samples
from tests.simulated_clock import SimulatedClock, simulated_clock

START = 1_796_083_200  # 1 December 2026, 00:00 UTC
DAY_S = 86_400
DAYS, PAGES = 365, 100
MAX_BYTES = 150_000_000


@pytest.fixture
def clock() -> Iterator[SimulatedClock]:
    with simulated_clock(START) as told:
        yield told


@pytest.mark.full
@pytest.mark.parametrize("database_url", ["sqlite", pytest.param("postgresql", marks=pytest.mark.endurance)], indirect=True)
def test_a_year_of_daily_runs_of_100_pages_takes_at_most_150_mb(
    service: Service, caller: Caller, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run_statements, "pack_analysis", lru_cache(packed_values.pack_analysis))  # the same page gives the same bytes
    made = []
    for name in NAMES:
        page = site(name)
        capture = captured(page.html, page.keywords)
        made.append((new_run(analyse(capture), started_at=0, finished_at=0), page.html))
    analysed = [one for one, _ in zip(cycle(made), range(PAGES), strict=False)]
    ids = [samples.made(service, caller, f"https://shop.example/{number}") for number in range(PAGES)]
    largest = 0
    for day in range(1, DAYS + 1):
        clock.at = START + day * DAY_S
        _run(service, ids, analysed, day, clock.at)
        if day % 7 == 0 or day == DAYS:
            while retention.delete_old(service):
                pass
            for _ in range(7 * 144 if not service.store.is_shared else 0):  # housekeeping tidies every ten minutes
                before = service.store.size_bytes()
                service.store.free_disk_space()
                if service.store.size_bytes() >= before:
                    break
            largest = max(largest, service.store.size_bytes())
    if service.store.is_shared:
        service.store.vacuum()
    size_bytes = service.store.size_bytes()
    told = projects.get(service, caller, "shop.example").size.total_bytes
    with capsys.disabled():
        print(f"\n{DAYS * PAGES} runs: {size_bytes / 1e6:.1f} MB, at most {largest / 1e6:.1f} MB; the project says {told / 1e6:.1f} MB")
    assert size_bytes <= MAX_BYTES
    assert largest <= MAX_BYTES or service.store.is_shared
    least = 0.3 if service.store.is_shared else 0.5  # PostgreSQL keeps the room of deleted runs for new ones
    assert size_bytes * least < told < size_bytes


def _run(service: Service, ids: list[int], analysed: list[tuple[NewRun, str]], day: int, at: int) -> None:
    """Store a full run of each page, as `generation` does; pages that are unchanged would take a few bytes.

    Saved pages are stored in the last days alone: of each URL those of the last two runs are kept.
    """
    with service.store.write() as session:
        for report_id, (run, html) in zip(ids, analysed, strict=True):
            row = session.reports.by_id(report_id)
            assert row is not None
            new = replace(run, started_at=at, finished_at=at)
            if day > DAYS - 3:
                new = replace(new, saved_page=f"{html}<!-- {report_id} {day} -->".encode())
            added = session.runs.add(row, row.url, new)
            if day > DAYS - 3:
                session.runs.remove_older_saved(row, service.settings.saved_page_runs)
                make_current(session, row, new, added, row.url, now=at)
