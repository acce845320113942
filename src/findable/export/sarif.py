"""Findings as SARIF 2.1.0 (OASIS, 2020), for code scanning.

Properties and limits that GitHub supports: https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support
(2026).
"""

import json
from typing import Any
from urllib.parse import quote

from msgspec import field

from findable.control_characters import escape_json
from findable.export.ci_subject import CiFormat, CiSubject, Place, Problem
from findable.fetch.user_agent import CONTACT
from findable.reports.prose import unwrap_lines
from findable.reports.reported_finding import ReportedFinding
from findable.vocabulary import Importance, Verdict

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {Verdict.FAILED: "error", Verdict.WARNED: "warning"}
MAX_RESULTS = 25_000
"""Maximum number of results per run that GitHub accepts; it rejects larger files."""
_TEXT_CHARS = 1024
"""Length of rule descriptions that GitHub stores."""
_SEVERITIES = {Importance.HIGH: "error", Importance.MEDIUM: "warning"}
_SAFE_IN_PATH = "/%-._~!$&'()*+,;=@"
"""Characters allowed in a relative path, without the colon: ``localhost:3000`` would be read as a scheme."""
DOCUMENTATION = f"{CONTACT}/blob/main/docs/checks"
"""Base URL of the documentation of checks."""
SarifObject = dict[str, Any]


class Sarif(CiFormat):
    """SARIF log with one run for all pages and sites: a rule per check with a problem, and a result per problem.

    GitHub rejects a whole file if one URL has a scheme: it "did not match the checkout URI scheme" (github/codeql-action issue 754). So a
    location is a file of the repository, or the URL without its scheme; the URL itself is among the properties.
    """

    _rules: dict[str, tuple[int, SarifObject]] = field(default_factory=dict)
    _notifications: list[SarifObject] = field(default_factory=list)
    _results_count: int = 0
    _is_begun: bool = False

    def add(self, subject: CiSubject) -> bytes:
        """Return the results of a page or site."""
        if subject.error:
            text = subject.error if subject.is_site else f"{subject.url} could not be loaded: {subject.error} [{subject.error_code}]"
            self._notifications.append({"level": "error", "message": {"text": text}, "locations": [self._location(Place(subject.url))]})
        parts = [self._head()]
        for problem in subject.problems:
            if self._results_count < MAX_RESULTS:
                parts.append(b",\n" if self._results_count else b"")
                parts.append(_json(self._result(subject, problem)))
            self._results_count += 1
        return b"".join(parts)

    def end(self) -> bytes:
        """Return the end of the document with the rules, which are complete only after all pages and sites."""
        head = self._head()
        if self._results_count > MAX_RESULTS:
            text = f"{self._results_count - MAX_RESULTS} more results are left out: code scanning accepts {MAX_RESULTS}"
            self._notifications.append({"level": "error", "message": {"text": text}})
        rules = [rule for _, rule in self._rules.values()]
        run = {
            "columnKind": "unicodeCodePoints",
            "tool": {"driver": {"name": "Findable", "informationUri": CONTACT, "semanticVersion": self.version, "rules": rules}},
            "invocations": [{"executionSuccessful": not self._notifications, "toolExecutionNotifications": self._notifications}],
        }
        return head + b"],\n" + _json(run)[1:-1] + b"}]}\n"

    def _head(self) -> bytes:
        """Return the beginning of the document on the first call, and nothing on later calls."""
        if self._is_begun:
            return b""
        self._is_begun = True
        return f'{{"$schema": "{SCHEMA}", "version": "2.1.0", "runs": [{{"results": [\n'.encode()

    def _result(self, subject: CiSubject, problem: Problem) -> SarifObject:
        index, _ = self._rules.setdefault(problem.finding.id, (len(self._rules), rule(problem.finding)))
        identity, count = self.fingerprint(subject, problem)
        result: SarifObject = {
            "ruleId": problem.finding.id,
            "ruleIndex": index,
            "level": LEVELS[problem.finding.verdict],
            "message": {"text": problem.summary},
            "locations": [self._location(place) for place in problem.places],
            "partialFingerprints": {
                "primaryLocationLineHash": f"{identity[:16]}:{count}",
                "findable/v1": problem.key if subject.is_site else f"{subject.url} {problem.key}",
            },
        }
        if problem.is_new is not None:
            result["baselineState"] = "new" if problem.is_new else "unchanged"
        return result

    def _location(self, place: Place) -> SarifObject:
        position = self.locate(place)
        region: SarifObject = {"startLine": position.line}  # GitHub ignores results without a start line
        if position.column:
            region["startColumn"] = position.column
        if place.snippet and position.line == place.line:
            region["snippet"] = {"text": place.snippet}
        uri = quote(position.path.encode("utf-8", "replace"), safe=_SAFE_IN_PATH)
        location: SarifObject = {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}, "properties": {"url": place.url}}
        if place.words:
            location["message"] = {"text": place.words}
        return location


def rule(finding: ReportedFinding) -> SarifObject:
    """Return the SARIF rule that describes the check of a finding."""
    check = finding.check
    how = unwrap_lines(check.documentation.how) if check else finding.how_to_fix()
    importance = Importance(finding.importance) if finding.importance else Importance.LOW
    markdown = "\n\n".join(
        f"## {title}\n\n{text}"
        for title, text in (("Why it matters", finding.why_it_matters()), ("How to fix", how), ("Sources", finding.source()))
        if text
    )
    return {
        "id": finding.id,
        "shortDescription": {"text": finding.question()[:_TEXT_CHARS]},
        "fullDescription": {"text": " ".join(finding.why_it_matters().split())[:_TEXT_CHARS] or finding.question()},
        "helpUri": f"{DOCUMENTATION}/{finding.id}.md",
        "help": {"text": how, "markdown": markdown or how},
        "defaultConfiguration": {"level": _SEVERITIES.get(importance, "note")},
        "properties": {
            "tags": ["seo", finding.category],
            "precision": "high",
            "problem.severity": _SEVERITIES.get(importance, "recommendation"),
            "category": finding.category,
            "importance": finding.importance,
        },
    }


def _json(value: SarifObject) -> bytes:
    return escape_json(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
