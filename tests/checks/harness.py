"""Makes captures from a few keywords, so that a test says only what it is about.

`bad.html` may have a sidecar `bad.json` with the same keywords.
"""

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po
from msgspec.structs import replace

from findable.artifacts.registry import Artifacts, gather
from findable.capture.capture import Capture
from findable.capture.devices import Device
from findable.capture.page import PageCapture, PageProbes
from findable.capture.rendering import LargestPaint, Load, Rendering
from findable.capture.response import Certificate, Failure, Headers, Hop, ProbeResponse, Response, Timing, Tls
from findable.capture.site import SiteCapture
from findable.capture.sitemap_summary import SitemapEntry
from findable.checks.engine import Check, Finding, all_checks, runnable_checks
from findable.checks.runner import run
from findable.fetch.sitemap_stream import SitemapReader
from findable.urls import parse
from findable.vocabulary import Source
from tests.pictures import picture
from tests.tiers import FULL
from tools.catalogue import folder_of, read

NOW = "2026-11-01T12:00:00Z"
PAGE = "https://www.example.com/shop/blue-widgets"
DEFAULT_HEADERS = (("Content-Type", "text/html; charset=utf-8"),)
ADDRESS = "93.184.215.14"


def answer(url: str, status: int = 200, body: bytes | str = b"", headers: Sequence[Sequence[str]] = (), **more: Any) -> ProbeResponse:
    """An answer to an extra request; ``failure="timeout"`` for one that never came."""
    if "failure" in more:
        return ProbeResponse(url, failure=Failure(more.pop("failure")), **more)
    location = more.pop("location", "")
    final = more.pop("final_url", None)
    raw = body.encode() if isinstance(body, str) else body
    if "picture" in more:  # ["png", 800, 600]
        raw = picture(*more.pop("picture"))
    hop = Hop(url, status, Headers(tuple((a, b) for a, b in headers)), "2", Timing(), ADDRESS, location)
    hops: tuple[Hop, ...] = (hop,)
    if final:  # one redirect in front
        hops = (
            Hop(url, more.pop("redirect_status", 301), Headers((("Location", final),)), "2", Timing(), ADDRESS, final),
            Hop(final, status, hop.headers, "2", Timing(), ADDRESS),
        )
    return ProbeResponse(
        url, hops=hops, body=raw, wire_bytes=more.pop("wire_bytes", len(raw)), total_bytes=more.pop("total_bytes", len(raw)), **more
    )


def _answers(given: Mapping[str, Any] | None) -> tuple[ProbeResponse, ...]:
    """``{url: 404}`` or ``{url: {"status": …, "body": …, "headers": […]}}``."""
    result = []
    for url, what in (given or {}).items():
        result.append(answer(url, what) if isinstance(what, int) else answer(url, **what))
    return tuple(result)


def capture(html: bytes | str = "", **given: Any) -> Capture:
    """One page as captured. Keywords: url, final_url, status, headers, hops, robots_txt, robots_status, sitemaps,
    sitemap_sample, sitemap_entries, alternate_entries, sitemaps_searched, made_up, home, variants, favicon, llms_txt, agents, assets, links, canonical, phone, alternates, http_variant, languages, tls, tls_versions, timing,
    wire_bytes, decoded_bytes, padding_bytes, content_encoding, http_version, captured_at, judged_as, rendering, wait_samples_ms, assets_left_count, links_left_count."""
    url = given.get("url", PAGE)
    parsed = parse(url)
    assert parsed is not None
    body = (html.encode() if isinstance(html, str) else html) + b" " * given.get("padding_bytes", 0)
    headers = Headers(tuple((a, b) for a, b in given.get("headers", DEFAULT_HEADERS)))
    spans = given.get("timing", {"dns_ms": 10, "connect_ms": 20, "tls_ms": 30, "first_byte_ms": 160, "last_byte_ms": 200})
    timing = Timing(**{name: float(span) for name, span in spans.items()})
    final = Hop(
        given.get("final_url", url),
        given.get("status", 200),
        headers,
        given.get("http_version", "2"),
        timing,
        given.get("address", ADDRESS),
    )
    before = tuple(
        Hop(
            hop["url"],
            hop.get("status", 301),
            Headers(tuple((a, b) for a, b in hop.get("headers", ()))),
            "2",
            Timing(),
            ADDRESS,
            hop.get("location", final.url),
        )
        for hop in given.get("hops", ())
    )
    response = Response(
        requested_url=before[0].url if before else url,
        hops=(*before, final),
        body=body,
        wire_bytes=given.get("wire_bytes", len(body)),
        decoded_bytes=given.get("decoded_bytes", 0),
        content_encoding=given.get("content_encoding", "br"),
        truncated=given.get("truncated", False),
        tls=_tls(given.get("tls", {})) if parsed.scheme == "https" else None,
        wait_samples_ms=tuple(given.get("wait_samples_ms", ())),
    )
    seen = PageCapture(given.get("captured_at", NOW), response, _probes(given), given.get("judged_as"))
    return Capture(seen, _site(parsed.origin, given), given.get("rendering"))


