"""Structure of a site for its report: bars and tables in the reader's language."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from findable.capture.crawl import CrawlSummary, Group, Refusal
from findable.reports.site_structure import DifferingWords, Duplicates, SiteStructure
from findable.reports.titles import readable_url
from findable.vocabulary import words_of
from findable.web.pages.site.pages_links import PagesLinks
from findable.wording import Translator, later

MAX_DEPTHS = 12
"""Number of depths with a separate bar; deeper pages share one bar."""
KIND_TITLES: Mapping[str, str] = {
    "text": later("Same text"),
    "similar": later("Nearly the same text"),
    "title": later("Same title"),
    "description": later("Same meta description"),
    "h1": later("Same main heading"),
}
GROUPS_OPEN = 5
"""Groups of duplicates that are not collapsed."""


class BarLine(Struct, frozen=True):
    """Row of a table, with a bar for its number."""

    name: str
    href: str
    """URL of the list of its pages; empty if there is none."""
    count: str
    percent: float
    """Length of the bar from 0 to 100."""
    inner: float
    """Length of the part for indexable pages."""
    more: tuple[str, ...] = ()
    """Further cells of the row."""


class BarTable(Struct, frozen=True):
    """Table with bars."""

    id: str
    title: str
    heads: tuple[str, ...]
    lines: tuple[BarLine, ...]
    note: str = ""


class GroupUrl(Struct, frozen=True):
    """Page of a group of duplicates."""

    url: str
    name: str


class GroupLine(Struct, frozen=True):
    """Group of pages with duplicate content or metadata."""

    text: str
    """Shared text; for main texts, the title of the first page."""
    count: str
    urls: tuple[GroupUrl, ...]
    more: str
    """Number of further pages in words; empty for none."""
    words: DifferingWords | None


class DuplicatesView(Struct, frozen=True):
    """Groups of duplicates of one kind."""

    title: str
    count: str
    """Number of groups, in words."""
    groups: tuple[GroupLine, ...]
    rest: tuple[GroupLine, ...]
    """Groups that are collapsed at first."""


class MatrixRow(Struct, frozen=True):
    """Row of one language, with the numbers of its versions."""

    name: str
    pages: str
    href: str
    cells: tuple[str, ...]


class Matrix(Struct, frozen=True):
    """Language versions as a matrix: language of the pages by language of the version."""

    heads: tuple[str, ...]
    rows: tuple[MatrixRow, ...]


class FactLine(Struct, frozen=True):
    """Number or text with its name, and a link to the pages that it counts."""

    name: str
    value: str
    href: str = ""


class SkippedUrls(Struct, frozen=True):
    """URLs that were not requested for a common reason."""

    name: str
    value: str
    urls: tuple[GroupUrl, ...] = ()
    """First of these URLs."""


class SiteParts(Struct, frozen=True):
    """Structure of a site: tables, duplicates, language versions and sitemaps."""

    tables: tuple[BarTable, ...]
    duplicates: tuple[DuplicatesView, ...]
    matrix: Matrix | None
    sitemap: tuple[FactLine, ...]


def site_parts(summary: CrawlSummary, structure: SiteStructure, pages: str, say: Translator) -> SiteParts:
    """Return the structure of a site; ``pages`` is the URL of the list of pages, empty if the list is hidden from the viewer."""
    links = PagesLinks(pages)
    tables = (
        _depths(summary, links, say),
        _segments(structure, links, say),
        _templates(structure, links, say),
    )
    return SiteParts(
        tables=tuple(table for table in tables if len(table.lines) > 1 or (table.lines and table.id == "depth")),
        duplicates=tuple(_duplicates(one, say) for one in structure.duplicates),
        matrix=_matrix(structure, links, say),
        sitemap=tuple(_sitemap(summary, structure, links, say)),
    )


def _depths(summary: CrawlSummary, links: PagesLinks, say: Translator) -> BarTable:
    known = sorted((depth, count) for depth, count in summary.by_depth if depth >= 0)
    nowhere = sum(count for depth, count in summary.by_depth if depth < 0)
    shown = [(say.number(depth), links.link(depth=depth), count) for depth, count in known if depth < MAX_DEPTHS]
    if deeper := sum(count for depth, count in known if depth >= MAX_DEPTHS):
        shown.append((say("%(depth)s and more", depth=MAX_DEPTHS), links.link(depth=f"{MAX_DEPTHS}.."), deeper))
    if nowhere:
        shown.append((say("not reachable by links"), "", nowhere))
    most = max((count for _, _, count in shown), default=1)
    lines = tuple(BarLine(name, href, say.number(count), 100 * count / most, 0) for name, href, count in shown)
    return BarTable("depth", say("Clicks from the start page"), (say("Clicks"), say("Pages")), lines)


def _segments(structure: SiteStructure, links: PagesLinks, say: Translator) -> BarTable:
    most = max((part.pages_count for part in structure.segments), default=1) or 1
    lines = tuple(
        BarLine(
            part.name,
            links.link(segment=part.name),
            say.number(part.pages_count),
            100 * part.pages_count / most,
            100 * part.indexable_count / most,
            (say.number(part.indexable_count),),
        )
        for part in structure.segments
    )
    return BarTable("segments", say("Segments"), (say("Segments"), say("Pages"), say("Indexable")), lines)


def _templates(structure: SiteStructure, links: PagesLinks, say: Translator) -> BarTable:
    most = max((one.pages_count for one in structure.templates), default=1) or 1
    lines = tuple(
        BarLine(
            one.name,
            links.link(template=one.number),
            say.number(one.pages_count),
            100 * one.pages_count / most,
            100 * one.indexable_count / most,
            (say.number(one.indexable_count), say.number(one.words_median), f"{say.number(round(one.first_byte_p75_ms))} ms"),
        )
        for one in structure.templates
    )
    heads = (say("Templates"), say("Pages"), say("Indexable"), say("Words (median)"), say("First byte (p75)"))
    return BarTable("templates", say("Templates"), heads, lines, say("Pages with the same lists of links have one template."))


def _duplicates(duplicates: Duplicates, say: Translator) -> DuplicatesView:
    words = duplicates.words or (None,) * len(duplicates.groups)
    lines = tuple(
        GroupLine(
            group.text,
            say.plural("%(count)s page", "%(count)s pages", group.pages_count),
            tuple(GroupUrl(url, readable_url(url)) for url in group.urls),
            say.plural("%(count)s more page", "%(count)s more pages", rest) if (rest := group.pages_count - len(group.urls)) > 0 else "",
            told,
        )
        for group, told in zip(duplicates.groups, words, strict=True)
    )
    count = say.plural("%(count)s group", "%(count)s groups", duplicates.groups_count)
    return DuplicatesView(say(KIND_TITLES[duplicates.kind]), count, lines[:GROUPS_OPEN], lines[GROUPS_OPEN:])


def _matrix(structure: SiteStructure, links: PagesLinks, say: Translator) -> Matrix | None:
    if not structure.pairs:
        return None
    heads = tuple(dict.fromkeys(pair.version for pair in structure.pairs))
    counts = {(pair.language, pair.version): pair.pages_count for pair in structure.pairs}
    rows = tuple(
        MatrixRow(
            part.name or say("not declared"),
            say.number(part.pages_count),
            links.link(lang=part.name) if part.name else "",
            tuple(say.number(counts[part.name, head]) if (part.name, head) in counts else "–" for head in heads),
        )
        for part in structure.languages
    )
    return Matrix(heads, rows)


def _sitemap(summary: CrawlSummary, structure: SiteStructure, links: PagesLinks, say: Translator) -> Iterator[FactLine]:
    if structure.robots_txt is not None:
        yield FactLine(structure.robots_txt.url, _response(structure.robots_txt.status, say))
    for file in structure.sitemaps:
        yield FactLine(file.url, _response(file.status, say))
    sitemap = structure.sitemap
    if sitemap is None or (summary.is_limited and not sitemap.entries_count):  # a crawl of a list reads no sitemap
        return
    yield FactLine(say("URLs in sitemaps"), say.number(sitemap.entries_count), links.url(in_sitemap=1) if sitemap.entries_count else "")
    if sitemap.not_ok_count:
        yield FactLine(
            say("of these with a status other than 200"), say.number(sitemap.not_ok_count), links.url(in_sitemap=1, status="300..599")
        )
    groups: tuple[tuple[Group | None, str, dict[str, str | int]], ...] = (
        (sitemap.noindex, say("of these with noindex"), {"in_sitemap": 1, "reason": "noindex"}),
        (sitemap.canonicalised, say("of these with another canonical URL"), {"in_sitemap": 1, "reason": "canonical"}),
        (sitemap.disallowed, say("of these disallowed by robots.txt"), {}),
        (sitemap.missing, say("indexable pages in no sitemap"), {"in_sitemap": 0, "indexable": 1}),
    )
    for group, words, query in groups:
        if group is not None:
            yield FactLine(words, say.number(group.pages_count), links.url(**query) if query else "")


def _response(status: int, say: Translator) -> str:
    return str(status) if status else say("no response")


def skipped_urls(groups: Iterable[Group], counts: Mapping[str, int], say: Translator) -> tuple[SkippedUrls, ...]:
    """Return the URLs that were not requested, by reason, most frequent first."""
    first = {group.name: group.urls for group in groups}
    return tuple(
        SkippedUrls(
            say.text(words_of("refusal", name) or name),
            say.number(count),
            tuple(GroupUrl(url, readable_url(url)) for url in first.get(name, ())),
        )
        for name, count in sorted(counts.items(), key=lambda item: -item[1])
        if name in set(Refusal)
    )
