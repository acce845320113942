"""Compare scores and ratings with those of two raters: ``python -m research.rating FOLDER [--worst 10] [--sites] [--format json]``.

The raters see pages and small sites without the results of Findable. Their sheets are research/rating_pages.csv and
research/rating_sites.csv (or ``--sheet``), with the columns name, url, source, revision, path, a_score, a_rating, a_faults, and the
same of b; the pages themselves belong to their publishers and are not part of the repository.
FOLDER has ``pages/NAME.html`` and, for ``--sites``, ``sites/NAME/meta.json`` with the responses of a site by path and
``sites/NAME/files``. A page is checked at its URL, with the same plausible headers for all, without robots.txt, sitemaps, links and
files. A site is crawled on a loopback server, as a preview of its origin.

A pair is decided if both raters put the same page at least 8 points ahead. A third of the pages, by the digest of the name, is held
back: costs are not fitted to them. For sites, each third is reported by its pairs with all sites, and the numbers of the formula for
sites are fitted again without each pair (``refitted``): a pair is scored with numbers that were chosen without its two sites. Pages and
sites that FOLDER lacks are left out.
"""

import argparse
import csv
import hashlib
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import combinations, product
from pathlib import Path
from statistics import mean, quantiles
from threading import Thread
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec
from msgspec import structs

from findable.capture.capture import Capture
from findable.capture.page import PageCapture
from findable.capture.response import Certificate, Failure, Headers, Hop, ProbeResponse, Response, Timing, Tls
from findable.capture.site import SiteCapture
from findable.checks.engine import all_checks
from findable.reports import scoring
from findable.reports.analysis import analyse
from findable.reports.scoring import Row
from findable.reports.site_scoring import SITE_PERCENT
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_findings import stored_report
from findable.urls import parse
from findable.vocabulary import Subject

SHEETS = {"pages": Path(__file__).with_name("rating_pages.csv"), "sites": Path(__file__).with_name("rating_sites.csv")}
DECIDED_FROM = 8
FAR_FROM = 15
FOLDS = 3
COSTS_SHOWN = 8
NOW = "2026-11-01T12:00:00Z"
HEADERS = (("content-type", "text/html"), ("cache-control", "max-age=300"), ("vary", "accept-encoding"))
CRAWLING = ("--render", "never", "--rate", "50", "--connections", "4", "--confirm-after", "0", "--format", "json")


class Rated(msgspec.Struct, frozen=True):
    """A page or site as one of the raters, or Findable, rated it."""

    score: int | None
    rating: str
    costs: tuple[tuple[str, float], ...] = ()
    """Name and points of each fault; of Findable, its checks."""
    rows: tuple[Row, ...] = ()
    """Rows of the score of a site."""


class Case(msgspec.Struct, frozen=True):
    """A page or site with the ratings of both raters."""

    name: str
    url: str
    raters: tuple[Rated, Rated]
    faults: tuple[str, str]
    """What each rater charged, in words."""

    @property
    def fold(self) -> int:
        """Third that it belongs to; 0 is held back."""
        return hashlib.sha256(self.name.encode()).digest()[0] % FOLDS


class Agreement(msgspec.Struct, frozen=True):
    """Agreement of one rating with the raters on a set of pages or sites; shares are between 0 and 1."""

    count: int
    unrated: tuple[str, ...]
    decided_pairs: int
    right: float
    wrong: float
    tied: float
    same_rating: float
    """Share of those with the rating of at least one rater."""
    opposite: tuple[str, ...]
    """Names with *good* against a rater's *bad*, or the reverse."""
    bad_though_good: tuple[str, ...]
    """Names with *bad* that both raters call good."""
    good: float
    good_of_raters: tuple[float, float]
    commonest: tuple[int, float]
    """Most frequent score, and its share."""
    middle_half: int
    """Points between the quartiles."""
    difference: float
    """Mean absolute difference from the mean of the raters."""


