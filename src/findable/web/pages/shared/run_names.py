"""Names of runs in URLs and lists."""

from findable.service.reports.history import RunName
from findable.web.query_strings import whole_number


def name_of(report: int, run: int, current_report: int) -> str:
    """Return the name of a run: ``3``, or ``5.3`` for run 3 of another report of the same URL."""
    return str(run) if report == current_report else f"{report}.{run}"


def read_name(text: str, current_report: int) -> RunName | None:
    """Parse the name of a run, see `name_of`; None if it is invalid."""
    report, dot, run = text.rpartition(".")
    of, number = whole_number(report, 18) if dot else current_report, whole_number(run, 18)
    return None if of is None or number is None else RunName(of, number)
