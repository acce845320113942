"""Reports that were stored as JSON: what `findable audit --format json` printed, or the interface returned."""

import msgspec
from msgspec import Raw, Struct

from findable.export.report_json import finding_json
from findable.reports.report import Report, canonical
from findable.reports.reported_finding import JudgedFinding
from findable.wording import ENGLISH


class EarlierFinding(JudgedFinding, frozen=True, kw_only=True):
    """A finding of a stored report."""

    summary: str
    json: Raw = Raw()
    """The whole of it."""


class EarlierReport(Struct, frozen=True):
    """What a comparison reads of a stored report."""

    url: str
    score: float | None
    result: str | None
    findings: tuple[EarlierFinding, ...]

    @property
    def was_seen(self) -> bool:
        """Whether the page could be loaded: a report of one that could not knows nothing of it."""
        return bool(self.findings)


class _Stored(Struct, frozen=True):
    """A report as its JSON has it."""

    url: str
    score: float | None
    result: str | None
    results: tuple[Raw, ...]


_Any = _Stored | tuple[_Stored, ...]


class _Enveloped(Struct, frozen=True):
    """What the interface returns."""

    data: _Any


def reports_in(text: str) -> tuple[EarlierReport, ...]:
    """One report or several. Raises ValueError where there is none."""
    try:
        found = _read(text)
        made = tuple(_earlier(one) for one in ((found,) if isinstance(found, _Stored) else found))
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from error
    if not made:
        msg = "no report"
        raise ValueError(msg)
    return made


def _read(text: str) -> _Any:
    try:
        return msgspec.json.decode(text, type=_Enveloped).data
    except msgspec.ValidationError:
        found: _Any = msgspec.json.decode(text, type=_Any)
        return found


def _earlier(stored: _Stored) -> EarlierReport:
    findings = (msgspec.structs.replace(msgspec.json.decode(raw, type=EarlierFinding), json=raw) for raw in stored.results)
    return EarlierReport(stored.url, stored.score, stored.result, tuple(findings))


def as_earlier(report: Report) -> EarlierReport:
    """A report made now, to be compared with a stored one."""
    findings = (
        EarlierFinding(
            id=finding.id,
            verdict=finding.verdict,
            accepted=finding.accepted,
            summary=finding.summary(),
            json=Raw(canonical(finding_json(finding, "", ENGLISH))),
        )
        for finding in report.findings
    )
    return EarlierReport(report.requested_url, report.score, report.result, tuple(findings))
