"""JSON of a page report: the members that the command line, the API and the shared file have in common.

The OpenAPI document is generated from these types. Texts are in one language.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from findable.checks.engine import Evidence
from findable.checks.page_fix import Fix, FixPlace
from findable.reports.facts import Facts
from findable.reports.page_error_text import detail_of, message_of
from findable.reports.plain import PlainFinding, cms_of, plain_finding
from findable.reports.projection import ScorePart
from findable.reports.report import CategoryScore, Engine, Explanation, Report
from findable.reports.reported_finding import AGAINST, AcceptanceTerms, ReportedFinding, in_language
from findable.urls import project_name
from findable.values import DateTime, shape_of
from findable.vocabulary import PageKind, Rating, Status, Verdict
from findable.wording import ENGLISH, Translator

_VERIFY = "findable recheck report.json {key}"
"""Command that checks a finding of a report again that was saved as this file."""
TEXTS = ("plain", "why", "how_to_fix", "source", "question")
"""Texts that are the same for every page."""
Points = Annotated[int, Meta(ge=0, le=100)]


class FixJson(Struct, frozen=True, omit_defaults=True):
    """Code that fixes a finding of this page."""

    place: FixPlace
    """Place of the code: `element` and `script` replace `before` at line and column, `head` is the end of the head, `header` a
    response header, `robots_txt` the end of robots.txt."""
    after: str
    """Code to paste; empty for a removal."""
    before: str = ""
    """Source that the code replaces, as written."""
    line: int | None = None
    column: int | None = None


class FindingJson(Struct, frozen=True, kw_only=True):
    """Finding with its texts. The texts are empty for a removed check, and omitted on request."""

    id: str
    key: str
    verdict: Verdict
    summary: str
    message: str
    params: Mapping[str, Any]
    evidence: tuple[Evidence, ...]
    evidence_count: int
    worth: float
    lost: float
    gain: int | None
    gain_alone: int | None
    accepted: AcceptanceTerms | None
    question: str | UnsetType = UNSET
    category: str
    importance: str
    effort: int | UnsetType = UNSET
    plain: PlainFinding | UnsetType = UNSET
    """Finding in plain words; omitted for findings that have no fault."""
    why: str | UnsetType = UNSET
    how_to_fix: str | UnsetType = UNSET
    fix: tuple[FixJson, ...] | UnsetType = UNSET
    """Code for this page, to paste together; omitted without code."""
    verify: str | UnsetType = UNSET
    """Call or command that checks the finding again; omitted for findings that have no fault."""
    source: str | UnsetType = UNSET
    docs: str


class CommandFinding(FindingJson, frozen=True, kw_only=True):
    """Finding that the command line prints, with its place in the repository of the site."""

    file: str | UnsetType = UNSET
    """File and line in the repository, or its template; omitted if it is unknown (option ``--source``)."""
    patch: str | UnsetType = UNSET
    """Unified diff that fixes the finding in this file; omitted unless it applies exactly."""


class ReportMembers(Struct, frozen=True, kw_only=True):
    """Members of every report in JSON, the short ones first."""

    id: int | UnsetType | None = UNSET
    """Number of the report; omitted for guests, null if it is not stored in a service."""
    object: Literal["report"] = "report"
    public_id: str | None
    project: str | UnsetType = UNSET
    """Name of the project; omitted for guests."""
    url: str
    """Requested URL."""
    final_url: str | None
    """URL to which it led; null if the page was not loaded."""
    status: Status
    result: Rating | None
    score: Points | None
    coverage: float | None
    kind: PageKind | None
    """Kind of the page; null before the first result, and in results older than kinds. `facts.kind` has the evidence."""
    privacy: Literal[0, 1, 2]
    created_at: DateTime
    generated_at: DateTime | None
    updated_at: DateTime
    engine: Engine | None
    judged_as: str | None
    not_asked: tuple[str, ...]
    counts: Mapping[str, int]
    categories: tuple[CategoryScore, ...]
    not_for_search: bool
    explained: Explanation | None
    score_parts: tuple[ScorePart, ...]
    """Points that each finding costs, from 100 to the score; empty without a score."""
    results: tuple[FindingJson, ...]
    facts: Facts


class ProblemJson(Struct, frozen=True, kw_only=True):
    """Reason why a page has no rating."""

    code: str
    message: str
    retryable: bool
    detail: str | UnsetType = UNSET
    """Details of the failure, if the page could not be loaded."""


class CommandReport(ReportMembers, frozen=True, kw_only=True):
    """Report printed by the command line, without the id and links of a stored one."""

    id: None = None
    public_id: None = None
    project: str
    has_password: Literal[False] = False
    results: tuple[CommandFinding, ...]
    error: ProblemJson | None
    last_error: None = None
    previous: None = None
    links: Mapping[str, str] = {}


def finding_json(finding: ReportedFinding, docs_url: str = "", say: Translator = ENGLISH, verify: str = "", cms: str = "") -> FindingJson:
    """Return the JSON of a finding, with its texts in the language of ``say``.

    ``verify``: call or command that checks it again, with ``{key}`` and ``{id}`` of the finding; empty for none. ``cms``: content
    management system of the page; empty if its clicks are not known.
    """
    return shape_of(
        FindingJson,
        finding,
        summary=finding.summary(say),
        evidence=tuple(in_language(item, say) for item in finding.evidence),
        question=finding.question(say),
        effort=int(finding.effort) if finding.effort else UNSET,
        plain=(plain_finding(finding.check, cms, say, finding.evidence_count) if finding.verdict in AGAINST else None) or UNSET,
        why=finding.why_it_matters(say),
        how_to_fix=finding.how_to_fix(say),
        fix=fixes_json(finding.fixes) or UNSET,
        verify=verify.format(key=finding.key, id=finding.id) if verify and finding.verdict in AGAINST else UNSET,
        source=finding.source(say),
        docs=finding.docs(docs_url),
    )


def fixes_json(fixes: Iterable[Fix]) -> tuple[FixJson, ...]:
    """Return the JSON of the code of a finding."""
    return tuple(FixJson(fix.place, fix.code, fix.instead_of, fix.line, fix.column) for fix in fixes)


def command_report(report: Report) -> CommandReport:
    """Return the JSON document of a report that is not stored in a service."""
    captured_at = datetime.fromisoformat(report.captured_at)
    return shape_of(
        CommandReport,
        report,
        url=report.requested_url,
        final_url=report.url if report.was_loaded else None,
        project=project_name(report.requested_url),
        status=Status.DONE if report.was_loaded else Status.FAILED,
        privacy=0,
        created_at=captured_at,
        generated_at=captured_at if report.was_loaded else None,
        updated_at=captured_at,
        error=_problem(report),
        results=tuple(
            shape_of(CommandFinding, finding_json(finding, verify=_VERIFY, cms=cms_of(report.facts, report.url)))
            for finding in report.findings
        ),
    )


def without_texts(findings: Iterable[FindingJson]) -> tuple[FindingJson, ...]:
    """Return findings without the texts of their checks, which `findable checks ID` and `GET /checks` have."""
    return tuple(structs.replace(finding, **dict.fromkeys(TEXTS, UNSET)) for finding in findings)


def _problem(report: Report) -> ProblemJson | None:
    error = report.error
    if error is None:
        return None
    detail = UNSET if report.was_loaded else detail_of(error)
    return ProblemJson(code=error.code.value, message=message_of(error), retryable=error.retryable, detail=detail)
