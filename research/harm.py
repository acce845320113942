"""Print the scores of pages, the most harmful last: ``python -m research.harm [PAGES]``.

The synthetic pages of tests/reports/bad_pages and those of PAGES, a directory of ``*.html.gz``, are checked. Every page gets the same
headers, so that its score only depends on its HTML: synthetic pages have one URL, others the URL that they declare as canonical, as a
preview, which excludes HTTPS and the certificate, because these are unknown.
"""

import argparse
import gzip
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from findable.artifacts.page.canonical import Canonical
from findable.artifacts.registry import gather
from findable.capture.capture import Capture
from findable.capture.page import PageCapture
from findable.capture.response import Certificate, Failure, Headers, Hop, ProbeResponse, Response, Timing, Tls
from findable.capture.site import SiteCapture
from findable.reports.analysis import analyse
from findable.reports.report import Report
from findable.urls import parse, without_fragment

MADE_UP = Path(__file__).parents[1] / "tests" / "reports" / "bad_pages"
MADE_UP_URL = "https://www.example.com/tables/oak"
NOW = "2026-11-01T12:00:00Z"
HEADERS = (("content-type", "text/html"), ("cache-control", "max-age=300"), ("vary", "accept-encoding"))


def pages(folder: Path | None) -> Iterator[tuple[str, bytes]]:
    """Yield name and body of the synthetic pages, then of those in a folder."""
    for path in sorted(MADE_UP.glob("*.html")):
        yield f"made-up/{path.stem}", path.read_bytes()
    for path in sorted(folder.glob("*.html.gz")) if folder else ():
        yield path.name.partition(".")[0], gzip.decompress(path.read_bytes())


def captured(name: str, body: bytes) -> Capture:
    """Return the page as a capture with the common headers."""
    if name.startswith("made-up/"):
        return _capture(body, MADE_UP_URL)
    first = _capture(body, f"https://www.example.com/{name}", is_preview=True)
    canonical = gather(*first.roots).get_or_none(Canonical)
    target = canonical.target if canonical else None
    if not target or parse(target) is None:
        return first
    return _capture(body, without_fragment(target), is_preview=True)


def _capture(body: bytes, url: str, *, is_preview: bool = False) -> Capture:
    parsed = parse(url)
    if parsed is None:
        raise ValueError(url)
    hop = Hop(url, 200, Headers(HEADERS), "2", Timing(10, 20, 30, 160, 200), "93.184.215.14")
    leaf = Certificate(
        f"CN={parsed.host}", "CN=Example CA", (parsed.host,), "2026-09-01T00:00:00Z", "2027-03-01T00:00:00Z", "ecdsa-with-SHA256", "EC", 256
    )
    response = Response(url, (hop,), body, len(body) // 5, content_encoding="br", tls=Tls("TLSv1.3", chain=(leaf,)))
    site = SiteCapture(parsed.origin, NOW, ProbeResponse(f"{parsed.origin}/robots.txt", failure=Failure.NOT_ASKED))
    return Capture(PageCapture(NOW, response, judged_as=parsed.origin if is_preview else None), site)


def judged(name: str, body: bytes) -> Report:
    """Return the report of a page."""
    return analyse(captured(name, body))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each page: score, score before caps, name, and the cap or the most costly findings."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pages", type=Path, nargs="?", help="directory of *.html.gz")
    given = parser.parse_args(arguments)
    reports = [(name, judged(name, body)) for name, body in pages(given.pages)]
    rated = [(report.score, name, report) for name, report in reports if report.score is not None]
    for score, name, report in sorted(rated, key=lambda one: (-one[0], one[1])):
        raw = report.explained.raw if report.explained else 0
        worst = ", ".join(report.explained.fixes[:4]) if report.explained else ""
        sys.stdout.write(f"{score:>3} {raw:>5.1f}  {name:<32} {worst}\n")


if __name__ == "__main__":
    main()
