"""Findings as JUnit XML, for CI systems: a suite a page, a case a check."""

import re
from collections.abc import Iterable, Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from findable.export import as_list, first_line

_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SKIPPED = ("inapplicable", "unknown", "info")


def to_junit(reports: Mapping[str, Any] | Iterable[Mapping[str, Any]]) -> bytes:
    """Failed checks are failures; warnings pass and are said in the output; what was not judged is skipped; a page not seen is an error."""
    suites = [_suite(report) for report in as_list(reports)]
    text = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Findable">\n' + "".join(suites) + "</testsuites>\n"
    return text.encode()


def _suite(report: Mapping[str, Any]) -> str:
    name = quoteattr(_clean(report["url"]))
    if report["status"] == "failed":
        error = report["error"]
        told = f"<error type={quoteattr(error['code'])} message={quoteattr(_clean(error['message']))}/>"
        case = f'<testcase classname={name} name="page seen">{told}</testcase>'
        return f'<testsuite name={name} tests="1" failures="0" errors="1" skipped="0">{case}</testsuite>\n'
    results = [result for result in report["results"] if not result.get("accepted")]
    failures = sum(result["verdict"] == "failed" for result in results)
    skipped = sum(result["verdict"] in _SKIPPED for result in results)
    cases = "".join(_case(result) for result in results)
    return f'<testsuite name={name} tests="{len(results)}" failures="{failures}" errors="0" skipped="{skipped}">\n{cases}</testsuite>\n'


def _case(result: Mapping[str, Any]) -> str:
    summary = _clean(result["summary"])
    body = ""
    if result["verdict"] == "failed":
        detail = "\n".join([*(first_line(item) for item in result["evidence"]), "", result["how_to_fix"]])
        body = f"<failure type={quoteattr(result['importance'])} message={quoteattr(summary)}>{escape(_clean(detail))}</failure>"
    elif result["verdict"] in _SKIPPED:
        body = f"<skipped message={quoteattr(summary)}/>"
    elif result["verdict"] == "warned":
        body = f"<system-out>{escape('warning: ' + summary)}</system-out>"
    return f"<testcase classname={quoteattr(result['category'])} name={quoteattr(result['id'])}>{body}</testcase>\n"


def _clean(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)
