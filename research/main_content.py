"""Measure precision and recall of the main content with manually marked bodies: `python -m research.main_content PAGES`.

main_content.json has the marks: for each page a selector of the body element (`main`), of parts that do not belong to it (`without`), and
of optional parts (`optional`, in addition to headlines, captions and bylines). Texts are compared as bags of words:
precision is the share of an extractor's words in the body or an optional part, recall the share of the body's words that it returns;
both are averaged over pages.

`--bodies FILE` reads the texts of bodies instead of the marks, as {"page": {"articleBody": "text"}}, the ground truth of
scrapinghub/article-extraction-benchmark. `--segments FOLDER` counts segments instead, of the test data of adbar/trafilatura (its `tests`):
parts of the main content that are missing, and parts of the rest that are in the text. `--others FILE` adds extractors whose texts were written by other programs, as {"extractor": {"page": "text"}}; `--script` prints the program
that writes it with trafilatura and readability-lxml, which are not dependencies and need a separate environment.
"""

import argparse
import gzip
import json
import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.page_charset import Charset
from findable.artifacts.page.text import main_text
from findable.artifacts.registry import gather
from research.technologies import capture_of

MARKS = Path(__file__).parent / "main_content.json"
URL = "https://www.example.com/page"
OPTIONAL = ("h1", "figcaption", ".caption", ".wp-caption-text", ".byline", "time", "footer.byline")
OPTIONAL_ANYWHERE = ("h1", "figcaption")
RUNS = 3
SEGMENT_SHARES = (("missing", "included"), ("unwanted", "excluded"))
SCRIPT = """import gzip, json, sys
from pathlib import Path
import lxml.html, trafilatura
from readability import Document

texts = {"trafilatura": {}, "readability-lxml": {}}
for path in sorted(Path(sys.argv[1]).glob("*.html.gz")):
    html, name = gzip.decompress(path.read_bytes()).decode("utf-8", "replace"), path.name.removesuffix(".html.gz")
    texts["trafilatura"][name] = trafilatura.extract(html, include_comments=False) or ""
    try:
        texts["readability-lxml"][name] = lxml.html.fromstring(Document(html).summary()).text_content()
    except Exception:
        texts["readability-lxml"][name] = ""
json.dump(texts, sys.stdout)
"""
_WORD = re.compile(r"\w+")


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Selectors of one page's body."""

    main: str
    without: str = ""
    optional: str = ""


class _Marked(msgspec.Struct, frozen=True):
    """Body of a page in an external ground truth."""

    articleBody: str  # noqa: N815 - name in the file


class Segmented(msgspec.Struct, frozen=True):
    """Segments of one page that its main content contains, and that it must not contain."""

    file: str
    included: list[str] = msgspec.field(name="with")
    excluded: list[str] = msgspec.field(name="without")

    @property
    def half(self) -> str:
        """Half that improvements may look at, or the one that only confirms them."""
        return "first half" if sha256(self.file.encode()).digest()[0] % 2 == 0 else "second half"


class Body(msgspec.Struct, frozen=True):
    """Words of one page's body."""

    words: Counter[str]
    optional: Counter[str]


class Measured(msgspec.Struct, frozen=True):
    """Precision and recall of one extractor on one page."""

    precision: float
    recall: float


def words(text: str) -> Counter[str]:
    """Count the words of a text, case ignored."""
    return Counter(_WORD.findall(text.lower()))


def body_of(document: Document, mark: Mark) -> Body:
    """Return the words of the marked body. Raises ValueError if one of its selectors matches nothing."""
    parts = _outermost(document.select(mark.main))
    if not parts:
        raise ValueError(f"no element matches {mark.main}")
    whole = sum((words(part.text) for part in parts), Counter[str]())
    without = _outermost(_inside(document.select(mark.without), parts)) if mark.without else []
    neutral = document.select(", ".join(filter(None, (*OPTIONAL, mark.optional))))
    optional = [element for element in _outermost(neutral) if not _inside([element], without)]
    inside = [element for element in optional if _inside([element], parts)]
    everywhere = [*inside, *(document.select(", ".join(filter(None, (*OPTIONAL_ANYWHERE, mark.optional)))))]
    for element in (*without, *inside):
        whole -= words(element.text)
    return Body(whole, sum((words(element.text) for element in _outermost(everywhere)), Counter[str]()))


def _outermost(elements: Iterable[Element]) -> list[Element]:
    """Return the elements that none of the others contain."""
    chosen = list(dict.fromkeys(elements))
    known = set(chosen)
    return [element for element in chosen if not any(outer in known for outer in element.ancestors)]


def _inside(elements: Iterable[Element], outer: Iterable[Element]) -> list[Element]:
    around = set(outer)
    return [element for element in elements if any(one in around for one in element.ancestors)]


def measure(text: str, body: Body) -> Measured:
    """Compare an extractor's text with the body."""
    found = words(text)
    hit = (found & body.words).total()
    counted = found - body.optional
    counted |= found & body.words  # a word of the body counts even if other parts contain it
    return Measured(hit / counted.total() if counted else 0.0, hit / body.words.total())


