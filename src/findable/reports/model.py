"""The report: one value, made from a capture and the results of its checks.

`Run` is one generation: what is kept of it and compared. `body` turns it into the JSON that the interface, the command line and the
exports share (CONTRACT: REPORT without what the store adds: id, privacy, links).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from findable import __version__
from findable.artifacts.capture import Capture
from findable.artifacts.gather import Gathered, gather
from findable.artifacts.shell import needs_browser
from findable.checks.engine import Check, Evidence, Result, all_checks, run
from findable.errors import NOT_SEEN_CODES, PageNotSeen
from findable.reports.acceptance import Acceptance, acceptance_of
from findable.reports.facts import facts_of
from findable.reports.messages import render
from findable.reports.path import cheapest_path
from findable.reports.scoring import HALVES, RULESET, Row, Score
from findable.urls import project_name
from findable.vocabulary import Category, Profile, Verdict

CATEGORY_TITLES = {
    Category.INDEXABILITY: "Indexability & crawling",
    Category.CONTENT: "Content",
    Category.LINKS: "Links",
    Category.IMAGES: "Images",
    Category.PERFORMANCE: "Delivery (no browser)",
    Category.SECURITY: "Security & trust",
    Category.STRUCTURED_DATA: "Structured data",
    Category.SOCIAL: "Social previews",
    Category.INTERNATIONAL: "International",
    Category.ACCESSIBILITY: "Accessibility",
    Category.AI: "AI & answer engines",
    Category.MOBILE: "Mobile",
    Category.TECHNICAL: "Technical",
}
"""Titles in the static profile; with lab data performance is called "Performance"."""

VERDICT_ORDER = (Verdict.FAILED, Verdict.WARNED, Verdict.UNKNOWN, Verdict.INFO, Verdict.PASSED, Verdict.INAPPLICABLE)


@dataclass(frozen=True, slots=True)
class Analysis:
    """What one generation found, JSON-ready and deterministic: `document` is what is stored."""

    document: Mapping[str, Any]

    def dump(self) -> bytes:
        """Canonical bytes."""
        return json.dumps(self.document, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8", "replace")

    @staticmethod
    def load(data: bytes) -> "Analysis":
        """The inverse of `dump`."""
        return Analysis(json.loads(data))


def analyse(
    capture: Capture,
    profile: Profile = Profile.STATIC,
    *,
    not_for_search: bool = False,
    acceptances: Sequence[Acceptance] = (),
) -> Analysis:
    """Gathers, checks and scores one capture. A page built by script is judged as far as it can be and gets no rating."""
    gathered = gather(capture)
    results = run(gathered, profile, not_for_search=not_for_search)
    return Analysis(_document(capture, gathered, results, profile, acceptances))


def _document(
    capture: Capture, gathered: Gathered, results: Sequence[Result], profile: Profile, acceptances: Sequence[Acceptance]
) -> dict[str, Any]:
    accepted = {result.check.id: found for result in results if (found := acceptance_of(acceptances, capture, result))}
    rows = tuple(_row(result, accepted=result.check.id in accepted) for result in results)
    score = Score(rows)
    shell = needs_browser(gathered)
    return {
        "requested_url": capture.response.requested_url,
        "url": capture.response.final_url,
        "captured_at": capture.captured_at,
        "engine": {"version": __version__, "ruleset": RULESET, "profile": profile.value},
        "judged_as": capture.judged_as,
        "result": score.rating.value if score.rating and not shell else None,
        "score": None if shell else score.score,
        "coverage": score.coverage,
        "error": _error("needs_browser") if shell else None,
        "explained": _explained(score, results),
        "categories": _categories(results, profile),
        "counts": {verdict.value: sum(row.verdict is verdict for row in rows) for verdict in Verdict},
        "not_asked": sorted(set(all_checks()) - {result.check.id for result in results}),
        "findings": [_finding(result, row, score, accepted.get(result.check.id)) for result, row in zip(results, rows, strict=True)],
        "facts": facts_of(gathered),
    }


def _row(result: Result, *, accepted: bool) -> Row:
    """What scoring sees; an accepted finding leaves the sum."""
    return Row(result.check.id, result.check.importance, Verdict.INAPPLICABLE if accepted else result.finding.verdict)


def _error(code: str) -> dict[str, Any]:
    message, retryable = NOT_SEEN_CODES[code]
    return {"code": code, "message": message, "retryable": retryable}


def _explained(score: Score, results: Sequence[Result]) -> dict[str, Any]:
    """How the score came about, and the cheapest way to the next rating."""
    efforts = {result.check.id: int(result.check.effort) for result in results}
    parents = {result.check.id: result.check.after for result in results}
    path = cheapest_path(score.rows, efforts, parents)
    held = score.held_down_by
    return {
        "points": score.points,
        "possible": score.possible,
        "raw": round(score.raw, 1),
        "caps": [{"score": cap.score, "checks": list(cap.checks)} for cap in score.caps],
        "held_down_by": {"score": held.score, "checks": list(held.checks)} if held else None,
        "provisional": score.provisional and score.score is not None,
        "next_rating": None
        if path is None
        else {
            "result": path.rating.value,
            "checks": list(path.checks),
            "effort": path.effort,
            "score_from": path.score_from,
            "score_to": path.score_to,
        },
    }


def _categories(results: Sequence[Result], profile: Profile) -> list[dict[str, Any]]:
    """Categories that have at least one finding that was judged or shown, with their own score (no caps)."""
    found = []
    for category in Category:
        rows = [
            Row(result.check.id, result.check.importance, result.finding.verdict) for result in results if result.check.category is category
        ]
        if all(row.verdict is Verdict.INAPPLICABLE for row in rows):
            continue
        score = Score(tuple(rows))
        found.append(
            {
                "id": category.value,
                "title": "Performance" if category is Category.PERFORMANCE and profile is not Profile.STATIC else CATEGORY_TITLES[category],
                "score": int(score.raw) if score.possible else None,
                "points": score.points,
                "possible": score.possible,
                "counts": {verdict.value: sum(row.verdict is verdict for row in rows) for verdict in Verdict},
            }
        )
    return found


def _finding(result: Result, row: Row, score: Score, acceptance: Acceptance | None) -> dict[str, Any]:
    """What is kept of one finding; words that the check's documentation holds are added when it is shown."""
    finding = result.finding
    kept: dict[str, Any] = {
        "id": result.check.id,
        "key": result.key,
        "verdict": finding.verdict.value,
        "message": finding.message,
        "params": _plain(finding.params),
    }
    if row.verdict in HALVES:
        kept["worth"] = score.worth(row)
        kept["lost"] = score.lost(row)
    if acceptance:
        kept["accepted"] = {"reason": acceptance.reason, "until": acceptance.until, "by": acceptance.by}
    if finding.evidence:
        kept["evidence"] = [_evidence(item) for item in finding.evidence]
        kept["evidence_count"] = finding.evidence_count
    return kept


