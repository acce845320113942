"""Compare the technologies detected on saved pages with the vendor snippets in their source: `python -m research.technologies PAGES`.

A snippet in a comment, a template or behind a consent tool is in the source but does not run, so the two counts may differ.
"""

import argparse
import gzip
import re
import statistics
import sys
import time
from collections import Counter
from pathlib import Path

from findable.artifacts.html.document import Document
from findable.artifacts.page.head import Head
from findable.artifacts.page.technologies import make_technologies
from findable.artifacts.registry import gather
from findable.capture.page import PageCapture
from findable.capture.response import Headers, Hop, Response, Timing

SNIPPETS = {
    "Google Tag Manager": r"gtm\.start|googletagmanager\.com/(gtm\.js|ns\.html)",
    "Google Analytics": r"google-analytics\.com/(ga|analytics|urchin)\.js|googletagmanager\.com/gtag/js|GoogleAnalyticsObject|_gaq\.push",
    "Meta Pixel": r"fbevents\.js|fbq\(|facebook\.com/tr\?",
    "Nuxt": r"__NUXT__|/_nuxt/|id=.?__nuxt",
    "React": r"data-react(root|id)|/react(-dom)?[.@-][\w.]*js|__NEXT_DATA__|/_next/static",
}
URL = "https://www.example.com/page"
RUNS = 3


def capture_of(body: bytes) -> PageCapture:
    """Return a capture of the page as if it had been fetched."""
    hop = Hop(URL, 200, Headers((("Content-Type", "text/html"),)), "2", Timing(), "192.0.2.1")
    return PageCapture("2026-11-22T12:00:00Z", Response(URL, (hop,), body, len(body)))


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=Path, help="directory with *.html.gz")
    parser.add_argument("--all", action="store_true", help="print every product that was found")
    given = parser.parse_args()
    in_bytes: Counter[str] = Counter()
    both: Counter[str] = Counter()
    found: Counter[str] = Counter()
    times = []
    for path in sorted(given.pages.glob("*.html.gz")):
        body = gzip.decompress(path.read_bytes())
        artifacts = gather(capture_of(body))
        page, document, head = artifacts.get_or_none(PageCapture), artifacts.get_or_none(Document), artifacts.get_or_none(Head)
        if page is None or document is None or head is None:
            continue
        spans = []
        for _ in range(RUNS):
            start = time.process_time()
            names = {item.name for item in make_technologies(page, document, head).items}
            spans.append((time.process_time() - start) * 1000)
        times.append(min(spans))
        found.update(names)
        text = body.decode("utf-8", "replace")
        present = {name for name, pattern in SNIPPETS.items() if re.search(pattern, text)}
        in_bytes.update(present)
        both.update(present & names)
    for name in SNIPPETS:
        sys.stdout.write(f"{name}: found on {both[name]} of {in_bytes[name]} pages\n")
    for name, count in found.most_common() if given.all else ():
        sys.stdout.write(f"{count:4} {name}\n")
    sys.stdout.write(f"{len(times)} pages, {statistics.median(times):.2f} ms (median), {max(times):.2f} ms (longest)\n")


if __name__ == "__main__":
    main()
