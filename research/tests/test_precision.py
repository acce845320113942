"""The reviewed findings (research/precision.csv) belong to the current rules of the checks.

The rule of a check is the code of its module, and what it declares about the pages it applies to. If it changed after its rows were reviewed, they must be reviewed again:

    python -m research.precision PAGES --write --check ID …    # what still stands keeps its judgement; judge the others
    python -m research.precision --accept ID …                 # the rows were read with the rule as it is now
"""

import ast
import csv
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from findable.checks.engine import all_checks
from findable.vocabulary import Category, Importance, Stage
from research import precision

ROOT = Path(__file__).resolve().parents[2]
JUDGEMENTS = {"right", "wrong", "undecidable", "unproven"}


with precision.ROWS.open(encoding="utf-8", newline="") as file:
    ROWS: list[dict[str, str]] = list(csv.DictReader(file))
ACCEPTED: dict[str, Any] = json.loads(precision.RULES.read_text(encoding="utf-8"))
RULES: dict[str, str] = ACCEPTED["rules"]


def test_columns() -> None:
    with precision.ROWS.open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file)) == list(precision.COLUMNS)


def test_every_stable_check_was_read_or_is_named_as_unread() -> None:
    read = {row["check"] for row in ROWS}
    unread = set(ACCEPTED["unread"])

    # Checks of a whole site say nothing about a page, so that no page gives rows: tests/crawl plants their faults in whole sites.
    stable = {name for name, check in all_checks().items() if check.stage is not Stage.PREVIEW and check.category is not Category.SITE}

    assert stable <= read | unread <= set(all_checks())
    assert set(RULES) == read, "accepted without rows, or read and not accepted: research/precision.py --accept"
    assert not unread & read, "read, but still listed as unread: research/precision.py --accept"


def test_rows_were_read_with_the_rule_as_it_is() -> None:
    changed = [
        name for name, digest in sorted(RULES.items()) if name in all_checks() and precision.rule_sha256(all_checks()[name]) != digest
    ]

    assert not changed, (
        f"the rule changed after its rows were read: {', '.join(changed)}. Read them again: "
        f"research/precision.py PAGES --write --check {' --check '.join(changed)}; then research/precision.py --accept {' '.join(changed)}"
    )


def fault(row: dict[str, str]) -> str:
    """What is wrong with a row; empty where nothing is."""
    told = [row["page"], row["evidence"], row["verdict"]]
    if row["judgement"] not in JUDGEMENTS:
        return "no judgement"
    if not row["reason"].strip():
        return "no reason"
    if "\n" in "".join(row.values()) or len(row["evidence"]) > precision.EVIDENCE_CHARS:
        return "not one short line"
    if row["judgement"] == "unproven":
        return "unproven, but something was seen" if any(told) else ""
    return "" if all(told) and row["verdict"] in {"failed", "warned", "passed"} else "no page, evidence or verdict"


def test_rows_are_whole() -> None:
    assert not [(found, row) for row in ROWS if (found := fault(row))]


def test_no_finding_is_wrong() -> None:
    assert not [row for row in ROWS if row["judgement"] == "wrong"]


def test_no_row_stands_twice() -> None:
    repeated = [key for key, count in Counter((row["check"], row["page"], row["evidence"]) for row in ROWS).items() if count > 1]

    assert not repeated


def has_other_rows(name: str) -> bool:
    """More rows than asked for, or unproven although it spoke, or neither."""
    rows = [row for row in ROWS if row["check"] == name]
    verdicts = Counter(row["verdict"] for row in rows)
    firing = verdicts["failed"] + verdicts["warned"]
    passed_most = precision.PASSED_ROWS if all_checks()[name].importance is Importance.HIGH else 0
    is_unproven = any(row["judgement"] == "unproven" for row in rows)
    return firing > precision.FIRING_ROWS or verdicts["passed"] > passed_most or bool(firing) is is_unproven


def test_checks_have_the_rows_that_are_asked_for() -> None:
    assert not [name for name in RULES if has_other_rows(name)]


def said(source: Sequence[str]) -> str:
    return str(precision._stable_dump(ast.parse("\n".join(source))))


PLAIN_RULE = ("LIMIT = 3", "def rule(a):", "    return a > LIMIT")


def test_layout_comments_docstrings_and_imports_are_no_part_of_a_rule() -> None:
    written_otherwise = [
        '"""Page."""',
        "from a.b import c",
        "LIMIT = 3  # ours",
        '"""Why."""',
        "",
        "def rule(a):",
        '    """Judges."""',
        "    return (a > LIMIT)",
    ]

    assert said(written_otherwise) == said(PLAIN_RULE)
    assert said(["LIMIT = 4", *PLAIN_RULE[1:]]) != said(PLAIN_RULE)


def test_the_form_of_a_declaration_is_no_part_of_a_rule() -> None:
    one_line = ["LIMIT = 3", '@check("Is it?", Importance.LOW, failed=5)', *PLAIN_RULE[1:]]
    by_names = ["LIMIT = 3", '@check(question="Is it so?", importance=Importance.HIGH, costs={Verdict.FAILED: 5})', *PLAIN_RULE[1:]]

    assert said(one_line) == said(by_names)
    assert said(["LIMIT = 3", "@cache", *PLAIN_RULE[1:]]) != said(one_line)


def test_members_that_decide_whether_a_check_applies_are_part_of_its_rule() -> None:
    item = all_checks()["title-length"]
    known = precision.rule_sha256(item)

    assert precision.rule_sha256(replace(item, question="?", importance=Importance.INFO, costs={})) == known
    assert precision.rule_sha256(replace(item, depends_on=())) != known
    assert precision.rule_sha256(replace(item, indexing_only=not item.indexing_only)) != known
    assert precision.rule_sha256(replace(item, accepts_partial_input=not item.accepts_partial_input)) != known


def spread(found: int, read: Sequence[int] = ()) -> list[int]:
    rows = [
        {"check": "c", "page": f"{number:03}", "evidence": "e", "verdict": "warned", "judgement": "", "reason": ""}
        for number in range(found)
    ]
    judged = [{**rows[number], "judgement": "right"} for number in read]
    return [int(row["page"]) for row in precision.chosen(rows, judged, 4)]


def test_rows_are_spread_over_the_pages_and_what_was_read_stays() -> None:
    assert spread(3) == [0, 1, 2]
    assert spread(8) == [0, 2, 4, 6]
    assert spread(8, read=[7]) == [0, 2, 4, 7]


def test_the_numbers_in_the_docs_are_those_of_the_rows() -> None:
    text = (ROOT / "docs/explanation/rightness.md").read_text(encoding="utf-8")

    assert precision.summary() in text, "put in what research/precision.py --summary prints"
