"""The HTML exceeds the size that Googlebot reads.

In plain words: Google reads only the beginning of this page, because the page is far too long.

Why it matters: Googlebot reads the first 2 MB of the uncompressed HTML. The rest is not indexed, neither text nor links. A page of that
size is slow for everybody.

How to fix: Move inline data, drawings and styles into separate files, and split long lists into pages.

    <script src="/data/catalogue.js" defer></script>

Sources: [Google: What is Googlebot](https://developers.google.com/search/docs/crawling-indexing/googlebot) (2026): 2 MB of a supported file
type, uncompressed.

Not judged: what scripts load later.
"""

import re
from collections.abc import Iterable, Sequence

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.markup import Markup
from findable.capture.response import Response
from findable.checks.engine import Evidence, Finding, check, element, failed, passed, url_evidence, warned
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Effort, Importance

GOOD_BYTES = 1_000_000
"""Size up to which the check passes: half the limit (set by Findable)."""
LIMIT_BYTES = 2_000_000
SHOWN = 5
MAX_ELEMENTS = 2000
"""Number of elements of each kind that are measured; real pages have a few hundred."""
MIN_SHOWN_CHARS = 20_000
LARGE_SHARE = 0.25
"""Share of the size from which the advice is about one kind of content (set by Findable)."""
DRAWINGS_ADVICE = "Move the inline drawings into SVG files, and show them with img elements."
DATA_URLS_ADVICE = "Move the images and fonts in data: URLs into separate files."
SCRIPTS_ADVICE = "Move the inline scripts and their data into separate files."
STYLES_ADVICE = "Move the inline styles into a stylesheet."
MARKUP_ADVICE = "Split long lists and tables into pages, and remove markup that is not needed."
_SVG_END = lazy_pattern(r"</svg\s*>", re.IGNORECASE)
_DATA_URL = lazy_pattern(r":(?<=\b[Dd][Aa][Tt][Aa]:)[a-zA-Z]+/[^\s\"'<>()]{1000,}")
"""Pattern of a long data URL from its colon: a literal first character is found ten times as fast as a scheme."""


@check(
    "Is the HTML under Googlebot's cut-off?",
    Importance.MEDIUM,
    Effort.CONTENT,
    failed=300,
    warned=20,
    warned_summary="The HTML is close to the size that Googlebot reads.",
)
def html_size(response: Response, markup: Markup) -> Finding:
    """Compares the size of the decoded HTML with the limit of Googlebot."""
    size = response.size_bytes
    if size <= GOOD_BYTES:
        return passed("The HTML is {size_bytes}", size_bytes=size, evidence=url_evidence(response.final_url, response.status))
    drawings, inline = _drawings(markup.document), _inline(markup.document)
    evidence = [url_evidence(response.final_url, response.status, "has {size_bytes}", size_bytes=size), *_largest(inline)]
    drawn_chars = sum(drawings.values())
    if drawn_chars >= MIN_SHOWN_CHARS:
        largest = max(drawings, key=drawings.__getitem__)
        note = "the largest of {drawings_count|inline drawing|inline drawings} with {count} characters in all"
        evidence.append(element(largest, note, drawings_count=len(drawings), count=drawn_chars))
    advice = _advice(markup.document, size, drawn_chars, inline)
    if response.truncated:
        return failed(
            "The HTML is larger than {size_bytes}; Googlebot reads only the first {limit_bytes}",
            size_bytes=size,
            limit_bytes=LIMIT_BYTES,
            evidence=evidence,
            advice=advice,
        )
    if size <= LIMIT_BYTES:
        return warned(
            "The HTML is {size_bytes}, more than {good_bytes}; Googlebot reads no more than {limit_bytes}",
            size_bytes=size,
            limit_bytes=LIMIT_BYTES,
            good_bytes=GOOD_BYTES,
            evidence=evidence,
            advice=advice,
        )
    return failed(
        "The HTML is {size_bytes}; Googlebot reads only the first {limit_bytes}",
        size_bytes=size,
        limit_bytes=LIMIT_BYTES,
        evidence=evidence,
        advice=advice,
    )


def _advice(document: Document, size: int, drawn_chars: int, inline: Iterable[tuple[int, Element]]) -> str:
    """Return the advice for the kind of content that takes most of the size."""
    kinds = (
        (drawn_chars, DRAWINGS_ADVICE),
        (sum(len("data") + len(match.group()) for match in _DATA_URL.finditer(document.source)), DATA_URLS_ADVICE),
        (sum(count for count, item in inline if item.tag == "script"), SCRIPTS_ADVICE),
        (sum(count for count, item in inline if item.tag == "style"), STYLES_ADVICE),
    )
    chars, advice = max(kinds)
    return advice if chars >= size * LARGE_SHARE else MARKUP_ADVICE


def _drawings(document: Document) -> dict[Element, int]:
    """Return the inline SVG drawings with their length in the source; nested ones are excluded."""
    found: dict[Element, int] = {}
    read_to = 0
    for drawing in document.all("svg", limit=MAX_ELEMENTS):
        start = document.offset_of(drawing.order)
        if start is None or start < read_to:
            continue
        end = _SVG_END.search(document.source, start)
        if end is None:
            break
        read_to = end.end()
        found[drawing] = read_to - start
    return found


def _inline(document: Document) -> list[tuple[int, Element]]:
    """Return the inline scripts and styles with their number of characters, the longest first."""
    elements = document.all("script", "style", "noscript", limit=MAX_ELEMENTS)
    return sorted(((len(item.raw_text), item) for item in elements), key=lambda pair: -pair[0])


def _largest(inline: Sequence[tuple[int, Element]]) -> list[Evidence]:
    """Return the inline scripts and styles that take most of the size."""
    return [element(item, "contains {count} characters", count=count) for count, item in inline[:SHOWN] if count >= MIN_SHOWN_CHARS]
