"""The report: one value, made from a capture and the results of its checks.

`Run` is one generation: what is kept of it and compared. `body` turns it into the JSON that the interface, the command line and the
exports share (CONTRACT: REPORT without what the store adds: id, privacy, links).
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from findable.capture.page import Capture
from findable.checks.engine import Check, all_checks, finding_key
from findable.errors import PageError
from findable.reports import analysis
from findable.reports.acceptance import Acceptance
from findable.reports.messages import render
from findable.reports.page_error_text import detail_of, message_of
from findable.reports.report import Report, canonical, not_seen
from findable.reports.scoring import RULESET
from findable.urls import project_name
from findable.vocabulary import EVIDENCE_TEXT, Profile, Verdict, words_of
from findable.wording import ENGLISH, Wording


class Analysis(Struct, frozen=True):
    """What one generation found, JSON-ready and deterministic: `document` is what is stored."""

    document: Mapping[str, Any]

    def dump(self) -> bytes:
        """Canonical bytes. Keys that follow from the evidence are left out: digests are what cannot be compressed."""
        kept = {**self.document, "findings": [_without_key(finding) for finding in self.document["findings"]]}
        try:
            return msgspec.json.encode(kept, order="sorted")
        except UnicodeEncodeError:  # half a character, from an escape in a script or a broken header
            return json.dumps(kept, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8", "replace")

    @staticmethod
    def load(data: bytes) -> "Analysis":
        """The inverse of `dump`."""
        document = json.loads(data)
        for finding in document["findings"]:
            finding.setdefault("key", _key_of(finding))
        return Analysis(document)


def _key_of(kept: Mapping[str, Any]) -> str:
    shown = kept.get("evidence", ())
    return finding_key(kept["id"], ((item["kind"], item.get("url", ""), item.get("text", ""), item.get("selector", "")) for item in shown))


def _without_key(kept: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in kept.items() if name != "key"} if kept["key"] == _key_of(kept) else kept


def analyse(
    capture: Capture,
    profile: Profile = Profile.STATIC,
    *,
    not_for_search: bool = False,
    acceptances: Sequence[Acceptance] = (),
) -> Analysis:
    """The report of a capture (`analysis.analyse`), JSON-ready."""
    return _document_of(analysis.analyse(capture, profile, not_for_search=not_for_search, acceptances=acceptances))


def with_acceptances(made: Analysis, acceptances: Sequence[Acceptance], day: str) -> Analysis:
    """The analysis as if these had been accepted, and nothing else (`analysis.with_acceptances`)."""
    judged = _document_of(analysis.with_acceptances(_report_of(made), acceptances, day)).document
    return Analysis({**judged, "facts": made.document["facts"]})


def can_be_judged_again(made: Analysis) -> bool:
    """Whether its findings are those of the present ruleset."""
    known = all_checks()
    return made.document["engine"]["ruleset"] == RULESET and all(kept["id"] in known for kept in made.document["findings"])


def _report_of(made: Analysis) -> Report:
    follows = ("facts", "explained", "categories")
    return msgspec.convert({name: value for name, value in made.document.items() if name not in follows}, Report)


def _document_of(report: Report) -> Analysis:
    document: dict[str, Any] = json.loads(canonical({name: getattr(report, name) for name in report.__struct_fields__}))
    for stored, finding in zip(document["findings"], report.findings, strict=True):
        stored |= {"params": stored.get("params", {}), "key": finding.key}
        if finding.verdict in _SCORED and not finding.accepted:
            stored |= {"worth": finding.worth, "lost": finding.lost}
    return Analysis(document)


_SCORED = (Verdict.PASSED, Verdict.WARNED, Verdict.FAILED)


def error_of(document: Mapping[str, Any]) -> PageError | None:
    """Why the page was analysed and not rated; None where it was rated."""
    return msgspec.convert(document["error"], PageError) if document.get("error") else None


def shown_error(error: PageError, say: Wording = ENGLISH) -> dict[str, Any]:
    """An error as it is shown: the code, and what it means in one language."""
    return {"code": error.code.value, "message": message_of(error, say), "retryable": error.code.retryable}


def shown_finding(kept: Mapping[str, Any], docs_url: str = "", say: Wording = ENGLISH) -> dict[str, Any]:
    """A kept finding as it is shown: with words, why, fix and source in one language. A check that no longer exists keeps its message."""
    check = all_checks().get(str(kept["id"]))
    evidence = [_shown_evidence(item, say) for item in kept.get("evidence", ())]
    shown = {
        "id": kept["id"],
        "key": kept["key"],
        "verdict": kept["verdict"],
        "summary": summary_of(kept, say),
        "message": kept["message"],
        "params": kept["params"],
        "evidence": evidence,
        "evidence_count": kept.get("evidence_count", 0),
        "worth": kept.get("worth", 0),
        "lost": kept.get("lost", 0),
        "accepted": kept.get("accepted"),
    }
    return shown | _words(check, str(kept["id"]), docs_url, say)


def _shown_evidence(item: Mapping[str, Any], say: Wording) -> dict[str, Any]:
    shown = dict(item)
    if "note" in item:
        shown["note"] = render(item["note"], item.get("params", {}), say)
    words = words_of(EVIDENCE_TEXT, item.get("text", ""))
    if words is not None:
        shown["text"] = say.text(words)
    return shown


def _words(check: Check | None, check_id: str, docs_url: str, say: Wording) -> dict[str, Any]:
    if check is None:
        return {}
    text = check.documentation
    return {
        "question": say.text(check.question),
        "category": check.category.value,
        "importance": check.importance.value,
        "effort": int(check.effort),
        "why": say.text(text.why),
        "how_to_fix": say.text(text.how),
        "source": say.text(text.sources),
        "docs": f"{docs_url}/{check_id}" if docs_url else f"docs/checks/{check_id}.md",
    }


def summary_of(kept: Mapping[str, Any], say: Wording = ENGLISH) -> str:
    """The finding in one sentence; a named parent check is shown by its question."""
    params = dict(kept["params"])
    parent = all_checks().get(str(params.get("check", "")))
    if parent:
        params["check"] = say.text(parent.question)
    return render(str(kept["message"]), params, say)


def body(analysis: Analysis, docs_url: str = "", say: Wording = ENGLISH) -> dict[str, Any]:
    """The REPORT members that come from the analysis, in one language."""
    document = {"not_for_search": False, **analysis.document}
    findings = document.pop("findings")
    facts = document.pop("facts")
    error = error_of(document)
    if error is not None:
        document["error"] = shown_error(error, say)
    document["categories"] = [{**category, "title": say.text(category["title"])} for category in document["categories"]]
    return {**document, "results": [shown_finding(kept, docs_url, say) for kept in findings], "facts": facts}


def report(analysis: Analysis, docs_url: str = "", say: Wording = ENGLISH, **stored: Any) -> dict[str, Any]:
    """A whole REPORT; ``stored`` are the members that only a store knows (id, privacy, links …)."""
    made = body(analysis, docs_url, say)
    at = made["captured_at"]
    return {
        "id": None,
        "object": "report",
        "public_id": None,
        "url": made["requested_url"],
        "project": project_name(made["requested_url"]),
        "status": "done",
        "result": made["result"],
        "score": made["score"],
        "coverage": made["coverage"],
        "privacy": 0,
        "has_password": False,
        "created_at": at,
        "generated_at": at,
        "updated_at": at,
        "error": made["error"],
        "engine": made["engine"],
        "judged_as": made["judged_as"],
        "not_for_search": made["not_for_search"],
        "last_error": None,
        "previous": None,
        "not_asked": made["not_asked"],
        "counts": made["counts"],
        "explained": made["explained"],
        "categories": made["categories"],
        "results": made["results"],
        "facts": made["facts"],
        "links": {},
    } | stored


def failed_report(url: str, error: PageError, at: datetime, say: Wording = ENGLISH) -> dict[str, Any]:
    """The REPORT of a page that could not be loaded, in one language."""
    moment = at.strftime("%Y-%m-%dT%H:%M:%SZ")
    made = not_seen(url, error, moment)
    return {
        "id": None,
        "object": "report",
        "public_id": None,
        "url": url,
        "project": project_name(url),
        "status": "failed",
        "result": None,
        "score": None,
        "coverage": None,
        "privacy": 0,
        "has_password": False,
        "created_at": moment,
        "generated_at": None,
        "updated_at": moment,
        "error": {**shown_error(error, say), "detail": detail_of(error, say)},
        "engine": msgspec.to_builtins(made.engine),
        "judged_as": None,
        "not_for_search": False,
        "last_error": None,
        "previous": None,
        "not_asked": [],
        "counts": {},
        "explained": None,
        "categories": [],
        "results": [],
        "facts": {},
        "links": {},
    }