def _tls(given: Mapping[str, Any]) -> Tls:
    leaf: dict[str, Any] = {
        "subject": "CN=www.example.com",
        "issuer": "CN=Example CA",
        "names": ("www.example.com", "example.com"),
        "not_before": "2026-09-01T00:00:00Z",
        "not_after": "2027-03-01T00:00:00Z",
        "signature_algorithm": "ecdsa-with-SHA256",
        "public_key_algorithm": "EC",
        "public_key_bits": 256,
    }
    leaf.update({**given.get("leaf", {}), "names": tuple(given.get("leaf", {}).get("names", leaf["names"]))})
    return Tls(given.get("version", "TLSv1.3"), given.get("verified", True), given.get("verify_error", ""), (Certificate(**leaf),))


def _read_sitemap(item: ProbeResponse) -> ProbeResponse:
    """The answer with what its file says, as it is read while it streams in."""
    if not item.ok:
        return item
    reader = SitemapReader(item.url)
    if reader.feed(item.body):
        reader.finish()
    return replace(item, sitemap=reader.summary(read_to_end=not item.truncated))


def _site(origin: str, given: Mapping[str, Any]) -> SiteCapture:
    def one(name: str, url: str) -> ProbeResponse | None:
        if name not in given:
            return None
        what = given[name]
        if what is None:
            return None
        return answer(url, **what) if isinstance(what, Mapping) else answer(url, what)

    robots = given.get("robots_txt", "User-agent: *\nDisallow:\n")
    robots_answer = (
        answer(f"{origin}/robots.txt", **robots)
        if isinstance(robots, Mapping)
        else answer(f"{origin}/robots.txt", given.get("robots_status", 200), robots, (("Content-Type", "text/plain"),))
    )
    return SiteCapture(
        origin=origin,
        captured_at=given.get("captured_at", NOW),
        robots_txt=robots_answer,
        sitemaps=tuple(_read_sitemap(item) for item in _answers(given.get("sitemaps"))),
        sitemap_sample=_answers(given.get("sitemap_sample")),
        made_up=one("made_up", f"{origin}/findable-made-up-7f3a"),
        home=one("home", f"{origin}/"),
        variants=_answers(given.get("variants")),
        favicon=one("favicon", f"{origin}/favicon.ico"),
        llms_txt=one("llms_txt", f"{origin}/llms.txt"),
        languages=tuple((language, answer(f"{origin}/", **what)) for language, what in given.get("languages", {}).items()),
        tls_versions=tuple((version, accepted) for version, accepted in given.get("tls_versions", {}).items()),
    )


