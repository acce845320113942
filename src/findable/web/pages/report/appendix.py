"""Facts of a page for the appendix of its report: one section per subject, with tables, trees and bars."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec import Struct, UnsetType

from findable.reports.browser_visit_words import visit_sentences
from findable.reports.browser_words import COLUMNS, TITLE, compared_columns, compared_rows, lab_rows, lab_sentences
from findable.reports.charts import PairTable
from findable.reports.facts import Facts
from findable.reports.facts.browser_facts import BrowserFacts
from findable.reports.facts.content_facts import DataItemFact, HeadingFact, StructuredDataFacts
from findable.reports.facts.delivery_facts import HopFacts, TimingFacts
from findable.reports.messages import format_value
from findable.reports.page_charts import weight_pairs
from findable.reports.previews import SearchResult, results_before_and_after
from findable.reports.reported_finding import ReportedFinding, in_language
from findable.vocabulary import Category
from findable.web.pages.report.detail_tables import DetailQuery, DetailTable, detail_table
from findable.web.pages.report.fact_names import fact_name, fact_word
from findable.web.pages.report.fact_values import Rows, Shape, Value, is_empty, shape_of, value_of
from findable.web.pages.report.filmstrip import Filmstrip, filmstrip
from findable.web.pages.report.request_waterfall import Waterfall, waterfall
from findable.web.pages.shared.score_bar import Meter
from findable.web.query_strings import url_with
from findable.wording import Translator, later

MAX_HEADINGS = 100
"""Maximum number of headings in the tree; the table contains all."""


class Outline(Struct, frozen=True):
    """Headings as a tree."""

    kind: ClassVar[str] = "outline"
    items: tuple[HeadingFact, ...]
    table: DetailTable | None
    """Table of all headings, for its URLs."""


class DataProperty(Struct, frozen=True):
    """Property of an item of structured data."""

    name: str
    texts: tuple[str, ...]
    items: tuple["DataItem", ...]


class DataItem(Struct, frozen=True):
    """Item of structured data."""

    types: str
    origin: str
    """Syntax and line, in words."""
    faults: tuple[str, ...]
    """Texts of the findings about it."""
    properties: tuple[DataProperty, ...]


class DataTree(Struct, frozen=True):
    """Structured data as a tree."""

    kind: ClassVar[str] = "data_tree"
    faults: tuple[str, ...]
    """Faults outside items, such as scripts that cannot be parsed."""
    items: tuple[DataItem, ...]


class Bars(Struct, frozen=True):
    """Values of one unit as bars."""

    kind: ClassVar[str] = "bars"
    lines: tuple[Meter, ...]


class Snippets(Struct, frozen=True):
    """Search result previews, side by side."""

    kind: ClassVar[str] = "snippets"
    results: tuple[SearchResult, ...]


class Block(Struct, frozen=True):
    """Table, list or chart in a section of the appendix."""

    name: str
    """Title; empty if the section has no other part."""
    shape: Shape | Outline | DataTree | Bars | PairTable | DetailTable | Waterfall | Filmstrip | Snippets


class Section(Struct, frozen=True):
    """Section of the appendix."""

    id: str
    name: str
    count: str
    """Number of items; empty if the section is not a list."""
    blocks: tuple[Block, ...]


def sections(
    facts: Facts,
    say: Translator,
    page: str = "",
    query_parameters: Mapping[str, str] | None = None,
    findings: Sequence[ReportedFinding] = (),
    film: str = "",
) -> tuple[Section, ...]:
    """Return the non-empty sections of the appendix.

    ``page`` is the path of the report; each of its lists has a separate page, with ``query_parameters`` in its URL. ``film`` is the
    URL of the image with the frames of a load; empty for none.
    """
    made = _Sections(facts, say, page, DetailQuery(other_parameters=query_parameters or {}), findings, film)
    wanted = (
        (
            "links",
            later("Links"),
            made.number("links", facts.links_left_count),
            [*made.lists("links", "hosts"), *made.plain("link_counts")],
        ),
        ("images", later("Images"), made.number("images"), made.lists("images")),
        ("headings", later("Headings"), "", made.outline()),
        (
            "text",
            later("Title and text"),
            "",
            made.plain("kind", "title", "description", "words", "language", "declared_charset", "address"),
        ),
        ("keywords", later("Keywords"), "", made.lists("words", "pairs", "triples")),
        ("data", later("Structured data"), made.data_count(), made.data()),
        ("social", later("Social tags"), "", made.lists("tags")),
        ("indexing", later("Indexing"), "", [*made.plain("canonical", "robots_directives", "sitemap"), *made.lists("hreflang")]),
        ("crawlers", later("Crawlers and robots.txt"), "", [*made.lists("crawlers"), *made.robots()]),
        ("times", later("Redirects and times"), made.total_response_time(), [*made.times(), *made.plain("redirects", "variants")]),
        ("weight", later("Page weight"), made.weight(), [*made.by_type(), *made.lists("files")]),
        ("browser", later("In a browser"), "", made.browser()),
        ("headers", later("Headers and security"), "", [*made.lists("headers", "cookies"), *made.plain("security", "tls")]),
        ("markup", later("Markup and technologies"), "", made.plain("dom", "forms", "technologies")),
    )
    found = (Section(name, say(title), count, tuple(blocks)) for name, title, count, blocks in wanted)
    return tuple(section for section in found if section.blocks)


class _Sections(Struct, frozen=True):
    facts: Facts
    say: Translator
    page: str
    query: DetailQuery
    findings: Sequence[ReportedFinding]
    film: str

    def number(self, name: str, left: int | UnsetType = 0) -> str:
        found = getattr(self.facts, name)
        count = getattr(self.facts, f"{name}_count", None)
        return self.say.number(max(count or 0, len(found) + (left or 0))) if found else ""

    def plain(self, *names: str) -> Iterator[Block]:
        for name in names:
            value = getattr(self.facts, name)
            if not is_empty(value):
                yield Block(fact_name(name, self.say), shape_of(name, value, self.say))

    def lists(self, *names: str) -> Iterator[Block]:
        for name in names:
            table = detail_table(name, self.facts, self.say, f"{self.page}/details/{name}" if self.page else "", self.query)
            if table:
                yield Block(table.title, table)

    def outline(self) -> Iterator[Block]:
        if self.facts.headings and self.facts.headings.outline:
            items = self.facts.headings.outline[:MAX_HEADINGS]
            href = f"{self.page}/details/headings" if self.page else ""
            table = detail_table("headings", self.facts, self.say, href, self.query)
            yield Block("", Outline(tuple(items), table))

    def data_count(self) -> str:
        data = self.facts.structured_data
        return self.say.number(data.items_count) if data and data.items_count else ""

    def data(self) -> Iterator[Block]:
        data = self.facts.structured_data
        if data and (data.items or data.blocks):
            yield Block("", _Tree(self.say, list(self._faults())).build(data))

    def _faults(self) -> Iterator[tuple[int | None, str]]:
        """Yield line number and text of each finding about structured data; None as the line if it is unknown."""
        for finding in self.findings:
            if finding.category == Category.STRUCTURED_DATA and finding.has_problem:
                summary = finding.summary(self.say)
                for item in finding.evidence:
                    note = in_language(item, self.say).note
                    yield item.line, f"{summary}: {note}" if note else summary

    def robots(self) -> Iterator[Block]:
        found = self.facts.robots
        if found:
            shown = {name: getattr(found, name) for name in found.__struct_fields__ if name != "bots"}
            yield Block(fact_name("robots", self.say), shape_of("robots", shown, self.say))

    def total_response_time(self) -> str:
        timings = self.facts.timings
        return format_value("_ms", sum(hop.last_byte_ms for hop in timings.hops), self.say) if timings else ""

    def times(self) -> Iterator[Block]:
        if self.facts.timings and self.facts.timings.hops:
            yield Block(self.say("Responses"), Bars(tuple(_times(self.facts.timings, self.say))))

    def browser(self) -> Iterator[Block]:
        found = self.facts.browser
        if found:
            names = ("console", "failed_requests", "blocked_by_robots")
            values = {
                name: getattr(found, name)
                for name in (
                    "browser",
                    "axe_version",
                    "after_scripts",
                    "scripts_build",
                    "leads_to",
                    "cookie_banner",
                    "cookie_banner_percent",
                )
            }
            yield Block("", shape_of("browser", values, self.say))
            if said := tuple((Value(sentence),) for sentence in visit_sentences(found, self.say)):
                yield Block("", Rows((), said, 0))
            yield from self._lab(found)
            if found.requests:
                yield Block(self.say("Waterfall"), waterfall(found.requests, self._har_url(), self.say))
                yield from self.lists("requests")
            yield from self._compared(found)
            for name in names:
                if rows := getattr(found, name):
                    yield Block(fact_name(name, self.say), shape_of(name, rows, self.say))

    def _lab(self, browser: BrowserFacts) -> Iterator[Block]:
        title = self.say(TITLE)
        if self.film and browser.filmstrip:
            yield Block(title, filmstrip(browser.filmstrip, self.film, self.say))
            title = ""
        if values := lab_rows(browser, self.say):
            rows = tuple((Value(row.name), Value(row.median), Value(row.spread)) for row in values)
            yield Block(title, Rows(tuple(self.say(name) for name in COLUMNS), rows, 0))
            yield Block("", Rows((), tuple((Value(sentence),) for sentence in lab_sentences(browser, self.say)), 0))

    def _compared(self, browser: BrowserFacts) -> Iterator[Block]:
        title = fact_name("compared", self.say)
        if results := results_before_and_after(browser, self.say):
            yield Block(title, Snippets(results))
            title = ""
        if rows := compared_rows(browser, self.say):
            values = tuple((Value(row.name), *(value_of("compared", text, self.say) for text in row.values)) for row in rows)
            yield Block(title, Rows(compared_columns(browser, self.say), values, 0))

    def _har_url(self) -> str:
        """Return the URL of the HAR file of the shown run; empty if the page has no files."""
        return url_with(f"{self.page}/report.har", self.query.other_parameters) if self.page else ""

    def weight(self) -> str:
        found = self.facts.resources
        return format_value("_bytes", found.html_bytes + sum(one.known_bytes for one in found.by_type), self.say) if found else ""

    def by_type(self) -> Iterator[Block]:
        if self.facts.resources:
            table = weight_pairs(self.facts.resources, self.say)
            yield Block(table.title, table)


class _Tree:
    """Builder of a `DataTree`, which attaches each fault to the first item of its line."""

    def __init__(self, say: Translator, faults: list[tuple[int | None, str]]) -> None:
        self._say, self._faults = say, faults

    def build(self, data: StructuredDataFacts) -> DataTree:
        items = tuple(self._item(item) for item in data.items)
        broken = [fact_word("reason", block.reason, self._say) for block in data.blocks if block.reason]
        return DataTree((*dict.fromkeys(broken), *dict.fromkeys(words for _, words in self._faults)), items)

    def _item(self, item: DataItemFact, line: int | None = None) -> DataItem:
        faults: tuple[str, ...] = ()
        if item.line != line:
            faults = tuple(dict.fromkeys(words for at, words in self._faults if at is not None and at == item.line))
            self._faults = [fault for fault in self._faults if fault[1] not in faults]
        origin = [item.syntax, self._say("Line %(line)s", line=self._say.number(item.line)) if item.line else ""]
        return DataItem(
            types=", ".join(item.types),
            origin=" · ".join(part for part in origin if part),
            faults=faults,
            properties=tuple(self._property(name, values, item.line) for name, values in item.properties.items()),
        )

    def _property(self, name: str, values: Sequence[str | DataItemFact], line: int | None) -> DataProperty:
        items = tuple(self._item(value, line) for value in values if isinstance(value, DataItemFact))
        return DataProperty(name, tuple(value for value in values if isinstance(value, str)), items)


_PHASES: Mapping[str, str] = {
    "dns_ms": later("DNS lookup"),
    "connect_ms": later("Connecting"),
    "tls_ms": later("TLS handshake"),
    "wait_ms": later("Waiting for the response"),
}


def _times(timings: TimingFacts, say: Translator) -> Iterator[Meter]:
    """Yield the duration of each response (redirects, then the page), then the phases of the page's response."""
    longest = max(hop.last_byte_ms for hop in timings.hops) or 1
    for hop in timings.hops:
        yield _time_meter(f"{hop.status} {hop.url}", hop.last_byte_ms, longest, say)
    for name, milliseconds in _phases(timings.hops[-1], say):
        yield _time_meter(name, milliseconds, longest, say)


def _phases(hop: HopFacts, say: Translator) -> Iterator[tuple[str, float]]:
    for name, words in _PHASES.items():
        if getattr(hop, name):
            yield say(words), getattr(hop, name)
    yield say("Receiving"), max(0, hop.last_byte_ms - hop.first_byte_ms)


def _time_meter(name: str, milliseconds: float, longest: float, say: Translator) -> Meter:
    return Meter(name, round(100 * milliseconds / longest, 1), format_value("_ms", milliseconds, say))
