"""What makes `findable audit` exit with 1."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from findable.errors import SettingError
from findable.reports.comparison import compare


@dataclass(frozen=True, slots=True)
class Gate:
    """The rules a report must pass; ``baseline`` maps addresses to earlier reports."""

    fail_under: int | None
    fail_on: str | None
    baseline: Mapping[str, Mapping[str, Any]]

    def stops(self, report: Mapping[str, Any]) -> bool:
        """Whether this report does not pass. A page that was not seen is not judged here."""
        if report["result"] is None:
            return False
        if self.fail_on:
            return self._worse(report)
        if self.fail_under is not None:
            return bool(report["score"] < self.fail_under)
        return bool(report["result"] == "bad")

    def _worse(self, report: Mapping[str, Any]) -> bool:
        earlier = self.baseline.get(report["url"])
        if earlier is None:
            return bool(report["result"] == "bad")
        if self.fail_on == "score":
            return earlier["score"] is not None and report["score"] < earlier["score"]
        new = compare(earlier["results"], report["results"]).new
        return any(finding["verdict"] == "failed" or self.fail_on == "new" for finding in new)


def read_baseline(path: Path) -> dict[str, Mapping[str, Any]]:
    """Reports by address from the JSON that `findable audit --format json` printed. Raises SettingError."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        reports = document if isinstance(document, list) else [document.get("data", document)]
        return {report["url"]: report for report in reports if report["results"] is not None}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SettingError("--baseline", f"{path} is not a report written by --format json") from error
