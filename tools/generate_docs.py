"""Write the generated parts of docs/: ``make docs``. With ``--check`` write nothing and exit with 1 if anything differs.

- ``docs/checks/``: a page for each check from its docstring, and the index. Entirely generated; a page without a check is removed.
- ``docs/decisions/README.md`` from the titles of the decisions.
- ``docs/reference/settings.md`` from ``findable.settings``.
- ``docs/reference/tables.md`` from ``findable.crawl.tables``, ``docs/reference/limits.md`` from ``findable.limits``.
- ``docs/reference/findable-toml.schema.json``, the JSON schema of ``.findable.toml``.
- The SQL scripts of the first migration from ``findable.store.schema``, until the first release.
- Regions of hand-written pages, between ``<!-- generated: NAME -->`` and ``<!-- end of NAME -->``: the numbers of the score from
  ``findable.reports.scoring``, the command line from its ``--help``, the tests of attacks and faults from the names of the tests.
"""

import ast
import inspect
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from cyclopts import App
from msgspec import Struct
from rich.console import Console

from findable import limits
from findable.attribute_docs import constant_docs
from findable.checks.engine import Check, all_checks, runnable_checks
from findable.cli.commands import app
from findable.cli.config import config_schema
from findable.crawl.exported_table import STACKED, file_columns
from findable.crawl.questions import PROJECT_QUESTIONS, QUESTIONS
from findable.crawl.tables import AboutRow, CrawlTable, TableColumn, columns_of
from findable.reports.projection import Projection
from findable.reports.scoring import (
    COSTS,
    DECENT_FROM,
    FLAT_BELOW,
    GOOD_FROM,
    LIMITED_SHARE,
    LINEAR_PERCENT,
    LOWEST,
    MAX_SCORE,
    PROVISIONAL_BELOW,
    RATED_FROM,
    RULESET,
    SERIOUS_FROM,
    SMALL_FROM,
    SMALL_TOP,
    TENTHS,
    WHOLE,
    Row,
    Score,
    row_of,
    worth_of,
)
from findable.reports.site_scoring import SITE_PERCENT
from findable.reports.titles import parts_of_check
from findable.settings import PREFIX, Settings
from findable.store.dialect import table_statements
from findable.store.schema.all_tables import metadata
from findable.vocabulary import FETCHED, Category, Effort, Importance, Profile, Stage, Subject, Verdict

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
CHECKS = Path("docs/checks")
DECISIONS = Path("docs/decisions")
TABLES = Path("docs/reference/tables.md")
UNITS = {"bytes", "ms"}
"""Units that end the names of columns; other numbers are counts, or their meaning states the range."""
CONFIG_SCHEMA = Path("docs/reference/findable-toml.schema.json")
FIRST_TABLES = Path("src/findable/store/migrations/versions")
COLUMNS = 80

EFFORTS = {
    Effort.HEAD: "one line in the head or template",
    Effort.SERVER: "a server setting",
    Effort.CONTENT: "content or code",
}
PROFILES = {
    Profile.STATIC: "in every report",
    Profile.RENDERED: "only if a browser rendered the page",
    Profile.CRAWLED: "only if the whole site was crawled",
}
NOT_SCORED = "not scored"
STAGES = {
    Stage.PREVIEW: "preview: shown and not scored",
    Stage.DEPRECATED: "deprecated: removed with a later ruleset",
}
INDEX_INTRODUCTION = """\
There are {count} checks. {asked} of them run in every report, the others need a browser or a crawl of the whole site. A report
lists the checks that did not run in `not_asked`; they do not affect the score. [The score](../explanation/score.md) explains how
findings become a score."""


# --- text


def markdown(text: str) -> str:
    """Convert a docstring's paragraphs to Markdown: double backticks become code, characters with a meaning in Markdown are escaped."""
    lines = [line if line.startswith("    ") else _inline(line) for line in text.splitlines()]
    if lines and re.match(r"[a-z][a-z-]*[ ,]", lines[0]):  # it followed "Why it matters:"
        lines[0] = lines[0][0].upper() + lines[0][1:]
    return "\n".join(lines)


