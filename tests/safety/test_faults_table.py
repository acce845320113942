"""Every fault of the list has a test, or a reason for having none."""

from tools import safety_table


def test_no_fault_is_forgotten() -> None:
    assert [gap for gap in safety_table.gaps() if gap.startswith("F")] == []
    kinds = {safety_table.ABSENT, safety_table.HARDWARE, safety_table.NETWORK}
    assert {kind for kind, _ in safety_table.WITHOUT_TEST.values()} <= kinds


def test_a_line_names_the_test_or_the_reason() -> None:
    table = safety_table.table(safety_table.FAULTS)
    assert "| F38 | a webhook receiver that is down | *feature absent*: no webhooks |" in table
    assert "test_f12_a_log_lost_after_a_kill_is_refused_until_the_loss_is_accepted` and others |" in table
