"""The HTML is larger than what Googlebot reads.

Why it matters: Googlebot reads the first 2 MB of the uncompressed HTML. What comes later, text and links alike, is not indexed. A page
of that size is slow for everybody.

How to fix: Move inline data, drawings and styles into files of their own, and split long lists into pages.

    <script src="/data/catalogue.js" defer></script>

Sources: [Google: What is Googlebot](https://developers.google.com/search/docs/crawling-indexing/googlebot) (2026): 2 MB of a supported
file type, uncompressed.

Not judged: what scripts load later.
"""

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.markup import Markup
from findable.capture.response import Response
from findable.checks.engine import Evidence, Finding, check, element, failed, passed, url_evidence, warned
from findable.vocabulary import Effort, Importance

GOOD_BYTES = 1_000_000
"""Size up to which the check passes: half the limit (set by Findable)."""
LIMIT_BYTES = 2_000_000
SHOWN = 5
MAX_ELEMENTS = 2000
"""Number of elements of each kind that are measured; real pages have a few hundred."""
MIN_SHOWN_CHARS = 20_000


@check(question="Is the HTML under Googlebot's cut-off?", importance=Importance.MEDIUM, effort=Effort.CONTENT)
def html_size(response: Response, markup: Markup) -> Finding:
    """Measures the decoded body."""
    size = response.size_bytes
    if size <= GOOD_BYTES:
        return passed("The HTML has {size_bytes}", size_bytes=size, evidence=url_evidence(response.final_url, response.status))
    evidence = [url_evidence(response.final_url, response.status, "has {size_bytes}", size_bytes=size), *_largest(markup.document)]
    if response.truncated:
        return failed("The HTML has more than {size_bytes}, Googlebot reads only the first 2 MB", size_bytes=size, evidence=evidence)
    if size <= LIMIT_BYTES:
        return warned(
            "The HTML has {size_bytes}, more than {good_bytes}; Googlebot reads no more than 2 MB",
            size_bytes=size,
            good_bytes=GOOD_BYTES,
            evidence=evidence,
        )
    return failed("The HTML has {size_bytes}, Googlebot reads only the first 2 MB", size_bytes=size, evidence=evidence)


def _largest(document: Document) -> list[Evidence]:
    """Return the inline scripts and styles that take most of the size."""
    elements = document.all("script", "style", "noscript", limit=MAX_ELEMENTS)
    sized: list[tuple[int, Element]] = [(len(item.raw_text), item) for item in elements]
    sized.sort(key=lambda pair: -pair[0])
    return [element(item, "holds {count} characters", count=count) for count, item in sized[:SHOWN] if count >= MIN_SHOWN_CHARS]