def _inline(line: str) -> str:
    parts = re.split(r"(``.+?``)", line)
    return "".join(f"`{part[2:-2]}`" if part.startswith("``") else re.sub(r"([<*])", r"\\\1", part) for part in parts)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def link(check_id: str) -> str:
    """Return a link to a check for another page of docs/checks/."""
    return f"[{check_id}]({check_id}.md)"


def costs(one: Check) -> str:
    """Return what the findings of a check cost, and the limits of the score, as text."""
    if one.importance is Importance.INFO:
        return NOT_SCORED
    declared = COSTS[one.importance] if one.costs is None else one.costs
    parts = [
        f"{_reason(key)} {cost / TENTHS:g}" for key, cost in sorted(declared.items(), key=lambda item: -item[1]) if key not in one.limits
    ]
    usual = declared.get(Verdict.WARNED, 0)
    parts += [f"warned on the kind {kind.value} {usual * percent // 100 / TENTHS:g}" for kind, percent in one.kind_percents.items()]
    parts += [f"{_reason(key)} limits the score to {limit}" for key, limit in one.limits.items()]
    return "; ".join(parts) or "counts only in its category"


def _reason(key: str) -> str:
    return key.replace("_", " ")


# --- docs/checks/


def check_pages() -> dict[Path, str]:
    """Return the page of each check and the index, by path."""
    checks = all_checks()
    pages = {CHECKS / f"{one.id}.md": check_page(one, checks) for one in checks.values()}
    return {**pages, CHECKS / "README.md": check_index(list(checks.values()))}


def check_page(one: Check, checks: Mapping[str, Check]) -> str:
    """Return the page of a check."""
    text = one.documentation
    sections = [
        f"# {one.question}",
        markdown(text.summary),
        _properties(one, checks),
        *(f"## {title}\n\n{markdown(part)}" for title, part in parts_of_check(text)),
        f"Source code: [`{_source(one).name}`](../../{_source(one)}). [All checks](README.md).",
    ]
    return "\n\n".join(sections) + "\n"


def _source(one: Check) -> Path:
    return Path("src/findable/checks", one.category.value, one.id.replace("-", "_") + ".py")


def _properties(one: Check, checks: Mapping[str, Check]) -> str:
    freed = [other.id for other in checks.values() if one.id in other.depends_on]
    rows: list[tuple[str, str]] = [
        ("Id", f"`{one.id}`"),
        ("Category", one.category.words),
        ("Importance", one.importance.value),
        ("Points it costs by itself", costs(one)),
        ("Effort of a fix", f"{int(one.effort)} ({EFFORTS[one.effort]})"),
        ("Runs", PROFILES[Profile.for_sources(one.sources)]),
    ]
    if one.stage is not Stage.STABLE:
        rows.append(("Status", STAGES[one.stage]))
    if one.depends_on:
        rows.append(("Depends on", ", ".join(map(link, one.depends_on))))
    if freed:
        rows.append(("Checks that depend on it", ", ".join(map(link, freed))))
    if one.indexing_only:
        rows.append(("Pages not meant for search", "inapplicable"))
    return table(("", ""), rows)


def check_index(checks: Sequence[Check]) -> str:
    """Return the index of all checks by category."""
    sections = ["# Checks", INDEX_INTRODUCTION.format(count=len(checks), asked=len(runnable_checks(FETCHED)))]
    for category, members in groupby(checks, key=lambda one: one.category):
        rows = [
            (
                link(one.id),
                one.question,
                one.importance.value,
                int(one.effort),
                "" if one.sources <= FETCHED else Profile.for_sources(one.sources).value,
            )
            for one in members
        ]
        sections.append(f"## {category.words}\n\n" + table(("Check", "Question", "Importance", "Effort", "Needs"), rows))
    return "\n\n".join(sections) + "\n"


# --- regions of docs/explanation/score.md


def score_serious() -> str:
    """Return the table of the costs of faults of pages that cost SERIOUS_FROM or more."""
    return _cost_table(
        one
        for one in all_checks().values()
        if one.subject is Subject.PAGE and one.category is not Category.SITE and TENTHS * worth_of(one) >= SERIOUS_FROM
    )


def score_site() -> str:
    """Return the table of the costs of faults of sites that cost SERIOUS_FROM or more if they concern all pages."""
    return _cost_table(one for one in all_checks().values() if one.category is Category.SITE and TENTHS * worth_of(one) >= SERIOUS_FROM)


