"""Verifying bots by reverse DNS with forward confirmation."""

import asyncio

import pytest

from findable.fetch.resolver import Resolver
from findable.fetch.reverse_dns import belongs_to
from tests.safety.dns import SERVFAIL, name_server

GOOD = "crawl-66-249-66-1.googlebot.com"
REVERSE = "1.66.249.66.in-addr.arpa"


@pytest.mark.parametrize(
    ("host_name", "addresses", "codes", "outcome"),
    [
        (GOOD, ["66.249.66.1"], {}, True),
        (GOOD, ["192.0.2.7"], {}, False),
        (GOOD, [], {}, False),
        ("crawl.googlebot.com.evil.example", ["66.249.66.1"], {}, False),
        ("notgooglebot.com", ["66.249.66.1"], {}, False),
        ("", [], {}, False),
        ("", [], {REVERSE: SERVFAIL}, None),
        (GOOD, ["66.249.66.1"], {GOOD: SERVFAIL}, None),
    ],
)
def test_both_directions_must_agree(host_name: str, addresses: list[str], codes: dict[str, int], outcome: bool | None) -> None:
    async def verdict(address: str) -> bool | None:
        resolver = Resolver([address])
        try:
            return await belongs_to(resolver, "66.249.66.1", ("googlebot.com",))
        finally:
            await resolver.close()

    with name_server(names={host_name: addresses}, host_names={REVERSE: host_name} if host_name else {}, codes=codes) as server:
        assert asyncio.run(verdict(server.address)) is outcome
