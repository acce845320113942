"""Bodies, headers and sitemaps made to hurt, as far as the fetcher bounds them: S24, S25, S27."""

import asyncio
import gzip
import io
import re
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import brotli
import pytest

from findable.analyze import analyse_saved, report_page
from findable.artifacts.html.document import Document
from findable.artifacts.html.page_tree import MAX_FAULTS
from findable.capture.capture import Capture
from findable.capture.page_size_limits import DECODED_CAP_BYTES, STORED_BYTES, WIRE_CAP_BYTES
from findable.capture.response import Failure, Response
from findable.capture.saved import dump
from findable.capture.sitemap_summary import SitemapSummary
from findable.errors import PageUnavailable
from findable.fetch.decode import Decoder
from findable.fetch.extra_request_budget import Budget
from findable.fetch.fetcher import Fetcher
from findable.fetch.politeness import Politeness
from findable.fetch.response_head import MAX_HEAD_BYTES, MAX_HEAD_LINES
from findable.fetch.site_requests import probe_site
from findable.formats.parse_budget import STRAY_BEGINNING_CHARS
from findable.formats.zstd import zstd
from findable.reports.page_error_text import detail_of
from findable.reports.report import Report
from findable.worker.analysis_pool import AnalysisPool
from findable.worker.page_analyser import PRELOADED
from tests.checks.harness import capture
from tests.fetch.helpers import ask, fetch, not_seen, with_fetcher
from tests.sites.server import Request, Site, Wire, drip, endless
from tests.tiers import sampled

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
BLOCK = bytes(1 << 20)
START = b"<p>"
"""What makes a page of it."""
ON_THE_WAY_BYTES = 8 << 20
"""What may stand in the buffers of the sockets when one side ends."""
EXTRA_RSS_KIB = 64 * 1024


def zeros(count: int) -> Iterator[bytes]:
    yield START
    for _ in range(count >> 20):
        yield BLOCK