def read_sheet(path: Path) -> list[Case]:
    """Return the pages or sites of a sheet."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [Case(row["name"], row["url"], (_rater(row, "a"), _rater(row, "b")), (row["a_faults"], row["b_faults"])) for row in rows]


def _rater(row: Mapping[str, str], letter: str) -> Rated:
    return Rated(int(row[f"{letter}_score"]), row[f"{letter}_rating"])


def agreement(cases: Sequence[Case], found: Mapping[str, Rated], counterparts: Sequence[Case] | None = None) -> Agreement:
    """Compare the found ratings of the cases with those of the raters; pairs are formed with each other or with the counterparts."""
    rated = [case for case in cases if found[case.name].score is not None]
    scores = {name: one.score or 0 for name, one in found.items()}
    others = [case for case in counterparts or () if found[case.name].score is not None and case not in rated]
    orders = Counter(_order(pair, scores) for pair in (*combinations(rated, 2), *((one, other) for one in rated for other in others)))
    del orders["open"]
    pairs = sum(orders.values())
    words = [(case, found[case.name].rating, [rater.rating for rater in case.raters]) for case in rated]
    values = sorted(scores[case.name] for case in rated)
    commonest, times = Counter(values).most_common(1)[0] if values else (0, 0)
    low, _, high = quantiles(values, n=4) if len(values) > 1 else (0, 0, 0)
    count = len(rated) or 1
    return Agreement(
        count=len(cases),
        unrated=tuple(case.name for case in cases if case not in rated),
        decided_pairs=pairs,
        right=orders["right"] / (pairs or 1),
        wrong=orders["wrong"] / (pairs or 1),
        tied=orders["tied"] / (pairs or 1),
        same_rating=sum(word in raters for _, word, raters in words) / count,
        opposite=tuple(case.name for case, word, raters in words if any({word, other} == {"good", "bad"} for other in raters)),
        bad_though_good=tuple(case.name for case, word, raters in words if word == "bad" and set(raters) == {"good"}),
        good=sum(word == "good" for _, word, _ in words) / count,
        good_of_raters=(_good(rated, 0), _good(rated, 1)),
        commonest=(commonest, times / count),
        middle_half=round(high - low),
        difference=round(mean(abs(_ahead(case, scores)) for case in rated), 1) if rated else 0.0,
    )


def _order(pair: tuple[Case, Case], scores: Mapping[str, int]) -> str:
    """Return whether the scores order a pair as the raters do, or that the raters leave it open."""
    one, other = pair
    by_raters = [(left.score or 0) - (right.score or 0) for left, right in zip(one.raters, other.raters, strict=True)]
    sign = 1 if min(by_raters) >= DECIDED_FROM else -1 if max(by_raters) <= -DECIDED_FROM else 0
    if not sign:
        return "open"
    ahead = sign * (scores[one.name] - scores[other.name])
    return "right" if ahead > 0 else "wrong" if ahead < 0 else "tied"


def _good(cases: Sequence[Case], rater: int) -> float:
    return sum(case.raters[rater].rating == "good" for case in cases) / (len(cases) or 1)


def _ahead(case: Case, scores: Mapping[str, int]) -> float:
    """Return the points by which the score is above the mean of the raters."""
    return scores[case.name] - mean(rater.score or 0 for rater in case.raters)


# --- the ratings of Findable


def capture(body: bytes, url: str) -> Capture:
    """Return a page at a URL, with headers that say nothing about it; links, assets and the site's files are not requested."""
    parsed = parse(url)
    if parsed is None:
        raise ValueError(url)
    hop = Hop(url, 200, Headers(HEADERS), "2", Timing(10, 20, 30, 160, 200), "93.184.215.14")
    leaf = Certificate(
        f"CN={parsed.host}", "CN=Example CA", (parsed.host,), "2026-09-01T00:00:00Z", "2027-03-01T00:00:00Z", "ecdsa-with-SHA256", "EC", 256
    )
    response = Response(url, (hop,), body, len(body) // 5, content_encoding="br", tls=Tls("TLSv1.3", chain=(leaf,)))
    site = SiteCapture(parsed.origin, NOW, ProbeResponse(f"{parsed.origin}/robots.txt", failure=Failure.NOT_ASKED))
    return Capture(PageCapture(NOW, response, judged_as=parsed.origin), site)


def page_rated(body: bytes, url: str) -> Rated:
    """Return the rating of a page at a URL."""
    report = analyse(capture(body, url))
    lost = sorted(((one.id + (f" {one.fault}" if one.fault else ""), one.lost) for one in report.findings if one.lost), key=_by_points)
    caps = [(f"limit {report.effective_cap.score}: {check}", 0.0) for check in report.effective_cap.checks] if report.effective_cap else []
    return Rated(report.score, str(report.result or ""), (*caps, *lost))


def _by_points(cost: tuple[str, float]) -> float:
    return -cost[1]


def site_rated(folder: Path) -> Rated:
    """Crawl a site, as a preview of its origin, and return its rating."""
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    with served(meta["pages"], folder / "files") as origin, tempfile.TemporaryDirectory() as made:
        out = Path(made) / "site.json"
        command = [sys.executable, "-m", "findable", "crawl", origin + meta["start"], "--as", meta["host"], *CRAWLING]
        told = subprocess.run(
            [*command, "--store", f"{made}/site.sqlite", "-o", str(out)], capture_output=True, text=True, timeout=600, check=False
        )
        if not out.exists():
            raise RuntimeError(told.stderr)
        document = json.loads(out.read_text(encoding="utf-8"))
        with closing(CrawlFile(Path(made, "site.sqlite"), read_only=True)) as file, file.reading() as connection:
            report = stored_report(connection)
    crawl, limit = document["crawl"], document["crawl"].get("cap")
    costs = sorted(((f"{one['id']} ({one['pages_count']} pages)", one["worth"] or 0.0) for one in document["findings"]), key=_by_points)
    caps = [(f"limit {limit['at_most']}: {limit['reason']}", 0.0)] if limit else []
    return Rated(crawl["score"], crawl["result"] or "", (*caps, *costs), report.rows if report else ())


@contextmanager
def served(pages: Mapping[str, Mapping[str, Any]], files: Path) -> Iterator[str]:
    """Serve the responses of a site by path on loopback: files, redirects, and assets without content. Yields the origin."""
    server = _Server(("127.0.0.1", 0), partial(_Site, pages, files))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    def handle_error(self, *arguments: Any) -> None:
        """Ignore connections that the crawler closes."""


class _Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, pages: Mapping[str, Mapping[str, Any]], files: Path, *arguments: Any) -> None:
        self.pages, self.files = pages, files
        super().__init__(*arguments)

    def do_HEAD(self) -> None:
        """Return the headers of a page."""
        self.do_GET()

    def do_GET(self) -> None:
        """Return a page."""
        page = self.pages.get(unquote(urlsplit(self.path).path), {"status": 404, "type": "text/html"})
        body = (self.files / page["file"]).read_bytes() if "file" in page else b""
        self.send_response(page["status"])
        if "location" in page:
            self.send_header("location", page["location"])
        self.send_header("content-type", page.get("type", "image/png"))
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None:
        """Print nothing."""