def _cost_table(checks: Iterable[Check]) -> str:
    ordered = sorted((one for one in checks if not one.limits), key=lambda one: (-worth_of(one), one.id))
    return table(("Check", "Points"), [(f"[{one.id}](../checks/{one.id}.md)", costs(one)) for one in ordered])


def score_uncharged() -> str:
    """Return the list of checks that cost nothing in the overall score."""
    found = (one.id for one in all_checks().values() if one.importance is not Importance.INFO and not worth_of(one))
    return _links(found)


def _links(names: Iterable[str]) -> str:
    return ", ".join(f"[{name}](../checks/{name}.md)" for name in sorted(names))


def score_limits() -> str:
    """Return the table of faults that limit the score."""
    rows = [
        (one.documentation.summary.replace("\n", " "), f"[{one.id}](../checks/{one.id}.md)", _reason(key), limit)
        for one in all_checks().values()
        for key, limit in one.limits.items()
    ]
    return table(("Fault", "Check", "If", "Score at most"), sorted(rows, key=lambda row: (row[3], row[1])))


def score_formula() -> str:
    """Return the steps of the formula with their numbers."""
    serious = f"**Serious faults**, which cost {SERIOUS_FROM / TENTHS:g} points or more, are added."
    small = (
        f"**Small faults** are added up to {SMALL_FROM / TENTHS:g} points. Above, each further one costs less, and all of them together "
        f"never more than {SMALL_TOP / TENTHS:g}."
    )
    left = (
        f"The score is {MAX_SCORE} minus the two sums, rounded down. Below {FLAT_BELOW}, further faults cost less, so that a page that "
        f"can be found stays above {LOWEST - 1}."
    )
    return "\n".join(f"{number}. {text}" for number, text in enumerate((serious, small, left), 1))


def score_shares() -> str:
    """Return the sentences about shares of pages, with their numbers."""
    return (
        f"A fault of pages that is everywhere costs {SITE_PERCENT} % of what it costs a page. On a share *s* of the pages, it costs "
        f"{LINEAR_PERCENT / 100:g}·*s* + {1 - LINEAR_PERCENT / 100:g}·*s*² of that. A limit of pages is that of the site if "
        f"{LIMITED_SHARE / WHOLE:.0%} of the pages have it."
    )


def score_ratings() -> str:
    """Return the table of rating thresholds."""
    rows = [("good", f"{GOOD_FROM} to 100"), ("decent", f"{DECENT_FROM} to {GOOD_FROM - 1}"), ("bad", f"0 to {DECENT_FROM - 1}")]
    return (
        table(("Rating", "Score"), rows)
        + f"\n\nThese are the numbers of ruleset `{RULESET}`. "
        + f"A score whose coverage is below {PROVISIONAL_BELOW:.0%} is shown as provisional; below {RATED_FROM:.0%} there is neither a "
        "score nor a rating, unless the page cannot be found."
    )


Fault = tuple[str, Verdict, str]
"""Id of a check, its verdict, and the reason; an empty reason for none."""
W, F = Verdict.WARNED, Verdict.FAILED
SHOP: tuple[Fault, ...] = (
    ("title-length", W, ""),
    ("canonical-valid", W, "canonical_missing"),
    ("og-basic", W, "few_missing"),
    ("image-dimensions", W, ""),
    ("ttfb", W, ""),
    ("render-blocking", W, ""),
    ("heading-order", W, ""),
)
NEGLECTED: tuple[Fault, ...] = (
    ("title-quality", W, "generic_title"),
    ("meta-description", W, ""),
    ("h1-present", W, ""),
    ("canonical-valid", W, "canonical_missing"),
    ("og-basic", W, ""),
)
NOINDEX: tuple[Fault, ...] = (("noindex", F, ""), ("meta-description-length", W, ""), ("image-dimensions", W, ""))


def example(faults: Sequence[Fault]) -> Callable[[], str]:
    """Return the calculation of a score from faults of an otherwise clean page."""
    return lambda: _sum(faults)


