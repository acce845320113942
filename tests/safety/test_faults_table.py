"""Every fault of the list has a test; an attack may have a reason for having none."""

from tools import safety_table


def test_no_fault_is_forgotten() -> None:
    assert [gap for gap in safety_table.gaps() if gap.startswith("F")] == []
    assert [number for number in safety_table.WITHOUT_TEST if number.startswith("F")] == []


def test_a_line_names_the_test_or_the_reason() -> None:
    table = safety_table.table({**safety_table.ATTACKS, **safety_table.FAULTS})
    number, (kind, why) = next(iter(safety_table.WITHOUT_TEST.items()))
    assert f"| {number} | {safety_table.ATTACKS[number]} | *{kind}*: {why} |" in table
    assert "| F24 | Chromium crashes or hangs | `tests/fetch/browser/test_hostile_pages.py::test_f24_" in table
    assert "::test_f12_a_running_crawl_whose_store_is_damaged_fails_at_once_with_its_code` and others |" in table
