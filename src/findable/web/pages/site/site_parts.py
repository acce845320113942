"""Structure of a site for its report: bars and tables in the reader's language."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from findable.capture.crawl import CrawlSummary, Group, Refusal
from findable.reports.charts import Band, ScoreColumn, bands, rating_counts, score_columns
from findable.reports.site_areas import UrlState
from findable.reports.site_structure import DepthStates, DifferingWords, Duplicates, SiteStructure, states_of
from findable.reports.titles import RATINGS, readable_url
from findable.vocabulary import Rating, words_of
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
    bands: tuple[Band, ...]
    """Parts of the bar by state."""
    more: tuple[str, ...] = ()
    """Further cells of the row."""


class BarTable(Struct, frozen=True):
    """Table with bars."""

    id: str
    title: str
    heads: tuple[str, ...]
    lines: tuple[BarLine, ...]
    note: str = ""
    legend: tuple[tuple[UrlState, str], ...] = ()
    """Colours with their meaning."""


class Zone(Struct, frozen=True):
    """Rating with its pages and its share of the scale."""

    rating: Rating
    words: str
    pages_count: int
    first: int
    """Lowest score."""
    scores_count: int


class Histogram(Struct, frozen=True):
    """Scores of the pages: columns, and the zones of the ratings."""

    columns: tuple[ScoreColumn, ...]
    zones: tuple[Zone, ...]
    """Ratings in the order of the scale."""
    words: str


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

    depths: BarTable
    histogram: Histogram | None
    """Scores of its pages; None if no page is rated."""
    tables: tuple[BarTable, ...]
    duplicates: tuple[DuplicatesView, ...]
    matrix: Matrix | None
    sitemap: tuple[FactLine, ...]


def site_parts(summary: CrawlSummary, structure: SiteStructure, pages: str, say: Translator) -> SiteParts:
    """Return the structure of a site; ``pages`` is the URL of the list of pages, empty if the list is hidden from the viewer."""
    links = PagesLinks(pages)
    tables = (
        _segments(structure, links, say),
        _templates(structure, links, say),
    )
    return SiteParts(
        depths=_depths(structure, links, say),
        histogram=_histogram(structure.scores, say),
        tables=tuple(table for table in tables if len(table.lines) > 1),
        duplicates=tuple(_duplicates(one, say) for one in structure.duplicates),
        matrix=_matrix(structure, links, say),
        sitemap=tuple(_sitemap(summary, structure, links, say)),
    )


def states_before_and_now(before: SiteStructure, now: SiteStructure, say: Translator) -> BarTable | None:
    """Return the URLs of two crawls by state; None if one of them has none."""
    shown = states_of((*before.depths, *now.depths))
    if not before.depths or not now.depths:
        return None
    both = {say("Before"): before.depths, say("Now"): now.depths}
    most = max(sum(one.urls_count for one in depths) for depths in both.values())
    lines = tuple(_state_line(name, "", depths, shown, most, say) for name, depths in both.items())
    return _state_table("states", say("Before and now"), say("Crawl"), lines, shown, say)


def _state_line(name: str, href: str, parts: Sequence[DepthStates], shown: Sequence[UrlState], most: int, say: Translator) -> BarLine:
    counts = {state: sum(one.states.get(state, 0) for one in parts) for state in shown}
    cells = tuple(say.number(count) if count else "–" for count in counts.values())
    return BarLine(name, href, say.number(sum(counts.values())), bands(counts, most), cells)


def _state_table(name: str, title: str, head: str, lines: Sequence[BarLine], shown: Sequence[UrlState], say: Translator) -> BarTable:
    legend = tuple((state, say(state.words)) for state in shown)
    return BarTable(name, title, (head, say("URLs"), *(words for _, words in legend)), tuple(lines), legend=legend)


def _depths(structure: SiteStructure, links: PagesLinks, say: Translator) -> BarTable:
    shown = states_of(structure.depths)
    most = max((one.urls_count for one in structure.depths), default=1)

    def line(name: str, href: str, parts: Sequence[DepthStates]) -> BarLine:
        return _state_line(name, href, parts, shown, most, say)

    lines = [line(say.number(one.depth), links.url(depth=one.depth), [one]) for one in structure.depths if 0 <= one.depth < MAX_DEPTHS]
    if deeper := [one for one in structure.depths if one.depth >= MAX_DEPTHS]:
        lines.append(line(say("%(depth)s and more", depth=MAX_DEPTHS), links.url(depth=f"{MAX_DEPTHS}.."), deeper))
    if nowhere := [one for one in structure.depths if one.depth < 0]:
        lines.append(line(say("not reachable by links"), "", nowhere))
    return _state_table("depth", say("Clicks from the start page"), say("Clicks"), lines, shown, say)


def _histogram(scores: Sequence[int], say: Translator) -> Histogram | None:
    if not scores:
        return None
    columns = score_columns(scores)
    zones = []
    for rating, count in reversed(tuple(rating_counts(scores).items())):
        own = [column.score for column in columns if column.rating is rating]
        words = f"{say(RATINGS[rating])}, {own[0]}–{own[-1]}"
        zones.append(Zone(rating, words, count, own[0], len(own)))
    words = ", ".join(f"{zone.words}: {say.number(zone.pages_count)}" for zone in zones)
    return Histogram(columns, tuple(zones), say("Scores of the pages: %(numbers)s", numbers=words))


def _halves(indexable: int, pages: int, most: int) -> tuple[Band, ...]:
    """Return the bar of pages, with the indexable ones first."""
    return bands({UrlState.INDEXABLE: indexable, UrlState.EXCLUDED: pages - indexable}, most)


def _segments(structure: SiteStructure, links: PagesLinks, say: Translator) -> BarTable:
    most = max((part.pages_count for part in structure.segments), default=1) or 1
    lines = tuple(
        BarLine(
            part.name,
            links.link(segment=part.name),
            say.number(part.pages_count),
            _halves(part.indexable_count, part.pages_count, most),
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
            _halves(one.indexable_count, one.pages_count, most),
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
