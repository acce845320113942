"""Write the generated parts of docs/: ``make docs``. With ``--check`` write nothing and exit with 1 if anything differs.

- ``docs/checks/``: a page for each check from its docstring, and the index. Entirely generated; a page without a check is removed.
- ``docs/decisions/README.md`` from the titles of the decisions.
- ``docs/reference/settings.md`` from ``findable.settings``.
- ``docs/reference/findable-toml.schema.json``, the JSON schema of ``.findable.toml``.
- Regions of hand-written pages, between ``<!-- generated: NAME -->`` and ``<!-- end of NAME -->``: the numbers of the score from
  ``findable.reports.scoring``, the command line from its ``--help``, the tests of attacks and faults from the names of the tests.
"""

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from cyclopts import App
from rich.console import Console

from findable.checks.engine import Check, all_checks, runnable_checks
from findable.cli.commands import app
from findable.cli.config import config_schema
from findable.reports.judgement import CATEGORY_TITLES
from findable.reports.scoring import (
    CAPS,
    DECENT_FROM,
    GATES,
    GOOD_FROM,
    HALVES,
    HIGH_FAILURES,
    PROVISIONAL_BELOW,
    RULESET,
    UNSCORED,
    WEIGHTS,
    Row,
    Score,
    rating_of,
)
from findable.settings import settings_reference
from findable.vocabulary import FETCHED, Effort, Importance, Profile, Stage, Verdict

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
CHECKS = Path("docs/checks")
DECISIONS = Path("docs/decisions")
CONFIG_SCHEMA = Path("docs/reference/findable-toml.schema.json")
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


def points(importance: Importance) -> str:
    """Return the points of a check of that importance as text."""
    weight = WEIGHTS[importance]
    return f"{weight} point{'s' if weight != 1 else ''}" if weight else NOT_SCORED


def worth(one: Check) -> str:
    """Return the points of the check in the overall score as text."""
    if one.id in UNSCORED:
        return "counts only in its category"
    return "no points, only caps the score" if one.id in GATES else points(one.importance)


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
        f"## Why it matters\n\n{markdown(text.why)}",
        f"## How to fix\n\n{markdown(text.how)}",
        *([f"## Not judged\n\n{markdown(text.not_judged)}"] if text.not_judged else []),
        f"## Sources\n\n{markdown(text.sources)}",
        f"Source code: [`{_source(one).name}`](../../{_source(one)}). [All checks](README.md).",
    ]
    return "\n\n".join(sections) + "\n"


def _source(one: Check) -> Path:
    return Path("src/findable/checks", one.category.value, one.id.replace("-", "_") + ".py")


