"""What an owner does with reports. Every function raises NotFound alike for a missing report and for another account's."""

from findable.service.app import Service
from findable.service.values import (
    Caller,
    Changes,
    Created,
    IdempotencyKey,
    NewReport,
    Page,
    ReportChanges,
    ReportQuery,
    ReportView,
    RunView,
)


def create(service: Service, caller: Caller, new: NewReport, idempotency: IdempotencyKey | None = None) -> Created:
    """Accepts a report: stored and queued in one transaction.

    Raises ValidationFailed (all fields at once), QuotaExceeded, Forbidden, Unavailable; with a key also Conflict and IdempotencyMismatch.
    """
    raise NotImplementedError


def get(service: Service, caller: Caller, report_id: int) -> ReportView:
    """One report with its analysis."""
    raise NotImplementedError


def find(service: Service, caller: Caller, query: ReportQuery) -> Page[ReportView]:
    """A list without analyses. Raises ValidationFailed for a cursor that is none, or `check` without `verdict`."""
    raise NotImplementedError


def update(service: Service, caller: Caller, report_id: int, changes: ReportChanges, if_match: str | None = None) -> ReportView:
    """Changes privacy and password at once; with `results` queues a new generation, or joins the one that runs.

    `if_match` is the header's value (``*``, one tag or a list of tags). Raises PreconditionFailed, ValidationFailed.
    """
    raise NotImplementedError


def delete(service: Service, caller: Caller, report_id: int, if_match: str | None = None) -> None:
    """Deletes the report; a generation that runs is discarded. Raises PreconditionFailed."""
    raise NotImplementedError


def runs(service: Service, caller: Caller, report_id: int) -> tuple[RunView, ...]:
    """The history of the report's address: the runs of this report and of others of the account and profile, newest first, at most 100."""
    raise NotImplementedError


def get_run(service: Service, caller: Caller, report_id: int, run: int) -> ReportView:
    """The report as it was in that run, with its analysis."""
    raise NotImplementedError


def changes(service: Service, caller: Caller, report_id: int, since: int | None = None) -> Changes:
    """What changed since run number `since` of this report (the run before the current one where None). Raises ValidationFailed on it."""
    raise NotImplementedError


def saved_page(service: Service, caller: Caller, report_id: int, run: int | None = None) -> bytes:
    """The saved page (JSON) of a run, the current one where None. Raises NotFound where it was not kept."""
    raise NotImplementedError
