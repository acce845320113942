"""The report: one value, made from a capture and the results of its checks.

`Run` is one generation: what is kept of it and compared. `body` turns it into the JSON that the interface, the command line and the
exports share (CONTRACT: REPORT without what the store adds: id, privacy, links).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any

import msgspec

from findable import __version__
from findable.artifacts.page.client_side_rendering import needs_browser
from findable.artifacts.registry import gather
from findable.capture.page import Capture
from findable.checks.engine import Check, Evidence, Result, all_checks, finding_key, run
from findable.errors import NOT_SEEN_CODES, PageNotSeen
from findable.reports.acceptance import Acceptance, acceptance_of
from findable.reports.facts import facts_of
from findable.reports.judgement import judgement
from findable.reports.messages import render
from findable.reports.scoring import RULESET
from findable.reports.words import EVIDENCE
from findable.urls import project_name
from findable.vocabulary import Profile
from findable.wording import ENGLISH, Wording


@dataclass(frozen=True, slots=True)
class Analysis:
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
    """Gathers, checks and scores one capture. A page built by script is judged as far as it can be and gets no rating.

    ``not_for_search`` says that nobody wants the page found: what hinders that is then no fault.
    """
    gathered = gather(capture)
    results = run(gathered, profile, not_for_search=not_for_search)
    findings = [_finding(result) for result in results]
    shell = needs_browser(gathered)
    return Analysis(
        {
            "requested_url": capture.response.requested_url,
            "url": capture.response.final_url,
            "captured_at": capture.captured_at,
            "engine": {"version": __version__, "ruleset": RULESET, "profile": profile.value},
            "judged_as": capture.judged_as,
            "not_for_search": not_for_search,
            "error": _error("needs_browser") if shell else None,
            "not_asked": sorted(set(all_checks()) - {result.check.id for result in results}),
            "facts": facts_of(gathered),
            **_judged(findings, acceptances, capture.response.final_url, capture.captured_at[:10], profile, rated=not shell),
        }
    )


def with_acceptances(analysis: Analysis, acceptances: Sequence[Acceptance], day: str) -> Analysis:
    """The analysis as if these had been accepted, and nothing else, on that day (ISO date): what analysing the page again would give.

    Raises ValueError for an analysis under another ruleset than the present one: its weights are gone.
    """
    document = analysis.document
    if not can_be_judged_again(analysis):
        msg = f"an analysis under ruleset {document['engine']['ruleset']} is not judged by {RULESET}"
        raise ValueError(msg)
    profile = Profile(document["engine"]["profile"])
    judged = _judged(document["findings"], acceptances, document["url"], day, profile, rated=document["error"] is None)
    return Analysis({**document, **judged})


def can_be_judged_again(analysis: Analysis) -> bool:
    """Whether its findings are those of the present ruleset."""
    known = all_checks()
    return analysis.document["engine"]["ruleset"] == RULESET and all(kept["id"] in known for kept in analysis.document["findings"])


def _judged(
    findings: Iterable[Mapping[str, Any]], acceptances: Sequence[Acceptance], url: str, day: str, profile: Profile, *, rated: bool
) -> dict[str, Any]:
    return judgement([_accepted_or_not(kept, acceptances, url, day) for kept in findings], profile, rated=rated)


def _accepted_or_not(kept: Mapping[str, Any], acceptances: Sequence[Acceptance], url: str, day: str) -> Mapping[str, Any]:
    bare = {name: value for name, value in kept.items() if name != "accepted"} if "accepted" in kept else kept
    found = acceptance_of(acceptances, bare, url, day)
    return bare if found is None else {**bare, "accepted": {"reason": found.reason, "until": found.until, "by": found.by}}


def _error(code: str) -> dict[str, Any]:
    message, retryable = NOT_SEEN_CODES[code]
    return {"code": code, "message": message, "retryable": retryable}


def _finding(result: Result) -> dict[str, Any]:
    """What is kept of one finding; words that the check's documentation holds are added when it is shown."""
    finding = result.finding
    kept: dict[str, Any] = {
        "id": result.check.id,
        "key": result.key,
        "verdict": finding.verdict.value,
        "message": finding.message,
        "params": _plain(finding.params),
    }
    if finding.evidence:
        kept["evidence"] = [_evidence(item) for item in finding.evidence]
        kept["evidence_count"] = finding.evidence_count
    return kept


_EVIDENCE_FIELDS = ("text", "selector", "line", "column", "url", "status", "note")
_fields_of = attrgetter(*_EVIDENCE_FIELDS)


def _evidence(item: Evidence) -> dict[str, Any]:
    kept: dict[str, Any] = {"kind": item.kind}
    kept.update({name: value for name, value in zip(_EVIDENCE_FIELDS, _fields_of(item), strict=True) if value not in ("", None)})
    if item.params:
        kept["params"] = _plain(item.params)
    return kept


def _plain(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple | set | frozenset) else value for name, value in params.items()}


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
    if item.get("text") in EVIDENCE:
        shown["text"] = say.text(item["text"])
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
    if document["error"]:
        document["error"] = {**document["error"], "message": say.text(document["error"]["message"])}
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


def failed_report(url: str, error: PageNotSeen, at: datetime) -> dict[str, Any]:
    """The REPORT of a page that could not be seen."""
    moment = at.strftime("%Y-%m-%dT%H:%M:%SZ")
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
        "error": {"code": error.code, "message": error.message, "retryable": error.retryable, "detail": error.detail},
        "engine": {"version": __version__, "ruleset": RULESET, "profile": Profile.STATIC.value},
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
