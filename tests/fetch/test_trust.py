"""Trusted authorities: the system's, and one's own."""

from collections.abc import Callable
from pathlib import Path

import pytest

from findable.errors import SettingError
from findable.fetch.client import Fetcher
from findable.fetch.trust import Trust, system_bundle
from tests.fetch.helpers import LOCAL, with_fetcher
from tests.sites.server import AUTHORITY, Site


def test_the_system_has_a_bundle() -> None:
    bundle = system_bundle()
    assert bundle is not None
    assert b"-----BEGIN CERTIFICATE-----" in bundle.read_bytes()


def test_extra_roots_are_added_to_those_of_the_system_and_the_file_goes_away() -> None:
    trust = Trust(AUTHORITY)
    made = trust.path
    assert made is not None
    bundle = system_bundle()
    assert bundle is not None
    assert made.read_bytes().count(b"BEGIN CERTIFICATE") == bundle.read_bytes().count(b"BEGIN CERTIFICATE") + 1
    trust.close()
    assert not made.exists()


def test_without_the_extra_root_a_site_of_ones_own_is_not_verified(make_site: Callable[..., Site]) -> None:
    import asyncio

    site = make_site(certificate="good", name="localhost")
    site.page("/", "<!doctype html><p>x")

    async def run() -> bool:
        async with Fetcher(LOCAL) as fetcher:
            tls = (await fetcher.fetch_page(site.url())).tls
            return tls is not None and tls.verified

    assert not asyncio.run(run())
    tls = with_fetcher(lambda fetcher: fetcher.fetch_page(site.url())).tls
    assert tls is not None
    assert tls.verified


@pytest.mark.parametrize("content", [None, b"no certificate here"])
def test_f41_a_wrong_ca_file_names_the_setting(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "roots.pem"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SettingError, match="CA_FILE"):
        Trust(path)