def _sum(faults: Sequence[Fault]) -> str:
    checks = all_checks()
    rows = tuple(row_of(checks[name], verdict, fault) for name, verdict, fault in faults)
    score = Score(rows)
    projection = Projection(rows)
    gains = projection.gains(projection.in_order(str))
    lines: list[tuple[object, ...]] = [("an otherwise clean page", "", MAX_SCORE)]
    left = MAX_SCORE
    for name, (gain, _) in gains.items():
        left -= gain
        lines.append((f"`{name}`{_alone(rows, name)}", f"−{gain}", left))
    rating = score.rating.value if score.rating else "not rated"
    return table(("Finding", "Points", "Left"), lines) + f"\n\n**{score.score}, {rating}**."


def _alone(rows: Iterable[Row], name: str) -> str:
    row = next(row for row in rows if row.id == name)
    return f", limits the score to {row.limit}" if row.limit < MAX_SCORE else f", {row.cost / TENTHS:g} by itself"


def score_efforts() -> str:
    """Return the table of the effort of fixes."""
    return table(("Effort", "The fix is"), [(int(effort), text) for effort, text in EFFORTS.items()])


# --- regions of docs/reference/cli.md


def command_line() -> str:
    """Return the help of every command, as shown in a terminal of 80 columns."""
    return "\n\n".join(
        f"{'#' * (2 + (len(path) > 1))} findable {' '.join(path)}\n\n```text\n{help_of(path)}\n```" for path in commands(app)
    )


def commands(parent: App, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of each command, groups before their members."""
    for name in parent:
        if name.startswith("-"):
            continue
        yield (*before, name)
        yield from commands(parent[name], (*before, name))


def help_of(path: Sequence[str]) -> str:
    """Return the output of ``findable PATH --help``."""
    out = io.StringIO()
    console = Console(file=out, width=COLUMNS, color_system=None, force_terminal=False, legacy_windows=False)
    app.help_print([*path], console=console)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()).strip("\n")


# --- regions of docs/security.md, docs/explanation/how-guards-are-tested.md and faults.md


def attacks() -> str:
    """Return the table of attacks with their tests."""
    from tools import safety_table  # noqa: PLC0415 - found only now, when this is run as a script

    return safety_table.table(safety_table.ATTACKS).strip()


def guards() -> str:
    """Return the table of attacks with the guards whose removal makes their tests fail."""
    from tools import safety_table  # noqa: PLC0415 - found only now, when this is run as a script

    return safety_table.guards_table().strip()


def faults() -> str:
    """Return the table of faults with their tests."""
    from tools import safety_table  # noqa: PLC0415 - found only now, when this is run as a script

    return safety_table.table(safety_table.FAULTS).strip()


REGIONS: Mapping[Path, Mapping[str, Callable[[], str]]] = {
    Path("docs/explanation/score.md"): {
        "formula": score_formula,
        "shares": score_shares,
        "serious": score_serious,
        "site": score_site,
        "uncharged": score_uncharged,
        "limits": score_limits,
        "ratings": score_ratings,
        "efforts": score_efforts,
        "shop": example(SHOP),
        "neglected": example(NEGLECTED),
        "noindex": example(NOINDEX),
    },
    Path("docs/reference/cli.md"): {"commands": command_line},
    Path("docs/security.md"): {"attacks": attacks},
    Path("docs/explanation/how-guards-are-tested.md"): {"guards": guards},
    Path("docs/explanation/faults.md"): {"faults": faults},
}


def fill_regions(page: Path, regions: Mapping[str, Callable[[], str]]) -> str:
    """Return a hand-written page with regenerated regions. Raises ValueError if one is missing."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for name, make in regions.items():
        begin, end = f"<!-- generated: {name} -->", f"<!-- end of {name} -->"
        before, found, rest = text.partition(begin)
        _, ended, after = rest.partition(end)
        if not (found and ended):
            msg = f"{page} lacks the region “{name}”"
            raise ValueError(msg)
        text = f"{before}{begin}\n\n{make()}\n\n{end}{after}"
    return text


def documented_settings() -> dict[str, str]:
    """Return each setting with its docstring."""
    found: dict[str, str] = {}
    body = ast.parse(inspect.getsource(Settings)).body[0]
    if not isinstance(body, ast.ClassDef):
        return found
    for member, text in zip(body.body, body.body[1:], strict=False):
        if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name) and isinstance(text, ast.Expr):
            found[member.target.id] = " ".join(str(ast.literal_eval(text.value)).split())
    found.pop("sources", None)
    return found


