"""Reports stored as JSON: output of `findable audit --format json`, or a response of the API."""

import msgspec
from msgspec import Raw, Struct

from findable.export.report_json import finding_json
from findable.reports.report import Report, canonical
from findable.reports.reported_finding import ComparableFinding
from findable.values import shape_of


class EarlierFinding(ComparableFinding, frozen=True, kw_only=True):
    """Finding of a stored report."""

    summary: str
    json: Raw = Raw()
    """Complete JSON of the finding."""


class EarlierReport(Struct, frozen=True):
    """Values of a stored report for a comparison."""

    url: str
    score: float | None
    result: str | None
    findings: tuple[EarlierFinding, ...]

    @property
    def was_loaded(self) -> bool:
        """Whether the page could be loaded; otherwise the report has no results."""
        return self.score is not None or bool(self.findings)  # a report with problems only may have no finding


class _StoredReport(Struct, frozen=True):
    """Report in its JSON form."""

    url: str
    score: float | None
    result: str | None
    results: tuple[Raw, ...]


_Any = _StoredReport | tuple[_StoredReport, ...]


class _ReportEnvelope(Struct, frozen=True):
    """Report in the envelope of the API."""

    data: _Any


def reports_in(text: str) -> tuple[EarlierReport, ...]:
    """Return one report or several. Raises ValueError if there is none."""
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
    """Return a report in the form of a stored one, to compare the two."""
    findings = (
        shape_of(EarlierFinding, finding, summary=finding.summary(), json=Raw(canonical(finding_json(finding))))
        for finding in report.findings
    )
    return EarlierReport(report.requested_url, report.score, report.result, tuple(findings))
