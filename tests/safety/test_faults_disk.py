"""A disk that is really full: F9 on a small file system of its own."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from findable.errors import NotFound, Unavailable
from findable.service.reports import generation, reports
from findable.service.runtime.service import Service
from findable.service.values.report_values import NewReport, ReportQuery
from tests.service import samples

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
    job = generation.claim(service, "w")
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
        generation.complete(service, job, samples.seen(page=os.urandom(2_000_000)))

    # What was accepted is there, what was there is whole, nothing is half there.
    assert reports.find(service, caller, ReportQuery()).total == len(kept) + 1 + len(accepted)
    assert all(reports.get(service, caller, number).score == 93 for number in kept)
    assert reports.get(service, caller, waiting).run is None
    assert service.store.problems() == []

    assert (small / "findable.db.reserve").exists()
    for number in kept[:10]:
        reports.delete(service, caller, number)
    assert not (small / "findable.db.reserve").exists()
    with pytest.raises(NotFound):
        reports.get(service, caller, kept[0])

    ballast.unlink()
    assert generation.complete(service, job, samples.seen(page=os.urandom(2_000_000)))
    assert reports.get(service, caller, waiting).score == 93
    service.store.tidy()
    assert (small / "findable.db.reserve").exists()
    service.close()
    service = Service.open(samples.settings(small), exclusive=True)
    assert reports.find(service, caller, ReportQuery()).total == len(kept) - 10 + 1 + len(accepted)
    service.close()
