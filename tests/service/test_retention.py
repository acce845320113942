"""What is not kept any more takes no room any more, on both databases."""

import random
from datetime import timedelta
from pathlib import Path

import pytest

from findable import clock
from findable.service.projects import retention
from findable.service.reports import reports
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from tests.service import samples


def _used(service: Service) -> int:
    service.store.vacuum()
    return next(size.size_bytes or 0 for size in service.store.sizes() if size.table == "blob")


def test_saved_pages_that_grew_old_give_their_room_back(service: Service, caller: Caller) -> None:
    noise = random.Random(1)
    for number in range(20):
        samples.made(service, caller, f"https://a.example/{number}", samples.seen(page=noise.randbytes(100_000).hex().encode()))
    full = _used(service)
    assert full > 20 * 90_000
    assert not retention.delete_old_pages(service)
    assert _used(service) == full

    later = clock.now() + timedelta(days=service.settings.saved_page_days + 1)
    with service.store.write() as session:
        while session.runs.remove_saved_before(int(later.timestamp()) - service.settings.saved_page_days * 86_400, 50) == 50:
            pass
    if service.store.is_shared:
        service.store.vacuum()  # what is free stays with the table until it is at its end
    assert _used(service) < full / 4


def test_s92_saved_pages_of_one_account_have_a_bound_and_the_oldest_go_first(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service.open(samples.settings(tmp_path, database_url=database_url, saved_page_mb=1))
    monkeypatch.setattr(retention, "RECOUNT_AFTER_BYTES", 1_500_000)
    monkeypatch.setattr(retention, "DELETED_PAGES", 2)
    greedy, other = samples.owner(service), samples.owner(service, "other@example.com")
    noise = random.Random(1)

    def made(caller: Caller, number: int) -> int:
        page = noise.randbytes(200_000).hex().encode()
        return samples.made(service, caller, f"https://a.example/{number}", samples.seen(page=page))

    def kept(caller: Caller, ids: list[int]) -> list[bool]:
        return [reports.get(service, caller, number).saved_sha256 is not None for number in ids]

    beside = [made(other, 0)]
    many = [made(greedy, number) for number in range(3)]
    assert not retention.delete_excess_pages(service)  # little has come
    many += [made(greedy, number) for number in range(3, 9)]
    while retention.delete_excess_pages(service):
        pass
    assert kept(greedy, many) == [False] * 5 + [True] * 4
    assert kept(other, beside) == [True]
    with service.store.read() as session:
        assert session.runs.saved_bytes(greedy.account_id) <= 1_000_000
    assert reports.get(service, greedy, many[0]).score is not None
    service.close()
