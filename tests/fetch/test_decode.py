"""Content codings, with their caps."""

import gzip
import zlib
from collections.abc import Callable

import brotli
import pytest

from findable.fetch.decode import Decoder
from findable.formats.zstd import zstd
from tests.tiers import sampled

Encode = Callable[[bytes], bytes]
TEXT = b"".join(b"<p>line %d</p>\n" % number for number in range(5000))


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


CODINGS: list[tuple[str, Encode]] = [
    ("", lambda data: data),
    ("identity", lambda data: data),
    ("gzip", gzip.compress),
    ("x-gzip", gzip.compress),
    ("GZIP", gzip.compress),
    ("deflate", zlib.compress),
    ("deflate", raw_deflate),
    ("br", brotli.compress),
    ("zstd", zstd.compress),
    ("gzip, br", lambda data: brotli.compress(gzip.compress(data))),
    ("deflate, gzip, zstd", lambda data: zstd.compress(gzip.compress(zlib.compress(data)))),
]


def decode(coding: str, data: bytes, *, cap_bytes: int = 1 << 24, step: int = 1 << 14) -> Decoder:
    decoder = Decoder(coding, cap_bytes)
    for start in range(0, len(data), step):
        if not decoder.feed(data[start : start + step]):
            break
    else:
        decoder.finish()
    return decoder


@pytest.mark.parametrize("step", [1, 7, 1 << 14])
@pytest.mark.parametrize(("coding", "encode"), CODINGS)
def test_each_coding_is_undone_whatever_the_pieces(coding: str, encode: Encode, step: int) -> None:
    decoder = decode(coding, encode(TEXT), step=step)
    assert decoder.body == TEXT
    assert (decoder.error, decoder.truncated) == ("", False)


@pytest.mark.parametrize(("coding", "encode"), [case for case in CODINGS if case[0] not in {"", "identity"}])
def test_a_body_that_ends_too_early_keeps_what_came_and_says_so(coding: str, encode: Encode) -> None:
    data = encode(TEXT)
    decoder = decode(coding, data[: len(data) * 2 // 3], step=64)
    assert TEXT.startswith(decoder.body)
    assert "ends too early" in decoder.error


@pytest.mark.parametrize("step", sampled([16_384, 1, 1_000_000]))
@pytest.mark.parametrize("body", [b"a" * 3_000_000, bytes(range(256)) * 4000, b"".join(b"<p>%d</p>" % number for number in range(60_000))])
@pytest.mark.parametrize(("coding", "encode"), CODINGS)
def test_a_large_body_is_decoded_to_its_end(coding: str, encode: Encode, body: bytes, step: int) -> None:
    data = encode(body)
    if step > 1 or len(data) < 10_000:
        decoder = decode(coding, data, step=step, cap_bytes=20_000_000)
        assert (len(decoder.body), decoder.body == body, decoder.error) == (len(body), True, "")


@pytest.mark.parametrize("place", [1, 3, -2, -1, None])
def test_s24_what_follows_a_brotli_stream_is_ignored_however_it_arrives(place: int | None) -> None:
    body = bytes(range(256)) * 600
    data = brotli.compress(body) + b"\n<!-- cached -->"
    decoder = Decoder("br", 1_000_000)
    decoder.feed(data[:place])
    decoder.feed(data[place:] if place is not None else b"")
    decoder.finish()
    assert (decoder.body, decoder.error) == (body, "")


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd", "deflate"])
def test_a_body_that_is_not_coded_at_all_is_an_error(coding: str) -> None:
    assert decode(coding, TEXT).error


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd", "deflate"])
def test_an_empty_body_is_no_error(coding: str) -> None:
    assert decode(coding, b"").error == ""


def test_gzip_members_follow_each_other_and_padding_is_ignored() -> None:
    assert decode("gzip", gzip.compress(b"one ") + gzip.compress(b"two"), step=3).body == b"one two"
    padded = decode("gzip", gzip.compress(b"one") + b"\0" * 40)
    assert (padded.body, padded.error) == (b"one", "")
    followed = decode("gzip", gzip.compress(b"one") + b"<!-- served in 3 ms -->")
    assert (followed.body, followed.error) == (b"one", "")


def test_zstd_frames_follow_each_other() -> None:
    assert decode("zstd", zstd.compress(b"one ") + zstd.compress(b"two"), step=5).body == b"one two"


def test_an_unknown_coding_is_left_as_it_is() -> None:
    decoder = decode("utf-8", TEXT)
    assert (decoder.body, decoder.codings, decoder.error) == (TEXT, "", "")


def test_codings_on_top_of_each_other_have_a_limit() -> None:
    assert decode("gzip, gzip, gzip, gzip", b"x").error


def test_the_cap_keeps_exactly_its_bytes() -> None:
    decoder = decode("gzip", gzip.compress(TEXT), cap_bytes=1000)
    assert decoder.body == TEXT[:1000]
    assert decoder.truncated
    assert not decode("gzip", gzip.compress(TEXT), cap_bytes=len(TEXT)).truncated


def test_what_is_not_kept_is_counted() -> None:
    decoder = Decoder("gzip", 1500, 1000)
    decoder.feed(gzip.compress(TEXT * 10))

    assert (decoder.body, decoder.decoded_bytes, decoder.truncated) == ((TEXT * 10)[:1000], 1500, True)


def test_a_zstd_window_above_what_http_allows_is_an_error() -> None:
    packer = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 27})
    assert decode("zstd", packer.compress(TEXT) + packer.flush()).error