def ratings(kind: str, cases: Sequence[Case], folder: Path) -> dict[str, Rated]:
    """Return the ratings of the cases by name."""
    if kind == "sites":
        with ThreadPoolExecutor(2) as pool:
            return dict(
                zip([case.name for case in cases], pool.map(site_rated, [folder / kind / case.name for case in cases]), strict=True)
            )
    return {case.name: page_rated((folder / kind / f"{case.name}.html").read_bytes(), case.url) for case in cases}


# --- the numbers of sites, fitted again


class Numbers(msgspec.Struct, frozen=True):
    """Numbers of the formula for sites, in percent."""

    everywhere: int = SITE_PERCENT
    """Cost of a fault that all pages have, of its cost on a page."""
    linear: int = scoring.LINEAR_PERCENT
    """Part of a cost that is proportional to the share of the pages."""
    site_checks: int = 100
    """Costs of site checks, of those that they declare."""

    def score(self, rows: Sequence[Row]) -> int:
        """Return the score of a site with these numbers."""
        checks, usual = all_checks(), scoring.LINEAR_PERCENT
        percents = {False: self.everywhere / SITE_PERCENT, True: self.site_checks / 100}
        made = [structs.replace(row, cost=round(row.cost * percents[checks[row.id].subject is Subject.SITE])) for row in rows]
        try:
            scoring.LINEAR_PERCENT = self.linear
            return scoring.Costs(made).score
        finally:
            scoring.LINEAR_PERCENT = usual


GRID = tuple(Numbers(*values) for values in product((100, 115, 125, 140, 160), (50, 70, 85, 100), (75, 100, 130)))


def refitted(cases: Sequence[Case], found: Mapping[str, Rated]) -> Counter[str]:
    """Return how pairs of sites are ordered by numbers that are fitted to the other sites: right, wrong or tied.

    The fit is the one with most pairs in the right order, then the one closest to the raters, then the current numbers.
    """
    rated = [case for case in cases if found[case.name].rows or found[case.name].score is not None]
    scores = {numbers: {case.name: _refitted_score(found[case.name], numbers) for case in rated} for numbers in GRID}
    orders = {(numbers, pair): _order(pair, scores[numbers]) for numbers in GRID for pair in combinations(rated, 2)}
    told: Counter[str] = Counter()
    for left_out in combinations(rated, 2):
        others = [case for case in rated if case not in left_out]

        def fit(numbers: Numbers, others: Sequence[Case] = others) -> tuple[float, float, bool]:
            right = sum(orders[numbers, pair] == "right" for pair in combinations(others, 2))
            return -right, sum(abs(_ahead(case, scores[numbers])) for case in others), numbers != Numbers()

        told[orders[min(GRID, key=fit), left_out]] += 1
    del told["open"]
    return told


