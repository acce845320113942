"""Findings as the JSON of GitLab's Code Quality widget (https://docs.gitlab.com/ci/testing/code_quality/, 2026)."""

import json

from findable.control_characters import escape_json
from findable.export.ci_subject import CiFormat, CiSubject, Problem
from findable.vocabulary import Importance

_SEVERITIES = {Importance.HIGH: "critical", Importance.MEDIUM: "major"}


class GitLab(CiFormat):
    """Code Quality report: a JSON array with an entry for each problem, at its first place."""

    def add(self, subject: CiSubject) -> bytes:
        """Return the entries of a page or site, with the beginning of the array or a comma."""
        parts = []
        for problem in subject.problems:
            begin = ",\n" if self._fingerprints else "[\n"
            parts.append(begin + json.dumps(self._entry(subject, problem), ensure_ascii=False))
        return escape_json("".join(parts).encode("utf-8", "replace"))

    def end(self) -> bytes:
        """Return the end of the JSON array."""
        return b"\n]\n" if self._fingerprints else b"[]\n"

    def _entry(self, subject: CiSubject, problem: Problem) -> dict[str, object]:
        position = self.locate(problem.places[0])
        identity, count = self.fingerprint(subject, problem)
        return {
            "description": problem.summary if subject.is_site else f"{problem.summary.removesuffix('.')} ({subject.url})",
            "check_name": problem.finding.id,
            "fingerprint": identity if count == 1 else f"{identity}-{count}",  # GitLab drops entries with a repeated fingerprint
            "severity": _SEVERITIES.get(Importance(problem.finding.importance), "minor") if problem.is_failed else "minor",
            "location": {"path": position.path, "lines": {"begin": position.line}},
        }
