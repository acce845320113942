"""Reader of reports in JSON: output of `findable audit --format json`, or a response of the API."""

import msgspec
from msgspec import Raw, Struct

from findable.export.report_json import finding_json
from findable.reports.report import Report, canonical
from findable.reports.reported_finding import ComparableFinding
from findable.values import shape_of


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

    @property
    def was_loaded(self) -> bool:
        """Whether the page could be loaded; otherwise the report has no results."""
        return self.score is not None or bool(self.findings)  # --only-problems may have removed all findings


class _StoredReport(Struct, frozen=True):
    """Members of a report in JSON that are read."""

    url: str
    score: float | None
    result: str | None
    results: tuple[Raw, ...]


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
    return EarlierReport(stored_run.url, stored_run.score, stored_run.result, tuple(findings))


def as_earlier(report: Report) -> EarlierReport:
    """Convert a report to an `EarlierReport`, so that it can be compared with one."""
    findings = (
        shape_of(EarlierFinding, finding, summary=finding.summary(), json=Raw(canonical(finding_json(finding))))
        for finding in report.findings
    )
    return EarlierReport(report.requested_url, report.score, report.result, tuple(findings))
