"""Compare URLs of a redirect map with their expected targets."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from findable.capture.crawl import Reason
from findable.capture.status_classes import OK
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Code
from findable.wording import ENGLISH, Message, Translator, later


class RedirectResult(Code):
    """Result of comparing a URL of a redirect map with its expected target."""

    REACHED = "reached", later("leads there directly")
    CHAINED = "chained", later("leads there by several redirects")
    NO_REDIRECT = "no_redirect", later("does not redirect")
    OTHER_TARGET = "other_target", later("leads to another page")
    BROKEN = "broken", later("returns an error")
    LOOP = "loop", later("redirects in a loop")
    TARGET_BROKEN = "target_broken", later("the target returns an error")
    TARGET_REDIRECTS = "target_redirects", later("the target itself redirects")
    TARGET_NOINDEX = "target_noindex", later("the target is noindex")
    TARGET_CANONICAL = "target_canonical", later("the target declares another page as canonical")
    NOT_REQUESTED = "not_requested", later("was not requested")

    @property
    def is_fault(self) -> bool:
        """Whether the URL does not lead to its target, or the target is no page that search engines can list."""
        return self not in (RedirectResult.REACHED, RedirectResult.CHAINED, RedirectResult.NOT_REQUESTED)

    @property
    def is_missed(self) -> bool:
        """Whether the URL does not lead to its target."""
        return self.is_fault and not self.value.startswith("target_")


class MapUrl(Struct, frozen=True):
    """URL that a crawl with a redirect map knows."""

    url: str
    status: int | None
    """Status; None if it was not requested."""
    not_indexable: str
    """Reason why search engines cannot list the page (`Reason`); empty for none."""
    refusal: str
    """Reason why the URL was not requested."""


class RedirectMapRow(Struct, frozen=True):
    """URL of a redirect map, with its final URL. A crawl without a redirect map has none."""

    url: str
    """URL of the map."""
    target: str
    """Expected target."""
    end_url: str
    """Final URL after all redirects."""
    status: int
    """Status of the final URL; 0 without a response."""
    hops_count: int
    """Number of redirects to the final URL."""
    hops: tuple[str, ...]
    """Statuses from the URL to the final URL, each with its URL."""
    result: RedirectResult
    """Result: reached, chained, no_redirect, other_target, broken, loop, target_broken, target_redirects, target_noindex,
    target_canonical or not_requested.
    """
    words: str
    """Result in words."""
    target_problem: RedirectResult | None = None
    """Problem of the target itself, wherever the URL leads: target_broken, target_redirects, target_noindex or target_canonical."""
    reason: str = ""
    """Reason why the final URL was not requested."""

    @property
    def statuses(self) -> str:
        """Statuses from the URL to the final URL, like ``301 → 200``; empty if it was not requested."""
        return " → ".join(hop.partition(" ")[0] for hop in self.hops)

    def in_words(self, say: Translator = ENGLISH) -> str:
        """Return the result in words."""
        if self.result is RedirectResult.CHAINED:
            return say.plural("leads there by %(count)s redirect", "leads there by %(count)s redirects", self.hops_count)
        return say.text(self.result.words)


class MapLine(Struct, frozen=True):
    """Line of a list of URLs."""

    number: int
    text: str
    cells: tuple[str, ...]
    """URL, and its expected target in a redirect map; all parts of a line that has more."""
    earlier: int = 0
    """Number of an earlier line with the same URL and another target; 0 for none."""

    @property
    def problem(self) -> str:
        """Problem of the line alone; empty without one."""
        if len(self.cells) > _URL_AND_TARGET:
            return Message(_TOO_LONG)
        return Message(_TWO_TARGETS, earlier=self.earlier) if self.earlier else ""

    def error(self, problem: str) -> Message:
        """Return the problem with the number and the text of the line."""
        about = Message.from_sentence(problem)
        return Message(later("Line %(number)s, “%(line)s”: %(problem)s"), number=self.number, line=self.text[:_SHOWN_CHARS], problem=about)


_URL_AND_TARGET, _SHOWN_CHARS = 2, 200
_TOO_LONG = later("a line has a URL, or a URL and its target.")
_TWO_TARGETS = later("line %(earlier)s has another target for the same URL.")
_BETWEEN = lazy_pattern(r"""\s*(?:[-=]{1,3}>|→)\s*|["']?\s*[,;]\s*(?=["']|https?://|/|[\w-]+(?:\.[\w-]+)+/)|(?<=["'])\s*[,;]\s*|[,;]?\s+""")
_HEADING = lazy_pattern(r"urls?|[^/.:]+(?:[,;\s>→])[^/.:]+", re.IGNORECASE)


def map_lines(lines: Iterable[str], base: str = "") -> Iterator[MapLine]:
    """Yield the lines of a list: a URL, or in a redirect map a URL and its target; without empty lines, comments and a line of headings.

    A target follows a space, a tab, an arrow, or a comma or semicolon before a URL, path or quote. ``base``: origin of paths.
    """
    is_first, targets = True, dict[str, tuple[int, tuple[str, ...]]]()
    for number, line in enumerate(lines, 1):
        text = " ".join(line.lstrip("\ufeff").split())  # long runs of blanks would take the pattern long
        if not text or text.startswith("#"):
            continue
        if not (is_first and len(text) <= _SHOWN_CHARS and _HEADING.fullmatch(text)):
            parts = (cell.strip("\"' ") for cell in _BETWEEN.split(text))
            cells = tuple(f"{base}{part}" if part.startswith("/") else part for part in parts if part)
            earlier, known = targets.setdefault(cells[0], (number, cells)) if len(cells) > 1 else (number, cells)
            yield MapLine(number, text, cells, earlier if known != cells else 0)
        is_first = False


def redirect_row(url: str, target: MapUrl, chain: Sequence[MapUrl], *, is_loop: bool = False) -> RedirectMapRow:
    """Return a URL of a redirect map with its result.

    Args:
        url: URL of the map.
        target: expected target.
        chain: the URL and those that it redirects to; empty if the crawl does not know it.
        is_loop: whether the last of these URLs is already among them.
    """
    end = chain[-1] if chain else MapUrl(url, None, "", "")
    problem = _TARGET_PROBLEMS.get(target.not_indexable)
    row = RedirectMapRow(
        url,
        target.url,
        end.url,
        end.status or 0,
        max(0, len(chain) - 1),
        tuple(f"{hop.status or 0} {hop.url}" for hop in chain if hop.status is not None),
        _result(target.url, end, [hop.url for hop in chain], problem, is_loop=is_loop),
        "",
        problem,
        end.refusal,
    )
    return replace(row, words=row.in_words())


def _result(target: str, end: MapUrl, chain: Sequence[str], problem: RedirectResult | None, *, is_loop: bool) -> RedirectResult:
    hops_count = len(chain) - 1
    if end.status is None:
        return RedirectResult.NOT_REQUESTED if hops_count < 1 or end.url == target else RedirectResult.OTHER_TARGET
    if is_loop:
        return RedirectResult.LOOP
    if target in chain[1:]:
        return problem or (RedirectResult.REACHED if hops_count == 1 else RedirectResult.CHAINED)
    if end.status != OK:
        return RedirectResult.BROKEN
    if hops_count:
        return RedirectResult.OTHER_TARGET
    return problem or RedirectResult.REACHED if end.url == target else RedirectResult.NO_REDIRECT


_TARGET_PROBLEMS: Mapping[str, RedirectResult] = {
    Reason.STATUS: RedirectResult.TARGET_BROKEN,
    Reason.FAILURE: RedirectResult.TARGET_BROKEN,
    Reason.REDIRECT: RedirectResult.TARGET_REDIRECTS,
    Reason.NOINDEX: RedirectResult.TARGET_NOINDEX,
    Reason.CANONICAL: RedirectResult.TARGET_CANONICAL,
}


def results_of(rows: Iterable[RedirectMapRow]) -> Mapping[RedirectResult, int]:
    """Return the number of rows by result, in the order of `RedirectResult`."""
    found = Counter(row.result for row in rows)
    return {result: found[result] for result in RedirectResult if found[result]}


def map_headline(rows: Sequence[RedirectMapRow], say: Translator = ENGLISH) -> str:
    """Return how many URLs of a redirect map do not lead to their targets, or that all do."""
    missed, total = sum(row.result.is_missed for row in rows), say.number(len(rows))
    if missed:
        return say.plural(
            "%(count)s of %(total)s old URLs does not lead where the map says",
            "%(count)s of %(total)s old URLs do not lead where the map says",
            missed,
            total=total,
        )
    if any(row.result is RedirectResult.NOT_REQUESTED for row in rows):
        return say(later("Not all old URLs of the map were requested"))
    return say.plural("The old URL leads where the map says", "All %(count)s old URLs lead where the map says", len(rows))