def _probes(given: Mapping[str, Any]) -> PageProbes:
    def first(name: str) -> ProbeResponse | None:
        return next(iter(_answers(given.get(name))), None)

    return PageProbes(
        assets=_answers(given.get("assets")),
        links=_answers(given.get("links")),
        canonical=first("canonical"),
        alternates=_answers(given.get("alternates")),
        http_variant=first("http_variant"),
        phone=first("phone"),
        agents=tuple((agent, answer(given.get("url", PAGE), **what)) for agent, what in given.get("agents", {}).items()),
        links_left_count=given.get("links_left_count", 0),
        assets_left_count=given.get("assets_left_count", 0),
        sitemap_entries=_entries(given.get("sitemap_entries", ())),
        alternate_entries=_entries(given.get("alternate_entries", ())),
        sitemaps_searched=given.get("sitemaps_searched", False),
    )


def _entries(given: Iterable[Sequence[Any]]) -> tuple[SitemapEntry, ...]:
    """``[url, lastmod, sitemap_url, [[code, address], …], cut]``; the last two may be missing."""
    found = []
    for url, lastmod, sitemap_url, *more in given:
        alternates = tuple((code, href) for code, href in more[0]) if more else ()
        found.append(SitemapEntry(url, lastmod, sitemap_url, alternates, alternates_cut=bool(more[1:])))
    return tuple(found)


def rendering(html: str) -> Rendering:
    """A visit with a browser that left this markup."""
    load = Load(first_paint_ms=500.0, largest_paint=LargestPaint(1000.0))
    return Rendering(NOW, "Chromium 150", Device("phone", 360, 640), final_url=PAGE, html=html, page_width_px=360, loads=(load,))


def artifacts(html: bytes | str = "", **given: Any) -> Artifacts:
    """The artifacts of such a capture."""
    return gather(*capture(html, **given).roots)


def findings(html: bytes | str = "", *, not_for_search: bool = False, **given: Any) -> dict[str, Finding]:
    """Every check's finding on such a page, by id."""
    made = artifacts(html, **given)
    return _asked(made, runnable_checks(made.sources), not_for_search=not_for_search)


def finding(check_id: str, html: bytes | str = "", **given: Any) -> Finding:
    """One check's finding on such a page. `make test-full` asks all checks, as a report does."""
    not_for_search = given.pop("not_for_search", False)
    made = artifacts(html, **given)
    asked = runnable_checks(made.sources) if FULL else _with_parents(check_id, made.sources)
    return _asked(made, asked, not_for_search=not_for_search)[check_id]


@cache
def _with_parents(check_id: str, sources: frozenset[Source]) -> tuple[Check, ...]:
    """The check and all that it depends on."""
    wanted, left = set[str](), [check_id]
    while left:
        wanted.add(one := left.pop())
        left += all_checks()[one].depends_on
    return tuple(item for item in runnable_checks(sources) if item.id in wanted)


def _asked(made: Artifacts, checks: tuple[Check, ...], *, not_for_search: bool) -> dict[str, Finding]:
    """What checks find. All that they say is in the catalogue of texts, or will be after `make catalogues`."""
    found = {result.check.id: result.finding for result in run(made, checks, not_for_search=not_for_search)}
    said = {finding.message for finding in found.values()} | {item.note for finding in found.values() for item in finding.evidence}
    new = {text for text in said - _catalogue() if " " in text}
    assert not new or new <= {str(text) for text in read("findings")}
    return found


@cache
def _catalogue() -> frozenset[str]:
    """What checks say, as last read off the code."""
    return frozenset(str(message.id) for message in read_po(io.BytesIO((folder_of("de") / "findings.po").read_bytes())))


def verdict(check_id: str, html: bytes | str = "", **given: Any) -> str:
    """One check's verdict on such a page, as a word."""
    return finding(check_id, html, **given).verdict.value


def page(
    body: str = "<main><h1>Blue widgets</h1><p>Text.</p></main>", head: str = "<title>Blue widgets – Example</title>", lang: str = "en"
) -> str:
    """A small sound page around a body and a head."""
    return f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n{head}\n</head>\n<body>\n{body}\n</body>\n</html>\n'


def fixture(path: Path) -> tuple[str, dict[str, Any]]:
    """The HTML of a fixture and the keywords of its sidecar."""
    sidecar = path.with_suffix(".json")
    return path.read_text(encoding="utf-8"), json.loads(sidecar.read_text(encoding="utf-8")) if sidecar.exists() else {}