def gzip_bomb(count: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(packer.compress(block) for block in zeros(count)) + packer.flush()


def zstd_bomb(count: int) -> bytes:
    packer = zstd.ZstdCompressor(level=3)
    return b"".join(packer.compress(block) for block in zeros(count)) + packer.flush()


def brotli_bomb(count: int) -> bytes:
    packer = brotli.Compressor(quality=5)
    return b"".join(packer.process(block) for block in zeros(count)) + bytes(packer.finish())


def deflate_bomb(count: int) -> bytes:
    packer = zlib.compressobj(9)
    return b"".join(packer.compress(block) for block in zeros(count)) + packer.flush()


BOMBS: dict[str, Callable[[int], bytes]] = {"gzip": gzip_bomb, "deflate": deflate_bomb, "br": brotli_bomb, "zstd": zstd_bomb}


def peak_rss_kib(process: int | str = "self") -> int:
    """The most memory that a process has had since `forget_peak`."""
    found = re.search(r"^VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text(), re.MULTILINE)
    assert found
    return int(found[1])


def forget_peak(process: int | str = "self") -> int:
    """Begins anew (proc(5), clear_refs); what it has now. A peak of before, such as that of packing a bomb, would hide any other."""
    Path(f"/proc/{process}/clear_refs").write_text("5")
    return peak_rss_kib(process)


LARGE: dict[str, bytes] = {
    "zeros": b"\0",
    "words": b"word and ",
    "emoji": "😀 ".encode(),
    "half characters": b"\xff\xfe\x00\xd8",
    "elements": b"<div>",
    "elements with a text": b"<p>x",
    "brackets": b"<",
    "quotes in a tag": b'"',
    "references": b"&x;",
    "script": b"var a=1;",
    "data": b"iVBORw0KGgoAAAAN",
}
OPENING = {"script": b"<script>", "quotes in a tag": b"<p ", "data": b'<img src="'}


def large(name: str, size: int) -> bytes:
    start = START + OPENING.get(name, b"")
    return start + LARGE[name] * ((size - len(start)) // len(LARGE[name]))


COSTLY: dict[str, Callable[[], bytes]] = {
    "words, as many as are judged": lambda: large("words", 4_700_000),
    "script, as much as is judged": lambda: large("script", 4_700_000),
    "words and one emoji, as many as are judged": lambda: large("words", 2_600_000) + "😀".encode(),
    "emoji, as many as are judged": lambda: large("emoji", 4_300_000),
    "data, as much as is judged": lambda: large("data", 4_999_000),
    "elements, as many as are judged": lambda: b"".join(b"<q a=%d b>x" % number for number in range(49_000)),
    "quotes in a tag, as many as are judged": lambda: large("quotes in a tag", 495_000),
    "attributes": lambda: b"<p " + b"".join(b"a%d " % number for number in range(190_000)) + b">",
    "formatting that is opened anew": lambda: b"<p>" + b"".join(b"<b c=%d>" % number for number in range(450)) + b"<p>x" * 450,
    "formatting that is opened anew, a megabyte": lambda: (
        START + b"".join(b"<b c=%d>" % number for number in range(50_000)) + b"<p>x" * 99_000
    ),
    "a description": lambda: b'<meta name=description content="' + b"ab " * 1_600_000 + b'">',
    "structured data": lambda: START + (b'<script type="application/ld+json">[' + b"{}," * 330_000 + b"{}]</script>") * 4,
    "line ends": lambda: START + "😀".encode() + b"a\rb\r\n" * 520_000,
}
"""Made to take as much as a page can."""


def as_fetched(body: bytes) -> Capture:
    """A page of that body as the fetcher hands it on."""
    return capture(body[:STORED_BYTES], wire_bytes=len(body), decoded_bytes=len(body) if len(body) > STORED_BYTES else 0)


async def analysed(body: bytes) -> tuple[Report, int]:
    """The analysis of a page, and what it took the process that made it, beyond what that has when idle."""
    pool = AnalysisPool(1, preload=PRELOADED)
    try:
        await pool(analyse_saved, dump(capture("<!doctype html><title>x</title><p>hello")))  # what is loaded once
        (process,) = pool.pids
        before_kib = forget_peak(process)
        made = await pool(analyse_saved, dump(as_fetched(body)))
        return made, peak_rss_kib(process) - before_kib
    finally:
        await pool.close()


@pytest.mark.parametrize("name", sampled(LARGE))
def test_s24_a_page_of_twenty_megabytes_is_taken_apart_within_64_megabytes(name: str) -> None:
    report, extra_kib = asyncio.run(analysed(large(name, DECODED_CAP_BYTES)))

    assert extra_kib < EXTRA_RSS_KIB
    assert report.error is None
    verdicts = {finding.id: finding.verdict for finding in report.findings}
    assert (verdicts["html-size"], verdicts["content-length"]) == ("failed", "unknown")


@pytest.mark.parametrize("name", sampled(COSTLY))
def test_s24_s26_a_page_made_to_take_memory_is_taken_apart_within_64_megabytes(name: str) -> None:
    report, extra_kib = asyncio.run(analysed(COSTLY[name]()))

    assert extra_kib < EXTRA_RSS_KIB
    assert report.error is None


@pytest.mark.parametrize("name", sampled(["words", "emoji", "zeros"]))
def test_s24_fetching_and_handing_over_a_large_page_take_64_megabytes(site: Site, name: str) -> None:
    site.page("/", gzip.compress(large(name, 4_900_000) + b" " * 30_000_000), headers=[("Content-Encoding", "gzip")])
    site.page("/small", b"<!doctype html><title>x</title><p>hello")

    async def extra_kib(fetcher: Fetcher) -> int:
        pool = AnalysisPool(1, preload=PRELOADED)
        try:
            await report_page(site.url("/small"), fetcher, compute=pool)
            before_kib = forget_peak()
            seen, _ = await report_page(site.url(), fetcher, compute=pool)
            assert seen.page.response.size_bytes == DECODED_CAP_BYTES
            return peak_rss_kib() - before_kib
        finally:
            await pool.close()

    assert with_fetcher(extra_kib) < EXTRA_RSS_KIB


@pytest.mark.parametrize("coding", BOMBS)
def test_s24_a_bomb_stops_at_the_decoded_cap(site: Site, coding: str) -> None:
    bomb = BOMBS[coding](128 << 20)
    site.page("/", bomb, headers=[("Content-Encoding", coding)])
    fetch(site.url())
    before_kib = forget_peak()
    response = fetch(site.url())
    assert response.truncated
    assert (response.size_bytes, len(response.body)) == (DECODED_CAP_BYTES, STORED_BYTES)
    assert peak_rss_kib() - before_kib < EXTRA_RSS_KIB


@pytest.mark.full
def test_s24_a_bomb_of_a_gigabyte_is_read_as_far_as_the_cap_takes(site: Site) -> None:
    bomb = gzip_bomb(1 << 30)
    site.page("/", bomb, headers=[("Content-Encoding", "gzip")])
    response = fetch(site.url())
    assert (response.size_bytes, len(response.body)) == (DECODED_CAP_BYTES, STORED_BYTES)
    assert response.wire_bytes < len(bomb) / 15


def test_s24_a_bomb_inside_a_bomb(site: Site) -> None:
    site.page("/", brotli.compress(gzip_bomb(256 << 20)), headers=[("Content-Encoding", "gzip, br")])
    response = fetch(site.url())
    assert response.truncated
    assert (response.size_bytes, len(response.body)) == (DECODED_CAP_BYTES, STORED_BYTES)


@pytest.mark.parametrize("coding", BOMBS)
def test_s24_no_stage_ever_holds_more_than_a_few_pieces(coding: str) -> None:
    bomb = BOMBS[coding](64 << 20)
    decoder = Decoder(coding, 1 << 30)
    largest = 0
    for start in range(0, len(bomb), 16384):
        for piece in decoder._stages[0].feed(bomb[start : start + 16384]):
            largest = max(largest, len(piece))
    assert largest <= (4 << 20 if coding == "zstd" else 128 << 10)


def test_s24_a_lying_length_is_not_believed(site: Site) -> None:
    site.raw("/short", HEAD + b"Content-Length: 5\r\n\r\n<p>hello, this is more")
    assert fetch(site.url("/short")).body == b"<p>he"
    site.raw("/long", HEAD + b"Content-Length: 99999999999\r\n\r\n<p>x")
    assert not_seen(site.url("/long")).error.phase == "body"
    site.raw("/negative", HEAD + b"Content-Length: -1\r\n\r\n<p>x")
    assert not_seen(site.url("/negative")).code == "connect_failed"


@pytest.mark.parametrize(
    ("head", "block"),
    [
        (b"Content-Length: 10000000000\r\n\r\n", b"<p>x" * 16384),
        (b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b"<p>x" * 16384 + b"\r\n"),
        (b"\r\n", b"<p>x" * 16384),
    ],
)
def test_s24_a_body_without_end_stops_at_the_wire_cap(site: Site, head: bytes, block: bytes) -> None:
    sent_bytes = [0]

    async def send(_request: Request, wire: Wire) -> None:
        await wire.send(HEAD + head)
        while True:
            await wire.send(block)
            sent_bytes[0] += len(block)

    site.handler("/", send)
    before_kib = forget_peak()
    response = fetch(site.url())
    assert response.truncated
    assert response.wire_bytes == WIRE_CAP_BYTES
    assert sent_bytes[0] < WIRE_CAP_BYTES + ON_THE_WAY_BYTES
    assert peak_rss_kib() - before_kib < EXTRA_RSS_KIB


def test_s25_a_drip_ends_at_the_deadline_and_frees_its_slot(site: Site) -> None:
    site.handler("/", drip(b"<p>hello" * 1000, pause_s=0.05))
    started_s = time.monotonic()
    reason = not_seen(site.url(), deadline_s=1.0)
    assert (reason.code, reason.error.phase) == ("target_timeout", "body")
    assert time.monotonic() - started_s < 10

    async def one_after_the_other(fetcher: Fetcher) -> Response:
        with pytest.raises(PageUnavailable):
            await fetcher.fetch_page(site.url(), deadline_s=1.0)
        return await fetcher.fetch_page(site.page("/good", b"<p>hello"))

    assert with_fetcher(one_after_the_other, politeness=Politeness(host_connections=1, total_connections=1)).body == b"<p>hello"


@pytest.mark.parametrize(
    ("head", "block", "limit"),
    [
        (b"HTTP/1.1 200 OK\r\n", b"X-A: " + b"a" * 4096 + b"\r\n", f"{MAX_HEAD_BYTES // 1024} KiB"),
        (b"HTTP/1.1 200 OK\r\n", b"X-A: 1\r\n" * 100, f"{MAX_HEAD_LINES} lines"),
        (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 10, f"{MAX_HEAD_LINES} lines"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 10, f"{MAX_HEAD_LINES} lines"),
    ],
)
def test_s25_headers_without_end_stop_at_their_cap(site: Site, head: bytes, block: bytes, limit: str) -> None:
    site.handler("/", endless(head, block))
    started_s = time.monotonic()
    reason = not_seen(site.url())
    assert (reason.code, reason.error.phase) == ("connect_failed", "header")
    assert limit in detail_of(reason.error)
    assert time.monotonic() - started_s < 20
    assert ask(site.url()).failure is Failure.PROTOCOL


def test_s25_one_header_line_without_end(site: Site) -> None:
    site.handler("/", endless(b"HTTP/1.1 200 OK\r\nX-A: ", b"a" * 65536))
    assert not_seen(site.url()).code == "connect_failed"


def test_s25_headers_that_drip_end_at_the_deadline(site: Site) -> None:
    async def send(_request: Request, wire: Wire) -> None:
        await wire.send(b"HTTP/1.1 200 OK\r\n")
        while True:
            await wire.send(b"X-A: 1\r\n")
            await asyncio.sleep(0.05)

    site.handler("/", send)
    reason = not_seen(site.url(), deadline_s=0.8)
    assert (reason.code, reason.error.phase) == ("target_timeout", "header")


# --- S27: sitemaps -----------------------------------------------------------------------------------------------------


def summary_of(site: Site, body: bytes) -> SitemapSummary:
    site.page("/sitemap.xml", body, content_type="application/xml")
    capture = with_fetcher(lambda fetcher: probe_site(fetcher, site.url("/page"), Budget()))
    summary = capture.sitemaps[0].sitemap
    assert summary is not None
    return summary


LAUGHS = b'<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>'
EXTERNAL = b'<?xml version="1.0"?><!DOCTYPE urlset SYSTEM "http://127.0.0.1/x.dtd"><urlset/>'


@pytest.mark.parametrize("body", [LAUGHS, EXTERNAL])
def test_s27_a_document_type_is_refused(site: Site, body: bytes) -> None:
    summary = summary_of(site, body.replace(b"http://127.0.0.1", site.base.encode()))
    assert summary.has_doctype
    assert not summary.read_to_end
    assert summary.urls_count == 0
    assert site.asked("/x.dtd") == []


def test_s27_more_than_fifty_thousand_addresses_are_counted(site: Site) -> None:
    locs = "".join(f"<url><loc>{site.url(f'/{number}')}</loc></url>" for number in range(50_001))
    summary = summary_of(site, f"<urlset>{locs}</urlset>".encode())
    assert (summary.urls_count, summary.read_to_end) == (50_001, True)
    assert 32 <= len(summary.sample) <= 64


def test_s27_a_huge_gzipped_sitemap_stops_at_its_cap(site: Site) -> None:
    item = b"<url><loc>https://example.com/a</loc></url>" * 1000
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb") as file:
        file.write(b"<urlset>")
        for _ in range(2500):
            file.write(item)
    before_kib = forget_peak()
    summary = summary_of(site, packed.getvalue())
    assert not summary.read_to_end
    assert summary.urls_count == 100_000
    assert summary.decoded_bytes <= 50_000_000
    assert peak_rss_kib() - before_kib < EXTRA_RSS_KIB


@pytest.mark.parametrize(
    ("start", "repeated", "words"),
    [
        (b"", b"<a>", "nested"),
        (b'<urlset a="', b"x", "longer"),
        (b"<urlset><!--", b"x", "longer"),
        (b"<urlset><?x ", b"x", "longer"),
        (b"<", b"x", "longer"),
        (b"<urlset ", b'a="" ', "longer"),
    ],
)
def test_s27_a_small_file_that_unpacks_to_one_endless_tag_or_to_endless_depth(
    site: Site, start: bytes, repeated: bytes, words: str
) -> None:
    packed = gzip.compress(start + repeated * (45_000_000 // len(repeated)))
    assert len(packed) < 100_000
    before_kib = forget_peak()
    cpu_s = time.process_time()
    summary = summary_of(site, packed)
    assert words in summary.error
    assert not summary.read_to_end
    assert summary.decoded_bytes < 1_000_000
    assert time.process_time() - cpu_s < 8
    assert peak_rss_kib() - before_kib < EXTRA_RSS_KIB


def test_s27_endless_lines_and_elements_are_counted(site: Site) -> None:
    for body in (b"https://example.com/\n" + b"\n" * 40_000_000, b"<urlset>" + b"<x/>" * 10_000_000):
        summary = summary_of(site, gzip.compress(body))
        assert not summary.read_to_end
        assert summary.decoded_bytes < 6_000_000


def test_s27_an_index_that_lists_itself_is_read_once(site: Site) -> None:
    body = f"<sitemapindex><sitemap><loc>{site.url('/sitemap.xml')}</loc></sitemap></sitemapindex>"
    summary_of(site, body.encode())
    assert len(site.asked("/sitemap.xml")) == 1


def test_s27_indexes_that_list_each_other_are_read_once(site: Site) -> None:
    there, back = (f"<sitemapindex><sitemap><loc>{site.url(path)}</loc></sitemap></sitemapindex>" for path in ("/b.xml", "/sitemap.xml"))
    site.page("/b.xml", back, content_type="application/xml")
    summary_of(site, there.encode())
    assert [len(site.asked(path)) for path in ("/sitemap.xml", "/b.xml")] == [1, 1]


@pytest.mark.parametrize("stray", ["\0", "\x01", "\ufffe"])
def test_s24_parse_errors_of_a_file_of_zeros_are_those_of_its_beginning(stray: str) -> None:
    page = Document("<!doctype html><title>x</title><p>" + stray * 2_000_000, "https://example.com/")

    assert len(page.faults) == MAX_FAULTS
    assert len(page.source) == STRAY_BEGINNING_CHARS
