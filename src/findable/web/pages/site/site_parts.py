"""Structure of a site for its report: bars and tables in the reader's language."""

from collections.abc import Sequence

from msgspec import Struct

from findable.capture.site_graph import Template
from findable.reports.charts import Band, ScoreColumn, bands, rating_counts, score_columns
from findable.reports.site_areas import UrlState
from findable.reports.site_structure import DepthStates, SiteSection, SiteStructure, states_of
from findable.reports.titles import RATINGS
from findable.vocabulary import Rating
from findable.web.pages.site.pages_links import PagesLinks
from findable.wording import Translator

MAX_DEPTHS = 12
"""Number of depths with a separate bar; deeper pages share one bar."""


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


class SiteParts(Struct, frozen=True):
    """Structure of a site as bars; what else is known of it stands in the report itself."""

    depths: BarTable
    histogram: Histogram | None
    """Scores of its pages; None if no page is rated."""
    tables: tuple[BarTable, ...]


def site_parts(structure: SiteStructure, links: PagesLinks, say: Translator) -> SiteParts:
    """Return the structure of a site as bars, with links to its pages."""
    tables = (_segments(structure, links, say), _templates(structure, links, say))
    return SiteParts(
        depths=_depths(structure, links, say),
        histogram=_histogram(structure.scores, say),
        tables=tuple(table for table in tables if len(table.lines) > 1),
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


def _segments(structure: SiteStructure, links: PagesLinks, say: Translator) -> BarTable:
    rows = [(part, links.link(segment=part.name), ()) for part in structure.segments]
    return BarTable("segments", say("Segments"), (say("Segments"), say("Pages"), say("Indexable")), _indexable_lines(rows, say))


def _templates(structure: SiteStructure, links: PagesLinks, say: Translator) -> BarTable:
    rows = [
        (one, links.link(template=one.number), (say.number(one.words_median), f"{say.number(round(one.first_byte_p75_ms))} ms"))
        for one in structure.templates
    ]
    heads = (say("Templates"), say("Pages"), say("Indexable"), say("Words (median)"), say("First byte (p75)"))
    note = say("Pages with the same lists of links have one template.")
    return BarTable("templates", say("Templates"), heads, _indexable_lines(rows, say), note)


def _indexable_lines(rows: Sequence[tuple[SiteSection | Template, str, tuple[str, ...]]], say: Translator) -> tuple[BarLine, ...]:
    """Return groups of pages with the share of the indexable ones; ``rows``: group, URL of its pages, and further cells."""
    most = max((group.pages_count for group, _, _ in rows), default=1) or 1
    return tuple(
        BarLine(
            group.name,
            href,
            say.number(group.pages_count),
            bands({UrlState.INDEXABLE: group.indexable_count, UrlState.EXCLUDED: group.pages_count - group.indexable_count}, most),
            (say.number(group.indexable_count), *more),
        )
        for group, href, more in rows
    )
