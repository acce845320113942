"""Every attack stands once in the table of docs/security.md: with a test, or with the reason why there is none."""

import re
from pathlib import Path

from tools import safety_table

ROOT = Path(__file__).parents[2]


def test_every_attack_has_a_test_or_a_reason() -> None:
    assert [gap for gap in safety_table.gaps() if gap.startswith("S")] == []


def test_the_page_names_every_attack_once() -> None:
    named = re.findall(r"^\| (S\d+) \|", (ROOT / "docs/security.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert named == list(safety_table.ATTACKS)
    assert named == [f"S{number}" for number in range(1, 97)]


def test_reasons_are_of_three_kinds() -> None:
    kinds = {safety_table.ABSENT, safety_table.HARDWARE, safety_table.NETWORK}
    assert {kind for kind, why in safety_table.WITHOUT_TEST.values() if why} <= kinds