def _properties(one: Check, checks: Mapping[str, Check]) -> str:
    freed = [other.id for other in checks.values() if one.id in other.depends_on]
    caps = sorted({rule.score for rule in CAPS if rule.check == one.id})
    cap = f"; can cap the score at {' or '.join(map(str, caps))}" if caps else ""
    rows: list[tuple[str, str]] = [
        ("Id", f"`{one.id}`"),
        ("Category", CATEGORY_TITLES[one.category]),
        ("Importance", f"{one.importance.value} ({worth(one)}{cap})"),
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
        sections.append(f"## {CATEGORY_TITLES[category]}\n\n" + table(("Check", "Question", "Importance", "Effort", "Needs"), rows))
    return "\n\n".join(sections) + "\n"


# --- regions of docs/explanation/score.md


def score_weights() -> str:
    """Return the table of points by importance and verdict."""
    shares = _shares()
    rows = [(importance.value, weight or NOT_SCORED, shares[importance]) for importance, weight in WEIGHTS.items()]
    values = {Verdict.PASSED: "all of them", Verdict.WARNED: "half", Verdict.FAILED: "none"}
    out_of_sum = [
        (Verdict.INAPPLICABLE, "excluded: the check does not apply"),
        (Verdict.UNKNOWN, "excluded, and lowers the coverage: it could not be measured"),
        (Verdict.INFO, "excluded: shown, never scored"),
    ]
    verdicts = [(verdict.value, values[verdict]) for verdict in HALVES] + [(verdict.value, text) for verdict, text in out_of_sum]
    return "\n\n".join(
        (
            table(("Importance", "Points", "Checks in a report"), rows),
            table(("Verdict", "Share of the points"), verdicts),
        )
    )


def _shares() -> dict[Importance, int]:
    checks = [one for one in runnable_checks(FETCHED) if one.id not in GATES and one.id not in UNSCORED]
    return {importance: sum(one.importance is importance for one in checks) for importance in Importance}


def score_unweighted() -> str:
    """Return the list of checks without points in the overall score."""
    return table(
        ("Checks", "Effect"),
        [
            (_links(GATES), "They only cap the score: passing earns no points"),
            (_links(UNSCORED), "They count in their category, not in the overall score"),
        ],
    )


def _links(names: Iterable[str]) -> str:
    return ", ".join(f"[{name}](../checks/{name}.md)" for name in sorted(names))


def score_caps() -> str:
    """Return the table of failures that cap the score."""
    rules = [(rule.when, f"[{rule.check}](../checks/{rule.check}.md)", rule.score, rating_of(rule.score).value) for rule in CAPS]
    last = max(HIGH_FAILURES)
    high = [
        (
            f"{count}{' or more' if count == last else ''} check{'s' if count > 1 else ''} of high importance failed",
            "",
            cap,
            rating_of(cap).value,
        )
        for count, cap in HIGH_FAILURES.items()
    ]
    return table(("When", "Check", "Score at most", "Rating at most"), [*rules, *high])


def score_ratings() -> str:
    """Return the table of rating thresholds."""
    rows = [("good", f"{GOOD_FROM} to 100"), ("decent", f"{DECENT_FROM} to {GOOD_FROM - 1}"), ("bad", f"0 to {DECENT_FROM - 1}")]
    return (
        table(("Rating", "Score"), rows)
        + f"\n\nThese are the numbers of ruleset `{RULESET}`. "
        + f"A rating whose coverage is below {PROVISIONAL_BELOW:.0%} is shown as provisional."
    )


P, W, F = Verdict.PASSED, Verdict.WARNED, Verdict.FAILED
HIGH, MEDIUM, LOW = Importance.HIGH, Importance.MEDIUM, Importance.LOW
Group = tuple[int, Importance, Verdict, str]
"""Number of checks with that importance and verdict, and the id of a check that caps the score, else empty."""

SHOP: tuple[Group, ...] = ((6, HIGH, P, ""), (33, MEDIUM, P, ""), (5, MEDIUM, W, ""), (2, LOW, P, ""), (14, LOW, W, ""), (1, LOW, F, ""))
SHOP_UNTITLED: tuple[Group, ...] = (
    (5, HIGH, P, ""),
    (1, HIGH, F, "title-present"),
    (32, MEDIUM, P, ""),
    (5, MEDIUM, W, ""),
    (2, LOW, P, ""),
    (12, LOW, W, ""),
    (1, LOW, F, ""),
)
DOCS_NOINDEX: tuple[Group, ...] = ((6, HIGH, P, ""), (38, MEDIUM, P, ""), (14, LOW, P, ""), (3, LOW, W, ""), (1, HIGH, F, "noindex"))
DOCS_INDEXED: tuple[Group, ...] = ((6, HIGH, P, ""), (38, MEDIUM, P, ""), (14, LOW, P, ""), (3, LOW, W, ""), (1, HIGH, P, "noindex"))


def example(groups: Sequence[Group]) -> Callable[[], str]:
    """Return the calculation of a score from counts of verdicts."""
    return lambda: _sum(groups)


def _sum(groups: Sequence[Group]) -> str:
    score = Score(tuple(_rows(groups)))
    lines: list[tuple[object, ...]] = []
    for count, importance, verdict, name in groups:
        possible = count * (0 if name in GATES else WEIGHTS[importance])
        named = f" (`{name}`)" if name else ""
        lines.append((f"{count} {importance.value} {verdict.value}{named}", f"{possible * HALVES[verdict] / 2:g}", possible))
    lines.append(("sum", f"{score.points:g}", score.possible))
    held = score.effective_cap
    capped = f", limited by `{'`, `'.join(held.checks)}`" if held else ""
    rating = score.rating.value if score.rating else "not rated"
    said = f"{score.points:g} of {score.possible} points are {score.raw:.1f} percent{capped}: **{score.score}, {rating}**."
    return table(("Checks", "Points", "Of"), lines) + "\n\n" + said


def _rows(groups: Sequence[Group]) -> Iterator[Row]:
    for index, (count, importance, verdict, name) in enumerate(groups):
        for number in range(count):
            yield Row(name or f"{index}-{number}", importance, verdict)


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
        "weights": score_weights,
        "unweighted": score_unweighted,
        "caps": score_caps,
        "ratings": score_ratings,
        "efforts": score_efforts,
        "shop": example(SHOP),
        "shop without a title": example(SHOP_UNTITLED),
        "noindex": example(DOCS_NOINDEX),
        "noindex removed": example(DOCS_INDEXED),
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
    written = {Path("docs/reference/settings.md"): settings_reference(), DECISIONS / "README.md": decisions(), CONFIG_SCHEMA: schema}
    return {**check_pages(), **regions, **written}


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
