"""How a report looks in a terminal, letter by letter.

``UPDATE_SNAPSHOTS=1 pytest tests/cli/test_snapshots.py`` writes them anew; read the difference before it is committed.
"""

import os
from pathlib import Path

import pytest

from findable.cli.report_text import check_lines, report_lines
from findable.cli.terminal import Terminal
from findable.errors import Cause, PageError, PageErrorCode
from findable.reports.analysis import analyse
from findable.reports.report import Report, unloaded_report
from tests.checks.harness import NOW, capture, page

HERE = Path(__file__).parent / "snapshots"
WIDE, NARROW, COLOURED = Terminal(80), Terminal(50), Terminal(80, colour=True)


def shop() -> Report:
    """A page with a few faults of each kind, and hostile text in its title."""
    body = (
        '<main><h1>Blue widgets</h1><p>Widgets in blue.</p><img src="/a.png"><a href="/b">more</a>'
        '<a href="javascript:void(0)">Order</a><h4>Delivery</h4></main>'
    )
    html = page(body=body, head="<title>Blue \x1b[31mwidgets\u202e</title><meta name=robots content=noindex>")
    return analyse(capture(html, links={"https://www.example.com/b": 404}, made_up=404))


CASES = {
    "report": lambda: report_lines(shop(), WIDE),
    "report_narrow": lambda: report_lines(shop(), NARROW),
    "report_coloured": lambda: report_lines(shop(), COLOURED),
    "report_all": lambda: report_lines(shop(), WIDE, verbose=True),
    "not_seen": lambda: report_lines(
        unloaded_report("https://www.example.com/", PageError(PageErrorCode.DNS_FAILED, Cause.NAME_NOT_FOUND, host="www.example.com"), NOW),
        WIDE,
    ),
    "check": lambda: check_lines("title-present", WIDE),
}


@pytest.mark.parametrize("name", CASES)
def test_snapshot(name: str) -> None:
    path = HERE / f"{name}.txt"
    shown = "\n".join(CASES[name]()) + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(shown, encoding="utf-8")

    assert shown == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("terminal", "columns"), [(WIDE, 80), (NARROW, 50)])
def test_no_line_is_too_long(terminal: Terminal, columns: int) -> None:
    assert max(map(len, report_lines(shop(), terminal, verbose=True))) <= columns


def test_hostile_text_is_harmless() -> None:
    shown = "\n".join(report_lines(shop(), WIDE, verbose=True))

    assert "\x1b" not in shown
    assert "\u202e" not in shown
