"""A disk that is really full: F9 on a small file system of its own."""

import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from findable.capture.crawl import CrawlEnd
from findable.errors import NotFound, Unavailable
from findable.service.crawls import crawl_jobs, crawls
from findable.service.reports import report_jobs, reports
from findable.service.runtime.service import Service
from findable.service.values.crawl_values import CrawlStatus, CrawlView, NewCrawl
from findable.service.values.report_values import NewReport, ReportQuery
from findable.worker import crawl_task, store_writes
from findable.worker.report_worker import ReportWorker
from tests.cli.conftest import Run
from tests.crawl_sites import make_shop
from tests.service import samples
from tests.sites.plugin import make_site, site
from tests.sites.server import Site
from tests.stored_damage import damage_of
from tests.worker.processes import eventually, log_of, stub_service, until

__all__ = ["make_site", "site"]

SIZE = "160m"
"""Enough for the reserve to be made."""


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "findable-tests", place], check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("tmpfs cannot be mounted here")
    yield place
    subprocess.run(["umount", place], check=True)


def fill(place: Path) -> Path:
    """Somebody else takes all the room there is, to the last page."""
    ballast = place / "ballast"
    with ballast.open("ab", buffering=0) as file, suppress(OSError):
        while True:
            file.write(os.urandom(1) * 4096)
    return ballast


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("mount") is None, reason="mount makes a small file system, as root only")
def test_f9_a_disk_that_is_really_full_is_told_and_can_be_emptied(small: Path) -> None:
    service = Service.open(samples.settings(small, queue_limit=0), exclusive=True)
    caller = samples.owner(service)
    kept = [samples.made(service, caller, f"https://a.example/{n}", samples.seen(page=os.urandom(200_000))) for n in range(20)]
    waiting = reports.create(service, caller, NewReport("https://a.example/waiting")).report.id
    job = report_jobs.claim(service, "w")
    assert job is not None
    ballast = fill(small)

    refused: Unavailable | None = None
    accepted = []
    for n in range(5000):
        try:
            accepted.append(reports.create(service, caller, NewReport(f"https://b.example/{n}")).report.id)
        except Unavailable as error:
            refused = error
            break
    assert refused is not None
    assert (str(refused), refused.retry_after_s) == ("The disk is full.", 5)
    with pytest.raises(Unavailable):
        report_jobs.complete(service, job, samples.seen(page=os.urandom(2_000_000)))

    # What was accepted is there, what was there is whole, nothing is half there.
    assert reports.find(service, caller, ReportQuery()).total == len(kept) + 1 + len(accepted)
    assert all(reports.get(service, caller, number).score == 93 for number in kept)
    assert reports.get(service, caller, waiting).run is None
    assert damage_of(service.store) == []

    assert (small / "findable.db.reserve").exists()
    for number in kept[:10]:
        reports.delete(service, caller, number)
    assert not (small / "findable.db.reserve").exists()
    with pytest.raises(NotFound):
        reports.get(service, caller, kept[0])

    ballast.unlink()
    assert report_jobs.complete(service, job, samples.seen(page=os.urandom(2_000_000)))
    assert reports.get(service, caller, waiting).score == 93
    service.store.free_disk_space()
    assert (small / "findable.db.reserve").exists()
    service.close()
    service = Service.open(samples.settings(small), exclusive=True)
    assert reports.find(service, caller, ReportQuery()).total == len(kept) - 10 + 1 + len(accepted)
    service.close()


AS_ROOT = pytest.mark.skipif(os.geteuid() != 0 or shutil.which("mount") is None, reason="mount makes a small file system, as root only")


