"""Findings of a page, site or project as a table with filters, search and expandable rows.

The page contains every row, and hides rows that do not match, so that filters work as links without scripts and instantly with them.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, structs

from findable.checks.engine import all_checks
from findable.reports.titles import EFFORTS, FIXERS
from findable.vocabulary import Category, Effort, Fixer, Verdict
from findable.web.pages.result.finding_cards import Card
from findable.web.pages.shared.form_fields import Choice
from findable.web.query_strings import url_with
from findable.wording import Translator, later

AGAINST, NOTES, PASSED, INAPPLICABLE, ACCEPTED, EVERY = "problems", "facts", "passed", "inapplicable", "accepted", "all"
KINDS: Mapping[str, str] = {
    AGAINST: later("Problems and warnings"),
    NOTES: later("Facts and open questions"),
    PASSED: later("Passed"),
    INAPPLICABLE: later("Not applicable"),
    ACCEPTED: later("Accepted"),
    EVERY: later("All with a result"),
}
_KIND_OF = {
    Verdict.FAILED: AGAINST,
    Verdict.WARNED: AGAINST,
    Verdict.UNKNOWN: NOTES,
    Verdict.INFO: NOTES,
    Verdict.PASSED: PASSED,
    Verdict.INAPPLICABLE: INAPPLICABLE,
}
_LONGEST_SEARCH = 100
SHORT_ROWS = 25
"""Maximum number of findings of a page of which so few checks apply that nobody filters them."""


class FindingRow(Struct, frozen=True):
    """Row of the findings table."""

    card: Card
    """Expanded content of the row."""
    anchor: str
    measure: str
    """Gain of the fix, or number of pages, in short form; empty for none."""
    tags: Mapping[str, str]
    """Filter values of the row: ``kind``, ``category``, ``effort`` and ``who``."""
    badge: str = ""
    """Badge of the row; empty for none."""
    where: str = ""
    """Affected pages, or the reason for the acceptance, in words."""
    href: str = ""
    """URL of the list of its pages or places; empty for none."""
    cost: str = ""
    """Points that it costs all pages together, in words; empty elsewhere."""
    is_open: bool = False
    is_shown: bool = True
    """Whether the row matches the query."""
    groups: tuple["FindingRow", ...] = ()
    """Findings that the row stands for, each with its own anchor; empty for a single one."""

    @property
    def text(self) -> str:
        """Lower-case text of the row for the search."""
        return f"{self.card.id} {self.card.fact.striptags()} {self.card.question} {' '.join(one.text for one in self.groups)}".lower()


class Facet(Struct, frozen=True):
    """Filter with its choices."""

    name: str
    """Name of the query parameter."""
    title: str
    choices: tuple[Choice, ...]
    is_long: bool = False
    """Whether the choices form a drop-down list instead of links."""


class FindingsTable(Struct, frozen=True):
    """Findings with their filters."""

    rows: tuple[FindingRow, ...]
    facets: tuple[Facet, ...]
    measure: str
    """Title of the measure column."""
    search: str
    """Text to search for."""
    hidden_fields: tuple[tuple[str, str], ...]
    """Other query parameters, for the search form."""
    action: str
    """Path of the page."""
    order: tuple[Choice, ...] = ()
    """Sort orders to choose from; empty for none."""

    @property
    def key_marks(self) -> frozenset[str]:
        """Names of the icons that the legend explains: of problems and warnings, if the table contains both."""
        marks = frozenset(row.card.mark for row in self.rows if row.card.needs_fix)
        return marks if len(marks) > 1 else frozenset()

    @property
    def matches_count(self) -> int:
        """Number of rows that match filters and search."""
        return sum(row.is_shown for row in self.rows)

    @property
    def has_fixes(self) -> bool:
        """Whether the table contains a problem or a warning."""
        return any(row.tags["kind"] == AGAINST for row in self.rows)

    @property
    def is_plain(self) -> bool:
        """Whether the findings are in plain words."""
        return any(row.card.plain for row in self.rows)

    @property
    def is_filtered(self) -> bool:
        """Whether a search or a filter other than the first is set."""
        return bool(self.search) or any(choice.is_chosen and choice.value for facet in self.facets[1:] for choice in facet.choices)

    @property
    def is_short(self) -> bool:
        """Whether only the first filter is shown, because the others are not needed and not set. Tables of problems show all."""
        return len(self.rows) <= SHORT_ROWS and len(self.facets[0].choices) > 1 and not self.is_filtered


class FindingsQuery(Struct, frozen=True):
    """Filters and search text of the reader. Empty values select nothing."""

    kind: str = AGAINST
    category: str = ""
    effort: str = ""
    who: str = ""
    q: str = ""
    """Text to search for."""

    def accepts(self, row: FindingRow) -> bool:
        """Return whether a row matches."""
        return self.q.lower() in row.text and all(value in ("", EVERY, row.tags[name]) for name, value in self.chosen().items())

    def chosen(self) -> dict[str, str]:
        """Return the filters by name."""
        return {"kind": self.kind, "category": self.category, "effort": self.effort, "who": self.who}

    def parameters(self) -> dict[str, str]:
        """Return the URL parameters of this choice."""
        found = {**self.chosen(), "q": self.q}
        return {name: value for name, value in found.items() if value and (name, value) != ("kind", AGAINST)}


def findings_query(query: Mapping[str, object]) -> FindingsQuery:
    """Parse filters and search text from the query of a URL; unknown values are ignored."""
    known = {"kind": KINDS, "category": set(Category), "effort": {_code(one) for one in Effort}, "who": set(Fixer)}
    found = {name: value for name, values in known.items() if isinstance(value := query.get(name), str) and value in values}
    text = query.get("q")
    return FindingsQuery(**found, q=text.strip()[:_LONGEST_SEARCH] if isinstance(text, str) else "")


def change_badge(what: str, say: Translator, *, is_plain: bool) -> str:
    """Return the badge of a change: in plain words, it says since when."""
    return say("%(what)s since the last check", what=what) if what and is_plain else what


def finding_row(card: Card, measure: str, *, anchor: str = "", badge: str = "") -> FindingRow:
    """Return a finding as a row. Findings of removed checks have neither category nor effort."""
    check = all_checks().get(card.id)
    kind = ACCEPTED if card.accepted else _KIND_OF[Verdict(card.verdict)]
    is_fixed = check is not None and card.needs_fix
    return FindingRow(
        card=card,
        anchor=anchor or card.id,
        measure=measure,
        tags={
            "kind": kind,
            "category": check.category.value if check else "",
            "effort": _code(check.effort) if check and is_fixed else "",
            "who": check.fixer.value if check and is_fixed else "",
        },
        badge=badge,
        where=card.accepted.reason if card.accepted else "",
    )


def findings_table(
    rows: Iterable[FindingRow],
    query: FindingsQuery,
    action: str,
    say: Translator,
    *,
    measure: str,
    parameters: Mapping[str, str] | None = None,
    order: tuple[Choice, ...] = (),
) -> FindingsTable:
    """Return the rows as a table filtered by ``query``; ``parameters`` are other query parameters of the page."""
    made = tuple(structs.replace(row, is_shown=query.accepts(row)) for row in rows)
    others = dict(parameters or {})

    def facet(name: str, title: str, words: Mapping[str, str], *, is_long: bool) -> Facet:
        return Facet(name, title, tuple(_choices(name, words, made, query, action, others)), is_long)

    titles = {category.value: say(category.words) for category in Category}
    facets = (
        facet("kind", say("Show"), {kind: say(words) for kind, words in KINDS.items()}, is_long=False),
        facet("who", say("Who fixes it"), {"": say("Everyone"), **{one.value: say(words) for one, words in FIXERS.items()}}, is_long=False),
        facet("category", say("Category"), {"": say("All categories"), **titles}, is_long=True),
        facet("effort", say("Effort"), {"": say("Any effort"), **{_code(one): say(words) for one, words in EFFORTS.items()}}, is_long=True),
    )
    linked = {facet.name for facet in facets if not facet.is_long}
    kept_by_form = {**others, **{name: value for name, value in query.parameters().items() if name in linked}}
    return FindingsTable(made, facets, measure, query.q, tuple(kept_by_form.items()), action, order)


def _choices(
    name: str, words: Mapping[str, str], rows: Sequence[FindingRow], chosen: FindingsQuery, action: str, others: Mapping[str, str]
) -> Iterable[Choice]:
    """Yield the choices of a filter that occur in the rows, each with the number of rows that it would show."""
    current, found = chosen.chosen()[name], {row.tags[name] for row in rows}
    for value, text in words.items():
        if (value == EVERY and len(found) == 1) or (value not in ("", EVERY, AGAINST) and value not in found):
            continue
        query = structs.replace(chosen, **{name: value})
        if name == "kind" and value not in ("", AGAINST):
            query = structs.replace(query, who="", effort="")  # only problems and warnings have a fixer and an effort
        count = sum(query.accepts(row) for row in rows)
        yield Choice(value, text, value == current, url_with(action, {**others, **query.parameters()}, "findings"), count)


def _code(effort: Effort) -> str:
    return effort.name.lower()