def _refitted_score(one: Rated, numbers: Numbers) -> int:
    """Return the score with other numbers; that of a verdict, such as of a site that cannot be indexed, does not depend on them."""
    return numbers.score(one.rows) if one.rows else one.score or 0


# --- the report


def parts_of(kind: str, cases: Sequence[Case]) -> Iterator[tuple[str, list[Case], Sequence[Case] | None]]:
    """Yield the name of each part, its cases, and the cases that these are paired with besides each other."""
    yield f"all {kind}", list(cases), None
    if kind == "pages":
        yield "fitted pages", [case for case in cases if case.fold], None
        yield "held-back pages", [case for case in cases if not case.fold], None
        return
    for fold in range(FOLDS):
        yield f"sites of third {fold + 1}", [case for case in cases if case.fold == fold], cases


def lines_of(name: str, found: Agreement) -> Iterator[str]:
    """Yield the lines about one part."""
    yield f"{name}: {found.count}" + (f", without a score: {', '.join(found.unrated)}" if found.unrated else "")
    yield f"  decided pairs {found.decided_pairs}: {found.right:.1%} right, {found.wrong:.1%} wrong, {found.tied:.1%} tied"
    yield f"  rating of at least one rater: {found.same_rating:.1%}; good against bad: {', '.join(found.opposite) or 'none'}"
    yield f"  good {found.good:.0%} (raters {found.good_of_raters[0]:.0%}, {found.good_of_raters[1]:.0%}); bad though both say good: {len(found.bad_though_good)}"
    yield f"  commonest score {found.commonest[0]}: {found.commonest[1]:.1%}; middle half spans {found.middle_half}; mean difference {found.difference}"


def worst(cases: Sequence[Case], found: Mapping[str, Rated], count: int) -> list[tuple[float, Case]]:
    """Return the cases with a score furthest from the mean of the raters, with the points ahead of it; the furthest first."""
    scores = {name: one.score or 0 for name, one in found.items() if one.score is not None}
    far = [(_ahead(case, scores), case) for case in cases if case.name in scores]
    return sorted((one for one in far if abs(one[0]) > FAR_FROM), key=lambda one: -abs(one[0]))[:count]


def _worst_lines(cases: Sequence[Case], found: Mapping[str, Rated], count: int) -> Iterator[str]:
    for ahead, case in worst(cases, found, count):
        product = found[case.name]
        told = " and ".join(f"{rater.score} {rater.rating}" for rater in case.raters)
        yield f"{case.name} {ahead:+.0f}: {product.score} {product.rating}; raters {told}  {case.url}"
        yield from (f"  rater: {faults}" for faults in case.faults)
        yield "  costs: " + ", ".join(f"{name} {points:g}" for name, points in product.costs[:COSTS_SHOWN])


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the agreement with the raters."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="folder with pages/NAME.html and sites/NAME")
    parser.add_argument("--sites", action="store_true", help="crawl and compare the sites instead of the pages")
    parser.add_argument("--worst", type=int, default=0, help=f"list that many with a score more than {FAR_FROM} points away")
    parser.add_argument("--sheet", type=Path, help="another sheet of the raters")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    given = parser.parse_args(arguments)
    kind = "sites" if given.sites else "pages"
    cases = read_sheet(given.sheet or SHEETS[kind])
    cases = [case for case in cases if (given.folder / kind / (case.name if given.sites else f"{case.name}.html")).exists()]
    found = ratings(kind, cases, given.folder)
    parts = {name: agreement(part, found, others) for name, part, others in parts_of(kind, cases)}
    if given.format == "json":
        sys.stdout.write(msgspec.json.format(msgspec.json.encode({"parts": parts, "ratings": found})).decode() + "\n")
        return
    lines = [line for name, part in parts.items() for line in lines_of(name, part)]
    if given.sites:
        orders = refitted(cases, found)
        shares = ", ".join(f"{orders[name]} {name}" for name in ("right", "wrong", "tied"))
        lines.append(f"pairs of sites by numbers fitted to the others: {shares}")
    sys.stdout.write("\n".join([*lines, *_worst_lines(cases, found, given.worst)]) + "\n")


if __name__ == "__main__":
    main()