@AS_ROOT
@pytest.mark.parametrize("has_reserve", [True, False])
def test_f9_f41_after_a_kill_on_a_full_disk_the_start_works_or_says_what_to_free(small: Path, findable: Run, *, has_reserve: bool) -> None:
    data = {"FINDABLE_DATA_DIR": str(small), "FINDABLE_PORT": "18767", "FINDABLE_BROWSER": "none"}
    service = Service.open(samples.settings(small))
    caller = samples.owner(service)
    for n in range(5):
        reports.create(service, caller, NewReport(f"https://a.example/{n}"))
    service.close()
    with stub_service(small, "--seconds", 0.005) as process:
        until(lambda: sum(line.startswith("end") for line in log_of(small)) >= 5)
        process.kill()
        process.wait()
    if not has_reserve:
        (small / "findable.db.reserve").unlink()
    ballast = fill(small)
    if not has_reserve:
        refused, examined, listed = findable("serve", **data), findable("doctor", **data), findable("accounts", "list", **data)
        for said in (refused.stderr, examined.stdout, listed.stderr):
            assert "is damaged" not in said
            assert ".recover" not in said
        assert (refused.returncode, examined.returncode, listed.returncode) == (70, 1, 0)
        needed = re.search(r"the disk is full: free (\d+) MB in .*; the database is not damaged$", refused.stderr.strip())
        assert needed is not None, refused.stderr
        told = re.search(
            r"wrong +the disk is full, so nothing can be stored: 0 MB are free and (\d+) MB are needed: free (\d+) MB in", examined.stdout
        )
        assert told is not None, examined.stdout
        assert int(needed[1]) <= int(told[2]) <= int(told[1])
        os.truncate(ballast, ballast.stat().st_size - int(needed[1]) * 1_000_000)
    service = Service.open(samples.settings(small), exclusive=True)
    assert damage_of(service.store) == []
    assert reports.find(service, caller, ReportQuery()).total == 5
    assert reports.create(service, caller, NewReport("https://a.example/more")).report.id
    service.close()


@AS_ROOT
def test_f9_f41_a_disk_that_became_read_only_is_called_that(small: Path, findable: Run) -> None:
    data = {"FINDABLE_DATA_DIR": str(small), "FINDABLE_PORT": "18767", "FINDABLE_BROWSER": "none"}
    assert findable("accounts", "create", "a@example.com", **data).returncode == 0
    subprocess.run(["mount", "-o", "remount,ro", small], check=True)
    for command in (("serve",), ("accounts", "list"), ("backup", str(small / "copy"))):
        done = findable(*command, **data)
        assert done.returncode == 70, (command, done.stderr)
        assert "cannot be written (" in done.stderr
        assert "is not damaged" in done.stderr
    assert "cannot be written" in findable("doctor", **data).stdout


@AS_ROOT
def test_f9_f32_a_backup_onto_a_full_disk_says_what_to_free(small: Path, findable: Run) -> None:
    assert findable("accounts", "create", "a@example.com").returncode == 0
    fill(small)
    done = findable("backup", str(small / "copy"))
    assert done.returncode == 70
    assert re.search(r"copy cannot be written: the disk is full: free \d+ MB in ", done.stderr)
    assert not (small / "copy").exists()


@pytest.mark.full
@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("mount") is None, reason="mount makes a small file system, as root only")
def test_f9_a_crawl_waits_while_the_disk_is_full(
    small: Path, site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    make_shop(site)
    monkeypatch.setattr(crawls, "FREE_BYTES", 0)
    monkeypatch.setattr(crawls, "CONFIRM_AFTER_S", 0.05)
    monkeypatch.setattr(crawl_task, "MIN_FREE_BYTES", 0)
    monkeypatch.setattr(store_writes, "PAUSE_S", 0.1)
    monkeypatch.setattr(crawl_jobs, "WAIT_S", 0)
    monkeypatch.setattr(crawl_jobs, "MAX_LOSS_POINTS", 20_000)
    given = {"allow_targets": ("127.0.0.1",), "analysis_processes": 1, "crawl_rate": 200.0}
    service = Service.open(samples.settings(small, **given))
    caller = samples.owner(service)

    async def story() -> CrawlView:
        worker = ReportWorker(service)
        await worker.start()
        crawl_id = crawls.create(service, caller, NewCrawl(site.url("/"), rate=20.0, pages=1000)).crawl.id
        async with asyncio.timeout(60):
            await eventually(lambda: service.crawl_events.progress(crawl_id) is not None)
            ballast = await asyncio.to_thread(fill, small)
            await eventually(lambda: any("is paused: " in message for message in caplog.messages))
            ballast.unlink()
        assert await service.wait_until_crawled(crawl_id, 60)
        await worker.stop(10)
        return await service.run(crawls.get, caller, crawl_id)

    view = asyncio.run(story())
    service.close()
    assert (view.status, view.ended_by, view.counts["pages"]) == (CrawlStatus.DONE, CrawlEnd.COMPLETE, 46)