def settings_reference() -> str:
    """Return the page docs/reference/settings.md, made from the fields and their docstrings."""
    defaults = Settings(data_dir=Path("/x"))
    lines = [
        "# Settings",
        "",
        "Set a value by a flag of the command (if it has one), in the environment, or in a TOML file. Flags take precedence over the",
        "environment, the environment over the file. `FINDABLE_CONFIG` is the path of the file; without it, `findable.toml` in the",
        "working directory is read, otherwise the one in the data directory. Every variable also exists as `…_FILE`, the path of a file",
        "that contains the value. An invalid setting stops the start with one sentence that names it.",
        "",
        "The headings below are environment variables. In the file, a setting has the same name without `FINDABLE_`, in lower case:",
        "`FINDABLE_DATA_DIR` is `data_dir`.",
    ]
    for name, text in documented_settings().items():
        default = _shown_default(name, getattr(defaults, name))
        lines += ["", f"## {PREFIX}{name.upper()}", "", text, *(["", f"Default: {default}"] if default else [])]
    return "\n".join(lines) + "\n"


def _shown_default(name: str, value: Any) -> str:
    if name == "data_dir":
        return "`~/.local/share/findable`"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if name in {"base_url", "database_url"} or value in ("", (), None):
        return ""
    return f"`{value}`"


def tables_reference() -> str:
    """Return the page docs/reference/tables.md, made from the types of rows and their docstrings."""
    first = list(map(_column_row, STACKED))
    head = ("Column", "Type", "Unit", "Since", "Meaning")
    named: dict[type, list[CrawlTable]] = {}
    for one in CrawlTable:
        if one is not CrawlTable.SITEMAP_XML:
            named.setdefault(one.row, []).append(one)
    parts = [
        TABLES_INTRODUCTION,
        "## In every table",
        "In files, the first columns, so that rows of several crawls can be stacked.",
        table(head, first),
    ]
    for row, names in named.items():
        filtered = [f"`{one.value}`" for one in names if one.takes_filters]
        early = [f"`{one.value}`" for one in names if not one.needs_end]
        parts += [
            f"## {', '.join(one.value for one in names)}",
            _inline(" ".join((row.__doc__ or "").split()))
            + (f" {', '.join(filtered)} can be filtered." if filtered else "")
            + (f" Also while the crawl is running: {', '.join(early)}." if early else " After the crawl."),
            _columns(head, row),
        ]
    parts += ["## about", f"{AboutRow.__doc__} In exports of all tables only.", _columns(head, AboutRow)]
    parts += ["## Named questions", "[How to ask](../how-to/ask-a-crawl.md). The parameters are the defaults."]
    for name, question in {**QUESTIONS, **PROJECT_QUESTIONS}.items():
        if name == next(iter(PROJECT_QUESTIONS)):
            parts += ["## Named questions about the crawls of a project", "Here all tables have the columns `crawl` and `crawled_at`."]
        params = ", ".join(f"`{key}` = {value}" for key, value in question.params.items())
        parts += [f"`{name}`: {question.title}{f' ({params})' if params else ''}", f"    {question.sql}"]
    return "\n\n".join(parts) + "\n"


def _columns(head: Sequence[str], row: type[Struct]) -> str:
    columns = {column.name: column for column in (*columns_of(row), *file_columns(row))}
    return table(head, map(_column_row, columns.values()))


def _column_row(column: TableColumn) -> tuple[str, ...]:
    unit = column.name.rpartition("_")[2]
    kind = f"{column.type} or null" if column.is_nullable else column.type
    return f"`{column.name}`", kind, unit if unit in UNITS else "", column.since, _inline(column.meaning)


TABLES_INTRODUCTION = """\
# Tables of a crawl

`findable crawl --table NAME`, `GET /crawls/{id}/export?table=NAME` and the page of a crawl export one of these tables, `findable export`
and `GET /crawls/{id}/tables` all of them, as CSV, NDJSON, Parquet or Excel workbook ([how to](../how-to/export-all-tables.md)). The API
returns rows of `pages`, `links` and `changes` with the same names. Columns are added, never renamed or removed; *Since* is the version of
Findable since which a column exists. A number without a unit is a count, or its meaning states the range. Numbers of pages (`n`,
`source`, `target`) belong to one crawl.

A missing value is null, never an empty text: in CSV and in a workbook an empty cell. CSV writes booleans as `true` and `false`. CSV and
workbooks write a list with spaces between its texts; Parquet and NDJSON have lists. Only rows of the API contain the maps; files have
columns instead: `failed`, `warned`, one for each extractor (its values, with ` | ` between several, or its number of matches) and one for
each uploaded column. If such a name is taken, `extracted_` or `number_` precedes it."""


