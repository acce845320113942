"""Count the calls of the URL parser per report, and how often it has to parse."""

import argparse
import statistics
from typing import Any

from bench_analysis import saved_page

from findable import urls
from findable.artifacts.page import canonical
from findable.reports.analysis import analyse


def measure(options: argparse.Namespace) -> dict[str, Any]:
    captures = [saved_page(path) for path in sorted(options.pages.rglob("*")) if path.name.endswith((".html", ".html.gz"))]
    analyse(captures[0])
    asked, parsed = [], []
    for capture in captures:
        for cached in (urls.parse, canonical.comparable, canonical.differences):
            cached.cache_clear()
        analyse(capture)
        known = urls.parse.cache_info()
        asked.append(known.hits + known.misses)
        parsed.append(known.misses)
    return {
        "reports": len(captures),
        "calls_per_report": round(statistics.mean(asked), 1),
        "different_urls": round(statistics.mean(parsed), 1),
    }
