"""Pages with few unique words."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from findable.capture.site_graph import LIST_LIMIT
from findable.capture.site_templates import CrawledThin, ThinFolder, ThinPage
from findable.crawl.own_text import FEW_WORDS, OwnText, own_words, template_passages, unpack_text
from findable.crawl.packed_verdicts import has_problem
from findable.crawl.site.counted import Counted
from findable.crawl.site.markup import EMPTY_FROM
from findable.crawl.site_sections import section_of

SOFT_404 = "soft-404"
SAMPLED = 5000
"""Maximum number of short pages whose passages are compared."""


class ThinPages:
    """Indexable pages with few unique words, by folder, except pages reported as empty or as errors.

    Args:
        checks: ids of the checks of the crawl, in the order of the verdicts of a page.
    """

    def __init__(self, checks: Sequence[str]) -> None:
        self.short = array("i")
        """Pages that may be thin."""
        self._soft_error = checks.index(SOFT_404) if SOFT_404 in checks else len(checks)
        self._sections: Counter[str] = Counter()
        self._known_count = 0
        self._frames: Counter[int] = Counter()
        self._sampled: list[OwnText] = []

    def add(self, number: int, url: str, text: bytes | None, frame_key: int, verdicts: bytes) -> None:
        """Count a page. ``text``: from `pack_text`; ``frame_key``: hash of the content without headings, 0 for none."""
        if frame_key:
            self._frames[frame_key] += 1
        self._sections[section_of(url)] += 1
        self._known_count += text is not None
        if text:
            if not has_problem(verdicts, self._soft_error):
                self.short.append(number)
            if len(self._sampled) < SAMPLED:
                self._sampled.append(unpack_text(text))

    def judged(self, texts: Iterable[tuple[str, bytes, int]]) -> CrawledThin:
        """Return the thin pages. ``texts``: (URL, text, hash of the content) of the short pages."""
        template = template_passages(self._sampled)
        folders: defaultdict[str, Counted[ThinPage]] = defaultdict(Counted)
        for url, text, frame_key in texts:
            if self._frames[frame_key] >= EMPTY_FROM:
                continue
            words = own_words(unpack_text(text), template)
            if words < FEW_WORDS:
                folders[section_of(url)].add(ThinPage(url, words))
        largest = sorted(folders.items(), key=lambda item: -item[1].count)[:LIST_LIMIT]
        listed = tuple(ThinFolder(folder, thin.count, tuple(thin.first), self._sections[folder]) for folder, thin in largest)
        return CrawledThin(self._sections.total(), self._known_count, sum(thin.count for thin in folders.values()), listed)