def _evidence(item: Evidence) -> dict[str, Any]:
    fields = {name: getattr(item, name) for name in ("text", "selector", "line", "column", "url", "status", "note")}
    kept: dict[str, Any] = {"kind": item.kind, **{name: value for name, value in fields.items() if value not in ("", None)}}
    if item.params:
        kept["params"] = _plain(item.params)
    return kept


def _plain(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple | set | frozenset) else value for name, value in params.items()}


def shown_finding(kept: Mapping[str, Any], docs_url: str = "") -> dict[str, Any]:
    """A kept finding as the interface shows it: with words, why, fix and source. A check that no longer exists keeps its message."""
    check = all_checks().get(str(kept["id"]))
    evidence = [
        {**item, "note": render(item["note"], item.get("params", {}))} if "note" in item else dict(item)
        for item in kept.get("evidence", ())
    ]
    shown = {
        "id": kept["id"],
        "key": kept["key"],
        "verdict": kept["verdict"],
        "summary": summary_of(kept),
        "message": kept["message"],
        "params": kept["params"],
        "evidence": evidence,
        "evidence_count": kept.get("evidence_count", 0),
        "worth": kept.get("worth", 0),
        "lost": kept.get("lost", 0),
        "accepted": kept.get("accepted"),
    }
    return shown | _words(check, str(kept["id"]), docs_url)


def _words(check: Check | None, check_id: str, docs_url: str) -> dict[str, Any]:
    if check is None:
        return {}
    text = check.documentation
    return {
        "question": check.question,
        "category": check.category.value,
        "importance": check.importance.value,
        "effort": int(check.effort),
        "why": text.why,
        "how_to_fix": text.how,
        "source": text.sources,
        "docs": f"{docs_url}/{check_id}" if docs_url else f"docs/checks/{check_id}.md",
    }


def summary_of(kept: Mapping[str, Any]) -> str:
    """The finding in one sentence; a named parent check is shown by its question."""
    params = dict(kept["params"])
    parent = all_checks().get(str(params.get("check", "")))
    if parent:
        params["check"] = parent.question
    return render(str(kept["message"]), params)


def body(analysis: Analysis, docs_url: str = "") -> dict[str, Any]:
    """The REPORT members that come from the analysis."""
    document = dict(analysis.document)
    findings = document.pop("findings")
    facts = document.pop("facts")
    return {**document, "results": [shown_finding(kept, docs_url) for kept in findings], "facts": facts}


def report(analysis: Analysis, docs_url: str = "", **stored: Any) -> dict[str, Any]:
    """A whole REPORT; ``stored`` are the members that only a store knows (id, privacy, links …)."""
    made = body(analysis, docs_url)
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