def limits_reference() -> str:
    """Return the page docs/reference/limits.md, made from the constants of ``findable.limits`` and their docstrings."""
    rows = ((f"{getattr(limits, name):,}", meaning) for name, meaning in constant_docs(limits).items())
    return "\n\n".join([LIMITS_INTRODUCTION, table(("Limit", "Of what"), rows)]) + "\n"


LIMITS_INTRODUCTION = """\
# Limits

No setting raises these limits, which keep the memory and the duration of a crawl within bounds. They are constants of `findable/limits.py`.
What a crawl left out because of one is said in its report, under *Not requested* and on the command line. Where a limit concerns one
finding only (variants, lists on several pages, deep and missing pages, translations, temporary redirects), that finding counts what was
checked: at least so many.

For each account, crawls that are queued or running (5), URLs in 30 days (500,000) and stored crawls (20 GB) are limited, unless
`RATE_LIMIT` is 0. The last two limits do not apply to accounts with an [operator](../how-to/monitor.md#the-page-for-operators) of the
service, such as the first one."""


def decisions() -> str:
    """Return the list of decisions with their titles."""
    rows = []
    for page in sorted((ROOT / DECISIONS).glob("0*.md")):
        title = page.read_text(encoding="utf-8").partition("\n")[0]
        rows.append(f"- {page.name[:4]} [{re.sub(r'^# *[0-9]+[.:]? *', '', title)}]({page.name})")
    return "\n".join(["# Decisions", "", "Design decisions with their reasons, measurements and alternatives.", "", *rows, ""])


def generated_pages() -> dict[Path, str]:
    """Return every page that is generated or has generated regions, by path relative to the project."""
    regions = {page: fill_regions(page, regions) for page, regions in REGIONS.items()}
    schema = json.dumps(config_schema(), indent=2) + "\n"
    written = {
        Path("docs/reference/settings.md"): settings_reference(),
        TABLES: tables_reference(),
        Path("docs/reference/limits.md"): limits_reference(),
        DECISIONS / "README.md": decisions(),
        CONFIG_SCHEMA: schema,
    }
    return {**check_pages(), **regions, **written, **first_tables()}


def first_tables() -> dict[Path, str]:
    """Return the SQL scripts of the first migration."""
    scripts: dict[Path, str] = {}
    for name, driver in (("sqlite", "pysqlite"), ("postgresql", "psycopg")):
        statements = [one.strip().replace(" \n", "\n") for one in table_statements(metadata, f"{name}+{driver}")]
        lines: list[str] = []
        for is_table, found in groupby(statements, key=lambda one: one.startswith("CREATE TABLE")):
            lines += sorted(found, key=lambda one: "" if is_table else one)  # SQLAlchemy has the indexes of a table in a set
        scripts[FIRST_TABLES / f"0100_first.{name}.sql"] = ";\n".join(lines) + "\n"
    return scripts


def main(arguments: Sequence[str]) -> int:
    """Write or check the pages; return 1 if ``--check`` finds a difference, else 0."""
    pages = generated_pages()
    stale = [path.relative_to(ROOT) for path in (ROOT / CHECKS).glob("*.md") if path.relative_to(ROOT) not in pages]
    changed = [path for path, text in pages.items() if not (ROOT / path).exists() or (ROOT / path).read_text(encoding="utf-8") != text]
    if "--check" in arguments:
        for path in (*changed, *stale):
            print(f"{path} differs from what is generated: make docs", file=sys.stderr)
        return 1 if changed or stale else 0
    for path in changed:
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_text(pages[path], encoding="utf-8")
        print(path)
    for path in stale:
        (ROOT / path).unlink()
        print(f"{path} removed")
    return 0


if __name__ == "__main__":
    os.environ["COLUMNS"] = str(COLUMNS)
    sys.exit(main(sys.argv[1:]))
