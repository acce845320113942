"""What sub-resources answered: type by bytes, size by header, and who is to blame for a failure."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findable.artifacts.registry import Absent
from findable.artifacts.responses.assets import Asset, Assets, AssetState
from findable.capture.page import AssetKind
from findable.formats.image_headers import dimensions, is_animated
from findable.formats.mime_sniffing import sniff
from tests import pictures
from tests.checks.harness import artifacts

URL = "https://www.example.com/a"


def asset(url: str = URL, left_count: int = 0, **what: Any) -> Asset:
    assets = artifacts("", assets={url: what}, assets_left_count=left_count).get(Assets)
    assert not isinstance(assets, Absent)
    found = assets.for_url(f"{url}#part")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("body", "media_type", "size"),
    [
        (pictures.png(640, 480), "image/png", (640, 480)),
        (pictures.gif(3, 2), "image/gif", (3, 2)),
        (pictures.jpeg(1200, 630), "image/jpeg", (1200, 630)),
        (pictures.webp(800, 600), "image/webp", (800, 600)),
        (pictures.avif(1600, 900), "image/avif", (1600, 900)),
        (pictures.bmp(10, 20), "image/bmp", (10, 20)),
        (pictures.ico(16, 48, 256, 32), "image/x-icon", (256, 256)),
        (pictures.svg(10, 10), "image/svg+xml", None),
        (b'<?xml version="1.0"?>\n<!-- made by hand -->\n<svg viewBox="0 0 1 1">', "image/svg+xml", None),
        (b"<!doctype html><title>Not found</title>", "text/html", None),
        (b"\x00\x00\x00\x1cftypisom", "video/mp4", None),
        (b"wOF2\x00\x01\x00\x00", "font/woff2", None),
        (b"body{color:red}", "", None),
        (b"", "", None),
    ],
)
def test_bytes_tell_the_type_and_the_size(body: bytes, media_type: str, size: tuple[int, int] | None) -> None:
    assert sniff(body) == media_type
    assert dimensions(body, media_type) == size


@given(st.binary(max_size=300), st.sampled_from(["image/png", "image/jpeg", "image/avif", "image/webp", "image/x-icon", "image/gif"]))
def test_header_bytes_of_strangers_never_raise(body: bytes, media_type: str) -> None:
    dimensions(pictures.png(1, 1)[:8] + body, media_type)
    dimensions(body, media_type)
    sniff(body)


@pytest.mark.parametrize(
    ("name", "expected"), [("gif", False), ("gif-animated", True), ("png", False), ("png-animated", True), ("webp-animated", True)]
)
def test_animation_is_read_from_the_header(name: str, expected: bool) -> None:
    body = pictures.picture(name, 20, 20)

    assert is_animated(body, sniff(body)) is expected


@pytest.mark.parametrize(
    ("what", "state"),
    [
        ({"status": 200}, AssetState.LOADED),
        ({"status": 206}, AssetState.LOADED),
        ({"status": 404}, AssetState.BROKEN),
        ({"status": 410}, AssetState.BROKEN),
        ({"status": 503}, AssetState.BROKEN),
        ({"status": 403}, AssetState.UNVERIFIED),
        ({"status": 429}, AssetState.UNVERIFIED),
        ({"status": 999}, AssetState.UNVERIFIED),
        ({"failure": "timeout"}, AssetState.UNVERIFIED),
        ({"failure": "dns"}, AssetState.UNVERIFIED),
        ({"failure": "budget"}, AssetState.UNKNOWN),
        ({"failure": "robots_txt"}, AssetState.UNKNOWN),
        ({"failure": "no_route"}, AssetState.UNKNOWN),
    ],
)
def test_only_the_server_can_say_broken(what: dict[str, Any], state: AssetState) -> None:
    found = asset(**what)

    assert found.state is state
    assert bool(found.outcome) is (state is not AssetState.LOADED)


def test_the_bytes_outweigh_the_declared_type() -> None:
    found = asset("https://www.example.com/a.jpg", body=pictures.webp(8, 9), headers=[["Content-Type", "image/jpeg"]], total_bytes=5000)

    assert (found.media_type, found.declared_type, found.width_px, found.height_px) == ("image/webp", "image/jpeg", 8, 9)
    assert (found.size_bytes, found.pixels, found.kind) == (5000, 72, AssetKind.IMAGE)


def test_a_size_is_unknown_where_neither_server_nor_body_tells() -> None:
    assert asset(body=b"x" * 10, total_bytes=None, truncated=True).size_bytes is None
    assert asset(body=b"x" * 10, total_bytes=None).size_bytes == 10


@pytest.mark.parametrize(
    ("url", "content_type", "kind"),
    [
        ("https://e.com/x", "text/css; charset=utf-8", AssetKind.STYLESHEET),
        ("https://e.com/x", "application/javascript", AssetKind.SCRIPT),
        ("https://e.com/x.woff2?v=1", "application/octet-stream", AssetKind.FONT),
        ("https://e.com/favicon.ico", "", AssetKind.ICON),
        ("https://e.com/x", "application/json", None),
    ],
)
def test_the_kind_is_what_it_turned_out_to_be(url: str, content_type: str, kind: AssetKind | None) -> None:
    assert asset(url, body=b"a{}", headers=[["Content-Type", content_type]]).kind is kind


def test_what_was_not_asked_is_not_there() -> None:
    assets = artifacts("", assets_left_count=7).get(Assets)

    assert not isinstance(assets, Absent)
    assert (assets.for_url(URL), assets.for_url(None), len(assets), assets.left_count) == (None, None, 0, 7)
