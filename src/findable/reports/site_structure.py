"""Structure of a crawled site for its report: areas, segments, templates, duplicates, languages, sitemaps."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from findable.capture.site_graph import CrawledDuplicates, CrawledSitemap, DuplicateGroup, Template
from findable.reports.site_areas import SiteArea, UrlState

TEMPLATES = 20
GROUPS = 20
"""Maximum number of groups of duplicates per kind in a report."""
GROUP_URLS = 5


class SiteSection(Struct, frozen=True):
    """Pages of a segment or a language."""

    name: str
    pages_count: int
    indexable_count: int


class DepthStates(Struct, frozen=True):
    """URLs that are equally many clicks from the start page, by state."""

    depth: int
    """Number of clicks; negative for URLs that no link leads to."""
    states: Mapping[UrlState, int]

    @property
    def urls_count(self) -> int:
        """Number of URLs."""
        return sum(self.states.values())


class LanguagePair(Struct, frozen=True):
    """Pages of one language that declare a version in another."""

    language: str
    """Language of the pages; empty if they declare none."""
    version: str
    """Language of the version, or x-default."""
    pages_count: int


class DifferingWords(Struct, frozen=True):
    """Words that differ between the first two pages of a group of near duplicates."""

    only_first: tuple[str, ...]
    only_second: tuple[str, ...]


class Duplicates(Struct, frozen=True):
    """Groups of one kind of duplicates, the largest first."""

    kind: str
    """Kind of duplicate: title, description, h1, text or similar."""
    groups: tuple[DuplicateGroup, ...]
    groups_count: int
    words: tuple[DifferingWords | None, ...] = ()
    """Words that differ for each group of near duplicates; None if unknown."""


class SitemapFile(Struct, frozen=True):
    """Sitemap file, or robots.txt, with its response."""

    url: str
    status: int
    """HTTP status; 0 without a response."""


class SiteStructure(Struct, frozen=True):
    """Structure of a site."""

    areas: tuple[SiteArea, ...] = ()
    """Areas of the first level: folders, or hosts if the crawl covered several."""
    depths: tuple[DepthStates, ...] = ()
    """URLs by clicks from the start page; those that no link leads to come last."""
    scores: tuple[int, ...] = ()
    """Numbers of indexable pages by score from 0 to 100."""
    areas_by_colour: Mapping[str, tuple[SiteArea, ...]] = {}
    """Areas with their URLs by clicks and by length of the text, by the name of the colouring."""
    areas_by_hits: tuple[SiteArea, ...] = ()
    """Areas with their URLs by the requests of search bots; empty without access logs."""
    segments: tuple[SiteSection, ...] = ()
    templates: tuple[Template, ...] = ()
    duplicates: tuple[Duplicates, ...] = ()
    languages: tuple[SiteSection, ...] = ()
    """Pages by declared language."""
    pairs: tuple[LanguagePair, ...] = ()
    sitemap: CrawledSitemap | None = None
    robots_txt: SitemapFile | None = None
    sitemaps: tuple[SitemapFile, ...] = ()

    def version_counts(self, language: str) -> dict[str, int]:
        """Return the number of pages in a language that declare a version in another one, by the language of the version."""
        return {pair.version: pair.pages_count for pair in self.pairs if pair.language == language}


def duplicates_of(duplicates: CrawledDuplicates) -> tuple[Duplicates, ...]:
    """Return the kinds of duplicates with groups; groups that share a text are listed only as such."""
    kinds = (
        ("text", duplicates.texts, duplicates.texts_count),
        ("similar", duplicates.similar, duplicates.similar_count),
        ("title", duplicates.titles, duplicates.titles_count),
        ("description", duplicates.descriptions, duplicates.descriptions_count),
        ("h1", duplicates.headings, duplicates.headings_count),
    )
    made = []
    for kind, groups, count in kinds:
        shown = tuple(
            DuplicateGroup(group.text, group.pages_count, group.urls[:GROUP_URLS], group.same_text, group.lang) for group in groups[:GROUPS]
        )
        if shown:
            made.append(Duplicates(kind, shown, count))
    return tuple(made)


def states_of(depths: Iterable[DepthStates]) -> tuple[UrlState, ...]:
    """Return the states that URLs have, in their order."""
    found = {state for one in depths for state in one.states}
    return tuple(state for state in UrlState if state in found)
