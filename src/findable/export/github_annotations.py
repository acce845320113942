"""Findings as workflow commands of GitHub Actions, which the log shows as annotations."""

from collections import Counter

from msgspec import field

from findable.control_characters import INVISIBLE, without_commands
from findable.export.ci_subject import CiFormat, CiSubject, Problem
from findable.lazy_pattern import lazy_pattern

SHOWN = 10
"""Maximum number of errors, and of warnings, that GitHub shows per step."""
_CONTROL = lazy_pattern(f"[\x00-\x1f{INVISIBLE}]+")


class GitHubAnnotations(CiFormat):
    """Annotations for the first errors and warnings, and a line with the number of omitted ones."""

    _counts: Counter[str] = field(default_factory=Counter)

    def add(self, subject: CiSubject) -> bytes:
        """Return the annotations of a page or site, as long as the limits of GitHub are not reached."""
        lines = []
        if subject.error:
            lines += self._line("error", {"title": f"Findable: {subject.error_code}"}, f"{subject.url}: {subject.error}")
        for problem in subject.problems:
            name = f"Findable: {problem.finding.id}"
            text = problem.summary if subject.is_site else f"{problem.summary.removesuffix('.')} ({subject.url})"
            lines += self._line("error" if problem.is_failed else "warning", {**self._position(problem), "title": name}, text)
        return "".join(lines).encode("utf-8", "replace")

    def end(self) -> bytes:
        """Return a line with the number of omitted findings; empty if none is omitted."""
        left = sum(max(0, count - SHOWN) for count in self._counts.values())
        return f"::notice title=Findable::{left} more findings are in the summary\n".encode() if left else b""

    def _line(self, level: str, properties: dict[str, str], text: str) -> list[str]:
        self._counts[level] += 1
        if self._counts[level] > SHOWN:
            return []
        written = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
        return [f"::{level} {written}::{_data(text)}\n"]

    def _position(self, problem: Problem) -> dict[str, str]:
        """Return the properties for file and line; none if the file is not in the repository, because GitHub then shows no annotation."""
        position = self.locate(problem.places[0])
        if not position.is_file:
            return {}
        return {"file": position.path, "line": str(position.line)} | ({"col": str(position.column)} if position.column else {})


def _data(text: str) -> str:
    return without_commands(_CONTROL.sub(" ", text)).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
