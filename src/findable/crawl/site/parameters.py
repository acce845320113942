"""Query parameters that mostly create duplicates: the page without the parameter has the same text."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from findable.capture.site_graph import LIST_LIMIT, LinkSource
from findable.capture.site_urls import Parameter
from findable.crawl.site.counted import Counted
from findable.crawl.url_keys import url_key
from findable.crawl.url_parameters import parameter_names, without_parameters

VALUES_FROM = 50
"""Number of values from which a parameter may create duplicates."""
SAME_SHARE = 0.9
"""Share of the pages with a parameter that have the same text without it (set by Findable)."""
MAX_VALUES = 1000
"""Maximum number of counted values of a parameter."""


class ParameterPage(Struct, frozen=True):
    """Page with or without a parameter. Texts and title are hashes, ``similar`` is the id of a group of similar texts; 0 for none."""

    id: int
    url: str
    text: int
    plain_text: int
    title: int
    similar: int | None = None


class _PagesWithParameter:
    """Pages whose URL has one parameter: their values and duplicates."""

    def __init__(self) -> None:
        self.values: set[str] = set()
        self.urls = Counted[str]()
        self.same_count = 0
        self.first_id = 0
        self._firsts: dict[str, ParameterPage] = {}
        """First page with the parameter, by the URL without it, if that was not fetched."""

    def add(self, page: ParameterPage, base: str, without: ParameterPage | None) -> None:
        """Count a page. ``base``: its URL without the parameter; ``without``: the page at that URL, if it was fetched."""
        self.urls.add(page.url)
        self.first_id = self.first_id or page.id
        if len(self.values) < MAX_VALUES:
            self.values.add(page.url.removeprefix(base))
        if without is None:
            without = self._firsts.setdefault(base, page)
        if without is not page and _has_same_text(without, page):
            self.same_count += 1

    @property
    def multiplies(self) -> bool:
        """Whether the parameter has many values and rarely changes the page."""
        return len(self.values) >= VALUES_FROM and self.same_count >= SAME_SHARE * self.urls.count


def multiplying_parameters(
    batches: Iterable[Sequence[ParameterPage]],
    pages_at: Callable[[Iterable[str]], Mapping[int, ParameterPage]],
    source_of: Callable[[int], LinkSource | None],
) -> tuple[Parameter, ...]:
    """Return the parameters that mostly create duplicates, those of the most pages first.

    Args:
        batches: pages with parameters, in parts.
        pages_at: returns the fetched pages among URLs, by the keys of the URLs.
        source_of: returns a block that links to a URL.
    """
    found: defaultdict[str, _PagesWithParameter] = defaultdict(_PagesWithParameter)
    for pages in batches:
        named = [(page, name, without_parameters(page.url, frozenset({name}))) for page in pages for name in parameter_names(page.url)]
        bases = pages_at({base for _, _, base in named})
        for page, name, base in named:
            found[name].add(page, base, bases.get(url_key(base)))
    ranked = sorted(((name, item) for name, item in found.items() if item.multiplies), key=lambda item: (-item[1].urls.count, item[0]))
    return tuple(
        Parameter(name, item.urls.count, item.same_count, tuple(item.urls.first), source_of(item.first_id))
        for name, item in ranked[:LIST_LIMIT]
    )


def _has_same_text(one: ParameterPage, other: ParameterPage) -> bool:
    if one.text or other.text:
        return one.text == other.text or bool(one.similar and one.similar == other.similar)
    return (one.plain_text, one.title) == (other.plain_text, other.title)
