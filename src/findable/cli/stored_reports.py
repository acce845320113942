"""Reader of reports in JSON: output of `findable audit --format json`, or a response of the API."""

from collections.abc import Mapping

import msgspec
from msgspec import Raw, Struct

from findable.export.report_json import finding_json
from findable.reports.difference import (
    STATUS_CHECK,
    Basis,
    ByChange,
    Judged,
    NotComparable,
    basis_of_page,
    comparable,
    difference,
    judged_page,
)
from findable.reports.facts.browser_facts import LabMetric
from findable.reports.report import Report, canonical
from findable.reports.reported_finding import ComparableFinding
from findable.vocabulary import Source, Verdict


class EarlierFinding(ComparableFinding, frozen=True, kw_only=True):
    """Finding of a report in JSON, with the values that a comparison needs."""

    summary: str
    json: Raw = Raw()
    """Complete JSON of the finding."""


class EarlierReport(Struct, frozen=True):
    """Values of an earlier report that a comparison needs."""

    url: str
    score: float | None
    result: str | None
    findings: tuple[EarlierFinding, ...]
    ruleset: str | None = None
    """Ruleset; None in files without one, which cannot be compared."""
    sources: tuple[Source, ...] = ()
    not_asked: frozenset[str] = frozenset()
    """Checks that did not run. Files of `--only-problems` lack other checks that passed."""
    values: Mapping[str, float] = {}
    """Values that a budget may limit, by name, as far as they are known."""

    @property
    def was_loaded(self) -> bool:
        """Whether the page could be loaded; otherwise the report has no results."""
        return self.score is not None or bool(self.findings)  # --only-problems may have removed all findings


class _StoredEngine(Struct, frozen=True):
    """Members of the engine of a report in JSON that are read."""

    ruleset: str
    sources: tuple[Source, ...] = ()


class _StoredMetric(Struct, frozen=True):
    metric: str
    median: float


class _StoredBrowser(Struct, frozen=True):
    metrics: tuple[_StoredMetric, ...] = ()


class _StoredType(Struct, frozen=True):
    known_bytes: int


class _StoredResources(Struct, frozen=True):
    html_bytes: int
    count: int
    by_type: tuple[_StoredType, ...] = ()


class StoredFacts(Struct, frozen=True):
    """Members of the facts of a report in JSON that budgets limit."""

    resources: _StoredResources | None = None
    browser: _StoredBrowser | None = None

    @property
    def values(self) -> Mapping[str, float]:
        """Values by name of the limit; without those that are not known."""
        found: dict[str, float] = {}
        if self.resources is not None:
            found["bytes"] = self.resources.html_bytes + sum(item.known_bytes for item in self.resources.by_type)
            found["requests"] = self.resources.count
        metrics = self.browser.metrics if self.browser is not None else ()
        return found | {_LIMITS[one.metric]: one.median for one in metrics if one.metric in _LIMITS}


_LIMITS: Mapping[str, str] = {LabMetric.LCP: "lcp_ms", LabMetric.FCP: "fcp_ms", LabMetric.TBT: "tbt_ms", LabMetric.CLS: "cls"}


def values_of(report: Report) -> Mapping[str, float]:
    """Return the values of a report that a budget may limit, by name, as far as they are known."""
    return msgspec.convert(msgspec.to_builtins(report.facts), StoredFacts).values


class _StoredReport(Struct, frozen=True):
    """Members of a report in JSON that are read."""

    url: str
    score: float | None
    result: str | None
    results: tuple[Raw, ...]
    engine: _StoredEngine | None = None
    not_asked: tuple[str, ...] = ()
    facts: StoredFacts = StoredFacts()


_Any = _StoredReport | tuple[_StoredReport, ...]


class _ReportEnvelope(Struct, frozen=True):
    """Response of the API with one report or several."""

    data: _Any


def reports_in(text: str) -> tuple[EarlierReport, ...]:
    """Return the reports in a JSON text. Raises ValueError if it contains none."""
    try:
        found = _read(text)
        made = tuple(_earlier_report(one) for one in ((found,) if isinstance(found, _StoredReport) else found))
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from error
    if not made:
        raise ValueError("no report")
    return made


def _read(text: str) -> _Any:
    try:
        return msgspec.json.decode(text, type=_ReportEnvelope).data
    except msgspec.ValidationError:
        found: _Any = msgspec.json.decode(text, type=_Any)
        return found


def _earlier_report(stored_run: _StoredReport) -> EarlierReport:
    findings = (msgspec.structs.replace(msgspec.json.decode(raw, type=EarlierFinding), json=raw) for raw in stored_run.results)
    engine = stored_run.engine
    return EarlierReport(
        stored_run.url,
        stored_run.score,
        stored_run.result,
        tuple(findings),
        None if engine is None else engine.ruleset,
        () if engine is None else engine.sources,
        frozenset(stored_run.not_asked),
        stored_run.facts.values,
    )


def as_earlier(report: Report) -> EarlierReport:
    """Convert a report to an `EarlierReport`, by its JSON, so that it can be compared with one."""
    members = {name: getattr(report, name) for name in ("score", "result", "engine", "not_asked", "facts")}
    members |= {"url": report.requested_url, "results": [finding_json(finding) for finding in report.findings]}
    return _earlier_report(msgspec.json.decode(canonical(members), type=_StoredReport))


class ReportChange(ByChange[EarlierFinding], frozen=True, kw_only=True):
    """Findings that differ between two reports: those of the newer report, or of the older one if they are absent from it."""

    reason: NotComparable | None
    """Reason why the reports cannot be compared; None if they can."""


def change_of(before: EarlierReport, after: EarlierReport) -> ReportChange:
    """Return the changes from one report to a later one."""
    reason = comparable(_basis(before), _basis(after))
    old, new = (judged_page(one.findings) for one in (before, after))
    for own, other, report in ((old, new, before), (new, old, after)):
        own |= {check: Judged(Verdict.PASSED) for check in other.keys() - own.keys() - report.not_asked if report.score is not None}
    if reason is not None and reason is not NotComparable.AFTER_INCOMPLETE:
        old = {}
    shown = {finding.id: finding for finding in before.findings}
    shown |= {finding.id: finding for finding in after.findings if finding.has_problem or finding.id not in shown}
    return ReportChange(**difference(old, new).lists(shown.__getitem__), reason=reason)


def _basis(report: EarlierReport) -> Basis:
    status = next((finding.verdict for finding in report.findings if finding.id == STATUS_CHECK), None)
    score = 0 if report.score is None and report.findings else report.score
    return basis_of_page(report.ruleset or "", report.sources, None if report.ruleset is None else score, status)
