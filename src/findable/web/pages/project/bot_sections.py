"""Requests of bots for pages: their trend, the bots, what their requests met, and parts of the site with them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, timedelta
from itertools import pairwise

from msgspec import Struct, structs

from findable.capture.site_hits import HitList, HitPart, LogCoverage, SiteHits
from findable.reports import hit_words
from findable.reports.charts import Band, BarLine, BarTable, bands
from findable.reports.site_areas import UrlState
from findable.service.projects.bot_hits import BotHits
from findable.service.projects.bot_overview import BotOverview
from findable.web.pages.shared.plots import Plot, PlotLine, plot_line, plot_of
from findable.web.pages.shared.untrusted_text import visible
from findable.wording import Translator, later

LINES = ("line-1", "line-2", "line-3", "line-4")
"""Classes of the lines of bots; more lines cannot be told apart."""
LISTED_URLS = 50
LISTED_PARTS = 15


class HitListView(Struct, frozen=True):
    """List of URLs that is collapsed at first."""

    id: str
    title: str
    words: str
    rows: tuple[tuple[str, str], ...]
    """URLs, each with its number of requests in words."""
    more: str
    """Number of URLs that are not listed, in words; empty for none."""


class BotSections(Struct, frozen=True):
    """Requests of bots, ready for the template."""

    sentence: str
    coverage: str
    plot: Plot | None
    bots: tuple[BarTable, ...]
    """One table for each verification, so that fakes are in no sum."""
    met: BarTable
    parts: tuple[BarTable, ...]
    lists: tuple[HitListView, ...]


def bot_sections(overview: BotOverview, say: Translator) -> BotSections | None:
    """Return the requests of bots; None without logs."""
    hits = overview.hits
    if hits is None:
        return None
    lists = [*_new_pages(hits, say), *(_url_list(name, title, found, say) for name, title, found in _lists(hits))]
    return BotSections(
        sentence=hit_words.sentence(hits, say),
        coverage=hit_words.coverage(hits.coverage, say),
        plot=_plot(overview.days, hits.coverage, say),
        bots=tuple(_bot_table(hits, name, title, say) for name, title in hit_words.BY_VERIFICATION.items() if hits.total(name)),
        met=_met_table(hits, say),
        parts=tuple(table for table in _part_tables(hits, say) if table.lines),
        lists=tuple(one for one in lists if one.rows),
    )


def _plot(days: Sequence[BotHits], coverage: LogCoverage, say: Translator) -> Plot | None:
    """Return the lines of the bots with the most requests, verified ones if there are any; no line joins days with a gap between."""
    wanted = "verified" if any(one.verification == "verified" for one in days) else "unverified"
    totals: Counter[str] = Counter()
    counts: dict[tuple[str, date], int] = {}
    for one in days:
        if one.verification == wanted:
            totals[one.bot] += one.hits
            counts[one.bot, one.day] = one.hits
    every = range((coverage.last_day - coverage.first_day).days + 1)
    known = sorted({coverage.first_day + timedelta(past) for past in every}.difference(coverage.missing_days))
    if len(known) < 2 or not totals:  # noqa: PLR2004 - a line has two points
        return None
    drawn = [bot for bot, _ in totals.most_common(len(LINES))]
    ends = [place for place, (before, day) in enumerate(pairwise(known), 1) if day - before > timedelta(days=1)]
    gaps = [hit_words.at(known[place]) for place in ends]
    most = max(counts[bot, day] for bot in drawn for day in known if (bot, day) in counts)
    values = {bot: [(hit_words.at(day), counts.get((bot, day), 0)) for day in known] for bot in drawn}
    lines = tuple(_bare(plot_line(bot, kind, values[bot], most, gaps, say, UTC)) for bot, kind in zip(drawn, LINES, strict=False))
    places = [dot.x for dot in lines[0].dots]
    shaded = tuple((places[end - 1], round(places[end] - places[end - 1], 1)) for end in ends)
    plot = plot_of(say("Requests a day"), lines, (most, 0), say)
    return structs.replace(plot, gaps=shaded, note=say("grey: days without a log")) if shaded else plot


def _bare(line: PlotLine) -> PlotLine:
    """Return a line without numbers at its dots, because those of several bots would overlap."""
    return structs.replace(line, dots=tuple(structs.replace(dot, is_labelled=False) for dot in line.dots))


def _bot_table(hits: SiteHits, verification: str, title: str, say: Translator) -> BarTable:
    shown = [one for one in hits.bots if one.verification == verification]
    most = shown[0].hits_count
    has_share = bool(hits.indexable_count)
    lines = tuple(
        BarLine(
            one.bot,
            "",
            count,
            _bar(one.hits_count, most),
            (*more, *((f"{round(100 * one.indexable_count / hits.indexable_count)} %",) if has_share else ())),
        )
        for one in shown
        for count, *more in (hit_words.cells(one, say),)
    )
    heads = (*hit_words.heads(say), *((say("Of the indexable pages"),) if has_share else ()))
    return BarTable(verification, say.text(title), heads, lines, say.text(hit_words.NOTES.get(verification, "")))


def _bar(count: int, most: int) -> tuple[Band, ...]:
    return bands({UrlState.DAILY: count}, most)


def _met_table(hits: SiteHits, say: Translator) -> BarTable:
    """Return what the requests of search bots met, with links to the lists."""
    most = hits.hits_count or 1
    found = ((name, say.text(title), getattr(hits, name)) for name, title in hit_words.MET.items())
    lines = tuple(
        BarLine(title, f"#list-{name}", say.number(one.hits_count), _bar(one.hits_count, most), (say.number(one.urls_count),))
        for name, title, one in found
        if one.hits_count
    )
    note = say("A request can be in several rows.") if len(lines) > 1 else ""
    return BarTable("met", say("Where requests of search bots are lost"), (say("Kind"), say("Requests"), say("URLs")), lines, note)


def _part_tables(hits: SiteHits, say: Translator) -> Iterator[BarTable]:
    more = (say("Indexable pages"), say("never requested")) if hits.is_joined else ()
    for name, title, parts in (
        ("by-folder", say("By folder"), hits.by_folder),
        ("by-template", say("By template"), hits.by_template),
        ("by-segment", say("By segment"), hits.by_segment),
    ):
        rows = [(visible(one.name), (one.pages_count, one.pages_count - one.requested_count) if more else ()) for one in parts]
        yield _part_table(name, (title, say("Requests"), *more), parts, rows, say)
    parameters = [(f"?{visible(one.name)}=", (one.requested_count,)) for one in hits.by_parameter]
    yield _part_table("by-parameter", (say("By parameter"), say("Requests"), say("URLs")), hits.by_parameter, parameters, say)


def _part_table(
    name: str, heads: tuple[str, ...], parts: Sequence[HitPart], rows: Sequence[tuple[str, tuple[int, ...]]], say: Translator
) -> BarTable:
    """Return the table of the first parts; its last column has the requests for pages that cannot be indexed, if there are any."""
    most = max((one.hits_count for one in parts), default=1) or 1
    is_wasted = any(one.wasted_count for one in parts)
    lines = tuple(
        BarLine(
            title,
            "",
            say.number(one.hits_count),
            _bar(one.hits_count, most),
            tuple(map(say.number, (*counts, one.wasted_count) if is_wasted else counts)),
        )
        for one, (title, counts) in zip(parts[:LISTED_PARTS], rows, strict=False)
    )
    return BarTable(name, heads[0], (*heads, say("for pages that cannot be indexed")) if is_wasted else heads, lines)


def _lists(hits: SiteHits) -> Iterable[tuple[str, str, HitList]]:
    yield "top", later("Requested most, by all bots but fakes"), hits.top
    yield "never", later("Indexable pages without a request of a search bot"), hits.never
    for name, title in hit_words.MET.items():
        yield name, title, getattr(hits, name)


def _new_pages(hits: SiteHits, say: Translator) -> Iterator[HitListView]:
    found = hits.new_pages
    if found is not None:
        rows = tuple((one.url, hit_words.wait(one, hits.coverage.last_day, say)) for one in found.items[:LISTED_URLS])
        yield _list_view("new", say("New pages and their first request"), hit_words.new_pages(found, say), rows, found.pages_count, say)


def _url_list(name: str, title: str, found: HitList, say: Translator) -> HitListView:
    rows = tuple((one.url, " · ".join(filter(None, (one.bot, _requests(one.hits_count, say))))) for one in found.items[:LISTED_URLS])
    words = say.plural("%(count)s URL", "%(count)s URLs", found.urls_count)
    return _list_view(name, say.text(title), words, rows, found.urls_count, say)


def _list_view(name: str, title: str, words: str, rows: tuple[tuple[str, str], ...], total: int, say: Translator) -> HitListView:
    more = total - len(rows)
    return HitListView(f"list-{name}", title, words, rows, say.plural("%(count)s more URL", "%(count)s more URLs", more) if more else "")


def _requests(count: int, say: Translator) -> str:
    return say.plural("%(count)s request", "%(count)s requests", count) if count else ""
