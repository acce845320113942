"""Long lists of a report's facts as tables with sorting, filters and CSV."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from msgspec import UNSET, Struct, structs

from findable.reports.facts import Facts
from findable.web.pages.report.fact_names import fact_name, fact_word
from findable.web.pages.report.fact_values import Value, cell, is_empty, value_of
from findable.web.pages.result.findings_table import Facet
from findable.web.pages.shared.form_fields import Choice, SortedColumn
from findable.web.query_strings import text_of, url_with
from findable.wording import Translator, later

ROWS_IN_REPORT = 15
"""Number of rows of a table in the report itself."""
MAX_CHOICES = 12
"""Maximum number of distinct values of a column with a choice filter."""
_LONGEST_TEXT = 200
ANY = "any"
"""Value of a filter for all rows that have a value in the column."""


class DetailList(Struct, frozen=True):
    """Definition of a list of facts: its title, rows and columns."""

    title: str
    rows: Callable[[Facts], Sequence[Struct] | None]
    columns: tuple[str, ...]
    """Members in order, the most significant first."""
    choice_columns: tuple[str, ...] = ()
    """Columns with a choice filter."""
    omitted_count: Callable[[Facts], int] = lambda _: 0
    """Number of items that the report omits."""


def _omitted_count(count: str, name: str) -> Callable[[Facts], int]:
    return lambda facts: max(0, (getattr(facts, count) or 0) - len(getattr(facts, name) or ()))


_WORD = ("term", "count", "in_title", "in_heading", "in_description", "in_url", "in_alt")
LISTS: Mapping[str, DetailList] = {
    "links": DetailList(
        later("Links"),
        lambda facts: facts.links or None,
        ("anchor_text", "url", "status", "redirect_status", "final_url", "state", "kind", "region", "rel", "line"),
        ("state", "status", "redirect_status", "kind", "region", "rel"),
        lambda facts: facts.links_left_count or 0,
    ),
    "hosts": DetailList(later("Hosts linked to most"), lambda facts: facts.top_hosts or None, ("host", "links_count")),
    "images": DetailList(
        later("Images"),
        lambda facts: facts.images or None,
        ("url", "alt", "bytes", "width_px", "height_px", "format", "loading", "status", "kind"),
        ("format", "loading", "status", "kind"),
        _omitted_count("images_count", "images"),
    ),
    "headings": DetailList(
        later("Headings"),
        lambda facts: facts.headings.outline if facts.headings else None,
        ("text", "level", "line", "hidden"),
        ("level",),
        lambda facts: facts.headings.left_count if facts.headings else 0,
    ),
    "words": DetailList(later("Words"), lambda facts: facts.keywords.single if facts.keywords else None, _WORD),
    "pairs": DetailList(later("Two-word phrases"), lambda facts: facts.keywords.pairs if facts.keywords else None, _WORD),
    "triples": DetailList(later("Three-word phrases"), lambda facts: facts.keywords.triples if facts.keywords else None, _WORD),
    "files": DetailList(
        later("Largest files"), lambda facts: facts.resources.largest if facts.resources else None, ("url", "type", "bytes"), ("type",)
    ),
    "requests": DetailList(
        later("Requests in the browser"),
        lambda facts: facts.browser.requests if facts.browser else None,
        ("url", "type", "status", "bytes", "body_bytes", "start_ms", "end_ms", "protocol", "third_party"),
        ("type", "status", "protocol"),
        lambda facts: max(0, facts.browser.requests_count - len(facts.browser.requests)) if facts.browser else 0,
    ),
    "crawlers": DetailList(
        later("Crawlers"),
        lambda facts: facts.robots.bots if facts.robots else None,
        ("token", "allowed", "operator", "purpose", "rule", "line"),
        ("allowed", "purpose", "operator"),
    ),
    "headers": DetailList(
        later("Response headers"),
        lambda facts: facts.headers or None,
        ("name", "value"),
        omitted_count=_omitted_count("headers_count", "headers"),
    ),
    "cookies": DetailList(
        later("Cookies"),
        lambda facts: facts.cookies or None,
        ("name", "secure", "http_only", "same_site", "domain", "path", "expired"),
        omitted_count=_omitted_count("cookies_count", "cookies"),
    ),
    "hreflang": DetailList(
        later("Language versions"),
        lambda facts: facts.hreflang or None,
        ("code", "url", "source", "line", "usable", "fault"),
        ("source", "usable"),
        _omitted_count("hreflang_count", "hreflang"),
    ),
    "tags": DetailList(later("Social tags"), lambda facts: facts.social.tags if facts.social else None, ("name", "content")),
}
"""Lists by their name in URLs."""


class DetailQuery(Struct, frozen=True):
    """Sorting and filters chosen by the reader. Empty values select nothing."""

    sort: str = ""
    """Sort column, with ``-`` for descending order."""
    values: Mapping[str, str] = {}
    """Selected values by column."""
    other_parameters: Mapping[str, str] = {}
    """Further parameters: run and language."""

    def parameters(self) -> dict[str, str]:
        """Return the URL parameters of this choice."""
        return {**self.other_parameters, **({"sort": self.sort} if self.sort else {}), **self.values}


class DetailTable(Struct, frozen=True):
    """List as a table, ready for the template."""

    kind: ClassVar[str] = "table"
    """Kind of shape, for templates."""
    name: str
    title: str
    columns: tuple[SortedColumn, ...]
    rows: tuple[tuple[Value, ...], ...]
    """Rows that match, in the report the first."""
    matches_count: int
    """Number of rows that match."""
    total: int
    omitted_count: int
    """Number of items that the report omits."""
    href: str
    """URL of the whole list; empty if it has no page."""
    csv: str
    """URL of the matching rows as CSV; empty if there is none."""
    filters: tuple[Facet, ...] = ()
    action: str = ""
    """Path of the list's page."""
    hidden_fields: tuple[tuple[str, str], ...] = ()
    """Other parameters of the query, for the form."""


