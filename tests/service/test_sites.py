"""What workers leave each other of a site."""

import pickle

import pytest
from sqlalchemy import update

from findable.capture.response import ProbeResponse
from findable.capture.site import SiteCapture
from findable.clock import now
from findable.service.runtime.service import Service
from findable.service.sites import known_sites
from findable.store.packed_values import pack_page
from findable.store.schema.job_tables import site_answer

KEY = "1 https://example.com"
SITE = SiteCapture("https://example.com", "2026-11-01T12:00:00Z", ProbeResponse("https://example.com/robots.txt"))


def plant(service: Service, data: bytes) -> None:
    """A row somebody edited by hand."""
    with service.store.write() as session:
        session.sites.add(KEY, b"{}", int(now().timestamp()))
        session.sites._connection.execute(update(site_answer).values(data=data))


def test_what_is_kept_is_found_again(service: Service) -> None:
    known_sites.store(service, KEY, SITE)
    known_sites.add_links(service, KEY, [ProbeResponse("https://example.com/a")])

    known = known_sites.load(service, KEY)

    assert known is not None
    assert (known.site, known.links) == (SITE, (ProbeResponse("https://example.com/a"),))
    assert known_sites.load(service, "2 https://example.com") is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not packed",
        pack_page(b"{}")[:-3],
        pack_page(pickle.dumps(SITE)),
        pack_page(b"[]"),
        pack_page(b"[" * 100_000),
        pack_page(b'{"origin": 1}'),
        pack_page(b'{"origin": "x", "captured_at": "", "robots": {"url": "x", "wire_bytes": 1e999}}'),
    ],
    ids=range(8),
)
def test_s89_a_row_edited_by_hand_is_none(service: Service, data: bytes) -> None:
    plant(service, data)

    assert known_sites.load(service, KEY) is None
