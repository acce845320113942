"""Structure of a site for its report: bars and tables in the reader's language."""

from collections.abc import Sequence

from msgspec import Struct

from findable.capture.site_graph import Template
from findable.reports.charts import BarLine, BarTable, Histogram, bands, histogram
from findable.reports.site_areas import UrlState
from findable.reports.site_charts import depth_bars
from findable.reports.site_structure import SiteSection, SiteStructure
from findable.web.pages.site.filtered_list_urls import PagesLinks
from findable.wording import Translator


class SiteParts(Struct, frozen=True):
    """Structure of a site as bars; what else is known of it stands in the report itself."""

    depths: BarTable
    histogram: Histogram | None
    """Scores of its pages; None if no page is rated."""
    tables: tuple[BarTable, ...]


def site_parts(structure: SiteStructure, links: PagesLinks, say: Translator, *, with_tables: bool = True) -> SiteParts:
    """Return the structure of a site as bars, with links to its pages."""
    tables = (_segments(structure, links, say), _templates(structure, links, say)) if with_tables else ()
    return SiteParts(
        depths=depth_bars(structure, say, lambda clicks: links.url(depth=clicks)),
        histogram=histogram(structure.scores, say),
        tables=tuple(table for table in tables if len(table.lines) > 1),
    )


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
