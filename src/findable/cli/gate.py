"""What makes `findable audit` exit with 1."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from findable.cli.requests import read_text
from findable.errors import SettingError
from findable.reports.comparison import compare

RATED_BAD = "rated bad"


@dataclass(frozen=True, slots=True)
class Gate:
    """The rules a report must pass; ``baseline`` maps addresses to earlier reports."""

    fail_under: int | None
    fail_on: str | None
    baseline: Mapping[str, Mapping[str, Any]]

    def stops(self, report: Mapping[str, Any]) -> bool:
        """Whether this report does not pass. A page that was not seen is not judged here."""
        return bool(self.reasons(report))

    def reasons(self, report: Mapping[str, Any]) -> Sequence[str]:
        """Why this report does not pass, one line each; none where it does."""
        if report["result"] is None:
            return ()
        low = self.fail_under is not None and report["score"] < self.fail_under
        found = [f"score {report['score']} is below {self.fail_under}"] if low else []
        earlier = self.baseline.get(report["url"]) if self.fail_on else None
        if earlier is not None:
            return [*found, *self._worse(earlier, report)]
        if report["result"] == "bad" and self.fail_under is None:
            found.append(f"{RATED_BAD}; the baseline has no report of this address" if self.fail_on else RATED_BAD)
        return found

    def _worse(self, earlier: Mapping[str, Any], report: Mapping[str, Any]) -> Iterator[str]:
        if self.fail_on == "score":
            if earlier["score"] is not None and report["score"] < earlier["score"]:
                yield f"score {report['score']}, {earlier['score']} in the baseline"
            return
        for finding in compare(earlier["results"], report["results"]).got_worse:
            if finding["verdict"] == "failed" or self.fail_on == "new":
                yield f"new since the baseline: {finding['summary']} [{finding['id']}]"


def read_baseline(path: Path) -> dict[str, Mapping[str, Any]]:
    """Reports by address from the JSON that `findable audit --format json` printed. Raises SettingError."""
    text = read_text(path, "--baseline")
    try:
        document = json.loads(text)
        reports = document if isinstance(document, list) else [document.get("data", document)]
        return {report["url"]: report for report in reports if report["results"] is not None}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SettingError("--baseline", f"{path} is not a report written by --format json") from error
