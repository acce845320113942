"""Every attack stands once in the table of docs/security.md: with a test, or with the reason why there is none."""

import re
from pathlib import Path

from tests.safety.guards import GUARDS, WITHOUT_GUARD
from tools import safety_table

ROOT = Path(__file__).parents[2]


def test_every_attack_has_a_test_or_a_reason() -> None:
    assert [gap for gap in safety_table.gaps() if gap.startswith("S")] == []


def test_the_page_names_every_attack_once() -> None:
    named = re.findall(r"^\| (S\d+) \|", (ROOT / "docs/security.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert named == list(safety_table.ATTACKS)
    assert named == [f"S{number}" for number in range(1, 97)]


def test_attacks_that_were_tried_stand_with_numbers_that_have_tests() -> None:
    text = (ROOT / "docs/explanation/attacks.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| .+ \| ([SF\d, ]+) \|$", text, re.MULTILINE)
    assert [int(row) for row, _ in rows] == list(range(1, 26))
    assert {number for _, numbers in rows for number in numbers.split(", ")} <= set(safety_table.proofs())


def test_tests_that_the_page_of_attacks_names_are_there() -> None:
    text = (ROOT / "docs/explanation/attacks.md").read_text(encoding="utf-8")
    known = {name for path in (ROOT / "tests").rglob("*.py") for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))}
    assert set(re.findall(r"::(test_\w+)", text)) - known == set()


def test_every_attack_with_a_test_has_a_guard_or_a_reason_for_having_none() -> None:
    guarded = {number for guard in GUARDS.values() for test in guard.red for number in safety_table.metrics_of(test)}
    tested = {number for number in safety_table.ATTACKS if number in safety_table.proofs()}
    assert tested - guarded - set(WITHOUT_GUARD) == set()
    assert guarded & set(WITHOUT_GUARD) == set()


def test_every_test_of_a_guard_is_there() -> None:
    known = {test for tests in safety_table.proofs().values() for test in tests}
    named = {test for guard in GUARDS.values() for test in guard.red if safety_table.metrics_of(test)}
    assert named - known == set()


def test_reasons_are_of_three_kinds() -> None:
    kinds = {safety_table.ABSENT, safety_table.HARDWARE, safety_table.NETWORK}
    assert {kind for kind, why in safety_table.WITHOUT_TEST.values() if why} <= kinds
