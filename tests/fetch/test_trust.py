"""Trusted authorities: the system's, and one's own."""

import ssl
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import certifi
import pytest

from findable.errors import SettingError
from findable.fetch import trust
from findable.fetch.fetcher import Fetcher
from findable.fetch.trust import Trust, system_bundle
from tests.fetch.helpers import LOCAL, with_fetcher
from tests.sites.server import AUTHORITY, Site


def test_the_system_has_a_bundle() -> None:
    assert b"-----BEGIN CERTIFICATE-----" in system_bundle().read_bytes()


def test_a_machine_without_a_bundle_has_that_of_certifi(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    empty = tmp_path / "empty.pem"
    empty.touch()
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: SimpleNamespace(cafile=None, openssl_cafile=str(empty)))
    monkeypatch.setattr(trust, "_BUNDLES", (str(tmp_path / "missing.pem"),))
    bundle = trust.system_bundle()
    assert bundle == Path(certifi.where())
    assert bundle.read_bytes().count(b"BEGIN CERTIFICATE") > 100


def test_extra_roots_are_added_to_those_of_the_system_and_the_file_goes_away() -> None:
    extended = Trust(AUTHORITY)
    made = extended.path
    assert made.read_bytes().count(b"BEGIN CERTIFICATE") == system_bundle().read_bytes().count(b"BEGIN CERTIFICATE") + 1
    extended.close()
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
