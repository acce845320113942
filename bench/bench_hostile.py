"""Measure pages built to be slow: the slowest artifact or check of each, and whether doubling the page quadruples its time."""

import argparse
import contextlib
import re
import time
from collections.abc import Callable
from typing import Any

from bench_analysis import TimedArtifacts, capture_of

from findable.artifacts.registry import Absent
from findable.checks.engine import runnable_checks
from findable.formats.parse_budget import MAX_ELEMENTS
from findable.vocabulary import FETCHED
from findable.worker.pool_child import collect_between_calls

LIMIT_MS = 50.0
"""Maximum time of any artifact or check on any page."""
SLOWEST = 3

IMPLIED_ELEMENTS = 10
"""Number of elements that the parser adds: root, head, body and title, and those between a table and its cells."""
HEAD = "<!doctype html><html lang=en><head><title>Slow</title></head><body>"


def measure(options: argparse.Namespace) -> dict[str, Any]:
    found = {}
    page_bytes = options.bytes
    for name, make in PAGES.items():
        half, whole = (timed(make(size)) for size in (page_bytes // 2, page_bytes))
        slowest = sorted(whole, key=lambda part: -whole[part])[:SLOWEST]
        found[name] = {
            "slowest_ms": {part: round(whole[part], 1) for part in slowest},
            "growth": {part: round(whole[part] / max(half[part], 0.01), 1) for part in slowest},
            "over_limit": [part for part in slowest if whole[part] > LIMIT_MS],
        }
    return found


def timed(html: str) -> dict[str, float]:
    """Return the CPU milliseconds of each artifact (by class name) and check (by id) on a page."""
    artifacts = TimedArtifacts(capture_of(html.encode(), "hostile"))
    spent_ms: dict[str, float] = {}
    collect_between_calls()
    for item in runnable_checks(FETCHED):
        values = artifacts.arguments(item.parameters)
        if not isinstance(values, Absent):
            started_ns = time.process_time_ns()
            with contextlib.suppress(ValueError):  # tests check the results
                item.function(**values)
            spent_ms[item.id] = (time.process_time_ns() - started_ns) / 1e6
    return spent_ms | {name: spent_ns / 1e6 for name, spent_ns in artifacts.spent_ns.items()}


def repeated(piece: str, before: str = HEAD) -> Callable[[int], str]:
    """Return a function that makes a page of repeated pieces, in which ``#`` is a running number. It stops at the maximum of elements."""
    elements = len(re.findall("<[a-z]", piece)) + piece.count("<tr>")  # with the tbody around it

    def make(size: int) -> str:
        count = size // max(1, len(piece))
        if elements:
            count = min(count, (MAX_ELEMENTS - IMPLIED_ELEMENTS) // elements)
        return before + ("".join(piece.replace("#", str(number)) for number in range(count)) if "#" in piece else piece * count)

    return make


PAGES: dict[str, Callable[[int], str]] = {
    "nested divs": repeated("<div>"),
    "nested inline elements": repeated("<b><i>"),
    "nested links in lists": repeated("<ul><li><a href=/#>x</a>"),
    "links": repeated('<a href="/p#">t</a>'),
    "links to one page": repeated('<a href="/p">t</a>'),
    "external links": repeated('<a href="https://s#.example/">t</a>'),
    "fragment links": repeated('<a href="#x#">t</a>'),
    "images": repeated('<img src="/i#.png">'),
    "headings": repeated("<h2>h#</h2>"),
    "first headings": repeated("<h1>h</h1>"),
    "ids": repeated("<i id=a#>"),
    "equal ids": repeated("<i id=a>"),
    "metas": repeated('<meta name="n#" content="v">', "<!doctype html><head>"),
    "robots metas": repeated('<meta name="robots" content="noindex,follow">', "<!doctype html><head>"),
    "canonicals": repeated('<link rel="canonical" href="/#">', "<!doctype html><head>"),
    "alternates": repeated('<link rel="alternate" hreflang="de" href="https://a.example/#">', "<!doctype html><head>"),
    "titles": repeated("<title>t#</title>", "<!doctype html><head>"),
    "stylesheets": repeated('<link rel="stylesheet" href="/s#.css">', "<!doctype html><head>"),
    "scripts": repeated('<script src="/s#.js"></script>'),
    "inline styles": repeated('<p style="color:red">x'),
    "forms": repeated("<form><input name=a><button>b</button></form>"),
    "frames": repeated('<iframe src="/f#"></iframe>'),
    "structured data": repeated('<script type="application/ld+json">{"@type":"Thing","name":"#"}</script>'),
    "microdata": repeated('<i itemscope itemtype="https://schema.org/Thing"><i itemprop=name>#</i>'),
    "deep structured data": lambda size: f'{HEAD}<script type="application/ld+json">{"[" * size}',
    "open graph": repeated('<meta property="og:image" content="/i#.png">', "<!doctype html><head>"),
    "one word": lambda size: HEAD + "a" * size + "!",
    "words": repeated("word # "),
    "unspaced words": repeated("漢字かな"),
    "attributes": lambda size: HEAD + "<p " + "".join(f"a{number} " for number in range(size // 7)) + ">",
    "one attribute": lambda size: f'{HEAD}<a href="{"a" * size}" title="{"b" * 100}">x</a>',
    "one title": lambda size: f"<!doctype html><title>{'ab ' * (size // 3)}</title>",
    "one description": lambda size: f'<!doctype html><meta name="description" content="{"ab " * (size // 3)}">',
    "at signs": lambda size: HEAD + "a@" * (size // 2),
    "dots": lambda size: HEAD + "a." * (size // 2),
    "spaces": lambda size: HEAD + " " * size + "x",
    "open comments": lambda size: HEAD + "<!--" * (size // 4),
    "open brackets": lambda size: HEAD + "<" * size,
    "ampersands": lambda size: HEAD + "&amp" * (size // 4),
    "lines": lambda size: HEAD + "\n" * size + "<h2>",
    "tables": repeated("<table><tr><td>"),
    "misnested": repeated("<b><p></b>"),
    "templates": repeated("<template>"),
    "drawings": repeated("<svg><title>t</title><path d='M0 0'/></svg>"),
}
