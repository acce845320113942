"""Names of runs in URLs and lists."""

from findable.service.reports.history import RunName


def name_of(report: int, run: int, current_report: int) -> str:
    """Return the name of a run: ``3``, or ``5.3`` for run 3 of another report of the same URL."""
    return str(run) if report == current_report else f"{report}.{run}"


def read_name(text: str, current_report: int) -> RunName | None:
    """Parse the name of a run, see `name_of`; None if it is invalid."""
    parts = text.split(".")
    if not 1 <= len(parts) <= 2 or not all(part.isascii() and part.isdigit() and len(part) <= 18 for part in parts):  # noqa: PLR2004 - two parts, of digits that fit
        return None
    return RunName(int(parts[0]) if len(parts) > 1 else current_report, int(parts[-1]))