def extract_with_findable(document: Document) -> tuple[str, float]:
    """Return the text of Findable's extractor, and the shortest of RUNS times in ms."""
    times, text = [], ""
    for _ in range(RUNS):
        start = time.process_time()
        text = main_text(document, is_home=False)
        times.append((time.process_time() - start) * 1000)
    return text, min(times)


def count_segments(folder: Path, others: Mapping[str, Mapping[str, str]]) -> None:
    """Print the segments that are missing or unwanted, of all pages and of both halves."""
    pages = msgspec.json.decode((folder / "evaldata.json").read_bytes(), type=dict[str, Segmented])
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for url, page in pages.items():
        path = next(path for name in ("cache", "eval") if (path := folder / name / page.file).exists())
        texts = {"extract_with_findable": text_of(path.read_bytes(), url)} | {name: found.get(url) or "" for name, found in others.items()}
        for name, text in texts.items():
            folded = " ".join(text.split())
            found = Counter(
                missing=sum(" ".join(one.split()) not in folded for one in page.included),
                unwanted=sum(" ".join(one.split()) in folded for one in page.excluded),
                included=len(page.included),
                excluded=len(page.excluded),
                pages=1,
            )
            for part in ("all", page.half):
                counts[name, part] += found
    sys.stdout.write("| Extractor | Pages | Missing | Unwanted |\n|---|---:|---:|---:|\n")
    for (name, part), found in sorted(counts.items()):
        shares = " | ".join(f"{found[one]} of {found[of]} ({found[one] / found[of]:.1%})" for one, of in SEGMENT_SHARES)
        sys.stdout.write(f"| {name}, {part} | {found['pages']} | {shares} |\n")


def text_of(body: bytes, url: str) -> str:
    """Return the main content of a page as sent, in its own encoding."""
    charset = gather(capture_of(body)).get_or_none(Charset)
    return main_text(Document(charset.text if charset else "", url), is_home=urlsplit(url).path in ("", "/"))


def main() -> None:
    """Print the table of results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=Path, nargs="?", help="directory with *.html.gz")
    parser.add_argument("--bodies", type=Path, help="texts of bodies in place of our marks")
    parser.add_argument("--segments", type=Path, metavar="FOLDER", help="tests of adbar/trafilatura, in place of our marks")
    parser.add_argument("--others", type=Path, help="texts of other extractors")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="print the N worst pages of extract_with_findable")
    parser.add_argument("--script", action="store_true", help="print the program that writes the texts of others")
    given = parser.parse_args()
    if given.segments:
        count_segments(given.segments, json.loads(given.others.read_text()) if given.others else {})
        return
    if given.script or given.pages is None:
        sys.stdout.write(SCRIPT)
        return
    marks: Mapping[str, Mark | _Marked]
    if given.bodies:
        marks = msgspec.json.decode(given.bodies.read_bytes(), type=dict[str, _Marked])
    else:
        marks = msgspec.json.decode(MARKS.read_bytes(), type=dict[str, Mark])
    others: Mapping[str, Mapping[str, str]] = json.loads(given.others.read_text()) if given.others else {}
    rows: dict[str, dict[str, Measured]] = {name: {} for name in ("extract_with_findable", "body without landmarks", *others)}
    times = []
    for name, mark in marks.items():
        html = gzip.decompress((given.pages / f"{name}.html.gz").read_bytes()).decode("utf-8", "replace")
        document = Document(html, URL)
        body = body_of(document, mark) if isinstance(mark, Mark) else Body(words(mark.articleBody), Counter())
        text, time_ms = extract_with_findable(document)
        times.append(time_ms)
        rows["extract_with_findable"][name] = measure(text, body)
        rows["body without landmarks"][name] = measure(document.text_outside(frozenset({"nav", "header", "footer", "aside"})), body)
        for other, texts in others.items():
            rows[other][name] = measure(texts.get(name, ""), body)
    _print(rows, times)
    for name in sorted(
        marks, key=lambda name: min(rows["extract_with_findable"][name].precision, rows["extract_with_findable"][name].recall)
    )[: given.worst]:
        one = rows["extract_with_findable"][name]
        sys.stdout.write(f"{name}: precision {one.precision:.2f}, recall {one.recall:.2f}\n")


def _print(rows: Mapping[str, Mapping[str, Measured]], times: list[float]) -> None:
    sys.stdout.write(
        "| Extractor | Precision | Recall | Pages with precision below 0.5 | Pages with recall below 0.8 |\n|---|---:|---:|---:|---:|\n"
    )
    for extractor, measured in rows.items():
        precision = [one.precision for one in measured.values()]
        recall = [one.recall for one in measured.values()]
        poor, lost = sum(one < 0.5 for one in precision), sum(one < 0.8 for one in recall)
        sys.stdout.write(f"| {extractor} | {statistics.mean(precision):.3f} | {statistics.mean(recall):.3f} | {poor} | {lost} |\n")
    slow = sorted(times)[int(0.95 * len(times))]
    sys.stdout.write(
        f"\n{len(times)} pages; extract_with_findable takes {statistics.median(times):.2f} ms (median), {slow:.2f} ms (95th percentile)\n"
    )


if __name__ == "__main__":
    main()
