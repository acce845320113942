"""Text of an audit of one or several pages, printed when all reports are complete."""

from collections import Counter

from findable.cli.formats import Outlet, Target
from findable.cli.report_text import report_lines
from findable.cli.terminal import Terminal, printed
from findable.reports.report import Report
from findable.wording import Translator, later

FIXES_PER_PAGE = 3
"""Number of fixes listed for each page."""
TALLY = {
    "good": later("%(count)s good"),
    "decent": later("%(count)s decent"),
    "bad": later("%(count)s bad"),
    None: later("%(count)s without a rating"),
}


class AuditText:
    """Text of an audit: a full report for one page; for several pages a short summary and the first fixes of each, then a total."""

    def __init__(self, terminal: Terminal, pages_count: int, *, everything: bool, is_plain: bool = False) -> None:
        self._terminal = terminal
        self._is_list = pages_count > 1
        self._everything = everything
        self._is_plain = is_plain
        self._ratings: Counter[str | None] = Counter()
        self._outlet = Outlet(Target("text", None))

    def add(self, report: Report) -> None:
        """Add the report of the next page."""
        fixes = FIXES_PER_PAGE if self._is_list else None
        lines = report_lines(report, self._terminal, verbose=self._everything, fixes_count=fixes, is_plain=self._is_plain)
        if self._ratings.total():
            lines.insert(0, "")
        self._ratings[report.result] += 1
        self._write(lines)

    def close(self) -> None:
        """Print all reports."""
        if self._is_list:
            self._write(["", _tally(self._ratings, self._terminal.say)])
        self._outlet.close()

    def _write(self, lines: list[str]) -> None:
        self._outlet.write(printed(lines).encode(*self._terminal.encoding))


def _tally(ratings: Counter[str | None], say: Translator) -> str:
    parts = (say(words, count=ratings[rating]) for rating, words in TALLY.items() if ratings[rating])
    return say("%(count)s pages: %(what)s", count=ratings.total(), what=", ".join(parts))
