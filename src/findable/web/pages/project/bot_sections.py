"""Requests of bots for pages: their trend, the bots, what their requests met, and parts of the site with them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise

from msgspec import Struct, structs

from findable.capture.site_hits import BotTotal, HitList, HitPart, SiteHits
from findable.reports.charts import Band, bands
from findable.reports.site_areas import UrlState
from findable.reports.titles import readable_url
from findable.service.projects.bot_overview import BotOverview
from findable.service.projects.log_imports import BotHits
from findable.web.pages.project.project_sections import Plot, PlotLine, plot_line, plot_of
from findable.web.pages.shared.untrusted_text import visible
from findable.web.pages.site.site_parts import BarLine, BarTable
from findable.wording import Translator, later

LINES = ("line-1", "line-2", "line-3", "line-4")
"""Classes of the lines of bots; more lines cannot be told apart."""
LISTED_URLS = 50
LISTED_PARTS = 15
BY_VERIFICATION: Mapping[str, str] = {
    "verified": later("Verified bots"),
    "unverified": later("Bots that cannot be verified"),
    "fake": later("Fakes: other programs that claim to be a bot"),
}
MET: Mapping[str, str] = {
    "redirects": later("Redirects"),
    "missing": later("Not found (404, 410)"),
    "errors": later("Server errors (5xx)"),
    "refused": later("Refused (401, 403, 429)"),
    "not_indexable": later("Pages that cannot be indexed"),
    "noindex": later("Pages with noindex"),
    "disallowed": later("Disallowed by robots.txt"),
    "parameters": later("URLs with parameters"),
    "unlinked": later("Pages that the crawl did not find"),
}
"""Titles of lists of `SiteHits`, in the order of the page."""


class HitRow(Struct, frozen=True):
    """URL of a list with its number of requests in words."""

    url: str
    name: str
    words: str


class HitListView(Struct, frozen=True):
    """List of URLs that is collapsed at first."""

    id: str
    title: str
    words: str
    rows: tuple[HitRow, ...]
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
    lists = [_list_view(name, title, found, say) for name, title, found in _lists(hits)]
    return BotSections(
        sentence=_sentence(hits, say),
        coverage=_coverage(hits, say),
        plot=_plot(overview.days, say),
        bots=tuple(
            _bot_table(hits, verification, title, say) for verification, title in BY_VERIFICATION.items() if hits.total(verification)
        ),
        met=_met_table(hits, say),
        parts=tuple(table for table in _part_tables(hits, say) if table.lines),
        lists=tuple(one for one in lists if one.rows),
    )


def _sentence(hits: SiteHits, say: Translator) -> str:
    if not hits.hits_count:
        return say("No verified search bot requested a page.")
    found = say.plural("Search bots sent %(count)s request", "Search bots sent %(count)s requests", hits.hits_count)
    if not hits.indexable_count:
        return f"{found}."
    share = round(100 * (hits.indexable_count - hits.never.urls_count) / hits.indexable_count)
    return say("%(found)s, for %(share)s %% of the indexable pages.", found=found, share=share)


def _coverage(hits: SiteHits, say: Translator) -> str:
    found = hits.coverage
    first, last = (say.day(_at(day), UTC) for day in (found.first_day, found.last_day))
    words = [say("Logs of %(sources)s, %(first)s to %(last)s (UTC)", sources=", ".join(found.sources), first=first, last=last)]
    if found.gaps_count:
        words.append(say.plural("%(count)s day without lines", "%(count)s days without lines", found.gaps_count))
    if found.unreadable:
        words.append(say.plural("%(count)s unreadable line", "%(count)s unreadable lines", found.unreadable))
    end = say("Pages that a CDN serves from its cache are missing in the logs of your server.")
    return f"{', '.join(words)}. {end}"


def _plot(days: Sequence[BotHits], say: Translator) -> Plot | None:
    """Return the lines of the bots with the most requests, verified ones if there are any; no line joins days with a gap between."""
    wanted = "verified" if any(one.verification == "verified" for one in days) else "unverified"
    totals: Counter[str] = Counter()
    counts: dict[tuple[str, date], int] = {}
    for one in days:
        if one.verification == wanted:
            totals[one.bot] += one.hits
            counts[one.bot, one.day] = one.hits
    known = sorted({one.day for one in days})
    if len(known) < 2 or not totals:  # noqa: PLR2004 - a line has two points
        return None
    drawn = [bot for bot, _ in totals.most_common(len(LINES))]
    gaps = [_at(day) for before, day in pairwise(known) if day - before > timedelta(days=1)]
    most = max(counts[bot, day] for bot in drawn for day in known if (bot, day) in counts)
    values = {bot: [(_at(day), counts.get((bot, day), 0)) for day in known] for bot in drawn}
    lines = tuple(_bare(plot_line(bot, kind, values[bot], most, gaps, say, UTC)) for bot, kind in zip(drawn, LINES, strict=False))
    return plot_of(say("Requests a day"), lines, (most, 0), say)


def _bare(line: PlotLine) -> PlotLine:
    """Return a line without numbers at its dots, because those of several bots would overlap."""
    return structs.replace(line, dots=tuple(structs.replace(dot, is_labelled=False) for dot in line.dots))


def _at(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)


def _bot_table(hits: SiteHits, verification: str, title: str, say: Translator) -> BarTable:
    shown = [one for one in hits.bots if one.verification == verification]
    most = shown[0].hits_count
    lines = tuple(BarLine(one.bot, "", say.number(one.hits_count), _bar(one.hits_count, most), _cells(one, say)) for one in shown)
    heads = (say("Requests"), say("URLs"), say("OK"), say("Redirects"), say("Not found"), say("Refused"), say("Server errors"))
    return BarTable(verification, say.text(title), (say("Bot"), *heads), lines)


def _bar(count: int, most: int) -> tuple[Band, ...]:
    return bands({UrlState.DAILY: count}, most)


def _cells(bot: BotTotal, say: Translator) -> tuple[str, ...]:
    classes = (("ok", "not_modified"), ("redirect",), ("missing",), ("refused",), ("server_error",))
    counts = (sum(bot.statuses.get(name, 0) for name in names) for names in classes)
    return (say.number(bot.urls_count), *(say.number(count) if count else "–" for count in counts))


def _met_table(hits: SiteHits, say: Translator) -> BarTable:
    """Return what the requests of search bots met, with links to the lists."""
    most = hits.hits_count or 1
    found = ((name, say.text(title), getattr(hits, name)) for name, title in MET.items())
    lines = tuple(
        BarLine(title, f"#list-{name}", say.number(one.hits_count), _bar(one.hits_count, most), (say.number(one.urls_count),))
        for name, title, one in found
        if one.hits_count
    )
    note = say("A request can be in several rows.") if len(lines) > 1 else ""
    return BarTable("met", say("Where requests of search bots are lost"), (say("Kind"), say("Requests"), say("URLs")), lines, note)


def _part_tables(hits: SiteHits, say: Translator) -> Iterator[BarTable]:
    parts = (
        ("by-folder", say("By folder"), hits.by_folder),
        ("by-template", say("By template"), hits.by_template),
        ("by-segment", say("By segment"), hits.by_segment),
    )
    for name, title, found in parts:
        more = (say("Indexable pages"), say("never requested")) if hits.is_joined else ()
        yield BarTable(name, title, (title, say("Requests"), *more), _part_lines(found, say, is_joined=hits.is_joined))
    lines = _part_lines(hits.by_parameter, say, is_joined=False)
    lines = tuple(
        structs.replace(line, name=f"?{line.name}=", more=(say.number(part.requested_count),))
        for line, part in zip(lines, hits.by_parameter, strict=False)
    )
    yield BarTable("by-parameter", say("By parameter"), (say("By parameter"), say("Requests"), say("URLs")), lines)


def _part_lines(parts: Sequence[HitPart], say: Translator, *, is_joined: bool) -> tuple[BarLine, ...]:
    most = max((one.hits_count for one in parts), default=1) or 1
    return tuple(
        BarLine(
            visible(one.name),
            "",
            say.number(one.hits_count),
            _bar(one.hits_count, most),
            (say.number(one.pages_count), say.number(one.pages_count - one.requested_count)) if is_joined else (),
        )
        for one in parts[:LISTED_PARTS]
    )


def _lists(hits: SiteHits) -> Iterable[tuple[str, str, HitList]]:
    yield "top", later("Requested most, by all bots but fakes"), hits.top
    yield "never", later("Indexable pages without a request of a search bot"), hits.never
    for name, title in MET.items():
        yield name, title, getattr(hits, name)


def _list_view(name: str, title: str, found: HitList, say: Translator) -> HitListView:
    rows = tuple(
        HitRow(one.url, visible(readable_url(one.url)), " · ".join(filter(None, (one.bot, _requests(one.hits_count, say)))))
        for one in found.items[:LISTED_URLS]
    )
    rest = found.urls_count - len(rows)
    more = say.plural("%(count)s more URL", "%(count)s more URLs", rest) if rest else ""
    words = say.plural("%(count)s URL", "%(count)s URLs", found.urls_count)
    return HitListView(f"list-{name}", say.text(title), words, rows, more)


def _requests(count: int, say: Translator) -> str:
    return say.plural("%(count)s request", "%(count)s requests", count) if count else ""
