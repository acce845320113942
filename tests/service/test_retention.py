"""What is not kept any more takes no room any more, on both databases."""

import random
from datetime import timedelta

from findable import clock
from findable.service import housekeeping
from findable.service.app import Service
from findable.service.values import Caller
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
    assert not housekeeping.forget_old_pages(service)
    assert _used(service) == full

    later = clock.now() + timedelta(days=service.settings.saved_page_days + 1)
    with service.store.write() as session:
        while session.runs.forget_saved_before(int(later.timestamp()) - service.settings.saved_page_days * 86_400, 50) == 50:
            pass
    if service.store.shared:
        service.store.vacuum()  # what is free stays with the table until it is at its end
    assert _used(service) < full / 4
