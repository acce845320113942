"""Show the distribution of the scores of saved pages: ``python -m research.calibration PAGES [--least-bytes 10000] [--format json]``.

PAGES is a directory of ``*.html.gz``. Each page is checked as in research/precision.py: at the URL that it declares, with synthetic
but plausible headers, without robots.txt, sitemaps, links and files. The output has the ratings, the distribution of the scores, the caps of
scores, and the checks that cost the most points.
"""

import argparse
import gzip
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles

import msgspec

from findable.reports.analysis import analyse
from findable.reports.report import Report
from research.precision import saved_page

SHOWN = 12
WIDTH = 10
"""Width of a step of scores."""


class Spread(msgspec.Struct, frozen=True):
    """Results of the pages of a directory; shares are between 0 and 1."""

    pages_count: int
    unrated_count: int
    ratings: dict[str, int]
    steps: dict[str, int]
    """Number of scores from 0 to 9, 10 to 19 …; the last step is 90 to 100."""
    quartiles: tuple[float, float, float]
    raw_quartiles: tuple[float, float, float]
    """Quartiles of the scores before caps."""
    coverage: float
    """Mean coverage."""
    held_down_by: dict[str, int]
    near_good_count: int
    """Number of scores at most three points below good without a cap."""
    pulls: dict[str, tuple[float, int]]
    """Lost points by check: mean per page, of 100, and the number of pages that lost some."""


def spread(pages: Sequence[Path]) -> Spread:
    """Check all pages and return their distribution."""
    reports = [analyse(saved_page(path)) for path in pages]
    rated = [report for report in reports if report.score is not None and report.explained]
    scores = [report.score or 0 for report in rated]
    held = Counter(check for report in rated if report.effective_cap for check in report.effective_cap.checks)
    free = [report.score or 0 for report in rated if not report.effective_cap]
    low, middle, high = quantiles(scores, n=4)
    raw = quantiles((report.explained.raw for report in rated if report.explained), n=4)
    return Spread(
        pages_count=len(reports),
        unrated_count=len(reports) - len(rated),
        ratings={word: sum(report.result == word for report in rated) for word in ("good", "decent", "bad")},
        steps=_steps(scores),
        quartiles=(low, middle, high),
        raw_quartiles=(raw[0], raw[1], raw[2]),
        coverage=round(sum(report.coverage or 0 for report in rated) / len(rated), 2),
        held_down_by=dict(held.most_common()),
        near_good_count=sum(87 <= score < 90 for score in free),
        pulls=_pulls(rated),
    )


def _steps(scores: Sequence[int]) -> dict[str, int]:
    found = Counter(min(score, 99) // WIDTH * WIDTH for score in scores)
    return {f"{start} to {100 if start == 90 else start + WIDTH - 1}": found[start] for start in sorted(found)}


def _pulls(reports: Sequence[Report]) -> dict[str, tuple[float, int]]:
    lost: Counter[str] = Counter()
    pages: Counter[str] = Counter()
    for report in reports:
        for finding in report.findings:
            if finding.lost:
                lost[finding.id] += finding.lost
                pages[finding.id] += 1
    return {name: (round(points / len(reports), 2), pages[name]) for name, points in lost.most_common()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the distribution."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pages", type=Path, help="directory of *.html.gz")
    parser.add_argument("--least-bytes", type=int, default=0, help="leave smaller pages out, such as made-up test cases")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    given = parser.parse_args(arguments)
    pages = sorted(given.pages.glob("*.html.gz"))
    found = spread([page for page in pages if len(gzip.decompress(page.read_bytes())) >= given.least_bytes])
    if given.format == "json":
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(found)).decode() + "\n")
        return
    lines = [f"{found.pages_count} pages, {found.unrated_count} without a rating, coverage {found.coverage:.0%} on average"]
    lines += [f"{word:<8}{count:>4}  {count / (found.pages_count - found.unrated_count):.0%}" for word, count in found.ratings.items()]
    lines += [f"{step:<12}{count:>4}" for step, count in found.steps.items()]
    lines.append("quartiles {:.0f}, {:.0f}, {:.0f}; within three points below good: {}".format(*found.quartiles, found.near_good_count))
    lines.append("quartiles before caps {:.0f}, {:.0f}, {:.0f}".format(*found.raw_quartiles))
    lines += [f"held down by {name}: {count}" for name, count in found.held_down_by.items()]
    lines += [f"{name:<24}{points:>6.2f} points a page, {count} pages" for name, (points, count) in list(found.pulls.items())[:SHOWN]]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