def detail_query(name: str, query: Mapping[str, object]) -> DetailQuery:
    """Parse sorting and filters from the query of a URL; unknown columns are ignored."""
    shown = LISTS[name]

    def text(key: str) -> str:
        return text_of(query, key).strip()[:_LONGEST_TEXT]

    sort = text("sort")
    values = {column: text(column) for column in shown.choice_columns if text(column)}
    return DetailQuery(
        sort=sort if sort.removeprefix("-") in shown.columns else "",
        values=values,
        other_parameters={key: text(key) for key in ("run", "language") if text(key)},
    )


def wanted_rows(name: str, facts: Facts, query: DetailQuery) -> list[Struct]:
    """Return the sorted rows of a list that match the filters."""
    found = [row for row in LISTS[name].rows(facts) or () if _accepts(row, query)]
    if query.sort:
        column = query.sort.removeprefix("-")
        known = [row for row in found if not is_empty(getattr(row, column))]
        known.sort(key=lambda row: _sortable(getattr(row, column)), reverse=query.sort.startswith("-"))
        found = known + [row for row in found if is_empty(getattr(row, column))]
    return found


def _accepts(row: Struct, query: DetailQuery) -> bool:
    codes = ((_code(getattr(row, column)), value) for column, value in query.values.items())
    return all(bool(code) if value == ANY else code == value for code, value in codes)


def _sortable(value: Any) -> Any:
    return value if isinstance(value, int | float) else _code(value).lower()


def _code(value: Any) -> str:
    """Return the value of a filter for a cell."""
    if isinstance(value, tuple):
        return " ".join(value)
    return "" if value is None or value is UNSET else str(value).lower() if isinstance(value, bool) else str(value)


def detail_table(name: str, facts: Facts, say: Translator, href: str, query: DetailQuery, *, is_whole: bool = False) -> DetailTable | None:
    """Return a list of facts as a table; None without items. It contains the first rows, or with ``is_whole`` all that match.

    ``href`` is the path of the list's page; empty if it has none.
    """
    shown = LISTS[name]
    every = shown.rows(facts) or ()
    if not every:
        return None
    found = wanted_rows(name, facts, query)
    rows = found if is_whole else found[:ROWS_IN_REPORT]
    columns = [column for column in shown.columns if any(not is_empty(getattr(row, column)) for row in every)]

    def url_for(changed: DetailQuery, ending: str = "") -> str:
        return url_with(f"{href}{ending}", changed.parameters()) if href else ""

    return DetailTable(
        name=name,
        title=say(shown.title),
        columns=tuple(_column(column, query, url_for, say) for column in columns),
        rows=tuple(tuple(_cell_text(column, getattr(row, column), say) for column in columns) for row in rows),
        matches_count=len(found),
        total=len(every),
        omitted_count=shown.omitted_count(facts),
        href=url_for(query),
        csv=url_for(query, ".csv"),
        filters=tuple(_filters(name, every, query, say)) if is_whole else (),
        action=href,
        hidden_fields=tuple((key, value) for key, value in query.parameters().items() if key in ("sort", *query.other_parameters)),
    )


def _cell_text(column: str, value: Any, say: Translator) -> Value:
    """Return the text of a cell; empty for a word without occurrences."""
    return Value("") if value is False and column.startswith("in_") else value_of(column, value, say)


def _column(name: str, query: DetailQuery, url_for: Callable[[DetailQuery], str], say: Translator) -> SortedColumn:
    order = {name: "ascending", f"-{name}": "descending"}.get(query.sort, "")
    sort = f"-{name}" if order == "ascending" else name
    return SortedColumn(fact_name(name, say), url_for(structs.replace(query, sort=sort)), order)


def _filters(name: str, rows: Iterable[Struct], query: DetailQuery, say: Translator) -> Iterable[Facet]:
    every = list(rows)
    for column in LISTS[name].choice_columns:
        counts = Counter(_code(getattr(row, column)) for row in every)
        codes = [code for code, _ in counts.most_common(MAX_CHOICES) if code]
        if len(counts) > 1 and codes:
            wanted = query.values.get(column, "")
            first = [Choice("", say("%(name)s: all", name=fact_name(column, say)), not wanted)]
            if "" in counts and (len(codes) > 1 or wanted == ANY):
                known = len(every) - counts[""]
                first.append(Choice(ANY, say("%(name)s: any", name=fact_name(column, say)), wanted == ANY, count=known))
            made = (Choice(code, _choice_words(column, code, say), code == wanted, count=counts[code]) for code in codes)
            yield Facet(column, fact_name(column, say), (*first, *made))


def _choice_words(column: str, code: str, say: Translator) -> str:
    if code in ("true", "false"):
        return cell(column, code == "true", say)
    return fact_word(column, code, say)
